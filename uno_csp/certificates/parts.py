"""A hand in parts: how many sequences each of its groups needs, and what shows each number.

Groups that share no hub need their sequences each for itself, so the numbers add up, and groups are
far easier to look at than the hand, in which one would count over all of them.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, groupby
from typing import Any

from uno_csp.certificates.bounds import find_bound
from uno_csp.certificates.full_verifier import formula
from uno_csp.certificates.groups import groups_without
from uno_csp.certificates.refutation import HasSolution, Refutation, Unproved, refute
from uno_csp.certificates.verifier import Card, Clauses, Goal, Question, Trails

SOON_S = 5.0
"""So long a refutation is looked for before a bound in many cases is."""

FEW_CASES, MANY_CASES = 12, 300


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
    """What shows that there is nothing so good: a bound if there is one, else a refutation.

    Raises
    ------
    HasSolution
        When there is.
    Unproved
        When the time is over, or the question is too large.
    """
    stated, deadline = formula(question, goal, wish.strict), wish.deadline
    if type(stated) is not Trails or not wish.bounds:
        return Shown(stated, None, refute(stated, deadline))
    bound = find_bound(stated, deadline, most_cases=FEW_CASES)
    if bound is None:
        soon = time.monotonic() + SOON_S
        with suppress(Unproved):
            return Shown(stated, None, refute(stated, min(soon, deadline or soon)))
        bound = find_bound(stated, deadline, most_cases=MANY_CASES)
    if bound is not None:
        return Shown(stated, bound, None)
    return Shown(stated, None, refute(stated, deadline))


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
