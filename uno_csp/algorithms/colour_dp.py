"""Few colours: dynamic programming over sub-paths (the paper's Theorem 3.4).

Take the cards by number and, within a number, by colour. Restricted to the cards taken so far, a
sequence of the whole hand is a set of sub-paths. Of a sub-path only the colours of its two ends
matter, and whether each end has the current number: the next card is attached at an end of its
colour or number, or it joins two such ends, or it begins a new sub-path. So the state is the number
of sub-paths of each kind: O(n^O(c^2)) states for c colours.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import Card, Value, is_wild

MAX_STATES = 2_000_000
"""Maximum number of states stored, over all cards."""

_End: TypeAlias = tuple[int, bool]
"""The colour of an end, and whether it has the current number."""
_Kind: TypeAlias = tuple[_End, _End]
_State: TypeAlias = tuple[tuple[_Kind, int], ...]
_Ends: TypeAlias = tuple[tuple[_Kind, int], ...]
"""The ends a card is attached to: none, one or two, each as (kind of the sub-path, side)."""


class ColourDp(Algorithm[Uno1]):
    """Dynamic programming over sub-paths, for ``uno-1`` with few colours (or few numbers)."""

    name = "colour-dp"
    takes = (Uno1,)

    def declines(self, instance: Uno1) -> str | None:
        """Return a reason unless D = 2, k = 1, and neither wild cards nor ``after`` are given."""
        if instance.cards and (instance.dimension, instance.at_least) != (2, 1):
            return "it takes only cards of two attributes of which one must agree"
        if any(map(is_wild, instance.cards)):
            return "it does not support wild cards"
        return None if instance.after is None else "it does not support a card on the discard pile"

    def run(self, instance: Uno1) -> Finding:
        """Return yes with a sequence, no, or UNKNOWN if there are too many states."""
        if not instance.cards:
            return Finding(Status.SATISFIABLE, Witness(()))
        order, colours = _in_order(instance.cards)
        layers: list[dict[_State, tuple[_State, _Ends]]] = [{(): ((), ())}]
        count = 0
        for taken, index in enumerate(order):
            card = instance.cards[index]
            same = taken > 0 and _number(instance.cards[order[taken - 1]], card, colours.axis)
            remaining = len(order) - taken - 1
            layer: dict[_State, tuple[_State, _Ends]] = {}
            for before in layers[-1]:
                aged = before if same else _age(before)
                for ends, state in _successors(aged, colours.of[card[colours.axis]]):
                    if sum(number for _, number in state) <= remaining + 1:
                        layer.setdefault(state, (before, ends))
            layers.append(layer)
            count += len(layer)
            if count > MAX_STATES:
                reason = f"more than {MAX_STATES} states for {len(colours.of)} colours"
                return Finding(Status.UNKNOWN, reason=reason, stats={"states": count})
        stats = {"states": count, "colours": len(colours.of)}
        final = next((state for state in layers[-1] if [n for _, n in state] == [1]), None)
        if final is None:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        return Finding(
            Status.SATISFIABLE,
            Witness(_replay(instance.cards, order, colours, layers, final)),
            stats=stats,
        )


@dataclass(frozen=True, slots=True)
class _Colours:
    """The attribute with fewer values, and a number for each value."""

    axis: int
    of: dict[Value, int]


def _in_order(cards: tuple[Card, ...]) -> tuple[list[int], _Colours]:
    values = [list(dict.fromkeys(card[axis] for card in cards)) for axis in (0, 1)]
    axis = 0 if len(values[0]) <= len(values[1]) else 1
    rank = {value: i for i, value in enumerate(values[1 - axis])}
    colours = _Colours(axis, {value: i for i, value in enumerate(values[axis])})
    order = sorted(
        range(len(cards)),
        key=lambda i: (rank[cards[i][1 - axis]], colours.of[cards[i][axis]]),
    )
    return order, colours


def _number(first: Card, second: Card, axis: int) -> bool:
    return first[1 - axis] == second[1 - axis]


def _age(state: _State) -> _State:
    """Return the state when the next number begins: no end has the current number."""
    counts: Counter[_Kind] = Counter()
    for (one, other), number in state:
        counts[_kind((one[0], False), (other[0], False))] += number
    return _state(counts)


def _kind(one: _End, other: _End) -> _Kind:
    return (one, other) if one <= other else (other, one)


def _state(counts: Counter[_Kind]) -> _State:
    return tuple(sorted((kind, number) for kind, number in counts.items() if number))


def _successors(state: _State, colour: int) -> Iterator[tuple[_Ends, _State]]:
    """Yield every way to place a card of a colour: apart, at one end, or between two."""
    counts = Counter(dict(state))
    new: _End = (colour, True)
    open_ends = [
        (kind, side)
        for kind in counts
        for side in ((0,) if kind[0] == kind[1] else (0, 1))
        if kind[side][0] == colour or kind[side][1]
    ]
    yield (), _change(counts, [], (new, new))
    for index, (kind, side) in enumerate(open_ends):
        yield ((kind, side),), _change(counts, [kind], (kind[1 - side], new))
        for other, other_side in open_ends[index:]:
            if other != kind or counts[kind] > 1:
                joined = (kind[1 - side], other[1 - other_side])
                yield ((kind, side), (other, other_side)), _change(counts, [kind, other], joined)


def _change(counts: Counter[_Kind], gone: list[_Kind], made: _Kind) -> _State:
    changed = counts.copy()
    changed.subtract(gone)
    changed[_kind(*made)] += 1
    return _state(changed)


def _replay(
    cards: tuple[Card, ...],
    order: list[int],
    colours: _Colours,
    layers: list[dict[_State, tuple[_State, _Ends]]],
    final: _State,
) -> tuple[Card, ...]:
    """Trace the choices back from the end, then replay them on actual sub-paths."""
    choices: list[_Ends] = []
    state = final
    for layer in reversed(layers[1:]):
        state, ends = layer[state]
        choices.append(ends)
    paths: dict[_Kind, list[list[int]]] = {}
    last: Card | None = None
    for index, ends in zip(order, reversed(choices), strict=True):
        card = cards[index]
        if last is not None and not _number(last, card, colours.axis):
            aged: dict[_Kind, list[list[int]]] = {}
            for kind, members in paths.items():
                old = _kind((kind[0][0], False), (kind[1][0], False))
                turned = (kind[0][0], False) != old[0]
                aged.setdefault(old, []).extend(p[::-1] if turned else p for p in members)
            paths = aged
        last = card
        new: _End = (colours.of[card[colours.axis]], True)
        one, other, joined = new, new, [index]
        if ends:
            kind, side = ends[0]
            path = paths[kind].pop()
            one, joined = kind[1 - side], [*(path if side == 1 else path[::-1]), index]
        if len(ends) == 2:
            kind, side = ends[1]
            path = paths[kind].pop()
            other, joined = kind[1 - side], [*joined, *(path if side == 0 else path[::-1])]
        kind = _kind(one, other)
        paths.setdefault(kind, []).append(joined if kind == (one, other) else joined[::-1])
    whole = next(members[0] for members in paths.values() if members)
    return tuple(cards[index] for index in whole)


ALGORITHM = ColourDp()
