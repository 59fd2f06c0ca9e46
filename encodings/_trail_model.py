"""The constraints of trails on a hub graph, as stated by the hub-trail theorem."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from uno_csp.encodings._net import Net
from uno_csp.encodings._part_model import PartModel, Term
from uno_csp.hub_graph.elimination import Part
from uno_csp.hub_graph.kernel import Core
from uno_csp.hub_graph.pairs import pairs_of_cards
from uno_csp.modeling import Model, Relation
from uno_csp.questions.cards import previous_copies

MANY_ENDS = 40
"""Number of ends above which one sum replaces clauses, whose length grows with its square."""


@dataclass(slots=True)
class HubTrail:
    """The variables of a trail model, by meaning; they are added as they are made."""

    visited: Sequence[int]  # for each hub v of the core, y[v]: the hub is on a trail
    # the hubs that are edges, and the places of their two cards in the core
    pairs: Mapping[int, tuple[int, int]]
    # for each card of the core, the literal for "it is a trail edge"
    trail_edges: list[int] = field(default_factory=list)
    # for each card of the core, one literal per hub: the card is a trail edge, and the hub is one
    # of its two ends
    ends: list[tuple[int, ...]] = field(default_factory=list)
    # for each hub of the pile, the literal for "the sequence starts there"
    starts: dict[int, int] = field(default_factory=dict)
    # by hub, the literal for "it has an odd number of trail edges", and the variable for "a closed
    # trail starts there"
    odd: dict[int, int] = field(default_factory=dict)
    closed: dict[int, int] = field(default_factory=dict)
    # by place of a card on a hub that is an edge, the variable for "it has one end", and, if trails
    # can be joined, the one for "it is a trail of its own"
    single: dict[int, int] = field(default_factory=dict)
    alone: dict[int, int] = field(default_factory=dict)
    # for each part of the core, the literals that choose a state of its table
    states: Sequence[Sequence[int]] = ()
    wild_used: Sequence[int] = ()  # for each wild card of the supply, the literal for "it is added"
    # in `longest`: by set of hubs, the variable for "the cards on exactly these are left out"
    missed: dict[tuple[int, ...], int] = field(default_factory=dict)


class TrailModel:
    """Writes the model of the core of a hub graph; ``trail`` has its variables.

    A model is ``minimising`` if it is for a solver that minimises: its relaxation is tighter if the
    ends of a card are one equation instead of clauses.
    """

    def __init__(self, core: Core, *, minimising: bool = False) -> None:
        self.core = core
        self._most_ends = 0 if minimising else MANY_ENDS
        self.graph = core.graph
        self.model = Model()
        self.visited = self.model.new_vars(len(core.hubs))
        self.trail = HubTrail(self.visited, pairs_of_cards(core))
        self._incident: list[list[int]] = [[] for _ in self.visited]
        self._pairs = self.trail.pairs
        hubs = [hub for hub in range(len(core.hubs)) if hub not in self._pairs]
        self._net = Net(self.visited[hub] for hub in hubs)
        self._node = {hub: node for node, hub in enumerate(hubs)}
        paired = sorted(set(chain.from_iterable(self._pairs.values())))
        self._card_node = {place: self._net.node(self.model.new_var()) for place in paired}
        self._anchors: list[tuple[int, int, int]] = []
        self._part_ends: list[Term] = []
        self.parts_left_out: list[Term] = []  # the number of cards that parts leave out

    @property
    def free_ends(self) -> int:
        """Upper bound on :meth:`ends`; two ends are reserved for the pile."""
        outside = self.core.after_hubs is not None and self.graph.follows_pile
        return self.core.ends - 2 * outside

    def cover_cards(self) -> None:
        """Require that every card of the hand has a visited hub."""
        for hub in self.core.loops:
            self.model.add_clause(self.visited[hub])
            self._net.covers.append((self._node[hub],))
        held, presence = len(self.graph.cards), self._net.presence
        places = [place for place, (index, _) in enumerate(self.core.cards) if index < held]
        covers = [self._nodes_of(place) for place in places]
        self.model.add_clauses([presence[node] for node in nodes] for nodes in covers)
        self._net.covers += covers

    def cover_unless(self, place: int, excuse: int) -> None:
        """Require that the card at a place of the core is on a trail unless a literal is true."""
        nodes = self._nodes_of(place)
        self.model.add_clause(excuse, *(self._net.presence[node] for node in nodes))
        self._net.covers_unless.append((nodes, excuse))

    def _nodes_of(self, place: int) -> tuple[int, ...]:
        """Return the nodes of which one is present if and only if the card is on a trail."""
        own = [self._card_node[place]] if place in self._card_node else []
        at = self.core.cards[place][1]
        return (*own, *(self._node[hub] for hub in at if hub not in self._pairs))

    def claim_played(self, least: int) -> None:
        """Claim that the trails of an optimal solution play this number of cards or more.

        A played card has a visited hub. So each card counts at all its hubs, and each card of a
        part at the whole scope.
        """
        mass, core = self._net.mass, self.core
        mass.update({self._node[hub]: count for hub, count in core.loops.items()})
        mass.update(node for place in range(len(core.cards)) for node in self._nodes_of(place))
        for scope, part in core.parts:
            mass.update({self._node[hub]: part.size for hub in scope})
        self._net.least_mass = least

    def write_trails(self) -> None:
        """Write the trail edges, the pile, the parts and the parities, and join the trails."""
        graph, trail = self.graph, self.trail
        self._write_cards()
        self._leave_pile()
        trail.states = [self._take_part(scope, part) for scope, part in self.core.parts]
        self._write_odd_vertices()
        if graph.has_joints:
            self._join_at_apex()
        else:
            self._net.loose += ((self._node[hub], literal) for hub, literal in trail.odd.items())
            self._net.loose += self._singles()
            alone = len(graph.cards) == 1 and graph.after_hubs is None
            if graph.instance.whole and graph.lonely and not alone:
                self.model.add_clause()

    def ends(self) -> list[Term]:
        """Return the number of ends as a sum: one for each odd vertex, two for each closed trail.

        A start gives back one of the two ends that :attr:`free_ends` reserves for the pile.
        """
        trail = self.trail
        ends = [(1, literal) for literal in (*trail.odd.values(), *trail.single.values())]
        if self.graph.follows_pile:
            ends += [(-1, literal) for literal in trail.starts.values()]
        ends += [(2, literal) for literal in (*trail.closed.values(), *trail.alone.values())]
        return ends + self._part_ends

    def at_most(self, terms: Sequence[Term], bound: int) -> None:
        """Require that a weighted sum is at most ``bound``."""
        if terms or bound < 0:
            weights, literals = unzip(terms)
            self.model.add_linear(weights, literals, Relation.AT_MOST, bound)

    def constant(self) -> int:
        """Return a new variable that is fixed to true."""
        literal = self.model.new_var()
        self.model.add_clause(literal)
        return literal

    def connect(self) -> None:
        """Require that the trail edges connect the visited hubs."""
        if self._net.presence:
            self.model.add_global(self._net.connected())

    def leave_none_alone(self) -> None:
        """Require an edge at every visited hub that can have one."""
        for presence, links in self._net.at_nodes():
            if links:
                self.model.add_clause(-presence, *links)

    def _write_cards(self) -> None:
        """Write the trail edges."""
        cards, held, whole = self.graph.all_cards, len(self.graph.cards), self.graph.instance.whole
        previous = previous_copies((cards[index], index < held) for index, _ in self.core.cards)
        trail_edges, ends = self.trail.trail_edges, self.trail.ends
        copy = [1] * len(self.core.cards)
        for place, ((index, at), before) in enumerate(zip(self.core.cards, previous, strict=True)):
            if place in self._card_node:
                literal, own = self._write_node(place, at)
            else:
                literal, own = self._write_edge(at) if len(at) == 2 else self._write_star(at)
            trail_edges.append(literal)
            ends.append(own)
            if before is not None:
                copy[place] = copy[before] + 1
                forced = index < held and whole
                self._order_copies(
                    literal, trail_edges[before], len(at), copy[place], forced=forced
                )
                if 2 < len(at) >= copy[place]:
                    for rank, end in enumerate(own):
                        self.model.add_clause(-end, *ends[before][: rank + 1])
        for hub, (one, other) in self._pairs.items():
            self._net.link(self._card_node[one], self._card_node[other], self.visited[hub])

    def _write_edge(self, at: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Write a card on two hubs as an edge between them."""
        trail_edge = self.model.new_var()
        u, v = at
        self.model.add_clauses((-trail_edge, self.visited[hub]) for hub in at)
        self._incident[u].append(trail_edge)
        self._incident[v].append(trail_edge)
        self._net.link(self._node[u], self._node[v], trail_edge)
        return trail_edge, (trail_edge, trail_edge)

    def _write_star(self, at: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Write a card on more hubs as a node of its own, joined to none or two of its hubs."""
        trail_edge = self.model.new_var()
        ends = tuple(self.model.new_vars(len(at)))
        node = self._net.node(trail_edge)
        self._two_or_none(trail_edge, ends)
        self._end_at_hubs(node, zip(ends, at, strict=True))
        return trail_edge, ends

    def _write_node(self, place: int, at: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Write a card on a hub that is an edge: a node with two ends, or one, or none if alone."""
        node = self._card_node[place]
        trail_edge = self._net.presence[node]
        ends = tuple(self.visited[v] if v in self._pairs else self.model.new_var() for v in at)
        single = self.trail.single[place] = self.model.new_var()
        alone = None
        if self.graph.has_joints:
            alone = self.trail.alone[place] = self.model.new_var()
        self._two_or_none(trail_edge, [*ends, single], alone)
        at_hubs = zip(ends, at, strict=True)
        self._end_at_hubs(node, (pair for pair in at_hubs if pair[1] not in self._pairs))
        return trail_edge, ends

    def _two_or_none(self, trail_edge: int, ends: Sequence[int], both: int | None = None) -> None:
        """Require that two of the literals are true if ``trail_edge`` is, and none otherwise.

        If ``both`` is given, it counts as two of them.
        """
        model, instead = self.model, () if both is None else (both,)
        if len(ends) > self._most_ends:
            weights = [1] * len(ends) + [2] * len(instead) + [-2]
            model.add_linear(weights, [*ends, *instead, trail_edge], Relation.EQUAL, 0)
            return
        model.at_most(ends, 2)
        model.add_clause(-trail_edge, *ends, *instead)
        for end in ends:
            model.add_clause(-end, trail_edge)
            model.add_clause(-end, *(other for other in ends if other != end))
            model.add_clauses((-end, -each) for each in instead)
        model.add_clauses((-each, trail_edge) for each in instead)

    def _end_at_hubs(self, node: int, ends: Iterable[tuple[int, int]]) -> None:
        """Join a card to hubs; pairs of the literal for "it has an end there" and a hub."""
        for end, v in ends:
            self.model.add_clause(-end, self.visited[v])
            self._incident[v].append(end)
            self._net.link(node, self._node[v], end)

    def _singles(self) -> list[tuple[int, int]]:
        """Return the cards that may have one end, as nodes with the literals for this."""
        return [(self._card_node[place], literal) for place, literal in self.trail.single.items()]

    def _order_copies(
        self, trail_edge: int, before: int, hubs: int, copy: int, *, forced: bool
    ) -> None:
        """Break symmetry: copies become trail edges in order, at most as many as the card has hubs.

        Of two copies on two hubs that must be played, the first one is a trail edge. Of copies on
        more hubs, the later one has no end before the first end of the earlier one; see the
        caller.
        """
        if copy > hubs:
            self.model.add_clause(-trail_edge)
        elif hubs == 2 and forced:
            self.model.add_clause(before)
        else:
            self.model.add_clause(-trail_edge, before)

    def _leave_pile(self) -> None:
        """Write the card ``after`` as an edge from a loose end of its own to one of its hubs."""
        graph, starts = self.graph, self.trail.starts
        if self.core.after_hubs is None:
            return
        for v in self.core.after_hubs:
            starts[v] = self.model.new_var()
            self.model.add_clause(-starts[v], self.visited[v])
            self._incident[v].append(starts[v])
        if len(starts) > 1:
            self.model.at_most(list(starts.values()), 1)
        if graph.has_joints or not graph.cards:
            return
        if graph.instance.whole:
            self.model.add_clause(*starts.values())
            self._net.loose += ((self._node[v], start) for v, start in starts.items())
        else:
            pile = self._net.always_there(self.constant())
            for v, start in starts.items():
                self._net.link(pile, self._node[v], start)
                self._net.loose.append((pile, start))

    def _take_part(self, scope: Sequence[int], table_part: Part) -> list[int]:
        """Write a part: its state adds to parities, connects hubs, and costs ends and cards."""
        part = PartModel(self.model, [self.visited[v] for v in scope], table_part.table.states)
        for place, literal in part.odd().items():
            self._incident[scope[place]].append(literal)
        joined = self.graph.has_joints
        for (one, other, weight), literal in part.links(anchored=not joined).items():
            self._net.link(self._node[scope[one]], self._node[scope[other]], literal, weight)
        for (place, weight), literal in part.anchors().items():
            node = self._node[scope[place]]
            if joined:
                self._anchors.append((node, literal, weight))
            elif weight == 1:
                self._net.loose.append((node, literal))
        if not joined:
            for literal in part.out_of_reach():
                self._net.mass[self._net.node(literal)] += table_part.size
        nodes = [self._node[hub] for hub in scope]
        self._net.covers += [tuple(nodes[place] for place in cover) for cover in part.covers()]
        self._part_ends += part.ends()
        self.parts_left_out += part.left_out_terms()
        return part.taken

    def _write_odd_vertices(self) -> None:
        """Define, for each hub that can be odd, the literal for "it is odd"."""
        odd = self.trail.odd
        for v, literals in enumerate(self._incident):
            if len(literals) == 1:
                odd[v] = literals[0]
            elif literals:
                odd[v] = self.model.new_var()
                self.model.add_parity([*literals, odd[v]], odd=False)

    def _join_at_apex(self) -> None:
        """Join the apex to every odd vertex once, and to one hub of each closed trail twice.

        A card that is an odd node or a trail of its own is joined alike.
        """
        trail = self.trail
        apex = self._net.always_there(self.constant())
        for v, literal in (*trail.odd.items(), *trail.starts.items()):
            self._net.link(apex, self._node[v], literal)
        for node, literal in self._singles():
            self._net.link(apex, node, literal)
        for place, literal in trail.alone.items():
            self._net.link(apex, self._card_node[place], literal, weight=2)
        for node, literal, weight in self._anchors:
            self._net.link(apex, node, literal, weight)
        trail.closed.update(zip(self._node, self.model.new_vars(len(self._node)), strict=True))
        for v, literal in trail.closed.items():
            self.model.add_clause(-literal, self.visited[v])
            self._net.link(apex, self._node[v], literal, weight=2)


def unzip(terms: Iterable[Term]) -> tuple[list[int], list[int]]:
    """Split terms into their weights and their literals."""
    pairs = list(terms)
    return [weight for weight, _ in pairs], [literal for _, literal in pairs]
