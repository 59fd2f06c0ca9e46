"""``fill-in``: one sequence of the hand and allowed added cards, which cost as much as claimed."""

from collections import Counter, defaultdict

from uno_csp.checker.claims import MAX_REPORTED, Card, Claim, Violation
from uno_csp.checker.sequences import optimisation_violations, unheld, unmatched, value_violations
from uno_csp.questions import FillIn
from uno_csp.questions.wording import describe

question = "fill-in"
PARTS = {"sequence", "added", "objective", "bound"}


def violations(instance: FillIn, answer: Claim) -> list[Violation]:
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
    found, cost = _supply_violations(instance, answer.added)
    if found:
        return found
    found = unheld(Counter((*instance.cards, *answer.added)), answer.sequence, all_of_them=True)
    found = found or unmatched(instance, answer.sequence)
    found += value_violations(answer, cost, f"the added cards cost {cost}")
    if answer.bound is not None and answer.bound > cost:
        message = f"the added cards cost {cost}, less than the bound {answer.bound}"
        found.append(Violation("objective", 0, message))
    return found


def _enough_to_join_all(instance: FillIn) -> int | None:
    """Return a number of added cards that joins any hand of this size; None if none is known.

    Each added card can differ from the one before it in all but ``at_least`` values.
    """
    free = instance.dimension - instance.at_least
    if instance.supply is not None or (free < 1 and instance.cards):
        return None
    return len(instance.cards) * (-(-instance.dimension // free) - 1) if instance.cards else 0


def _supply_violations(instance: FillIn, added: tuple[Card, ...]) -> tuple[list[Violation], int]:
    """Return the violations of the supply and the total cost; cheap copies are charged first."""
    dimension = instance.dimension
    shapeless = [card for card in added if len(card) != dimension]
    if shapeless:
        message = f"{describe(shapeless[0])} has {len(shapeless[0])} attributes, not {dimension}"
        return [Violation("supply", 0, message)], 0
    if instance.supply is None:
        wild = [card for card in added if "*" in card]
        found = [
            Violation("supply", 0, f"{describe(card)} was added; without a supply no wild card may")
            for card in wild[:MAX_REPORTED]
        ]
        return found, len(added)
    prices: defaultdict[Card, list[int]] = defaultdict(list)
    for card, cost in instance.offers:
        prices[card].append(cost)
    found, total = [], 0
    for card, count in Counter(added).items():
        cheapest = sorted(prices[card])
        total += sum(cheapest[:count])
        if count > len(cheapest):
            message = f"{describe(card)} was added {count} times; the supply has {len(cheapest)}"
            found.append(Violation("supply", 0, message))
    return found, total
