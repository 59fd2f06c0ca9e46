"""The hub-trail viewpoint: a playing sequence is a trail on colours and numbers.

Draw the hubs (for D = 2 and k = 1: the colours and the numbers) as nodes and let every card be
either an edge between two of its hubs or a loop at one. Reading the edges of an Eulerian trail of
this multigraph in order, each loop when its hub is first reached, gives a feasible sequence,
because cards that meet at a hub match. Conversely, neighbours in a sequence share a hub, and
reading off these hubs gives such a trail. So the hand is playable if and only if some choice is
connected with at most two odd vertices: for D = 2, if and only if the bipartite graph of colours
and numbers has a *dominating trail*, one that every card has an end on (Harary and Nash-Williams
1965 for line graphs). The model needs O(n) variables where card x position needs n^2.

w universal wild cards may join w + 1 sequences. The cards split into r sequences if and only if
some choice has the sum over its components of max(1, odd / 2) at most r. An extra node, the
*apex*, is joined to every odd vertex once and to one hub of every closed trail twice; then all is
connected and the number of these joints is at most 2r.

The optimisation questions follow. Where 2k <= D one added card joins any two sequences, so
``fill-in`` minimises r. Cards of a supply are edges that may be left out, at a cost: one that
is a mere loop serves no purpose. ``longest`` lets hubs be missed, at the cost of the cards that
have no other.

Before a search the kernel of the graph is taken: collapsible subgraphs shrink to one hub, and what
hangs on few hubs becomes a table (:mod:`uno_csp.hub_graph`). Three more things shrink the model. A
hub of degree one never needs to be visited: a trail edge to it would end the trail there, and
stopping before is as good. Of hubs with the same cards one is enough (``Incidence.needed``). And of
two equal cards on just two hubs one may be taken as a trail edge: if none is, taking both changes
no parity and connects what is there. Copies are interchangeable, so they become trail edges in
their order, and no more of them than a card has hubs.
"""

from collections import Counter

from uno_csp.encodings._trail_model import TrailModel, unzip
from uno_csp.encodings._trails import TrailData, TrailEncoder
from uno_csp.hub_graph.graph import trail_refusal
from uno_csp.hub_graph.kernel import Kernel
from uno_csp.hub_graph.long_paths import cards_along_a_path
from uno_csp.modeling import Assignment, Encoded, Objective
from uno_csp.questions import FillIn, HandQuestion, Longest, Sense, Uno1
from uno_csp.questions.answers import Witness


class HubTrailEncoder(TrailEncoder[HandQuestion]):
    """Dominating trails on the hubs, for ``uno-1``, ``longest`` and ``fill-in``.

    Variables
    ---------
    y[v]
        Hub v is visited.
    x[e]
        Card e, on two shared hubs, is a trail edge between them; else it is dominated, or, if it is
        from a supply, not added.
    z[e, v], t[e]
        For a card on more than two shared hubs: it is a trail edge and v is one of its two ends;
        it is a trail edge.
    o[e], a[e]
        For a card with a hub that just it and another card are on, if one of them is on more than
        two hubs: y of this hub says that the two are neighbours, and card e, a node, has one end
        (o), or none (a, if trails can be joined). See :mod:`uno_csp.hub_graph.pairs`.
    odd[v]
        The number of trail edges at v is odd (only for hubs with two or more possible trail edges).
    s[v]
        The sequence leaves the pile, ``after``, through its hub v.
    b[v]
        If trails can be joined: a closed trail starts at v.
    u[h]
        In ``longest``: the cards whose shared hubs are exactly h are not played.
    r[p, i]
        In a kernel: state i of the table of part p is chosen (see :mod:`uno_csp.hub_graph`).

    Constraints
    -----------
    Every card has a visited hub; a trail edge visits its ends; at most two odd vertices, or, with
    w wild cards, sum(odd) + 2 sum(b) at most 2(w + 1); the trail edges connect the visited hubs.
    For distinct cards with D = 2, k = 1 and neither wild cards nor ``after``, let h be the number
    of shared hubs, n2 that of cards on two shared hubs, d that of hubs on two or more such cards,
    and l that of hubs with cards on no other shared hub. The model of ``uno-1`` has h + n2 + d
    variables, l + 3 n2 clauses, d parities and one linear row. ``fill-in`` has in addition an apex
    and h variables b, and no linear row.

    Examples
    --------
    Three sides of a square: both shared hubs must be visited, so the middle card is a trail edge.

    >>> from uno_csp.questions import Uno1
    >>> hand = (("red", 1), ("red", 2), ("blue", 2))
    >>> encoded = HubTrailEncoder().encode(Uno1(hand))
    >>> encoded.model.clauses  # y[red] = 1, y[2] = 2; the three cards, then the trail edge
    [[1], [2], [1, 2], [-3, 1], [-3, 2]]
    """

    name = "hub-trail"
    takes: tuple[type[HandQuestion], ...] = (Uno1, Longest, FillIn)
    sees_dead_ends = True

    def declines(self, instance: HandQuestion) -> str | None:
        """Return a reason if hubs do not determine which cards match or how to join sequences."""
        return trail_refusal(instance)

    def write(self, kernel: Kernel, *, minimising: bool = False) -> Encoded[TrailData]:
        """Write the model of a kernel; ``minimising`` for a solver that minimises."""
        add = {Sense.DECIDE: _uno1, Sense.MINIMISE: _fill_in, Sense.MAXIMISE: _longest}
        trail_model = TrailModel(kernel.core, minimising=minimising)
        add[kernel.core.graph.instance.sense](trail_model)
        if not kernel.core.feasible:
            trail_model.model.add_clause()
        return Encoded(trail_model.model, TrailData(kernel, trail_model.trail), kernel.sizes)

    def primal_heuristic(
        self, encoded: Encoded[TrailData], assignment: Assignment
    ) -> Witness | None:
        """Return a witness from trails that are not connected, if the question allows them."""
        instance = encoded.data.kernel.core.graph.instance
        apart = not instance.whole or instance.supply is None
        return self.decode(encoded, assignment) if apart else None


