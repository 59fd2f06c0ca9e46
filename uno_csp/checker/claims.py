"""What the checker reads, what it reports, and the rule of matching in its own words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from uno_csp.wording import describe

Card: TypeAlias = tuple[int | str, ...]

MAX_REPORTED = 20
"""After this many violations the checker stops looking."""


class Laid(Protocol):
    """A card laid down by a player, players being counted from 1."""

    @property
    def player(self) -> int:
        """Whose card it was."""

    @property
    def card(self) -> Card:
        """The card."""


class Claim(Protocol):
    """What the checker reads of an answer."""

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
        """What is proved of the best value."""

    @property
    def loser(self) -> int | None:
        """The first loser."""

    @property
    def strategy(self) -> Mapping[str, Any] | None:
        """How to play against every reply."""


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
    """Why a NO without a witness is not to be told; ``is_wrong`` if it was found to be wrong."""

    reason: str
    is_wrong: bool = False


def may_follow(last: Card, card: Card, required: int) -> bool:
    """Whether a card may be laid on another."""
    agreed = 0
    for mine, other in zip(last, card, strict=True):
        if "*" in (mine, other) or mine == other:
            agreed += 1
            if agreed >= required:
                return True
    return False


def decision_violations(answer: Claim) -> list[Violation]:
    """The status is an answer to a yes-or-no question, or none."""
    if answer.status in ("SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"):
        return []
    message = f"{answer.status} is no answer to a yes-or-no question"
    return [Violation("status", 0, message)]


def witness_violations(answer: Claim, part: str) -> list[Violation]:
    """A yes has its witness; a no and an unknown have none."""
    there = getattr(answer, part) is not None
    if answer.status == "SATISFIABLE" and not there:
        return [Violation("status", 0, f"SATISFIABLE without a {part}")]
    if answer.status != "SATISFIABLE" and there:
        return [Violation("status", 0, f"{answer.status} with a {part}")]
    return []


def mismatch(last: Card, card: Card, step: int, *, opening: bool) -> Violation:
    """The violation of a card laid where it may not be."""
    message = f"{describe(card)} does not match {describe(last)}"
    return Violation("opening" if opening else "match", step, message)
