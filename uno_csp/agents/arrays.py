"""A view as lists or arrays for deals and play-outs, in plain Python or in machine code."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uno_csp.agents.knowledge import UNLIKELY, likely_order, places_of, weights_of
from uno_csp.agents.play_outs import DRAW, Hidden, Table, deal_all, play_deals
from uno_csp.agents.views import DRAW as DRAW_TURN
from uno_csp.agents.views import Turn, View, view_of
from uno_csp.algorithms.stepping import GameState
from uno_csp.open_game.compiling import Compilation, machine_code
from uno_csp.open_game.deck import COLOURS, WILD, kind_of, unpack
from uno_csp.open_game.moves import DRAWN, NOTHING
from uno_csp.open_game.states import as_arrays, fill, narrow, setup_of, zeros
from uno_csp.questions.open_game import dealt

Numbers = NDArray[np.int64]


class Arranged:
    """A view as lists and, unless it is ``plain``, as arrays; the seed is that of the deals.

    ``table``, ``arrays`` (the hidden cards) and ``random`` are what the functions get.
    """

    def __init__(
        self, view: View, seed: int, unlikely: float = UNLIKELY, *, plain: bool = False
    ) -> None:
        self.view = view
        self.hidden = hidden_of(view, unlikely)
        self.labels = tuple(label_of(view, turn) for turn in view.choices)
        self._fast = not plain
        self.table, self.arrays = table_of(view, plain), self.hidden
        self.random: Any = [random.Random(seed).randrange(1, 1 << 32)]
        if not plain:
            self.table = as_arrays(self.table)
            weights = np.array(self.hidden.weights, dtype=np.float64)
            weights = weights.reshape(len(self.hidden.owners), -1)
            self.arrays = as_arrays(self.hidden)._replace(weights=weights)
            self.random = as_arrays(self.random)

    def deal(self, count: int) -> Numbers:
        """Return random deals, one in a row: the other hands, and the draw pile."""
        deals = zeros(count, self.width, fast=self._fast)
        self._run(deal_all)(self.arrays, self.random, deals)
        return np.array(deals, dtype=np.int64).reshape(count, self.width)

    def play(self, deals: Numbers, choice: int) -> tuple[Numbers, Numbers]:
        """Return who wins each deal after a choice, and how many cards are drawn to its end."""
        winners, drawn = zeros(2, len(deals), fast=self._fast)
        rows: Any = deals if self._fast else deals.tolist()
        holders = self.arrays.holders
        self._run(play_deals)(self.table, holders, rows, self.labels[choice], winners, drawn)
        return np.array(winners, dtype=np.int64), np.array(drawn, dtype=np.int64)

    def _run(self, function: Callable[..., None]) -> Callable[..., None]:
        found: Callable[..., None] = machine_code(function) if self._fast else function
        return found

    @property
    def width(self) -> int:
        """The number of cards of a deal."""
        return len(self.hidden.holders) + self.view.pile


def table_of(view: View, plain: bool) -> Table:
    """Return a view as a state with the hidden hands empty."""
    position, players = view.position, len(view.counts)
    cards = [*unpack(position.hands[position.player]), *view.unseen]
    setup = setup_of(replace(view.rules, reshuffles=0), [0] * view.pile, players, 0)
    if not plain:
        setup = narrow(setup, cards)
    start = [0] * len(setup.spare)
    fill(setup, start, position.hands, position.numbers)
    coloured = [kind // 13 for kind in cards if kind < WILD]
    left = list(map(coloured.count, range(4)))
    return Table(setup, start, left, start[:], left[:])


def hidden_of(view: View, unlikely: float) -> Hidden:
    """Return the hidden cards of a view, in an arrangement that agrees with the turns."""
    cards = view.hidden
    places = places_of(view, unlikely)
    weights = weights_of(places, cards)
    order = likely_order(weights, len(places.played))
    if order is None:  # as after a reshuffle that brought back cards that were played before
        places = places_of(replace(view, events=()))
        weights = weights_of(places, cards)
        order = list(range(len(cards)))
    own = view.position.player
    counts = [0 if player == own else count for player, count in enumerate(view.counts)]
    first = [0, *accumulate(counts)][:-1]
    return Hidden(
        kinds=[*places.played, *cards],
        played=len(places.played),
        order=order,
        owners=places.owners,
        weights=weights.tolist(),
        known=list(view.drawn),
        holders=[player for player, count in enumerate(counts) for _ in range(count)],
        first=first,
        free=first[:],
    )


def label_of(view: View, turn: Turn) -> int:
    """Return the label of a choice (:class:`uno_csp.open_game.moves.Moves`)."""
    if turn == DRAW_TURN and not view.drawn and not view.position.pending:
        return DRAW
    base = DRAWN if view.drawn else 0
    kind = kind_of(turn.get("lays", ""))
    if kind is None:
        return base + NOTHING
    return base + 4 * kind + (COLOURS.index(turn["names"]) if "names" in turn else 0)


def _warm_up() -> None:
    """Deal and play out one deal as machine code."""
    found = Arranged(view_of(GameState(dealt((2, 2), seed=1))), 1)
    found.play(found.deal(1), 0)


PLAY_OUTS = Compilation(
    "the play-outs of the agents (once, about 10 s)", __name__, (deal_all, play_deals), _warm_up
)
"""The functions that agents run as machine code."""

prepare = PLAY_OUTS.prepare
