"""The kernel of a hub graph: what is left to search after all quick exact reductions.

Collapsible subgraphs shrink to one hub (:mod:`~uno_csp.hub_graph.contraction`); then parts attached
at few hubs are summed up in tables (:mod:`~uno_csp.hub_graph.elimination`). This applies to
``uno-1``, ``fill-in`` and ``longest``: they differ in what a state costs, ends or cards left out,
and in the limits on these.

Cards on more than two hubs and cards of a supply are not reduced: their hubs stay.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from uno_csp.graph_tools.trails import Edge
from uno_csp.hub_graph.choices import Choice
from uno_csp.hub_graph.elimination import Elimination, Infeasible, Part, Scope, Weights, order_width
from uno_csp.hub_graph.graph import HubGraph
from uno_csp.hub_graph.shrinking import Contraction, odd_join
from uno_csp.hub_graph.tables import ABSENT, ODD, Tables

FEW_EDGES = 40
"""Minimum number of edges for a search for collapsible subgraphs; below it tables do as well."""

FEW_NEIGHBOURS = 5  # maximum number of neighbours of a hub that is forgotten before a search

WORK, WORK_PER_HUB = 10_000, 20
"""Maximum number of pairs of states joined before a search: a constant, and an amount per hub.

This takes about as long as writing a model.
"""

DECIDING, IMPROVING, BOUNDING = Weights(1, 1), Weights(card=3, hub=2), Weights(card=4, hub=3)
"""Costs that make a search for some trail prefer cards, and one for bounds prefer tables, whose
states are the extreme points of what a part can do: somewhat if clauses improve the bound step by
step, most if the solver minimises."""


@dataclass(frozen=True, slots=True)
class Core:
    """The undecided rest of a hub graph; its own hubs are numbered from 0."""

    graph: HubGraph  # the original graph
    hubs: Sequence[int]  # for each hub, one hub of the graph that it stands for
    # the cards on two hubs or more, by index in `hubs_of`, with these hubs
    cards: Sequence[tuple[int, Scope]]
    loops: Mapping[int, int]  # by hub, the number of cards of the hand that lie on it alone
    parts: Sequence[tuple[Scope, Part]] = ()  # the parts summed up in tables, with their scopes
    # the hubs through which the pile can be left, unless it is in a part
    after_hubs: Scope | None = None
    ends: int = 0  # maximum number of ends; if there is no limit, the number that is free of cost
    left_out: int = 0  # number of cards that are left out in every choice
    feasible: bool = True  # False if it is proved that there is no choice


@dataclass(frozen=True, slots=True)
class Kernel:
    """A core, and what is needed to lift its trails to the graph."""

    core: Core
    hubs: Sequence[int]  # for each hub of the core, its number among the shrunk hubs
    # the contraction of collapsible subgraphs; None if there was none
    shrunk: Contraction | None = None
    edges: Sequence[int] = ()  # for each edge of `shrunk`, the index of its card
    elimination: Elimination | None = None  # the elimination that made the parts

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of hubs and cards before and after, and of parts and their states."""
        graph, core = self.core.graph, self.core
        drawn = len(graph.hubs)
        return {
            "hubs": drawn,
            "cards": len(graph.hubs_of),
            "shrunk_hubs": drawn if self.shrunk is None else self.shrunk.count,
            "kernel_hubs": len(core.hubs),
            "kernel_cards": len(core.cards),
            "kernel_parts": len(core.parts),
            "kernel_states": sum(len(part.table.states) for _, part in core.parts),
        }

    def lift(self, chosen: Choice) -> Choice:
        """Return the trails on the graph for trails on the core."""
        visited = {self.hubs[hub] for hub in chosen.visited}
        edges = [(self.hubs[u], self.hubs[v], index) for u, v, index in chosen.edges]
        start = None if chosen.start is None else self.hubs[chosen.start]
        for (_, part), state in zip(self.core.parts, chosen.states, strict=True):
            assert self.elimination is not None  # noqa: S101
            for elementary, places in self.elimination.lift(part, state):
                at = dict(zip(elementary.scope, places, strict=True))
                visited.update(hub for hub, place in at.items() if place != ABSENT)
                odd = [hub for hub, place in at.items() if place != ABSENT and place & ODD]
                if elementary.is_pile:
                    start = odd[0] if odd else None
                elif odd and elementary.card is not None:
                    edges.append((odd[0], odd[1], elementary.card))
        found = Choice(visited, edges, start, chosen.wild_added)
        return found if self.shrunk is None else self._grow(self.shrunk, found)

    def _grow(self, shrunk: Contraction, choice: Choice) -> Choice:
        """Lift trails on shrunk hubs to the hubs in them."""
        hubs_of, part, start = self.core.graph.hubs_of, shrunk.part, choice.start
        grown: list[Edge] = []
        odd: list[int] = []
        for *at_parts, index in choice.edges:
            u, v = (next(h for h in hubs_of[index] if part[h] == own) for own in at_parts)
            grown.append((u, v, index))
            odd += (u, v)
        if start is not None:
            start = next(h for h in self.core.graph.after_hubs or () if part[h] == start)
            odd.append(start)
        first, second = (
            [
                (u, v, card)
                for card in (self.edges[index] for index in tree)
                for u, v in (hubs_of[card],)
                if part[u] in choice.visited
            ]
            for tree in (shrunk.first, shrunk.second)
        )
        odd += [hub for u, v, _ in first for hub in (u, v)]
        joining = odd_join(len(part), [edge[:2] for edge in second], odd)
        grown += [*first, *(second[index] for index in joining)]
        everywhere = {hub for hub, own in enumerate(part) if own in choice.visited}
        return Choice(everywhere, grown, start, choice.wild_added)


