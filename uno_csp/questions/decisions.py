"""Optimisations asked as decisions: whether a given value, or a better one, is possible."""

import re

from uno_csp.questions.answers import Answer, Status
from uno_csp.questions.instance import Instance

_CAN, _CANNOT = "a value of {} or better is possible: {}", "no value of {} or better is possible"
_BOUND = r"(-?[0-9]{1,16})"
_SAYS = re.compile("|".join(each.format(_BOUND, "") for each in (_CAN, rf"{_CANNOT}\Z")))


def decided(instance: Instance, answer: Answer, bound: int) -> Status:
    """Return the answer to a decision: is a value of the bound, or a better one, possible."""
    sign = instance.sense.sign
    if answer.objective is not None and sign * answer.objective <= sign * bound:
        return Status.SATISFIABLE
    if answer.bound is not None and sign * answer.bound > sign * bound:
        return Status.UNSATISFIABLE
    return Status.UNKNOWN


def meaning_of(instance: Instance, answer: Answer, bound: int | None = None) -> str:
    """Return what an answer means, in a few words; with a bound, for the decision about it."""
    meaning = instance.meaning(answer)
    decision = Status.UNKNOWN if bound is None else decided(instance, answer, bound)
    if decision is Status.SATISFIABLE:
        return _CAN.format(bound, meaning)
    return _CANNOT.format(bound) if decision is Status.UNSATISFIABLE else meaning


def decision_in(meaning: str) -> tuple[Status, int | None]:
    """Return the decision that a meaning tells, and its bound; UNKNOWN and None if it tells none.

    >>> decision_in("no value of 3 or better is possible")
    (<Status.UNSATISFIABLE: 'UNSATISFIABLE'>, 3)
    >>> decision_in("3 cards can be discarded in one sequence")
    (<Status.UNKNOWN: 'UNKNOWN'>, None)
    """
    found = _SAYS.match(meaning)
    if found is None:
        return Status.UNKNOWN, None
    can, cannot = found.groups()
    status = Status.UNSATISFIABLE if can is None else Status.SATISFIABLE
    return status, int(can or cannot)
