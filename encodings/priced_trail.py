"""Fill-in by a hub trail with prices: what it costs to go on at a hub where cards do not match.

Two cards that differ in m coordinates have the distance ceil(m / (D - k)) - 1, the number of cards
that must be added between them. Cards at distance j share a hub of level j
(:mod:`uno_csp.hub_graph.levels`). So the fewest added cards are the least price of a trail on the
hubs of all levels, on which an end of a card at a hub of level j costs j / 2: each time the trail
passes such a hub, j cards are added. A card is either dominated by a visited hub of level 0, or a
node of the trail with two ends; the first and the last card are nodes with one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from uno_csp.encodings._net import Net
from uno_csp.encodings._part_model import Term
from uno_csp.encodings._trail_model import unzip
from uno_csp.graph_tools.trails import APEX, Edge
from uno_csp.hub_graph.chains import chained
from uno_csp.hub_graph.choices import read_walks
from uno_csp.hub_graph.graph import hub_graph_refusal
from uno_csp.hub_graph.levels import MOST_HUBS, LeveledHubs, hubs_on_all_levels, leveled_hubs
from uno_csp.modeling import Assignment, Encoded, Encoder, Model, Objective, Relation
from uno_csp.questions import FillIn
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card, apart, hub_name, piled
from uno_csp.questions.wording import describe


@dataclass(frozen=True, slots=True)
class PricedTrail:
    """The cards, their hubs, and the variables of the model, by the names in the encoder."""

    instance: FillIn
    # the cards of the hand that are not universal, and then the card on the pile, if it is not
    cards: Sequence[Card]
    held: int  # number of these cards in the hand
    wilds: Sequence[Card]  # the universal wild cards of the hand
    hubs: LeveledHubs
    visited: Sequence[int]  # for each hub, y[v]; the last one may be that of the wild cards
    pairs: Mapping[int, tuple[int, int]]  # the hubs of two cards, which are edges between them
    trail_edges: Sequence[int]  # for each card, w[c]
    # for each card, e[c, v] and d[c, v] by hub; turns only from level 1 on
    ends: Sequence[dict[int, int]]
    turns: Sequence[dict[int, int]]
    single: Sequence[int]  # for each card, s[c]
    joker: int | None  # number of the hub where universal wild cards join cards, if there are any


class PricedTrailEncoder(Encoder[FillIn, PricedTrail]):
    """Cheapest trails on the hubs of all levels, for ``fill-in`` without a supply.

    Variables
    ---------
    y[v]
        Hub v is visited.
    w[c]
        Card c is a node of the trail; else it is dominated by one of its hubs of level 0.
    e[c, v]
        Card c has an end at hub v; if just two cards are on v, this is y[v].
    d[c, v]
        Card c has both ends at hub v, which is of level 1 or above.
    s[c]
        Card c has only one end: it is the first or the last card.
    y[wild], e[c, wild], d[c, wild]
        The same for a hub where universal wild cards join any cards, at no price.

    Constraints
    -----------
    A card that is a node has two ends, or one if it is single; others have a visited hub of level
    0. Two cards are single, or one if the card on the pile is the first. Every hub has an even
    number of ends, and all visited hubs and trail edges are connected. The objective is half the
    sum of the levels of all ends.
    """

    name = "priced-trail"
    takes = (FillIn,)

    def declines(self, instance: FillIn) -> str | None:
        """Return a reason if there is a supply, or no hub graph."""
        if instance.supply is not None:
            return "only some cards may be added; 'hub-trail' takes it"
        count = hubs_on_all_levels(instance.dimension, instance.at_least)
        if count > MOST_HUBS:
            return (
                f"a card lies on {count} hubs of all levels, more than {MOST_HUBS}; "
                "'successor' takes it"
            )
        return hub_graph_refusal(instance)

    def encode(self, instance: FillIn) -> Encoded[PricedTrail]:
        """Write the model.

        Examples
        --------
        Two cards that differ in two of three coordinates, where two must agree: one card joins
        them, and their only hub is of level 1.

        >>> hand = ((1, 1, 1), (1, 2, 2))
        >>> encoded = PricedTrailEncoder().encode(FillIn(hand, at_least=2))
        >>> encoded.data.hubs.hubs, encoded.data.hubs.level
        ([((0,), (1,))], [1])
        """
        model = Model()
        data = _variables(model, instance)
        _constrain(model, data)
        return Encoded(model, data)

    def decode(self, encoded: Encoded[PricedTrail], assignment: Assignment) -> Witness | None:
        """Read the trails as sequences of cards, and join them."""
        instance = encoded.data.instance
        pieces = _pieces(encoded.data, assignment)
        return chained(pieces, instance.at_least, instance.after, encoded.data.wilds)

    def primal_heuristic(
        self, encoded: Encoded[PricedTrail], assignment: Assignment
    ) -> Witness | None:
        """Return a witness from trails that are not connected."""
        return self.decode(encoded, assignment)

    def meanings(self, encoded: Encoded[PricedTrail]) -> Iterator[tuple[int, str]]:
        """Yield the variables with their meanings."""
        data = encoded.data
        names = [*(hub_name(hub) or "any" for hub in data.hubs.hubs), "wild"]
        for hub, literal in enumerate(data.visited):
            use = "joins its two cards" if hub in data.pairs else "is visited"
            named = "wild cards join cards" if hub == data.joker else f"hub {names[hub]} {use}"
            yield literal, f"y[{names[hub]}] {named}"
        for index, trail_edge in enumerate(data.trail_edges):
            card = f"card {index + 1} ({describe(data.cards[index])})"
            yield trail_edge, f"w[{index + 1}] {card} is a trail edge"
            for hub, literal in data.ends[index].items():
                how = "is beside a wild card" if hub == data.joker else "has an end there"
                if hub not in data.pairs:
                    yield literal, f"e[{index + 1},{names[hub]}] {card} {how}"
            for hub, literal in data.turns[index].items():
                how = "is between wild cards" if hub == data.joker else "has both ends there"
                yield literal, f"d[{index + 1},{names[hub]}] {card} {how}"
            yield data.single[index], f"s[{index + 1}] {card} has one end"


def _variables(model: Model, instance: FillIn) -> PricedTrail:
    k = instance.at_least
    plain, wilds = apart(instance.cards, k)
    cards = (*plain, *piled(instance.after, k))
    trivial = len(cards) < 2 or not plain
    hubs = LeveledHubs((), (), [()] * len(cards)) if trivial else leveled_hubs(cards, k)
    visited, pairs = [*model.new_vars(len(hubs.hubs))], hubs.pairs()
    trail_edges = model.new_vars(len(cards))
    single = model.new_vars(len(cards))
    ends = [
        {hub: visited[hub] if hub in pairs else model.new_var() for hub in at}
        for at in hubs.hubs_of
    ]
    turns = []
    for at in hubs.hubs_of:
        above = [hub for hub in at if hubs.level[hub] and hub not in pairs]
        turns.append(dict(zip(above, model.new_vars(len(above)), strict=True)))
    joker = None
    if wilds and not trivial:
        joker = len(visited)
        visited.append(model.new_var())
        for own in (*ends, *turns):
            own[joker] = model.new_var()
    return PricedTrail(
        instance=instance,
        cards=cards,
        held=len(plain),
        wilds=wilds,
        hubs=hubs,
        visited=visited,
        pairs=pairs,
        trail_edges=trail_edges,
        ends=ends,
        turns=turns,
        single=single,
        joker=joker,
    )


def _constrain(model: Model, data: PricedTrail) -> None:
    if len(data.cards) < 2 or not data.held:
        model.objective = Objective((), (), floor=0)
        return
    hubs = [hub for hub in range(len(data.visited)) if hub not in data.pairs]
    net = Net(data.visited[hub] for hub in hubs)
    node_of = {hub: node for node, hub in enumerate(hubs)}
    incident: list[list[int]] = [[] for _ in hubs]
    level = [*data.hubs.level, 0]  # passing the hub of the wild cards costs nothing
    prices: list[Term] = [(2 * level[hub], data.visited[hub]) for hub in data.pairs if level[hub]]
    cards = []
    for index in range(len(data.cards)):
        cards.append(_write_card(model, data, index, net, node_of, incident))
        own = [each for each in data.ends[index].items() if each[0] not in data.pairs]
        prices += [(level[hub], end) for hub, end in own if level[hub]]
        turns = data.turns[index].items()
        prices += [(2 * level[hub], turn) for hub, turn in turns if level[hub]]
    for hub, (one, other) in data.pairs.items():
        net.link(cards[one], cards[other], data.visited[hub])
    for literals in incident:
        model.add_parity(literals, odd=False)
    model.exactly(data.single, 2)
    if data.joker is not None:
        passes = [(1, own[data.joker]) for own in data.ends]
        passes += [(2, own[data.joker]) for own in data.turns]
        weights, literals = unzip(passes)
        model.add_linear(weights, literals, Relation.AT_MOST, 2 * len(data.wilds))
    costs, literals = unzip(prices)
    model.objective = Objective(costs, literals, unit=2, floor=0)
    model.add_global(net.connected())


def _write_card(
    model: Model,
    data: PricedTrail,
    index: int,
    net: Net,
    node_of: Mapping[int, int],
    incident: Sequence[list[int]],
) -> int:
    """Write a card as a node of the trail, or as dominated by a visited hub of level 0.

    Return its node; it is linked to hubs that are nodes themselves.
    """
    trail_edge, single, at = data.trail_edges[index], data.single[index], data.hubs.hubs_of[index]
    node = net.node(trail_edge)
    ends, turns = data.ends[index], data.turns[index]
    for hub, end in ends.items():
        if hub in node_of:
            model.add_clause(-end, net.presence[node_of[hub]])
            incident[node_of[hub]].append(end)
            net.link(node, node_of[hub], end)
    for hub, turn in turns.items():
        model.add_clause(-turn, net.presence[node_of[hub]])
        net.link(node, node_of[hub], turn, weight=2)
    net.loose.append((node, single))
    # Two ends at different hubs, or one end and the end of the whole sequence, or a turn.
    both = [*ends.values(), single]
    weights = [1] * len(both) + [2] * len(turns) + [-2]
    model.add_linear(weights, [*both, *turns.values(), trail_edge], Relation.EQUAL, 0)
    if index < data.held:
        low = [node_of[hub] for hub in at if not data.hubs.level[hub] and hub in node_of]
        model.add_clause(trail_edge, *(net.presence[each] for each in low))
        net.covers.append((node, *low))
    else:
        model.add_clause(trail_edge)
        model.add_clause(single)
        net.covers.append((node,))
    return node


def _pieces(data: PricedTrail, assignment: Assignment) -> list[list[Card]]:
    """Return the trails as sequences of cards, without the card on the pile."""
    edges: list[Edge] = []
    dominated: defaultdict[int, list[Card]] = defaultdict(list)
    alone: list[list[Card]] = []
    visited = {hub for hub, literal in enumerate(data.visited) if assignment[literal]}
    held = data.held
    for index, at in enumerate(data.hubs.hubs_of):
        ends = [hub for hub, literal in data.ends[index].items() if assignment[literal]]
        ends += [hub for hub, literal in data.turns[index].items() if assignment[literal]] * 2
        if len(ends) == 2:
            edges.append((ends[0], ends[1], index))
        elif ends:
            edges.append((APEX, ends[0], index))
        elif index < held:
            hub = next((hub for hub in at if not data.hubs.level[hub] and hub in visited), None)
            if hub is None:
                alone.append([data.cards[index]])
            else:
                dominated[hub].append(data.cards[index])
    walks = read_walks(edges, visited, data.cards[:held], dominated, held)
    return [piece for _, piece in walks if piece] + alone


ENCODER = PricedTrailEncoder()
