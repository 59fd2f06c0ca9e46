"""Checks shared by the one-hand questions: a sequence is feasible, a value is right."""

from collections import Counter
from collections.abc import Sequence

from uno_csp.checker.claims import Violation, violations_of
from uno_csp.questions import Instance, OneHand
from uno_csp.questions.answers import Answer
from uno_csp.verifier.cards import Card, sequence_flaws


def optimisation_violations(answer: Answer, part: str = "sequence") -> list[Violation]:
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


def value_violations(instance: Instance, answer: Answer, value: int, says: str) -> list[Violation]:
    """Check that the objective equals the value, and that the bound does not exclude it."""
    found, sign = list[Violation](), instance.sense.sign
    if answer.objective != value:
        found.append(Violation("objective", 0, f"{says}, the objective says {answer.objective}"))
    if answer.bound is not None and sign * answer.bound > sign * value:
        side = "more" if sign < 0 else "less"
        found.append(Violation("objective", 0, f"{says}, {side} than the bound {answer.bound}"))
    return found


def sequence_violations(
    instance: OneHand, answer: Answer, added: Sequence[Card] = (), *, whole: bool = True
) -> list[Violation]:
    """Check that the sequence is feasible and has cards of the hand and the added ones only."""
    held = Counter((*instance.cards, *added))
    sequence, after = answer.sequence or (), instance.after
    return violations_of(sequence_flaws(sequence, held, after, instance.at_least, whole=whole))
