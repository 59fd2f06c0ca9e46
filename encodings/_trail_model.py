"""The constraints of trails on a hub graph: one method for each sentence of the theorem."""

from collections.abc import Iterable, Sequence

from uno_csp.cards import previous_copies
from uno_csp.encodings._hub_graph import HubGraph, HubTrail
from uno_csp.modeling import Connected, Hints, Model, Relation

Term = tuple[int, int]
"""A weight and a literal."""


class TrailModel:
    """Writes the model of one hub graph; what a method returns is named in the next one."""

    def __init__(self, graph: HubGraph) -> None:
        self.graph = graph
        self.model = Model()
        self.visited = self.model.new_vars(len(graph.hubs))
        self._incident: list[list[int]] = [[] for _ in self.visited]
        self._net = _Net(self.visited)

    def cover_cards(self) -> None:
        """Every card of the hand has a visited hub."""
        for at in self.graph.hubs_of[: len(self.graph.cards)]:
            if at:
                self.model.add_clause(*(self.visited[v] for v in at))
                self._net.covers.append(at)

    def trails(self) -> HubTrail:
        """Walked cards and the pile meet at visited hubs, some of which are odd, and are joined."""
        graph = self.graph
        walked, ends = self._walk_cards()
        starts = self._leave_pile()
        odd = self._odd_hubs()
        closed: Sequence[int] = ()
        if graph.has_joints:
            closed = self._join_at_apex([*odd.items(), *starts.items()])
        else:
            self._net.loose += odd.items()
            alone = len(graph.cards) == 1 and graph.after_hubs is None
            if graph.instance.whole and graph.lonely and not alone:
                self.model.add_clause()
        return HubTrail(graph, self.visited, walked, ends, starts, odd, closed)

    def ends_of(self, trail: HubTrail) -> list[Term]:
        """The ends of all trails: odd hubs, twice the closed trails; the pile holds one of them."""
        ends = [(1, literal) for literal in trail.odd.values()]
        if self.graph.follows_pile:
            ends += [(-1, literal) for literal in trail.starts.values()]
        return ends + [(2, literal) for literal in trail.closed]

    def at_most(self, terms: Sequence[Term], bound: int) -> None:
        """A sum is at most so large."""
        if terms or bound < 0:
            weights, literals = unzipped(terms)
            self.model.add_linear(weights, literals, Relation.AT_MOST, bound)

    def connect(self) -> None:
        """The walked cards connect the visited hubs."""
        if self._net.presence:
            self.model.add_global(self._net.connected())

    def _walk_cards(self) -> tuple[list[int], list[tuple[int, ...]]]:
        """Walking a card visits its ends."""
        graph = self.graph
        held = len(graph.cards)
        numbered = enumerate(graph.all_cards)
        previous = previous_copies((card, index < held) for index, card in numbered)
        walked: list[int] = []
        ends: list[tuple[int, ...]] = []
        copy = [1] * len(graph.hubs_of)
        for index, (at, before) in enumerate(zip(graph.hubs_of, previous, strict=True)):
            literal, own = 0, tuple[int, ...]()
            if len(at) == 2:
                literal, own = self._walk_edge(at)
            elif len(at) > 2:
                literal, own = self._walk_star(at)
            walked.append(literal)
            ends.append(own)
            if before is not None and len(at) > 1:
                copy[index] = copy[before] + 1
                forced = index < held and graph.instance.whole
                self._order_copies(literal, walked[before], len(at), copy[index], forced=forced)
                if 2 < len(at) >= copy[index]:
                    for place, end in enumerate(own):
                        self.model.add_clause(-end, *ends[before][: place + 1])
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
        if graph.after_hubs is None:
            return starts
        for v in graph.after_hubs:
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
            pile = self._always_there()
            for v, start in starts.items():
                self._net.link(pile, v, start)
                self._net.loose.append((pile, start))
        return starts

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
        apex = self._always_there()
        for v, literal in once:
            self._net.link(apex, v, literal)
        closed = self.model.new_vars(len(self.visited))
        for v, literal in enumerate(closed):
            self.model.add_clause(-literal, self.visited[v])
            self._net.link(apex, v, literal, weight=2)
        return closed

    def _always_there(self) -> int:
        """A node of the connected graph that is always there."""
        literal = self.model.new_var()
        self.model.add_clause(literal)
        node = self._net.node(literal)
        self._net.covers.append((node,))
        return node


class _Net:
    """The graph that has to be connected, and what is known of it; the hubs are its first nodes."""

    def __init__(self, hubs: Iterable[int]) -> None:
        self.presence = list(hubs)
        self.covers: list[tuple[int, ...]] = []
        self.loose: list[tuple[int, int]] = []
        self._tails: list[int] = []
        self._heads: list[int] = []
        self._literals: list[int] = []
        self._weights: list[int] = []

    def node(self, literal: int) -> int:
        """A node that is there when the literal is true."""
        self.presence.append(literal)
        return len(self.presence) - 1

    def link(self, tail: int, head: int, literal: int, weight: int = 1) -> None:
        """An edge that is there when the literal is true, and counts so much."""
        self._tails.append(tail)
        self._heads.append(head)
        self._literals.append(literal)
        self._weights.append(weight)

    def connected(self) -> Connected:
        """The constraint."""
        hints = Hints(self.covers, self._weights, self.loose)
        return Connected(self.presence, self._tails, self._heads, self._literals, hints)


def unzipped(terms: Iterable[Term]) -> tuple[list[int], list[int]]:
    """Weights and literals."""
    pairs = list(terms)
    return [weight for weight, _ in pairs], [literal for _, literal in pairs]
