"""The questions about one hand: a sequence is feasible, and worth what it claims."""

from collections import Counter, defaultdict

from uno_csp.checker.claims import (
    MAX_REPORTED,
    Card,
    Claim,
    Violation,
    may_follow,
    mismatch,
    witness_violations,
)
from uno_csp.instances import FillIn, Longest, Uno1, describe


def uno1_violations(instance: Uno1, answer: Claim) -> list[Violation]:
    """The whole hand, each card once."""
    found = witness_violations(answer, "sequence")
    if found or answer.sequence is None:
        return found
    found = _unheld(Counter(instance.cards), answer.sequence, all_of_them=True)
    return found or _unmatched(instance, answer.sequence)


def longest_violations(instance: Longest, answer: Claim) -> list[Violation]:
    """Cards of the hand, and as many as it says."""
    found = _optimisation_violations(answer)
    if answer.status == "UNSATISFIABLE":
        found = [Violation("status", 0, "no card at all is a sequence, so there is an answer")]
    if answer.bound is not None and answer.bound < _playable_alone(instance):
        message = f"a card alone is a sequence, so the bound is 1 at least, not {answer.bound}"
        if answer.bound < 0:
            message = f"no card at all is a sequence, so the bound is not {answer.bound}"
        found.append(Violation("objective", 0, message))
    if found or answer.sequence is None:
        return found
    found = _unheld(Counter(instance.cards), answer.sequence, all_of_them=False)
    found = found or _unmatched(instance, answer.sequence)
    value = len(answer.sequence)
    found += _value_violations(answer, value, f"{value} cards are played")
    if answer.bound is not None and answer.bound < value:
        message = f"{value} cards are played, more than the bound {answer.bound}"
        found.append(Violation("objective", 0, message))
    return found


def added_violations(instance: FillIn, answer: Claim) -> list[Violation]:
    """The hand and the added cards, each once; the added ones allowed, and of the claimed cost."""
    found = _optimisation_violations(answer)
    if answer.sequence is not None and answer.added is None:
        found.append(Violation("status", 0, "a sequence without saying which cards were added"))
    joinable = instance.supply is None and 2 * instance.at_least <= instance.dimension
    if answer.status == "UNSATISFIABLE" and joinable:
        message = "some card joins any two cards, so enough of them make the hand playable"
        found.append(Violation("status", 0, message))
    enough = _enough_to_join_all(instance)
    if answer.bound is not None and enough is not None and answer.bound > enough:
        message = f"{enough} cards join any such hand, so the bound is not {answer.bound}"
        found.append(Violation("objective", 0, message))
    if found or answer.sequence is None or answer.added is None:
        return found
    found, cost = _supply_violations(instance, answer.added)
    if found:
        return found
    found = _unheld(Counter((*instance.cards, *answer.added)), answer.sequence, all_of_them=True)
    found = found or _unmatched(instance, answer.sequence)
    found += _value_violations(answer, cost, f"the added cards cost {cost}")
    if answer.bound is not None and answer.bound > cost:
        message = f"the added cards cost {cost}, less than the bound {answer.bound}"
        found.append(Violation("objective", 0, message))
    return found


def _playable_alone(instance: Longest) -> int:
    """1 if some card of the hand may come first, else 0."""
    after = instance.after
    return int(
        any(
            after is None or may_follow(after, card, instance.at_least) for card in instance.cards
        )
    )  # fmt: skip


def _enough_to_join_all(instance: FillIn) -> int | None:
    """So many added cards join any hand of this size; None where no number may be enough.

    Each added card may change all but the values that must agree.
    """
    free = instance.dimension - instance.at_least
    if instance.supply is not None or (free < 1 and instance.cards):
        return None
    return len(instance.cards) * (-(-instance.dimension // free) - 1) if instance.cards else 0


def _optimisation_violations(answer: Claim) -> list[Violation]:
    if answer.status == "SATISFIABLE":
        return [Violation("status", 0, "the best is asked for: the answer is OPTIMAL or UNKNOWN")]
    there = answer.sequence is not None
    if answer.status == "OPTIMAL" and not there:
        return [Violation("status", 0, "OPTIMAL without a sequence")]
    if answer.status == "UNSATISFIABLE" and there:
        return [Violation("status", 0, "UNSATISFIABLE with a sequence")]
    if there != (answer.objective is not None):
        return [Violation("status", 0, "a sequence and the objective come together")]
    if answer.status == "OPTIMAL" and answer.bound != answer.objective:
        message = f"OPTIMAL, but the objective is {answer.objective} and the bound {answer.bound}"
        return [Violation("objective", 0, message)]
    return []


def _value_violations(answer: Claim, value: int, says: str) -> list[Violation]:
    if answer.objective == value:
        return []
    return [Violation("objective", 0, f"{says}, the objective says {answer.objective}")]


def _supply_violations(instance: FillIn, added: tuple[Card, ...]) -> tuple[list[Violation], int]:
    """What is wrong with the added cards, and what they cost, dear copies being taken last."""
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


def _unheld(
    left: Counter[Card], sequence: tuple[Card, ...], *, all_of_them: bool
) -> list[Violation]:
    """Each card at most as often as it is held, or exactly so, and nothing else."""
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


def _unmatched(instance: Uno1 | Longest | FillIn, sequence: tuple[Card, ...]) -> list[Violation]:
    found = []
    last = instance.after
    for step, card in enumerate(sequence, start=1):
        if last is not None and not may_follow(last, card, instance.at_least):
            found.append(mismatch(last, card, step, opening=step == 1))
            if len(found) == MAX_REPORTED:
                break
        last = card
    return found