def _uno1(write: TrailModel) -> None:
    """Write ``uno-1``: every card has a visited hub; connected trails with few enough ends."""
    write.cover_cards()
    write.write_trails()
    write.at_most(write.ends(), write.free_ends)
    write.connect()


def _fill_in(write: TrailModel) -> None:
    """Write ``fill-in``: as ``uno-1``, but added cards may join further trails.

    Without a supply each added card joins two trails, which removes two ends. Of a supply only the
    universal wild cards do; the others may be trail edges at their cost.
    """
    graph, model, trail = write.graph, write.model, write.trail
    write.cover_cards()
    write.write_trails()
    ends, free = write.ends(), write.free_ends
    if graph.instance.supply is None:
        if free % 2:  # parts use an odd number of ends, so the other ends are odd in number too
            ends, free = [*ends, (1, write.constant())], free + 1
        weights, literals = unzip(ends)
        model.objective = Objective(weights, literals, offset=-free // 2, unit=2, floor=0)
    else:
        trail.wild_used = model.new_vars(len(graph.wild_offers))
        held = len(graph.cards)
        costs, literals = [cost for _, cost in graph.wild_offers], [*trail.wild_used]
        for literal, (index, _) in zip(trail.trail_edges, write.core.cards, strict=True):
            if index >= held:
                costs.append(graph.offers[index - held][1])
                literals.append(literal)
        model.objective = Objective(costs, literals, floor=0)
        write.at_most([*ends, *((-2, used) for used in trail.wild_used)], free)
    write.connect()


def _longest(write: TrailModel) -> None:
    """Write ``longest``: as ``uno-1``, but minimise the cards without a visited hub.

    Cards on the same hubs are left out together. A lonely card, one that shares no hub, is a trail
    of its own; if wild cards join some of these, it does not matter which.
    """
    graph, core, model = write.graph, write.core, write.model
    sizes = Counter(at for _, at in core.cards)
    missed = write.trail.missed
    for place, (_, at) in enumerate(core.cards):
        if at not in missed:
            missed[at] = model.new_var()
            write.cover_unless(place, missed[at])
    left_out = [(count, missed[at]) for at, count in sizes.items()]
    left_out += [(count, -write.visited[hub]) for hub, count in core.loops.items()]
    joinable = min(graph.lonely, len(graph.wilds) + 1) if graph.wilds else 0
    kept = model.new_vars(joinable)
    left_out += [(1, -literal) for literal in kept]
    write.write_trails()
    left_out += write.parts_left_out
    shared = len(graph.cards) - graph.lonely
    played = shared + joinable + len(graph.wilds) - core.left_out
    if not graph.wilds and not graph.hubs and graph.after_hubs is None and graph.cards:
        played += 1  # no two cards match: one card is played
    write.at_most([*((2, literal) for literal in kept), *write.ends()], write.free_ends)
    counts, literals = unzip(left_out)
    model.objective = Objective(counts, literals, -played)
    if not graph.has_joints and graph.after_hubs is None:
        write.claim_played(cards_along_a_path(graph))
    write.connect()


ENCODER = HubTrailEncoder()
