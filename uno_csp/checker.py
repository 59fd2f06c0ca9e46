"""The independent checker of answers.

It restates the rules in its own words and shares no code with the solving side, so that a bug
there cannot hide here. It runs in time linear in the number of cards. A violation names the rule
that is broken and the step, counted from 1, where it happens.

A no carries no witness; the checker can refute one only where it contradicts itself.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from uno_csp.instances import Instance, describe

Card: TypeAlias = tuple[int | str, ...]

MAX_REPORTED = 20
"""After this many violations the checker stops looking."""


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


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its name, the step of play (0: no single step), and what is wrong."""

    rule: str
    step: int
    message: str

    def __str__(self) -> str:
        where = f" at step {self.step}" if self.step else ""
        return f"{self.rule}{where}: {self.message}"


def check(instance: Instance, answer: Claim) -> list[Violation]:
    """Find what is wrong with an answer; an empty list means that it stands.

    Rules: ``question`` (the answer is for this kind of question), ``status`` (a yes has a
    sequence, anything else has none), ``hand`` (each card of the hand is played exactly once and
    no other), ``opening`` (the first card matches ``after``), ``match`` (neighbours match).

    >>> from uno_csp.formats import Answer, Status
    >>> from uno_csp.instances import Uno1
    >>> hand = (("red", 5), ("red", 7), ("blue", 5))
    >>> wrong = Answer("uno-1", Status.SATISFIABLE, sequence=hand)
    >>> [str(violation) for violation in check(Uno1(hand), wrong)]
    ['match at step 3: blue 5 does not match red 7']
    """
    if answer.question != instance.question:
        message = f"the answer is for {answer.question!r}, the question is {instance.question!r}"
        return [Violation("question", 0, message)]
    found = _status_violations(answer)
    if found or answer.sequence is None:
        return found
    found = _hand_violations(instance, answer.sequence)
    return found or _play_violations(instance, answer.sequence)


def _status_violations(answer: Claim) -> list[Violation]:
    if answer.status == "SATISFIABLE":
        if answer.sequence is None:
            return [Violation("status", 0, "SATISFIABLE without a sequence")]
    elif answer.status not in ("UNSATISFIABLE", "UNKNOWN"):
        return [Violation("status", 0, f"{answer.status} is no answer to a yes-or-no question")]
    elif answer.sequence is not None:
        return [Violation("status", 0, f"{answer.status} with a sequence")]
    return []


def _hand_violations(instance: Instance, sequence: tuple[Card, ...]) -> list[Violation]:
    """Each card of the hand as often as it is held, and nothing else."""
    left = Counter(instance.cards)
    found = []
    for step, card in enumerate(sequence, start=1):
        if left[card] <= 0:
            found.append(Violation("hand", step, f"{describe(card)} is not left in the hand"))
            if len(found) == MAX_REPORTED:
                return found
        left[card] -= 1
    unplayed = [card for card, count in left.items() if count > 0]
    found += [
        Violation("hand", 0, f"{describe(card)} is not played")
        for card in unplayed[: MAX_REPORTED - len(found)]
    ]
    return found


def _play_violations(instance: Instance, sequence: tuple[Card, ...]) -> list[Violation]:
    found = []
    last = instance.after
    for step, card in enumerate(sequence, start=1):
        if last is not None and not _may_follow(last, card, instance.at_least):
            rule = "opening" if step == 1 else "match"
            message = f"{describe(card)} does not match {describe(last)}"
            found.append(Violation(rule, step, message))
            if len(found) == MAX_REPORTED:
                break
        last = card
    return found


def _may_follow(last: Card, card: Card, required: int) -> bool:
    agreed = 0
    for mine, other in zip(last, card, strict=True):
        if "*" in (mine, other) or mine == other:
            agreed += 1
            if agreed >= required:
                return True
    return False
