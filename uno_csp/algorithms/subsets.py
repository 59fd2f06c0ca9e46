"""Dynamic programming over the sets of cards: small hands without a solver or a worker.

For each card the sets that a sequence beginning with it can consist of are the bits of one integer
(:mod:`uno_csp.graph_tools.orders`), which takes less time for a hand of 12 cards than sending it to
a worker. Cards that cost the same to join with every card count as copies of one card.

For ``fill-in`` two cards are joined at the price of the cards to be added between them, which
depends on these two alone, so the fewest added cards are the least price of a sequence.
"""

from collections import Counter
from dataclasses import dataclass

from uno_csp.graph_tools.orders import Orders, cells_of
from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import FillIn, Longest, OneHand, Uno1
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import NO_WAY, Card, joining_cards, joining_cost

MOST_SETS = 1 << 16
"""Maximum number of different sets of cards: that of a hand of 16 cards."""


class Subsets(Algorithm[OneHand]):
    """The sets of cards that a sequence can consist of, by its first card."""

    name = "subsets"
    takes = (Uno1, Longest, FillIn)

    def declines(self, instance: OneHand) -> str | None:
        """Return a reason if there is a supply, or there are too many sets of cards."""
        if _has_supply(instance):
            return "it does not support a supply"
        copies = Counter(instance.cards).values()
        if len(instance.cards) > MOST_SETS or cells_of(copies) > MOST_SETS:
            return f"the hand has more than {MOST_SETS} different sets of cards"
        return None

    def run(self, instance: OneHand) -> Finding:
        """Return the answer with a witness, or a no."""
        layout = _layout(instance)
        orders = Orders([len(cards) for cards in layout.classes], layout.followers)
        stats = {"sets": orders.cells}
        found = _longest(orders, layout) if not instance.whole else _cheapest(orders, layout)
        if found is None:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        cards = _cards(found, layout)
        if isinstance(instance, FillIn):
            witness = _joined(instance, cards)
        elif instance.whole:
            return Finding(Status.SATISFIABLE, Witness(tuple(cards)), stats=stats)
        else:
            witness = Witness(tuple(cards), objective=len(cards))
        return Finding(Status.OPTIMAL, witness, stats=stats)


def _has_supply(instance: OneHand) -> bool:
    return isinstance(instance, FillIn) and instance.supply is not None


@dataclass(frozen=True, slots=True)
class _Layout:
    """The classes of a hand: cards that cost the same to join with every card.

    Parameters
    ----------
    classes
        The cards of each class.
    opening
        For each class, the number of cards to add before it if it comes first.
    followers
        For each number of cards to add, the classes that may follow each class.
    """

    classes: list[list[Card]]
    opening: list[int]
    followers: list[list[list[int]]]


def _layout(instance: OneHand) -> _Layout:
    held: dict[Card, list[Card]] = {}
    for card in instance.cards:
        held.setdefault(card, []).append(card)
    looks = _costs(instance, list(held))
    classes: dict[tuple[int, ...], list[Card]] = {}
    for look, copies in zip(looks, held.values(), strict=True):
        classes.setdefault(look, []).extend(copies)
    dearest = NO_WAY - 1 if isinstance(instance, FillIn) else 0
    highest = max((cost for look in classes for cost in look if cost <= dearest), default=0)
    at = [looks.index(look) for look in classes]  # a kind of each class
    followers = [
        [[place for place, kind in enumerate(at) if look[kind] == cost] for look in classes]
        for cost in range(highest + 1)
    ]
    return _Layout(list(classes.values()), [look[-1] for look in classes], followers)


def _costs(instance: OneHand, kinds: list[Card]) -> list[tuple[int, ...]]:
    """Return for each kind the costs of joining it with each kind, and with the pile."""
    k, after = instance.at_least, instance.after
    costs = [[0] * (len(kinds) + 1) for _ in kinds]
    for one, card in enumerate(kinds):
        for other in range(one):
            costs[one][other] = costs[other][one] = joining_cost(card, kinds[other], k)
        if after is not None:
            costs[one][-1] = joining_cost(after, card, k)
    return [tuple(row) for row in costs]


def _cheapest(orders: Orders, layout: _Layout) -> list[int] | None:
    """Return the classes of a cheapest order of all cards; None if there is none."""
    size = orders.elements
    if not size:
        return []
    dearest = len(layout.followers) - 1
    for cost in range(size * dearest + 1):
        orders.extend()
        for begin, opening in enumerate(layout.opening):
            paid = cost - opening
            if paid >= 0 and orders.field(size, begin, orders.whole, paid):
                return list(orders.read(size, begin, orders.whole, paid))
    return None


def _longest(orders: Orders, layout: _Layout) -> list[int]:
    """Return the classes of a longest order whose first class may open it."""
    if not orders.elements:
        return []
    layers = orders.extend()
    for size in range(orders.elements, 0, -1):
        for begin, opening in enumerate(layout.opening):
            sets = layers[size - 1][begin]
            if sets and not opening:
                lowest = (sets & -sets).bit_length() - 1
                return list(orders.read(size, begin, lowest))
    return []


def _cards(order: list[int], layout: _Layout) -> list[Card]:
    held = [iter(cards) for cards in layout.classes]
    return [next(held[place]) for place in order]


def _joined(instance: FillIn, cards: list[Card]) -> Witness:
    """Return the sequence with the cards that join its neighbours, and the pile with the first."""
    k, last = instance.at_least, instance.after
    sequence: list[Card] = []
    added: list[Card] = []
    for card in cards:
        joint = () if last is None else joining_cards(last, card, k)
        assert joint is not None  # noqa: S101
        sequence += [*joint, card]
        added += joint
        last = card
    return Witness(tuple(sequence), added=tuple(added), objective=len(added))


ALGORITHM = Subsets()
