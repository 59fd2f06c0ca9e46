"""Sequences joined into one by added cards: in a given order, or by few in a good order."""

from collections.abc import Iterable, Sequence

from uno_csp.questions import OneHand
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import NO_WAY, Card, is_universal, joining_cards, matches

MANY_RUNS = 1500
"""Number of sequences above which their order is kept: the search compares all pairs."""


def cut_into_runs(pieces: Iterable[Sequence[Card]], at_least: int) -> list[list[Card]]:
    """Cut sequences where neighbours do not match.

    >>> cut_into_runs([[(1, 1), (1, 2), (3, 4)]], 1)
    [[(1, 1), (1, 2)], [(3, 4)]]
    """
    found: list[list[Card]] = []
    for piece in pieces:
        for index, card in enumerate(piece):
            if index and matches(piece[index - 1], card, at_least):
                found[-1].append(card)
            else:
                found.append([card])
    return found


def filled(cards: Iterable[Card], at_least: int, after: Card | None = None) -> Witness:
    """Join cards in their order for ``fill-in``; the first one has to follow ``after``."""
    sequence: list[Card] = []
    added: list[Card] = []
    last = after
    for card in cards:
        joint = () if last is None else joining_cards(last, card, at_least)
        assert joint is not None  # noqa: S101
        sequence += [*joint, card]
        added += joint
        last = card
    return Witness(tuple(sequence), added=tuple(added), objective=len(added))


def witness_of(instance: OneHand, cards: Sequence[Card]) -> Witness:
    """Return the witness of cards in their order; where any may be added, neighbours are joined."""
    if not instance.optimises:
        return Witness(tuple(cards))
    if not instance.whole:
        return Witness(tuple(cards), objective=len(cards))
    return filled(cards, instance.at_least, instance.after)


def chained(
    pieces: Iterable[Sequence[Card]],
    at_least: int,
    after: Card | None = None,
    wilds: Sequence[Card] = (),
) -> Witness | None:
    """Join sequences into one for ``fill-in`` that follows ``after``; None if there is no way.

    Neighbours within a piece that do not match are joined, too. Each universal wild card joins two
    sequences without an added card.
    """
    runs = cut_into_runs(pieces, at_least)
    if 1 < len(runs) <= MANY_RUNS:
        runs = _reorder(runs, at_least, after, len(wilds))
    start = after if after is None or not is_universal(after, at_least) else None
    ends = [start, *(run[-1] for run in runs)]
    joints = [
        () if end is None else joining_cards(end, run[0], at_least)
        for end, run in zip(ends, runs, strict=False)
    ]
    lengths = [NO_WAY if joint is None else len(joint) for joint in joints]
    dearest = sorted(range(len(runs)), key=lambda place: -lengths[place])
    bridged = {place for place in dearest[: len(wilds)] if lengths[place]}
    spare = iter(wilds)
    sequence: list[Card] = []
    added: list[Card] = []
    for place, (joint, run) in enumerate(zip(joints, runs, strict=True)):
        if place in bridged:
            sequence.append(next(spare))
        elif joint is None:
            return None
        else:
            sequence += joint
            added += joint
        sequence += run
    return Witness((*sequence, *spare), added=tuple(added), objective=len(added))


def _reorder(
    runs: list[list[Card]], at_least: int, after: Card | None, joints: int
) -> list[list[Card]]:
    """Return the runs in the best order and direction that a local search finds."""
    from uno_csp.hub_graph.chain_search import best_order, joining_costs  # numpy loads slowly

    ends = [card for run in runs for card in (run[0], run[-1])]
    first = [] if after is None else [after]
    target = len(runs) - 1 - joints
    order = best_order(joining_costs([*ends, *first], at_least), len(runs), target).tolist()
    return [runs[end // 2][:: -1 if end % 2 else 1] for end in order]
