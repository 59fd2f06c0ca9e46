"""``longest``: one feasible sequence of cards of the hand, as long as claimed."""

from uno_csp.checker.claims import Violation
from uno_csp.checker.sequences import optimisation_violations, sequence_violations, value_violations
from uno_csp.questions import Longest
from uno_csp.questions.answers import Answer
from uno_csp.verifier.cards import matches

question = "longest"
PARTS = {"sequence", "objective", "bound"}


def violations(instance: Longest, answer: Answer) -> list[Violation]:
    """Check the sequence against the hand, and its length against objective and bound."""
    found = optimisation_violations(answer)
    if answer.status == "UNSATISFIABLE":
        found = [Violation("status", 0, "UNSATISFIABLE, but the empty sequence is feasible")]
    if answer.bound is not None and answer.bound < _playable_alone(instance):
        message = f"a single card is a sequence, so the bound is at least 1, not {answer.bound}"
        if answer.bound < 0:
            message = f"the empty sequence is feasible, so the bound is not {answer.bound}"
        found.append(Violation("objective", 0, message))
    if found or answer.sequence is None:
        return found
    found = sequence_violations(instance, answer, whole=False)
    value = len(answer.sequence)
    return found + value_violations(instance, answer, value, f"{value} cards are played")


def _playable_alone(instance: Longest) -> int:
    """Return 1 if some card of the hand may come first, else 0."""
    after = instance.after
    return int(
        any(after is None or matches(after, card, instance.at_least) for card in instance.cards)
    )
