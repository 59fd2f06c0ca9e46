"""A view as arrays for deals and play-outs, in machine code or in plain Python."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from uno_csp.agents import compiled
from uno_csp.agents.compiled import DRAW, Hidden, Table
from uno_csp.agents.knowledge import UNLIKELY, likely_order, places_of, weights_of
from uno_csp.agents.views import DRAW as DRAW_TURN
from uno_csp.agents.views import Turn, View, view_of
from uno_csp.algorithms.stepping import GameState
from uno_csp.open_game.compiled_moves import DRAWN, NOTHING, Array, Setup
from uno_csp.open_game.compiled_states import setup_of, state_of
from uno_csp.open_game.compiling import alone, end_with_parent
from uno_csp.open_game.deck import COLOURS, WILD, kind_of, unpacked
from uno_csp.open_game.positions import Game
from uno_csp.questions.open_game import dealt

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Arranged:
    """A view as arrays, and the labels of its choices."""

    view: View
    table: Table
    hidden: Hidden
    random: Array
    labels: tuple[int, ...]

    def deal(self, count: int, plain: bool = False) -> Array:
        """Return random deals, one in a row: the other hands, and the draw pile."""
        deals: Array = np.zeros((count, self.width), dtype=np.int64)
        if not plain:
            compiled.deal_all(self.hidden, self.random, deals)
            return deals
        state, rows = self.random.tolist(), deals.tolist()
        hidden = listed(self.hidden)
        in_python(compiled.deal_all)(hidden, state, rows)
        self.hidden.order[:], self.random[:] = hidden.order, state
        return np.array(rows, dtype=np.int64).reshape(deals.shape)

    def play(self, deals: Array, choice: int, plain: bool = False) -> tuple[Array, Array]:
        """Return who wins each deal after a choice, and how many cards are drawn to its end."""
        found: Array = np.zeros((2, len(deals)), dtype=np.int64)
        label, holders = self.labels[choice], self.hidden.holders
        if not plain:
            compiled.play_deals(self.table, holders, deals, label, found[0], found[1])
            return found[0], found[1]
        winners, drawn = found.tolist()
        table = listed(self.table)
        in_python(compiled.play_deals)(
            table, holders.tolist(), deals.tolist(), label, winners, drawn
        )
        return np.array(winners, dtype=np.int64), np.array(drawn, dtype=np.int64)

    @property
    def width(self) -> int:
        """The number of cards of a deal."""
        return len(self.hidden.holders) + len(self.table.setup.draw)


def arranged(view: View, seed: int, unlikely: float = UNLIKELY) -> Arranged:
    """Return a view as arrays; the random seed is that of the deals."""
    position, players = view.position, len(view.counts)
    rules = replace(view.rules, reshuffles=0)
    setup = setup_of(Game(rules, view.unseen, players), {position.player}, position)
    setup = setup._replace(draw=np.zeros(view.pile, dtype=np.int64))
    start = state_of(setup, position)
    hand = unpacked(position.hands[position.player])
    coloured = [kind // 13 for kind in [*hand, *view.unseen] if kind < WILD]
    left = np.bincount(coloured, minlength=4).astype(np.int64)
    table = Table(setup, start, left, start.copy(), left.copy())
    word = random.Random(seed).randrange(1, 1 << 32)
    labels = tuple(label_of(view, turn) for turn in view.choices)
    return Arranged(view, table, hidden_of(view, unlikely), _numbers([word]), labels)


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
    holders = [player for player, count in enumerate(counts) for _ in range(count)]
    first = [0, *accumulate(counts)][:-1]
    return Hidden(
        kinds=_numbers([*places.played, *cards]),
        played=len(places.played),
        order=_numbers(order),
        owners=_numbers(places.owners),
        weights=weights,
        known=_numbers(view.drawn),
        holders=_numbers(holders),
        first=_numbers(first),
        free=_numbers(first),
    )


def _numbers(values: Sequence[int]) -> Array:
    return np.array(values, dtype=np.int64)


def label_of(view: View, turn: Turn) -> int:
    """Return the label of a choice (:class:`uno_csp.open_game.compiled_moves.Moves`)."""
    if turn == DRAW_TURN and not view.drawn and not view.position.pending:
        return DRAW
    base = DRAWN if view.drawn else 0
    kind = kind_of(turn.get("lays", ""))
    if kind is None:
        return base + NOTHING
    return base + 4 * kind + (COLOURS.index(turn["names"]) if "names" in turn else 0)


_IN_PYTHON: dict[Any, Any] = {}  # the functions made by `in_python`, by the compiled ones


def in_python(function: Any) -> Any:
    """Return a compiled function as plain Python, and so all that it calls."""
    if function not in _IN_PYTHON:
        own = getattr(function, "py_func", function)  # without Numba it is plain
        names = dict(own.__globals__)
        _IN_PYTHON[function] = FunctionType(own.__code__, names, own.__name__)
        for name in own.__code__.co_names:
            if hasattr(names.get(name), "py_func"):
                names[name] = in_python(names[name])
    return _IN_PYTHON[function]


def listed(fields: T) -> T:
    """Return arrays of a named tuple, and of those in it, as lists: plain Python is faster so."""
    given: Any = fields
    found = [
        each.tolist()
        if isinstance(each, np.ndarray)
        else listed(each)
        if isinstance(each, Setup)
        else each
        for each in given
    ]
    result: T = type(given)(*found)
    return result


def prepare(lifeline: int | None = None) -> None:
    """Compile deals and play-outs, unless that is done; with a lifeline, for another process."""
    if lifeline is not None:
        end_with_parent(lifeline)
    with alone(compiled.deal_all):
        found = arranged(view_of(GameState(dealt((2, 2), seed=1))), 1)
        found.play(found.deal(1), 0)
