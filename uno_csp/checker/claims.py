"""Violations of the rules by an answer, and what all questions have in common."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from uno_csp.questions import Instance
from uno_csp.questions.answers import RUN, Answer
from uno_csp.questions.decisions import decision_in, meaning_of
from uno_csp.questions.wording import describe, shown_key
from uno_csp.verifier.cards import Flaw
from uno_csp.verifier.reading import Refused

SAID_CHARS = 200  # maximum number of characters of an answer's meaning that a violation quotes
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


def parts_unchecked(answer: Answer) -> list[str]:
    """Return the names of those parts of an answer that nobody can check without a run."""
    given = {
        "strategy.score": "score" in (answer.strategy or {}),
        "certificate": answer.certificate,  # `uno-csp verify` verifies it
        **{key: getattr(answer, key) for key in ("reason", *RUN) if key != "checked"},
    }
    return [name for name, value in given.items() if value]


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


def account_violations(instance: Instance, answer: Answer) -> list[Violation]:
    """Check what an answer says of itself: its meaning, and that its witness was checked."""
    found = list[Violation]()
    bound = decision_in(answer.meaning)[1]
    if answer.meaning and answer.meaning != (right := meaning_of(instance, answer, bound)):
        said = answer.meaning[:SAID_CHARS]
        found.append(Violation("meaning", 0, f"it says {said!r}, but means {right!r}"))
    if answer.checked and not answer.witness.complete:
        found.append(Violation("checked", 0, "there is no witness that was checked"))
    if (answer.certificate or {}).get("certified") and answer.status == "UNKNOWN":
        found.append(Violation("certificate", 0, "it is said to prove UNKNOWN"))
    return found


def require_keys(given: Mapping[str, Any], allowed: Collection[str], place: str = "") -> None:
    """Raise Refused if a mapping of a strategy has a key besides those that are understood."""
    unknown = next((key for key in given if key not in allowed), None)
    if unknown is not None:
        words = ", ".join(allowed)
        where = f"{place}.{unknown}".removeprefix(".")
        raise Refused(f"{shown_key(where)}: unknown key; allowed are {words}")


def violations_of(flaws: Iterable[Flaw]) -> list[Violation]:
    """Return the first flaws that the rule book has found, for people."""
    return [
        Violation(flaw.rule, flaw.step, flaw.message.format(*map(describe, flaw.cards)))
        for flaw in islice(flaws, MAX_REPORTED)
    ]
