"""The checker's input, and its violations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from uno_csp.questions.wording import describe
from uno_csp.verifier.cards import Card, Flaw

MAX_REPORTED = 20
"""Maximum number of violations reported; the checker stops there."""


class Laid(Protocol):
    """A card played by a player; players are numbered from 1."""

    @property
    def player(self) -> int:
        """The player who played it."""

    @property
    def card(self) -> Card:
        """The card."""


class Claim(Protocol):
    """The parts of an answer that the checker reads."""

    @property
    def question(self) -> str:
        """The kind of question the answer is for."""

    @property
    def status(self) -> str:
        """SATISFIABLE, UNSATISFIABLE, OPTIMAL or UNKNOWN."""

    @property
    def sequence(self) -> tuple[Card, ...] | None:
        """The cards in order of play."""

    @property
    def plays(self) -> Sequence[Laid] | None:
        """The cards of several players in order of play."""

    @property
    def added(self) -> tuple[Card, ...] | None:
        """The cards that were added."""

    @property
    def objective(self) -> int | None:
        """The value of the sequence."""

    @property
    def bound(self) -> int | None:
        """The proved bound on the best value."""

    @property
    def loser(self) -> int | None:
        """The first loser."""

    @property
    def strategy(self) -> Mapping[str, Any] | None:
        """The strategy: a reply to every play."""


NOTHING = "nothing"
"""Name of the checked part of an answer that has no witness."""


def part_checked(answer: Claim) -> str:
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


def decision_violations(answer: Claim) -> list[Violation]:
    """Check that the status fits a yes-or-no question."""
    if answer.status in ("SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"):
        return []
    message = f"{answer.status} is no answer to a yes-or-no question"
    return [Violation("status", 0, message)]


def witness_violations(answer: Claim, part: str) -> list[Violation]:
    """Check that SATISFIABLE comes with its witness, and no other status does."""
    there = getattr(answer, part) is not None
    if answer.status == "SATISFIABLE" and not there:
        return [Violation("status", 0, f"SATISFIABLE without a {part}")]
    if answer.status != "SATISFIABLE" and there:
        return [Violation("status", 0, f"{answer.status} with a {part}")]
    return []


def told(flaws: Iterable[Flaw]) -> list[Violation]:
    """Return the first flaws that the rule book has found, for people."""
    return [
        Violation(flaw.rule, flaw.step, flaw.message.format(*map(describe, flaw.cards)))
        for flaw in islice(flaws, MAX_REPORTED)
    ]
