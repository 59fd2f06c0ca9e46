"""The independent checker of answers.

It goes by the rules of the stand-alone verifier and shares no code with the solvers, so that it can
catch their bugs. It runs in time linear in the number of cards, or in the size of a strategy. A
violation names the broken rule and the step, counted from 1, where it is broken.

A NO has no witness, except a strategy in ``uncooperative`` and ``open-game``. Without one the
checker can refute a NO only if the answer contradicts itself, or by :func:`doubt`. Each question
has its rules in the file of its name; other packages register theirs under the entry point
``uno_csp.checkers``.
"""

from typing import Any

from uno_csp.checker.claims import (
    MAX_REPORTED,
    NOTHING,
    Doubt,
    Violation,
    account_violations,
    decision_violations,
    part_checked,
    parts_unchecked,
)
from uno_csp.errors import NotAccepted
from uno_csp.questions import Instance, require_question
from uno_csp.questions.answers import Answer
from uno_csp.questions.wording import shown
from uno_csp.registry import Registry

__all__ = [
    "MAX_REPORTED",
    "NOTHING",
    "Doubt",
    "Violation",
    "check",
    "doubt",
    "part_checked",
    "parts_unchecked",
]

_PARTS = ("sequence", "plays", "added", "objective", "bound", "loser", "strategy")

_RULES: Registry[Any] = Registry(
    "checker",
    __name__,
    lambda module: [module] if hasattr(module, "PARTS") else [],
    ("question", "PARTS", "violations"),
    group="uno_csp.checkers",
)
"""Modules with the rules of a question, by its name."""


def doubt(instance: Instance) -> Doubt | None:
    """Return why a NO without a witness must not be reported, or None.

    A question's checker may have a function of this name, which confirms a NO independently of the
    solver and may take long.
    """
    confirm = getattr(_RULES.get(instance.question), "doubt", None)
    found: Doubt | None = None if confirm is None else confirm(instance)
    return found


def check(instance: Instance, answer: Answer) -> list[Violation]:
    """Return the violations of an answer; an empty list means that it is accepted.

    Rules, in every question: ``question`` (the answer is for this kind of question), ``status``
    (it is possible and comes with the parts that belong to it), ``hand`` (cards are played as often
    as they are held), ``opening`` (the first card matches ``after``), ``match`` (neighbours match).
    In ``fill-in``: ``supply`` (only allowed cards are added). In the optimisation questions:
    ``objective`` (it is the value of the sequence, and the bound does not contradict it). In
    ``cooperative``: ``turn``, ``skip`` (nobody who could play is skipped), ``goal`` (player 1's
    hand is the first to be empty). In ``uncooperative``: ``loser``, ``strategy``. At last
    ``meaning``, ``checked`` and ``certificate``: what an answer says of itself is not wrong.

    Raises
    ------
    NotAccepted
        If there is no checker for the question, or ``answer`` is no answer.
    InstanceError
        If ``instance`` is no question.

    >>> from uno_csp import Answer, Status
    >>> from uno_csp.questions.answers import Witness
    >>> from uno_csp.questions import Uno1
    >>> hand = (("red", 5), ("red", 7), ("blue", 5))
    >>> wrong = Answer("uno-1", Status.SATISFIABLE, Witness(hand))
    >>> [str(violation) for violation in check(Uno1(hand), wrong)]
    ['match at step 3: blue 5 does not match red 7']
    """
    require_question(instance)
    if not hasattr(answer, "status"):
        raise NotAccepted(f"{shown(answer)} is no answer; uno_csp.parse_answer reads one")
    if answer.question != instance.question:
        message = f"the answer is for {answer.question!r}, the question is {instance.question!r}"
        return [Violation("question", 0, message)]
    rules = _RULES.get(instance.question)
    if rules is None:
        raise NotAccepted(f"there is no checker for the question {instance.question!r}")
    foreign = [
        part for part in _PARTS if part not in rules.PARTS and getattr(answer, part) is not None
    ]
    if foreign:
        message = f"an answer to {answer.question!r} has no {foreign[0]}"
        return [Violation("status", 0, message)]
    found: list[Violation] = [] if instance.optimises else decision_violations(answer)
    found = found or rules.violations(instance, answer) or account_violations(instance, answer)
    return found[:MAX_REPORTED]
