"""A hand in parts: how many sequences each of its groups needs, and what shows each number.

Groups that share no hub need their sequences each for itself, so the numbers add up, and groups are
far easier to look at than the hand, in which one would count over all of them.
"""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count, groupby
from typing import Any, TypeVar

from uno_csp.certificates.bounds import Bound, find_bound
from uno_csp.certificates.full_verifier import formula
from uno_csp.certificates.groups import groups_without
from uno_csp.certificates.refutation import HasSolution, Refutation, Unproved, refute
from uno_csp.certificates.verifier import Card, Clauses, Goal, Question, Trails

FEW_CASES = 12
"""Leaves of a tree of cases that are tried before a refutation is: such a bound is the smallest
certificate, and needs no proof checker."""

FoundT = TypeVar("FoundT")


@dataclass(frozen=True, slots=True)
class Wish:
    """How something is to be shown: until when, without cuts to believe, by bounds too."""

    deadline: float | None = None
    strict: bool = False
    bounds: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """A formula without solution, and what shows that: a bound or else a refutation."""

    formula: Clauses
    bound: Mapping[str, Any] | None
    refutation: Refutation | None


@dataclass(frozen=True, slots=True)
class Parts:
    """Groups of cards, how many sequences each needs, and for those that need several, why."""

    groups: Sequence[Sequence[int]]
    needs: Sequence[int]
    shown: Sequence[Shown]


def impossible(question: Question, goal: Goal, wish: Wish) -> Shown:
    """Return what shows that nothing better exists: a bound if there is one, else a refutation.

    Either search may be hopeless where the other is quick, so they take turns: a linear program,
    then a slice of conflicts. Which one succeeds first depends on the question alone.

    Raises
    ------
    HasSolution
        When there is something better.
    Unproved
        When the time is over, the question is too large, or the limit of conflicts is reached.
    """
    stated = formula(question, goal, wish.strict)
    if type(stated) is not Trails or not wish.bounds:
        return Shown(stated, None, _run(refute(stated), wish.deadline))
    return _run(_by_turns(stated), wish.deadline)


def _by_turns(stated: Trails) -> Generator[int, None, Shown]:
    """Look for a bound in few cases, then for one in more cases and for a refutation in turn."""
    with closing(find_bound(stated)) as bounding, closing(refute(stated)) as refuting:
        try:
            while True:
                leaves = next(bounding)
                yield leaves
                if leaves > FEW_CASES:
                    next(refuting)
        except StopIteration as ended:
            if ended.value is not None:
                return _shown(stated, ended.value)
        return Shown(stated, None, (yield from refuting))  # there is no bound


def _shown(stated: Trails, found: Bound | Refutation) -> Shown:
    """Return what one of the two searches found."""
    if isinstance(found, Refutation):
        return Shown(stated, None, found)
    return Shown(stated, found, None)


def _run(search: Generator[int, None, FoundT], deadline: float | None) -> FoundT:
    """Run a search to its end, or raise Unproved when the time is over."""
    try:
        while True:
            next(search)
            if deadline is not None and time.monotonic() > deadline:
                raise Unproved("no proof was found within the time limit")
    except StopIteration as ended:
        found: FoundT = ended.value
        return found


def in_parts(question: Question, goal: Goal, witness: Sequence[Card], wish: Wish) -> Parts | None:
    """The hand in groups that together need more sequences; None if they do not.

    Parameters
    ----------
    witness
        The cards of an optimum in their order, or none. They say what to look for first.

    Raises
    ------
    Unproved
        When the time is over.
    """
    groups = groups_without(question, ())
    if question.supply is not None or goal.played is not None or len(groups) < 2:
        return None
    hands = [[question.counted[card] for card in group] for group in groups]
    likely = _runs(hands, witness)
    shown: dict[int, Shown] = {}
    needs = [1] * len(groups)
    for number in sorted(range(len(hands)), key=lambda each: len(hands[each])):
        part = question.part(hands[number])
        needs[number], why = _need(part, likely[number], wish)
        if why is not None:
            shown[number] = why
        if sum(needs) > goal.sequences:
            return Parts(groups, needs, [shown[each] for each in sorted(shown)])
    return None


def _runs(hands: Sequence[Sequence[Card]], witness: Sequence[Card]) -> list[int]:
    """Into how many pieces each group falls in a sequence."""
    group = {card: number for number, hand in enumerate(hands) for card in hand}
    runs = [0] * len(hands)
    for number, _ in groupby(witness, key=group.get):
        if number is not None:
            runs[number] += 1
    return runs


def _need(part: Question, likely: int, wish: Wish) -> tuple[int, Shown | None]:
    """How many sequences a group needs, and what shows that one less will not do."""
    best: tuple[int, Shown | None] = 1, None
    for need in [likely, *range(2, likely)] if likely > 1 else count(2):
        try:
            best = need, impossible(part, Goal(need - 1), wish)
        except HasSolution:
            if need != likely:
                break
        if best[0] == likely > 1:
            break
    return best
