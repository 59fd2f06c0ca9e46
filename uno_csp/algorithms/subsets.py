"""Dynamic programming over the sets of cards: small hands without a solver or a worker.

For each card the sets that a sequence beginning with it can consist of are the bits of one integer
(:mod:`uno_csp.graph_tools.orders`), which takes less time for a hand of 12 cards than sending it to
a worker. Cards that cost the same to join with every card count as copies of one card.

For ``fill-in`` two cards are joined at the price of the cards to be added between them, which
depends on these two alone, so the fewest added cards are the least price of a sequence. With a
supply, its cards are in the table too, and the cheapest set with the whole hand is the answer.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, product
from operator import mul

from uno_csp.graph_tools.orders import Orders, cells_of
from uno_csp.hub_graph.chains import witness_of
from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import FillIn, Longest, OneHand, Uno1
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import NO_WAY, Card, joining_cost
from uno_csp.questions.fill_in import cost_of

MOST_SETS = 1 << 16  # maximum number of different sets of cards: that of a hand of 16 cards


class Subsets(Algorithm[OneHand]):
    """The sets of cards that a sequence can consist of, by its first card."""

    name = "subsets"
    takes = (Uno1, Longest, FillIn)

    def declines(self, instance: OneHand) -> str | None:
        """Return a reason if there are too many sets of cards."""
        if (
            instance.size > MOST_SETS
            or cells_of(Counter(_list_priced(instance)).values()) > MOST_SETS
        ):
            return f"the hand has more than {MOST_SETS} different sets of cards"
        return None

    def run(self, instance: OneHand) -> Finding:
        """Return the answer with a witness, or a no."""
        layout = _layout(instance)
        orders = Orders([len(cards) for cards in layout.classes], layout.followers)
        stats = {"sets": orders.cells}
        search = _find_cheapest if instance.whole else _find_longest
        if _has_supply(instance):
            search = _find_supplied
        found = search(orders, layout)
        if found is None:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        cards = _cards(found, layout)
        if _has_supply(instance):
            pairs = zip(found, cards, strict=True)
            added = tuple(card for place, card in pairs if layout.prices[place] is not None)
            cost = cost_of(added, instance.offers)
            witness = Witness(tuple(cards), added=added, objective=cost)
        else:
            witness = witness_of(instance, cards)
        status = Status.OPTIMAL if instance.optimises else Status.SATISFIABLE
        return Finding(status, witness, stats=stats)


def _has_supply(instance: OneHand) -> bool:
    return isinstance(instance, FillIn) and instance.supply is not None


@dataclass(frozen=True, slots=True)
class _Layout:
    """The classes of a hand and its supply: cards that cost the same to join with every card."""

    classes: list[list[Card]]  # the cards of each class
    # for each class of a supply, the cost of a card; None for cards of the hand
    prices: list[int | None]
    opening: list[int]  # for each class, the number of cards to add before it if it comes first
    # for each number of cards to add, the classes that may follow each class
    followers: list[list[list[int]]]


def _list_priced(instance: OneHand) -> Iterable[tuple[Card, int | None]]:
    """Return the cards of the hand, and those of the supply with their costs."""
    return chain(((card, None) for card in instance.cards), instance.offers)


def _layout(instance: OneHand) -> _Layout:
    copies = Counter(_list_priced(instance))
    looks = _costs(instance, [card for card, _ in copies])
    names = [(*look, price) for look, (_, price) in zip(looks, copies, strict=True)]
    classes: dict[tuple[int | None, ...], list[Card]] = {}
    for name, ((card, _), number) in zip(names, copies.items(), strict=True):
        classes.setdefault(name, []).extend([card] * number)
    free = isinstance(instance, FillIn) and instance.supply is None
    costs = {cost for look in looks for cost in look if cost < NO_WAY} if free else ()
    at = [names.index(name) for name in classes]  # a kind of each class
    followers = [
        [[place for place, kind in enumerate(at) if looks[own][kind] == cost] for own in at]
        for cost in range(max(costs, default=0) + 1)
    ]
    openings = [looks[kind][-1] for kind in at]
    return _Layout(list(classes.values()), [name[-1] for name in classes], openings, followers)


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


def _find_cheapest(orders: Orders, layout: _Layout) -> list[int] | None:
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


def _find_supplied(orders: Orders, layout: _Layout) -> list[int] | None:
    """Return the classes of an order of the hand and a cheapest part of the supply, if any."""
    orders.extend()
    sizes = [len(cards) for cards in layout.classes]
    costs = [price or 0 for price in layout.prices]
    taken = product(
        *(
            [size] if price is None else range(size + 1)
            for size, price in zip(sizes, layout.prices, strict=True)
        )
    )
    for counts in sorted(taken, key=lambda counts: sum(map(mul, counts, costs))):
        for begin, found in enumerate(orders.beginnings(counts)):
            if found and not layout.opening[begin]:
                return list(orders.read(sum(counts), begin, orders.place(counts)))
        if not any(counts):
            return []
    return None


def _find_longest(orders: Orders, layout: _Layout) -> list[int]:
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


ALGORITHM = Subsets()
