"""The hub-trail viewpoint: a playing sequence is a trail on colours and numbers.

Draw the hubs (for D = 2 and k = 1: the colours and the numbers) as nodes and let every card be
either an edge between two of its hubs or a loop at one. Reading the edges of an Eulerian trail of
this multigraph in order, each loop when its hub is first reached, gives a feasible sequence,
because cards that meet at a hub match. Conversely, neighbours in a sequence share a hub, and
reading off these hubs gives such a trail. So the hand is playable if and only if some choice is
connected with at most two odd nodes: for D = 2, if and only if the bipartite graph of colours and
numbers has a *dominating trail*, one that every card has an end on (Harary and Nash-Williams 1965
for line graphs). The model needs O(n) variables where card x position needs n^2.

w universal wild cards may join w + 1 sequences. The cards split into r sequences if and only if
some choice has the sum over its components of max(1, odd / 2) at most r. An extra node, the
*apex*, is joined to every odd hub once and to one hub of every closed trail twice; then all is
connected and the number of these joints is at most 2r.

The optimisation questions follow. Where 2k <= D one added card joins any two sequences, so
``fill-in`` minimises r. Cards of a supply are edges that may be left out, at a price: one that
is a mere loop serves no purpose. ``longest`` lets hubs be missed, at the price of the cards that
have no other.

Three things shrink the model. A hub of degree one never needs to be visited: a card walked into it
would end the trail there, and stopping before is as good. Of hubs with the same cards one is enough
(:func:`~uno_csp.cards.spare_hubs`). And of two equal cards on just two hubs one may be taken as
walked: if none is, walking both changes no parity and connects what is there. Copies are
interchangeable, so they are walked in their order, and no more of them than a card has hubs.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from uno_csp.answers import Witness
from uno_csp.cards import MANY_HUBS, hub_count, is_universal, is_wild
from uno_csp.encodings._hub_graph import HubTrail, draw, meanings, read_witness
from uno_csp.encodings._trail_model import TrailModel, unzipped
from uno_csp.modeling import Assignment, Encoded, Encoder, Objective, Proof
from uno_csp.questions import FillIn, HandQuestion, Longest, Sense, Uno1


class HubTrailEncoder(Encoder[HandQuestion, HubTrail]):
    """Dominating trails on the hubs, for ``uno-1``, ``longest`` and ``fill-in``.

    Variables
    ---------
    y[v]
        Hub v is visited.
    x[e]
        Card e, of two shared hubs, is walked as an edge between them; else it is a loop, or not
        added if it is one of a supply.
    z[e, v], t[e]
        For a card of more than two shared hubs: it is walked and v is one of its two ends; it is
        walked at all.
    odd[v]
        The number of walked cards at v is odd (only for hubs with two or more cards to walk).
    s[v]
        ``after`` is left through its hub v.
    b[v]
        Where trails can be joined: the closed trail through v starts there.
    u[h]
        In ``longest``: the cards that share just the hubs h are not played.

    Constraints
    -----------
    Every card has a visited hub; walking a card visits its ends; at most two odd hubs, or, with w
    wild cards, sum(odd) + 2 sum(b) at most 2(w + 1); the walked cards connect the visited hubs.
    For distinct cards with D = 2, k = 1 and neither wild cards nor ``after``, with h shared hubs
    (d of them met by two or more cards of two shared hubs), n1 cards of one shared hub and n2 of
    two, the model of ``uno-1`` has h + n2 + d variables, n1 + 3 n2 clauses, d parities and one
    linear row. ``fill-in`` has an apex and h variables b more, and no linear row.
    """

    name = "hub-trail"
    takes = (Uno1, Longest, FillIn)
    preference = 1
    proves = Proof.EXACT

    def declines(self, instance: HandQuestion) -> str | None:
        """Cards that are wild in some coordinates and yet do not match every card."""
        pile = () if instance.after is None else (instance.after,)
        for card in (*instance.cards, *(instance.supply or ()), *pile):
            if is_wild(card) and not is_universal(card, instance.at_least):
                return (
                    "a card that is wild in fewer coordinates than must agree lies on no fixed "
                    "hubs; 'successor' takes it"
                )
        count = hub_count(instance.dimension, instance.at_least)
        if count > MANY_HUBS:
            return f"a card lies on {count} hubs, more than {MANY_HUBS}; 'successor' takes it"
        if instance.supply is None and 2 * instance.at_least > instance.dimension:
            return (
                "to join two cards may take a chain of added ones when more than half of the "
                "coordinates must agree; 'successor' takes it"
            )
        return None

    def encode(self, instance: HandQuestion) -> Encoded[HubTrail]:
        """Write the model.

        Examples
        --------
        Three cards around a square that lacks one: the middle one has to be a stop on the way.

        >>> from uno_csp.questions import Uno1
        >>> hand = (("red", 1), ("red", 2), ("blue", 2))
        >>> encoded = HubTrailEncoder().encode(Uno1(hand))
        >>> encoded.model.clauses  # y[red] = 1, y[2] = 2; the three cards, then the walkable one
        [(1,), (1, 2), (2,), (-3, 1), (-3, 2)]
        """
        write = {Sense.DECIDE: _uno1, Sense.MINIMISE: _fill_in, Sense.MAXIMISE: _longest}
        trail_model = TrailModel(draw(instance))
        trail = write[instance.sense](trail_model)
        return Encoded(trail_model.model, trail)

    def decode(self, encoded: Encoded[HubTrail], assignment: Assignment) -> Witness:
        """Read the trails as card sequences and join them."""
        return read_witness(encoded.data, assignment)

    def meanings(self, encoded: Encoded[HubTrail]) -> Iterator[tuple[int, str]]:
        """Every variable but the apex."""
        return meanings(encoded.data)

    def mend(self, encoded: Encoded[HubTrail], assignment: Assignment) -> Witness | None:
        """A witness from trails that are not connected, where they can be left apart."""
        instance = encoded.data.graph.instance
        apart = not instance.whole or instance.supply is None
        return self.decode(encoded, assignment) if apart else None


def _uno1(write: TrailModel) -> HubTrail:
    """Every card has a visited hub; the walked cards connect these, with few odd ones."""
    write.cover_cards()
    trail = write.trails()
    write.at_most(write.ends_of(trail), write.graph.free_ends)
    write.connect()
    return trail


def _fill_in(write: TrailModel) -> HubTrail:
    """As ``uno-1``, but further trails are joined by what is added.

    Any added card joins two trails, which takes two ends away; of a supply only the wild ones do,
    and the others are walked at their price.
    """
    graph, model = write.graph, write.model
    write.cover_cards()
    trail = write.trails()
    ends, free = write.ends_of(trail), graph.free_ends
    if graph.instance.supply is None:
        weights, literals = unzipped(ends)
        model.objective = Objective(weights, literals, offset=-free // 2, unit=2, floor=0)
    else:
        trail = replace(trail, wild_used=model.new_vars(len(graph.wild_offers)))
        walked = trail.walked[len(graph.cards) :]
        priced = [
            *(
                (cost, used)
                for used, (_, cost) in zip(trail.wild_used, graph.wild_offers, strict=True)
            ),
            *(
                (cost, literal)
                for literal, (_, cost) in zip(walked, graph.offers, strict=True)
                if literal
            ),
        ]
        costs, literals = unzipped(priced)
        model.objective = Objective(costs, literals, floor=0)
        write.at_most([*ends, *((-2, used) for used in trail.wild_used)], free)
    write.connect()
    return trail


def _longest(write: TrailModel) -> HubTrail:
    """As ``uno-1``, but hubs may be missed: minimise the cards that have no other.

    Cards on the same hubs are missed together. A lonely card is a trail of its own; where wild
    cards join some, which of them makes no difference.
    """
    graph, model = write.graph, write.model
    sizes = Counter(at for at in graph.hubs_of if at)
    missed: dict[tuple[int, ...], int] = {}
    for at in sizes:
        if len(at) > 1:
            missed[at] = model.new_var()
            model.add_clause(missed[at], *(write.visited[v] for v in at))
    left_out = [(count, missed.get(at) or -write.visited[at[0]]) for at, count in sizes.items()]
    joinable = min(graph.lonely, len(graph.wilds) + 1) if graph.wilds else 0
    kept = model.new_vars(joinable)
    left_out += [(1, -literal) for literal in kept]
    played = sum(count for count, _ in left_out) + len(graph.wilds)
    if not graph.wilds and not write.visited and graph.after_hubs is None and graph.cards:
        played += 1  # no two cards match
    trail = replace(write.trails(), missed=missed)
    write.at_most([*((2, literal) for literal in kept), *write.ends_of(trail)], graph.free_ends)
    counts, literals = unzipped(left_out)
    model.objective = Objective(counts, literals, -played)
    write.connect()
    return trail


ENCODER = HubTrailEncoder()
