"""The constraints of trails on a hub graph: one method for each sentence of the theorem."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from uno_csp.cards import previous_copies
from uno_csp.encodings._net import Net
from uno_csp.encodings._part_model import PartModel, Term
from uno_csp.hub_graph import Core, Row
from uno_csp.modeling import Model, Relation


@dataclass(frozen=True, slots=True)
class HubTrail:
    """What the variables of a model mean.

    Parameters
    ----------
    visited
        y[v] for each hub of the core: it is on the trail.
    walked
        For each card of the core the literal saying that it is walked.
    ends
        For each card of the core the literals that are true for the hubs it is walked between, one
        for each hub.
    starts
        For hubs of the pile the literal saying that the sequence starts there.
    odd, closed
        By hub the literal saying that an odd number of cards is walked there, and the variable
        saying that a closed trail starts there.
    rows
        For each part of the core the literals saying which row of its table is taken.
    wild_used
        For each wild card of the supply the literal saying that it is added.
    missed
        In ``longest``: for a set of hubs the variable saying that cards on just these are left out.
    """

    visited: Sequence[int]
    walked: Sequence[int]
    ends: Sequence[tuple[int, ...]]
    starts: Mapping[int, int]
    odd: Mapping[int, int]
    closed: Sequence[int]
    rows: Sequence[Sequence[int]] = ()
    wild_used: Sequence[int] = ()
    missed: Mapping[tuple[int, ...], int] = field(default_factory=dict)


class TrailModel:
    """Writes the model of what is to be decided of a hub graph.

    What a method returns is named in the next one.
    """

    def __init__(self, core: Core) -> None:
        self.core = core
        self.graph = core.graph
        self.model = Model()
        self.visited = self.model.new_vars(len(core.hubs))
        self._incident: list[list[int]] = [[] for _ in self.visited]
        self._net = Net(self.visited)
        self._anchors: list[tuple[int, int, int]] = []
        self._part_ends: list[Term] = []
        self._part_prices: list[Term] = []

    @property
    def free_ends(self) -> int:
        """How many ends the trails may have; the pile holds one, which is counted with starts."""
        outside = self.core.after_hubs is not None and self.graph.follows_pile
        return self.core.ends - 2 * outside

    def cover_cards(self) -> None:
        """Every card of the hand has a visited hub."""
        for hub in self.core.loops:
            self.model.add_clause(self.visited[hub])
            self._net.covers.append((hub,))
        for index, at in self.core.cards:
            if index < len(self.graph.cards):
                self.model.add_clause(*(self.visited[v] for v in at))
                self._net.covers.append(at)

    def trails(self) -> HubTrail:
        """Walked cards and the pile meet at visited hubs, some of which are odd, and are joined."""
        graph = self.graph
        walked, ends = self._walk_cards()
        starts = self._leave_pile()
        rows = [self._take_part(scope, part.table.rows) for scope, part in self.core.parts]
        odd = self._odd_hubs()
        closed: Sequence[int] = ()
        if graph.has_joints:
            closed = self._join_at_apex([*odd.items(), *starts.items()])
        else:
            self._net.loose += odd.items()
            alone = len(graph.cards) == 1 and graph.after_hubs is None
            if graph.instance.whole and graph.lonely and not alone:
                self.model.add_clause()
        return HubTrail(self.visited, walked, ends, starts, odd, closed, rows)

    def ends_of(self, trail: HubTrail) -> list[Term]:
        """The ends of all trails: odd hubs, twice the closed trails; the pile holds one of them."""
        ends = [(1, literal) for literal in trail.odd.values()]
        if self.graph.follows_pile:
            ends += [(-1, literal) for literal in trail.starts.values()]
        return ends + [(2, literal) for literal in trail.closed] + self._part_ends

    def left_out_in_parts(self) -> list[Term]:
        """The cards that parts leave out."""
        return self._part_prices

    def at_most(self, terms: Sequence[Term], bound: int) -> None:
        """A sum is at most so large."""
        if terms or bound < 0:
            weights, literals = unzipped(terms)
            self.model.add_linear(weights, literals, Relation.AT_MOST, bound)

    def constant(self) -> int:
        """A variable that is true."""
        literal = self.model.new_var()
        self.model.add_clause(literal)
        return literal

    def connect(self) -> None:
        """The walked cards connect the visited hubs."""
        if self._net.presence:
            self.model.add_global(self._net.connected())

    def leave_none_alone(self) -> None:
        """Something is walked at every visited hub, if it can be."""
        for presence, links in self._net.at_nodes():
            if links:
                self.model.add_clause(-presence, *links)

    def _walk_cards(self) -> tuple[list[int], list[tuple[int, ...]]]:
        """Walking a card visits its ends."""
        cards, held, whole = self.graph.all_cards, len(self.graph.cards), self.graph.instance.whole
        previous = previous_copies((cards[index], index < held) for index, _ in self.core.cards)
        walked: list[int] = []
        ends: list[tuple[int, ...]] = []
        copy = [1] * len(self.core.cards)
        for place, ((index, at), before) in enumerate(zip(self.core.cards, previous, strict=True)):
            literal, own = self._walk_edge(at) if len(at) == 2 else self._walk_star(at)
            walked.append(literal)
            ends.append(own)
            if before is not None:
                copy[place] = copy[before] + 1
                forced = index < held and whole
                self._order_copies(literal, walked[before], len(at), copy[place], forced=forced)
                if 2 < len(at) >= copy[place]:
                    for rank, end in enumerate(own):
                        self.model.add_clause(-end, *ends[before][: rank + 1])
        return walked, ends

    def _walk_edge(self, at: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """A card of two hubs is an edge between them."""
        walked = self.model.new_var()
        u, v = at
        self.model.add_clause(-walked, self.visited[u])
        self.model.add_clause(-walked, self.visited[v])
        self._incident[u].append(walked)
        self._incident[v].append(walked)
        self._net.link(u, v, walked)
        return walked, (walked, walked)

    def _walk_star(self, at: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """A card of many hubs is a node of its own, with none or two of its hubs beside it."""
        walked = self.model.new_var()
        ends = tuple(self.model.new_vars(len(at)))
        node = self._net.node(walked)
        self.model.at_most(ends, 2)
        self.model.add_clause(-walked, *ends)
        for end, v in zip(ends, at, strict=True):
            self.model.add_clause(-end, walked)
            self.model.add_clause(-end, self.visited[v])
            self.model.add_clause(-end, *(other for other in ends if other != end))
            self._incident[v].append(end)
            self._net.link(node, v, end)
        return walked, ends

    def _order_copies(
        self, walked: int, before: int, hubs: int, copy: int, *, forced: bool
    ) -> None:
        """Copies are walked in order, and never more of them than the card has hubs.

        Of two copies on two hubs that must be played, the first one is walked. Of copies on more
        hubs the later one has no end before the first end of the earlier one.
        """
        if copy > hubs:
            self.model.add_clause(-walked)
        elif hubs == 2 and forced:
            self.model.add_clause(before)
        else:
            self.model.add_clause(-walked, before)

    def _leave_pile(self) -> dict[int, int]:
        """The card ``after`` is an edge from its own loose end to one of its hubs."""
        graph = self.graph
        starts: dict[int, int] = {}
        if self.core.after_hubs is None:
            return starts
        for v in self.core.after_hubs:
            starts[v] = self.model.new_var()
            self.model.add_clause(-starts[v], self.visited[v])
            self._incident[v].append(starts[v])
        if len(starts) > 1:
            self.model.at_most(list(starts.values()), 1)
        if graph.has_joints or not graph.cards:
            return starts
        if graph.instance.whole:
            self.model.add_clause(*starts.values())
            self._net.loose += starts.items()
        else:
            pile = self._net.always_there(self.constant())
            for v, start in starts.items():
                self._net.link(pile, v, start)
                self._net.loose.append((pile, start))
        return starts

    def _take_part(self, scope: Sequence[int], rows: Sequence[Row]) -> list[int]:
        """What is taken of a part adds to the parities, joins hubs, and has its ends and price."""
        part = PartModel(self.model, [self.visited[v] for v in scope], rows)
        for place, literal in part.odd().items():
            self._incident[scope[place]].append(literal)
        joined = self.graph.has_joints
        for (one, other, weight), literal in part.links(anchored=not joined).items():
            self._net.link(scope[one], scope[other], literal, weight)
        for (place, weight), literal in part.anchors().items():
            if joined:
                self._anchors.append((scope[place], literal, weight))
            elif weight == 1:
                self._net.loose.append((scope[place], literal))
        if not joined:
            for literal in part.out_of_reach():
                self._net.node(literal)
        self._net.covers += [tuple(scope[place] for place in cover) for cover in part.covers()]
        self._part_ends += part.ends()
        self._part_prices += part.prices()
        return part.taken

    def _odd_hubs(self) -> dict[int, int]:
        """For each hub that can be odd the literal saying so."""
        odd = {}
        for v, literals in enumerate(self._incident):
            if len(literals) == 1:
                odd[v] = literals[0]
            elif literals:
                odd[v] = self.model.new_var()
                self.model.add_parity([*literals, odd[v]], odd=False)
        return odd

    def _join_at_apex(self, once: Iterable[tuple[int, int]]) -> Sequence[int]:
        """An extra node is joined to every odd hub once, and to one of each closed trail twice."""
        apex = self._net.always_there(self.constant())
        for v, literal in once:
            self._net.link(apex, v, literal)
        for v, literal, weight in self._anchors:
            self._net.link(apex, v, literal, weight)
        closed = self.model.new_vars(len(self.visited))
        for v, literal in enumerate(closed):
            self.model.add_clause(-literal, self.visited[v])
            self._net.link(apex, v, literal, weight=2)
        return closed


def unzipped(terms: Iterable[Term]) -> tuple[list[int], list[int]]:
    """Weights and literals."""
    pairs = list(terms)
    return [weight for weight, _ in pairs], [literal for _, literal in pairs]
