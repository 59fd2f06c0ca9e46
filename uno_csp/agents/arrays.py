"""A view as lists or arrays for deals and play-outs, in plain Python or in machine code."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uno_csp.agents.knowledge import Knowledge, likely_order, places_of, weights_of
from uno_csp.agents.play_outs import DRAW, Hidden, Table, deal_all, play_deals
from uno_csp.agents.views import DRAW as DRAW_TURN
from uno_csp.agents.views import Turn, View, top_of, view_of
from uno_csp.algorithms.stepping import GameState
from uno_csp.open_game.compiling import Compilation, machine_code
from uno_csp.open_game.deck import COLOURS, WILD, deck, kind_of, unpack
from uno_csp.open_game.moves import DRAWN, NOTHING
from uno_csp.open_game.rules import Rules
from uno_csp.open_game.states import KINDS, Setup, as_arrays, fill, narrow, setup_of, zeros
from uno_csp.questions.open_game import dealt

Numbers = NDArray[np.int64]
Deals = NDArray[np.int8]

_DECK = tuple(map(deck().count, range(KINDS)))


class Arranged:
    """A view as lists and, unless it is ``plain``, as arrays; the seed is that of the deals.

    ``table``, ``arrays`` (the hidden cards) and ``random`` are what the functions get. What is
    ``known`` of the hidden cards is read from the turns, unless it is given.
    """

    def __init__(
        self, view: View, seed: int, known: Knowledge | None = None, *, plain: bool = False
    ) -> None:
        self.view = view
        self.hidden = hidden_of(view, known or Knowledge())
        self.labels = tuple(label_of(view, turn) for turn in view.choices)
        self._fast = not plain
        self.table = table_of(view, plain)
        self.random: Any = [random.Random(seed).randrange(1, 1 << 32)]
        self._start = self.random[0]
        if plain:
            self.arrays = self.hidden._replace(weights=self.hidden.weights.tolist())
        else:
            self.arrays = as_arrays(self.hidden)
            self.random = as_arrays(self.random)

    def deal(self, count: int) -> Deals:
        """Return random deals, one in a row: the other hands, and the draw pile."""
        found: Deals = np.zeros((count, self.width), dtype=np.int8)
        rows: Any = found if self._fast else found.tolist()
        self._run(deal_all)(self.arrays, self.random, rows)
        return found if self._fast else np.array(rows, dtype=np.int8).reshape(found.shape)

    def play(self, deals: Deals, choice: int, first: int = 0) -> tuple[Numbers, Numbers]:
        """Return who wins each deal after a choice, and how many cards are drawn to its end.

        ``first`` is the number of the first one; after a reshuffle the order depends on it. Such a
        deal has more cards drawn than the draw pile has.
        """
        winners, drawn = zeros(2, len(deals), fast=self._fast)
        rows: Any = deals if self._fast else deals.tolist()
        holders = self.arrays.holders
        start, label = self._start + first, self.labels[choice]
        self._run(play_deals)(self.table, holders, rows, label, start, winners, drawn)
        return np.asarray(winners, dtype=np.int64), np.asarray(drawn, dtype=np.int64)

    def _run(self, function: Callable[..., None]) -> Callable[..., None]:
        found: Callable[..., None] = machine_code(function) if self._fast else function
        return found

    @property
    def width(self) -> int:
        """The number of cards of a deal."""
        return len(self.hidden.holders) + self.view.pile


def table_of(view: View, plain: bool) -> Table:
    """Return a view as a state with the hidden hands empty."""
    position = view.position
    counts = [0] * KINDS
    for kind in (*unpack(position.hands[position.player]), *view.unseen):
        counts[kind] += 1
    left = [sum(counts[first : first + 13]) for first in range(0, WILD, 13)]
    for kind in (*view.under, top_of(position)):
        counts[kind] += 1
    rules = replace(view.rules, reshuffles=view.reshuffles)
    setup, arrays = _layout(rules, len(view.counts), tuple(map(max, counts, _DECK)), plain)
    start, pile = [0] * len(setup.spare), [0] * view.pile
    fill(setup, start, position.hands, position.numbers)
    luck = [1] if rules.reshuffles else []
    own: dict[str, Any] = {"cards": counts, "total": sum(counts), "luck": luck}
    if plain:
        setup = setup._replace(pile=pile, spare=start[:], **own)
        return Table(setup, start, left, start[:], left[:])
    own |= {"pile": pile, "spare": start}
    arrays = arrays._replace(**{name: as_arrays(value) for name, value in own.items()})
    return Table(arrays, *map(as_arrays, (start, left, start, left)))


@lru_cache(maxsize=64)
def _layout(
    rules: Rules, players: int, counts: tuple[int, ...], plain: bool
) -> tuple[Setup, Setup]:
    """Return a game of some cards of each kind as lists and as arrays, without a draw pile.

    It is that of the whole deck while that suffices, so that it need not be made for each turn.
    """
    setup = setup_of(rules, (), players, 0)
    if plain:
        return setup, setup
    cards = [kind for kind, count in enumerate(counts) for _ in range(count)]
    setup = narrow(setup, cards)
    return setup, as_arrays(setup)


def hidden_of(view: View, known: Knowledge) -> Hidden:
    """Return the hidden cards of a view, in an arrangement that agrees with the turns.

    Its fields are lists, but for the weights, which are an array.
    """
    cards = view.hidden
    places = known.places(view)
    weights = weights_of(places, cards)
    order = likely_order(weights, len(places.played))
    if order is None:  # as after a reshuffle that brought back cards that were played before
        places = places_of(replace(view, events=()))
        weights = weights_of(places, cards)
        order = list(range(len(cards)))
    own, played = view.position.player, len(places.played)
    counts = [0 if player == own else count for player, count in enumerate(view.counts)]
    first = [0, *accumulate(counts)][:-1]
    return Hidden(
        kinds=[*places.played, *cards],
        played=played,
        order=order,
        owners=places.owners[:],
        weights=np.vstack([weights, [0.0] * played + [1.0] * len(cards)]),
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
