"""The three reductions of the paper, each with its solution maps in both directions.

They prove that UNO is hard: a graph is encoded as hands such that a winning play corresponds to a
Hamiltonian path. A reduction holds the graph; ``instance`` is the question, and two methods map a
Hamiltonian path to a play and a play to a Hamiltonian path.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import networkx as nx

from uno_csp.errors import NotAccepted
from uno_csp.questions import Cooperative, Uno1
from uno_csp.questions.answers import Play
from uno_csp.questions.cards import Card, Hand

Graph: TypeAlias = "nx.Graph[Any]"
Path: TypeAlias = Sequence[Hashable]


def require_hamiltonian_path(graph: Graph, path: Path) -> None:
    """Raise NotAccepted unless the path visits every vertex once along edges."""
    if len(path) != len(graph) or set(path) != set(graph):
        raise NotAccepted("a Hamiltonian path visits every vertex of the graph once")
    for u, v in pairwise(path):
        if not graph.has_edge(u, v):
            raise NotAccepted(f"there is no edge between {u!r} and {v!r}")


@dataclass(frozen=True, slots=True)
class CubicReduction:
    """Theorem 3.3: Hamiltonian path in a cubic graph, reduced to ``uno-1``.

    A card (v, e) for each vertex v and each edge e at v: the three cards of a vertex have its
    colour, the two cards of an edge its number. Vertices and edges are numbered from 0 in the
    order of the graph. The minimum number of sequences that the hand splits into is
    the minimum number of paths that cover the graph.

    Raises NotAccepted if a vertex has a degree other than 3.
    """

    graph: Graph

    def __post_init__(self) -> None:
        if any(degree != 3 for _, degree in self.graph.degree()):
            raise NotAccepted("every vertex must have degree 3")

    @property
    def instance(self) -> Uno1:
        """The hand."""
        vertices = {vertex: index for index, vertex in enumerate(self.graph)}
        edges = enumerate(self.graph.edges())
        return Uno1(tuple((vertices[vertex], index) for index, edge in edges for vertex in edge))

    def sequence_of(self, path: Path) -> Hand:
        """Return the hand in the order in which a Hamiltonian path visits vertices and edges."""
        require_hamiltonian_path(self.graph, path)
        number = {vertex: index for index, vertex in enumerate(self.graph)}
        edge_number = {frozenset(edge): index for index, edge in enumerate(self.graph.edges())}
        sequence: list[Card] = []
        for before, vertex, after in zip([None, *path[:-1]], path, [*path[1:], None], strict=True):
            others = [other for other in self.graph[vertex] if other not in (before, after)]
            sequence += [
                (number[vertex], edge_number[frozenset((vertex, other))])
                for other in (before, *others, after)
                if other is not None
            ]
        return tuple(sequence)

    def path_of(self, sequence: Sequence[Card]) -> list[Hashable]:
        """Return the Hamiltonian path of a feasible sequence of the whole hand.

        It is the vertices in order, with consecutive cards of one vertex counted once. Only the
        first and the last vertex can occur a second time: a single card between cards of other
        vertices would match both neighbours by its number, which only one other card has.
        """
        vertices = list(self.graph)
        runs: list[int] = []
        for card in sequence:
            if not runs or runs[-1] != card[0]:
                runs.append(int(card[0]))
        if runs and runs[0] in runs[1:]:
            del runs[0]
        if runs and runs[-1] in runs[:-1]:
            del runs[-1]
        path = [vertices[run] for run in runs]
        require_hamiltonian_path(self.graph, path)
        return path


@dataclass(frozen=True, slots=True)
class IncidenceReduction:
    """Theorem 3.1: Hamiltonian path in a connected graph, not a tree, reduced to ``cooperative``.

    Player 1 holds (i, i) for each vertex i, and player 2 (i, j) for each edge i < j; vertices are
    numbered from 0 in the order of the graph. Hamiltonian paths correspond to plays without skips.

    The printed proof ignores skips. When player 2 leads back to a vertex that has been played,
    player 1 is skipped, and player 2 may go on with another edge at that vertex: the play then
    jumps from i by way of j to a neighbour of j. So plays with skips exist for some graphs that
    have no Hamiltonian path; the smallest have six vertices. ``apart`` mends this with more
    attributes: each class of a proper edge colouring has its own pair of attributes, so that two
    edges never match, as two vertices never do, and no play continues after a skip.

    Raises NotAccepted if the graph is a tree, is not connected, or has fewer than two vertices or a
    loop.
    """

    graph: Graph
    apart: bool = False

    def __post_init__(self) -> None:
        if len(self.graph) < 2 or not nx.is_connected(self.graph) or nx.is_tree(self.graph):
            raise NotAccepted("the graph must be connected and not a tree")
        if nx.number_of_selfloops(self.graph):
            raise NotAccepted("the graph must have no loops")

    @property
    def instance(self) -> Cooperative:
        """The two hands."""
        vertices, edges = self._cards()
        return Cooperative((tuple(vertices.values()), tuple(edges.values())))

    def plays_of(self, path: Path) -> tuple[Play, ...]:
        """Return the play of a Hamiltonian path: its vertices and edges alternately."""
        require_hamiltonian_path(self.graph, path)
        vertices, edges = self._cards()
        plays = [Play(1, vertices[path[0]])]
        for u, v in pairwise(path):
            plays += [Play(2, edges[frozenset((u, v))]), Play(1, vertices[v])]
        return tuple(plays)

    def path_of(self, plays: Sequence[Play]) -> list[Hashable]:
        """Return the vertices as player 1 plays them, if they are a path."""
        vertex = {card: name for name, card in self._cards()[0].items()}
        path = [vertex[play.card] for play in plays if play.player == 1]
        require_hamiltonian_path(self.graph, path)
        return path

    def _classes(self) -> dict[Hashable, int]:
        """Return a proper edge colouring, or a single class unless ``apart``."""
        if not self.apart:
            return dict.fromkeys(map(frozenset, self.graph.edges()), 0)
        colouring = nx.greedy_color(nx.line_graph(self.graph), "DSATUR")
        return {frozenset(edge): colour for edge, colour in colouring.items()}

    def _cards(self) -> tuple[dict[Hashable, Card], dict[Hashable, Card]]:
        """Return the card of each vertex, and of each edge as a set of two vertices."""
        number = {vertex: index for index, vertex in enumerate(self.graph)}
        classes = self._classes()
        width = 2 * (max(classes.values()) + 1)
        edges: dict[Hashable, Card] = {}
        for index, (u, v) in enumerate(self.graph.edges()):
            edge = frozenset((u, v))
            card: list[int | str] = [f"edge {index}"] * width
            place = 2 * classes[edge]
            card[place : place + 2] = sorted((number[u], number[v]))
            edges[edge] = tuple(card)
        return {vertex: (index,) * width for vertex, index in number.items()}, edges


@dataclass(frozen=True, slots=True)
class EqualHandsReduction:
    """Corollary 1: Hamiltonian path from a given vertex, reduced to play with hands of equal size.

    In addition to Theorem 3.1, for m > n edges on n vertices: player 1 gets m - n cards ("x", "x"),
    which player 2 cannot match, and ("x", "y"); player 2 gets (s, "y") for the starting vertex s.
    Player 1 plays the new cards in a row while player 2 is skipped, player 2 plays (s, "y"), and
    the vertex card of s follows; or all of it in reverse.

    Raises NotAccepted as for :class:`IncidenceReduction`; or if the start is not a vertex.
    """

    graph: Graph
    start: Hashable

    def __post_init__(self) -> None:
        IncidenceReduction(self.graph)
        if self.start not in self.graph:
            raise NotAccepted(f"{self.start!r} is not a vertex of the graph")

    @property
    def instance(self) -> Cooperative:
        """The two hands, of m cards each if m = n, else of m + 1."""
        first, second = IncidenceReduction(self.graph).instance.hands
        mine, theirs = (
            tuple(play.card for play in self._opening() if play.player == who) for who in (1, 2)
        )
        return Cooperative((first + mine, second + theirs))

    def plays_of(self, path: Path) -> tuple[Play, ...]:
        """Return the opening, then the play of a path from the start."""
        if not path or path[0] != self.start:
            raise NotAccepted(f"the path must begin at {self.start!r}")
        return (*self._opening(), *IncidenceReduction(self.graph).plays_of(path))

    def path_of(self, plays: Sequence[Play]) -> list[Hashable]:
        """Return the vertices as player 1 plays them from the start."""
        added = {play.card for play in self._opening()}
        path = IncidenceReduction(self.graph).path_of(
            [play for play in plays if play.card not in added]
        )
        if path[0] != self.start:
            path.reverse()
        if path[0] != self.start:
            raise NotAccepted(f"the play neither begins nor ends at {self.start!r}")
        return path

    def _opening(self) -> list[Play]:
        surplus = self.graph.number_of_edges() - len(self.graph)
        if surplus == 0:
            return []
        start = list(self.graph).index(self.start)
        plays = [Play(1, ("x", "x"))] * surplus
        return [*plays, Play(1, ("x", "y")), Play(2, (start, "y"))]
