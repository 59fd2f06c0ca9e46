"""The independent checker of answers.

It restates the rules in its own words and shares no code with the solving side, so that a bug
there cannot hide here. It runs in time linear in the number of cards, or in the size of a
strategy. A violation names the rule that is broken and the step, counted from 1, where it happens.

A no carries no witness (but for uncooperative play, where it is player 2's strategy); the checker
can refute one only where it contradicts itself. The rules of a question are in the file of its
name; other packages offer theirs under the entry point ``uno_csp.checkers``.
"""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from uno_csp.checker.claims import MAX_REPORTED, Claim, Doubt, Violation, decision_violations
from uno_csp.errors import NotAccepted
from uno_csp.plug_ins import plug_ins
from uno_csp.questions import Instance, require_question
from uno_csp.wording import shown

__all__ = ["MAX_REPORTED", "Claim", "Doubt", "Violation", "check", "doubt"]

_PARTS = ("sequence", "plays", "added", "objective", "bound", "loser", "strategy")


@cache
def _rules() -> Mapping[str, Any]:
    """By question what has the rules for it: ``question``, ``PARTS`` and ``violations``."""
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    modules = [import_module(f"{__name__}.{name}") for name in names]
    found = [module for module in modules if hasattr(module, "PARTS")]
    found += plug_ins(
        "uno_csp.checkers", ("question", "PARTS", "violations"), [each.question for each in found]
    )
    return MappingProxyType({each.question: each for each in found})


def doubt(instance: Instance) -> Doubt | None:
    """Return why a NO without a witness is not to be told, or None.

    Questions whose rules have a function of this name confirm a NO in a way of their own, which
    may take long.
    """
    confirm = getattr(_rules().get(instance.question), "doubt", None)
    found: Doubt | None = None if confirm is None else confirm(instance)
    return found


def check(instance: Instance, answer: Claim) -> list[Violation]:
    """Find what is wrong with an answer; an empty list means that it stands.

    Rules, in every question: ``question`` (the answer is for this kind of question), ``status``
    (it is a possible one and has the parts that belong to it), ``hand`` (cards are played as often
    as they are held), ``opening`` (the first card matches ``after``), ``match`` (neighbours match).
    In ``fill-in``: ``supply`` (only allowed cards are added). In the optimisation questions:
    ``objective`` (it is the value of the sequence, and the bound does not contradict it). In
    ``cooperative``: ``turn``, ``skip`` (nobody is skipped who could play), ``goal`` (player 1's
    hand is the first to be empty). In ``uncooperative``: ``loser``, ``strategy``.

    Raises
    ------
    NotAccepted
        When nobody has rules for the question, or it is no answer.
    InstanceError
        When it is no question.

    >>> from uno_csp import Answer, Status
    >>> from uno_csp.answers import Witness
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
    rules = _rules().get(instance.question)
    if rules is None:
        raise NotAccepted(f"there is no checker for the question {instance.question!r}")
    foreign = [
        part for part in _PARTS if part not in rules.PARTS and getattr(answer, part) is not None
    ]
    if foreign:
        message = f"an answer to {answer.question!r} has no {foreign[0]}"
        return [Violation("status", 0, message)]
    found: list[Violation] = [] if instance.optimises else decision_violations(answer)
    found = found or rules.violations(instance, answer)
    return found[:MAX_REPORTED]