def identity_kernel(graph: HubGraph) -> Kernel:
    """Return the kernel without any reduction."""
    held = len(graph.cards)
    loops = Counter(at[0] for at in graph.hubs_of[:held] if len(at) == 1)
    cards = [(index, at) for index, at in enumerate(graph.hubs_of) if len(at) > 1]
    hubs = range(len(graph.hubs))
    core = Core(graph, hubs, cards, loops, after_hubs=graph.after_hubs, ends=graph.ends)
    return Kernel(core, hubs)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A graph whose collapsible subgraphs are shrunk."""

    graph: HubGraph
    shrunk: Contraction
    edges: Sequence[int]  # for each edge of `shrunk`, the index of its card
    # the cards on two shrunk hubs or more that may go into tables, and those that may not, by
    # index, with these hubs
    cards: Sequence[tuple[int, Scope]]
    kept: Sequence[tuple[int, Scope]]
    loops: Mapping[int, int]  # by shrunk hub, the number of cards of the hand that lie on it alone
    # the shrunk hubs through which the pile can be left; None if nothing follows it
    pile: Scope | None

    def width(self, most: int) -> int:
        """Return the width of the min-degree order, or some number above ``most``."""
        scopes = [at for _, at in (*self.cards, *self.kept)]
        return order_width(self.shrunk.count, [*scopes, self.pile or ()], most)

    def kernelize(
        self, most_neighbours: int = FEW_NEIGHBOURS, most_work: int = 0, weights: Weights = BOUNDING
    ) -> Kernel:
        """Forget hubs with few neighbours, and return the kernel.

        At most ``most_work`` pairs of states are joined, 0 standing for a default that is quickly
        done; by the weights it is decided which parts are modelled by one table.
        """
        graph = self.graph
        elimination = Elimination(Tables(graph.most_ends), not graph.instance.whole, weights)
        fixed = {hub for _, at in self.kept for hub in at}
        try:
            elimination.add_hubs(self.shrunk.count, self.loops)
            elimination.add_cards(self.cards)
            if self.pile is not None:
                elimination.add_pile(self.pile)
            work = most_work or WORK + WORK_PER_HUB * self.shrunk.count
            elimination.forget(most_neighbours, work, fixed)
            return self._kernel(elimination, elimination.lightest())
        except Infeasible:
            core = Core(graph, (), (), {}, feasible=False)
            return Kernel(core, (), self.shrunk, self.edges, elimination)

    def _kernel(self, elimination: Elimination, left: Sequence[Part]) -> Kernel:
        """Return the kernel of the parts that are left, with its hubs renumbered."""
        tied = {hub for part in left for hub in part.scope}
        hubs = sorted(tied.union(*(at for _, at in self.kept)))
        number = {hub: index for index, hub in enumerate(hubs)}
        stands: dict[int, int] = {}
        for hub, own in enumerate(self.shrunk.part):
            stands.setdefault(own, hub)
        cards = [*self.kept]
        loops: dict[int, int] = {}
        parts = []
        for part in left:
            if part.card is not None:
                cards.append((part.card, part.scope))
            elif not part.is_hub:
                parts.append((tuple(number[hub] for hub in part.scope), part))
            elif part.loops:
                loops[number[part.scope[0]]] = part.loops
        core = Core(
            self.graph,
            [stands[hub] for hub in hubs],
            [(card, tuple(number[hub] for hub in at)) for card, at in sorted(cards)],
            loops,
            parts,
            ends=self.graph.ends - sum(part.ends for part in left),
            left_out=sum(part.left_out for part in left),
        )
        return Kernel(core, hubs, self.shrunk, self.edges, elimination)


def prepare(graph: HubGraph) -> Prepared:
    """Shrink the collapsible subgraphs of a graph."""
    held = len(graph.cards)
    hubs_of = graph.hubs_of
    edges = [index for index, at in enumerate(hubs_of[:held]) if len(at) == 2]
    shrunk = _shrink(len(graph.hubs), [hubs_of[index] for index in edges])
    part, loops = shrunk.part, Counter(shrunk.inside)
    cards: list[tuple[int, Scope]] = []
    kept: list[tuple[int, Scope]] = []
    # In a dense hand nearly all cards are inside a part; these are not visited one by one.
    others = [index for index, at in enumerate(hubs_of[:held]) if len(at) != 2]
    between = sorted([*others, *(edges[place] for place in shrunk.across)])
    for index in chain(between, range(held, len(hubs_of))):
        now = tuple(sorted({part[hub] for hub in hubs_of[index]}))
        if len(now) == 2 and index < held:
            cards.append((index, now))
        elif len(now) > 1:
            kept.append((index, now))
        elif now and index < held:
            loops[now[0]] += 1
    pile = None
    if graph.follows_pile and graph.after_hubs is not None:
        pile = tuple(dict.fromkeys(part[hub] for hub in graph.after_hubs))
    return Prepared(graph, shrunk, edges, cards=cards, kept=kept, loops=loops, pile=pile)


def _is_thin(size: int, edges: Sequence[tuple[int, ...]]) -> bool:
    """Return True if no card is double and no hub has more than three cards.

    A collapsible subgraph of m hubs has at least 2 (m - 1) cards, an average degree of 4 - 4 / m.
    With degrees of at most three it has four hubs and the six cards between them; these may stay.
    """
    if 2 * len(edges) > 3 * size or len(set(edges)) < len(edges):
        return False
    return max(Counter(chain.from_iterable(edges)).values(), default=0) <= 3


def _shrink(size: int, edges: Sequence[tuple[int, ...]]) -> Contraction:
    if len(edges) < FEW_EDGES or _is_thin(size, edges):
        return Contraction(range(size), size, range(len(edges)))
    from uno_csp.hub_graph.contraction import contract  # numpy and scipy take a while to load

    return contract(size, edges)


def kernelize(graph: HubGraph, *, minimising: bool) -> Kernel:
    """Settle what can be cards exactly and soon; ``minimising`` for a solver that minimises."""
    weights = DECIDING
    if graph.instance.optimises:
        weights = BOUNDING if minimising else IMPROVING
    return prepare(graph).kernelize(weights=weights)
