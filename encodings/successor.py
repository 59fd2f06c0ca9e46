"""The successor viewpoint: which card is played right after which.

A playing sequence is a Hamiltonian circuit through the cards and one extra node, which stands for
the discard pile before the first and after the last card. In ``longest``, and for the cards of a
supply, an arc from a card to itself leaves it out. In ``fill-in`` without a supply there are arcs
between all cards; an arc between cards that do not match costs the number of added cards that join
them.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TypeAlias

from uno_csp.hub_graph.chains import witness_of
from uno_csp.modeling import Assignment, Circuit, Encoded, Encoder, Model, Objective
from uno_csp.questions import FillIn, HandQuestion, Longest, Uno1
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card, joining_cards, matches, neighbours, previous_copies
from uno_csp.questions.fill_in import cost_of
from uno_csp.questions.wording import describe

MANY_PAIRS = 1000  # maximum number of cards for which arcs between all pairs are written


@dataclass(frozen=True, slots=True)
class Arcs:
    """The cards, and the arcs by variable number - 1; node 0 is the pile, node i card i - 1."""

    instance: HandQuestion
    cards: tuple[Card, ...]
    tails: Sequence[int]
    heads: Sequence[int]


Arc: TypeAlias = tuple[int, int, int]
"""Tail, head and cost."""


class SuccessorEncoder(Encoder[HandQuestion, Arcs]):
    """One circuit over the ordered matching pairs, for ``uno-1``, ``longest`` and ``fill-in``.

    Variables
    ---------
    s[u, v]
        Card v is played right after card u, for every ordered pair of matching cards (in
        ``fill-in`` without a supply: of cards that added cards can join); the pile is a node that
        every card may precede, and follow if it matches ``after``. With M matching pairs among n
        cards these are 2M + 2n variables, fewer with ``after``. In ``longest`` s[u, u] leaves card
        u out, and in ``fill-in`` card u of the supply.

    Constraints
    -----------
    The chosen arcs are one circuit. Every kind of wild card is accepted, because the model only
    uses which pairs match. Copies are played in order: there are no arcs from a copy to any but the
    next one, from the pile to any but the first and, if all are played, to the pile from any but
    the last. If some copies are left out, they are the last ones.
    """

    name = "successor"
    takes = (Uno1, Longest, FillIn)

    def declines(self, instance: HandQuestion) -> str | None:
        """Return a reason if the hand is too large for arcs between all cards."""
        if instance.supply is None and len(instance.cards) > MANY_PAIRS:
            return f"arcs between all pairs are too many for more than {MANY_PAIRS} cards"
        return None

    def encode(self, instance: HandQuestion) -> Encoded[Arcs]:
        """Write the model; a hand without cards gives an empty one.

        Examples
        --------
        >>> from uno_csp.questions import Uno1
        >>> encoded = SuccessorEncoder().encode(Uno1((("red", 5), ("red", 7))))
        >>> list(zip(encoded.data.tails, encoded.data.heads))
        [(0, 1), (1, 0), (1, 2), (0, 2), (2, 0), (2, 1)]
        """
        offers = instance.offers
        optimising, whole = instance.optimises, instance.whole
        cards = (*instance.cards, *(card for card, _ in offers))
        previous = previous_copies([*((card, None) for card in instance.cards), *offers])
        tails, heads, costs = array("i"), array("i"), array("q")
        _append(_arcs(instance, cards, previous), tails, heads, costs if optimising else None)
        if optimising:
            if not (instance.cards and (whole or 0 in tails)):
                cards, offers = (), ()  # no card is played
                del tails[:], heads[:], costs[:]
            _append(_left_out(instance, len(cards)), tails, heads, costs)
        model = Model()
        literals = model.new_vars(len(tails))
        if cards:
            model.add_global(Circuit(len(cards) + 1, tails, heads, literals))
            _leave_last_copies_out(model, tails, heads, previous)
        if optimising:
            terms = {lit: cost for lit, cost in zip(literals, costs, strict=True) if cost}
            all_left = sum(cost for _, cost in offers) - (0 if whole else len(cards))
            model.objective = Objective(list(terms.values()), list(terms), all_left)
        return Encoded(model, Arcs(instance, cards, tails, heads))

    def decode(self, encoded: Encoded[Arcs], assignment: Assignment) -> Witness:
        """Follow the chosen arcs from the pile back to it, inserting the added cards."""
        arcs = encoded.data
        instance, held = arcs.instance, len(arcs.instance.cards)
        order = _order(arcs, assignment)
        sequence = tuple(arcs.cards[node - 1] for node in order)
        if isinstance(instance, FillIn) and instance.supply is not None:
            used = tuple(arcs.cards[node - 1] for node in order if node > held)
            return Witness(sequence, added=used, objective=cost_of(used, instance.offers))
        return witness_of(instance, sequence)

    def meanings(self, encoded: Encoded[Arcs]) -> Iterator[tuple[int, str]]:
        """Yield every variable with its meaning; node 0 is the pile."""
        arcs = encoded.data
        numbered = enumerate(arcs.cards, start=1)
        names = ["the pile", *(f"card {i} ({describe(card)})" for i, card in numbered)]
        for variable, (tail, head) in enumerate(zip(arcs.tails, arcs.heads, strict=True), start=1):
            meaning = f"{names[head]} follows {names[tail]}"
            if tail == head:
                meaning = f"{names[tail]} is left out"
            yield variable, f"s[{tail},{head}] {meaning}"


def _arcs(
    instance: HandQuestion, cards: tuple[Card, ...], previous: Sequence[int | None]
) -> Iterator[Arc]:
    """Yield the arcs from and to each card in turn, except those that break the order of copies."""
    k, after = instance.at_least, instance.after
    joining = instance.supply is None
    near = None if joining else neighbours(cards, k)
    kind = list(range(len(cards)))
    for index, before in enumerate(previous):
        kind[index] = index if before is None else kind[before]
    played_all = len(instance.cards) if instance.whole else 0
    followed = set(previous[:played_all])
    for index, card in enumerate(cards):
        opening = 0 if after is None else _cost(after, card, k, joining=joining)
        if opening is not None and previous[index] is None:
            yield 0, index + 1, opening
        if index not in followed:
            yield index + 1, 0, 0
        for other in range(len(cards)) if near is None else near[index]:
            cost = 0 if near is not None else _cost(card, cards[other], k, joining=True)
            in_order = kind[other] != kind[index] or previous[other] == index
            if cost is not None and other != index and in_order:
                yield index + 1, other + 1, cost


def _append(
    arcs: Iterable[Arc], tails: "array[int]", heads: "array[int]", costs: "array[int] | None"
) -> None:
    """Append the tails, heads and costs of arcs to arrays."""
    for tail, head, cost in arcs:
        tails.append(tail)
        heads.append(head)
        if costs is not None:
            costs.append(cost)


def _leave_last_copies_out(
    model: Model, tails: Sequence[int], heads: Sequence[int], previous: Sequence[int | None]
) -> None:
    """Require that the copies left out are the last ones."""
    arcs = enumerate(zip(tails, heads, strict=True), start=1)
    left_out = {tail: number for number, (tail, head) in arcs if tail == head}
    for index, before in enumerate(previous):
        if before is not None and index + 1 in left_out:
            model.add_clause(-left_out[before + 1], left_out[index + 1])


def _cost(first: Card, last: Card, at_least: int, *, joining: bool) -> int | None:
    """Return the number of cards to add between two, or None if no number is enough."""
    if not joining:
        return 0 if matches(first, last, at_least) else None
    joint = joining_cards(first, last, at_least)
    return None if joint is None else len(joint)


def _left_out(instance: HandQuestion, count: int) -> Iterator[Arc]:
    """Yield arcs from a card to itself; the cost is the change in objective if it is left out."""
    if not instance.whole:
        yield from ((node, node, 1) for node in range(1, count + 1))
    elif count:
        first = len(instance.cards) + 1
        yield from ((first + i, first + i, -cost) for i, (_, cost) in enumerate(instance.offers))


def _order(arcs: Arcs, assignment: Assignment) -> list[int]:
    following = dict(compress(zip(arcs.tails, arcs.heads, strict=True), assignment[1:]))
    order = []
    node = following.get(0, 0)
    while node != 0:
        order.append(node)
        node = following[node]
    return order


ENCODER = SuccessorEncoder()
