"""Violations of the rules by an answer, and what all questions have in common."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from uno_csp.questions.answers import Answer
from uno_csp.questions.wording import describe
from uno_csp.verifier.cards import Flaw

MAX_REPORTED = 20  # maximum number of violations reported; the checker stops there


NOTHING = "nothing"  # name of the checked part of an answer that has no witness


def part_checked(answer: Answer) -> str:
    """Return the name of the witness that is checked: sequence, plays or strategy; or NOTHING.

    That there is no witness, or no better one, is never checked here.
    """
    for name in ("sequence", "plays"):
        if getattr(answer, name) is not None:
            return name
    strategy = answer.strategy
    return NOTHING if strategy is None or strategy.get("kind") == "opening" else "strategy"


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its name, the step of play (0: no single step), and what is wrong."""

    rule: str
    step: int
    message: str

    def __str__(self) -> str:
        where = f" at step {self.step}" if self.step else ""
        return f"{self.rule}{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Doubt:
    """An objection to a NO without a witness; ``is_wrong`` if it was refuted."""

    reason: str
    is_wrong: bool = False


def decision_violations(answer: Answer) -> list[Violation]:
    """Check that the status fits a yes-or-no question."""
    if answer.status in ("SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"):
        return []
    message = f"{answer.status} is no answer to a yes-or-no question"
    return [Violation("status", 0, message)]


def witness_violations(answer: Answer, part: str) -> list[Violation]:
    """Check that SATISFIABLE comes with its witness, and no other status does."""
    there = getattr(answer, part) is not None
    if answer.status == "SATISFIABLE" and not there:
        return [Violation("status", 0, f"SATISFIABLE without a {part}")]
    if answer.status != "SATISFIABLE" and there:
        return [Violation("status", 0, f"{answer.status} with a {part}")]
    return []


def violations_of(flaws: Iterable[Flaw]) -> list[Violation]:
    """Return the first flaws that the rule book has found, for people."""
    return [
        Violation(flaw.rule, flaw.step, flaw.message.format(*map(describe, flaw.cards)))
        for flaw in islice(flaws, MAX_REPORTED)
    ]
