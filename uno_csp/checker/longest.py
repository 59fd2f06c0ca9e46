"""``longest``: one feasible sequence of cards of the hand, as long as claimed."""

from collections import Counter

from uno_csp.checker.claims import Claim, Violation, may_follow
from uno_csp.checker.sequences import optimisation_violations, unheld, unmatched, value_violations
from uno_csp.questions import Longest

question = "longest"
PARTS = {"sequence", "objective", "bound"}


def violations(instance: Longest, answer: Claim) -> list[Violation]:
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
    found = unheld(Counter(instance.cards), answer.sequence, all_of_them=False)
    found = found or unmatched(instance, answer.sequence)
    value = len(answer.sequence)
    found += value_violations(answer, value, f"{value} cards are played")
    if answer.bound is not None and answer.bound < value:
        message = f"{value} cards are played, more than the bound {answer.bound}"
        found.append(Violation("objective", 0, message))
    return found


def _playable_alone(instance: Longest) -> int:
    """Return 1 if some card of the hand may come first, else 0."""
    after = instance.after
    return int(
        any(after is None or may_follow(after, card, instance.at_least) for card in instance.cards)
    )
