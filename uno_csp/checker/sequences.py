"""Checks shared by the one-hand questions: a sequence is feasible, a value is right."""

from collections import Counter

from uno_csp.checker.claims import MAX_REPORTED, Card, Claim, Violation, may_follow, mismatch
from uno_csp.questions import OneHand
from uno_csp.questions.wording import describe


def optimisation_violations(answer: Claim, part: str = "sequence") -> list[Violation]:
    """Check that the status fits an optimisation and comes with the parts that belong to it."""
    if answer.status == "SATISFIABLE":
        return [Violation("status", 0, "SATISFIABLE does not answer an optimisation question")]
    there = getattr(answer, part) is not None
    if answer.status == "OPTIMAL" and not there:
        return [Violation("status", 0, f"OPTIMAL without a {part}")]
    if answer.status == "UNSATISFIABLE" and there:
        return [Violation("status", 0, f"UNSATISFIABLE with a {part}")]
    if there != (answer.objective is not None):
        return [Violation("status", 0, f"a {part} and an objective must come together")]
    if answer.status == "OPTIMAL" and answer.bound != answer.objective:
        message = f"OPTIMAL, but the objective is {answer.objective} and the bound {answer.bound}"
        return [Violation("objective", 0, message)]
    return []


def value_violations(answer: Claim, value: int, says: str) -> list[Violation]:
    """Check that the objective equals the value."""
    if answer.objective == value:
        return []
    return [Violation("objective", 0, f"{says}, the objective says {answer.objective}")]


def unheld(
    left: Counter[Card], sequence: tuple[Card, ...], *, all_of_them: bool
) -> list[Violation]:
    """Check that each card is played at most as often as it is held, or exactly as often."""
    found = []
    for step, card in enumerate(sequence, start=1):
        if left[card] <= 0:
            found.append(Violation("hand", step, f"{describe(card)} is not left in the hand"))
            if len(found) == MAX_REPORTED:
                return found
        left[card] -= 1
    if all_of_them:
        unplayed = [card for card, count in left.items() if count > 0]
        found += [
            Violation("hand", 0, f"{describe(card)} is not played")
            for card in unplayed[: MAX_REPORTED - len(found)]
        ]
    return found


def unmatched(instance: OneHand, sequence: tuple[Card, ...]) -> list[Violation]:
    """Check that each card matches the one before it, and the first card ``after``."""
    found = []
    last = instance.after
    for step, card in enumerate(sequence, start=1):
        if last is not None and not may_follow(last, card, instance.at_least):
            found.append(mismatch(last, card, step, opening=step == 1))
            if len(found) == MAX_REPORTED:
                break
        last = card
    return found
