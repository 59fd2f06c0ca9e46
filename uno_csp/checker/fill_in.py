"""``fill-in``: one sequence of the hand and allowed added cards, which cost as much as claimed."""

from uno_csp.checker.claims import Violation, violations_of
from uno_csp.checker.sequences import optimisation_violations, sequence_violations, value_violations
from uno_csp.questions import FillIn
from uno_csp.questions.answers import Answer
from uno_csp.verifier.cards import price

question = "fill-in"
PARTS = {"sequence", "added", "objective", "bound"}


def violations(instance: FillIn, answer: Answer) -> list[Violation]:
    """Check the sequence, the added cards against the supply, and their cost."""
    found = optimisation_violations(answer)
    if answer.sequence is not None and answer.added is None:
        found.append(Violation("status", 0, "a sequence without saying which cards were added"))
    joinable = instance.supply is None and 2 * instance.at_least <= instance.dimension
    if answer.status == "UNSATISFIABLE" and joinable:
        message = "any two cards can be joined by an added card, so the hand can be made playable"
        found.append(Violation("status", 0, message))
    enough = _enough_to_join_all(instance)
    if answer.bound is not None and enough is not None and answer.bound > enough:
        message = f"{enough} cards join any hand of this size, so the bound is not {answer.bound}"
        found.append(Violation("objective", 0, message))
    if found or answer.sequence is None or answer.added is None:
        return found
    offers = None if instance.supply is None else instance.offers
    flaws, cost = price(answer.added, offers, instance.dimension)
    if flaws:
        return violations_of(flaws)
    found = sequence_violations(instance, answer, answer.added)
    return found + value_violations(instance, answer, cost, f"the added cards cost {cost}")


def _enough_to_join_all(instance: FillIn) -> int | None:
    """Return a number of added cards that joins any hand of this size; None if none is known.

    Each added card can differ from the one before it in all but ``at_least`` values.
    """
    free = instance.dimension - instance.at_least
    if instance.supply is not None or (free < 1 and instance.cards):
        return None
    return len(instance.cards) * (-(-instance.dimension // free) - 1) if instance.cards else 0
