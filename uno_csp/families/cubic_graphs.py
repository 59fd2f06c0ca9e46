"""Cubic graphs to make hands from: named graphs, series, random graphs and compositions."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any, TypeAlias

import networkx as nx

from uno_csp.errors import InstanceError, NotAccepted
from uno_csp.graphs.graph6 import read_graph6

Graph: TypeAlias = "nx.Graph[Any]"

TRIES = 100  # maximum number of graphs drawn until one is connected and bridgeless; nearly all are


def generalized_petersen(n: int, k: int) -> Graph:
    """GP(n, k): an outer circuit of n vertices, n spokes, and inner edges that jump by k."""
    graph: Graph = nx.Graph()
    for i in range(n):
        graph.add_edge(("outer", i), ("outer", (i + 1) % n))
        graph.add_edge(("outer", i), ("inner", i))
        graph.add_edge(("inner", i), ("inner", (i + k) % n))
    return graph


def flower_snark(n: int) -> Graph:
    """The flower snark J(n) on 4n vertices: n stars, their leaves on circuits of n and of 2n."""
    graph: Graph = nx.Graph()
    for i in range(n):
        graph.add_edges_from((("a", i), (leaf, i)) for leaf in "bcd")
        graph.add_edge(("b", i), ("b", (i + 1) % n))
    around = [("c", i) for i in range(n)] + [("d", i) for i in range(n)]
    graph.add_edges_from(zip(around, [*around[1:], around[0]], strict=True))
    return graph


def tietze() -> Graph:
    """Tietze's graph: the Petersen graph with a triangle in place of one vertex."""
    graph: Graph = nx.petersen_graph()
    ports = list(graph[0])
    graph.remove_node(0)
    corners = ["x", "y", "z"]
    graph.add_edges_from(zip(corners, ports, strict=True))
    graph.add_edges_from(combinations(corners, 2))
    numbered: Graph = nx.convert_node_labels_to_integers(graph)
    return numbered


def coxeter() -> Graph:
    """The Coxeter graph: the triples of seven points that are not lines of the Fano plane.

    Disjoint triples are adjacent.
    """
    lines = {frozenset((i + shift) % 7 for i in (0, 1, 3)) for shift in range(7)}
    triples = [frozenset(each) for each in combinations(range(7), 3)]
    graph: Graph = nx.Graph()
    graph.add_nodes_from(triple for triple in triples if triple not in lines)
    graph.add_edges_from((a, b) for a, b in combinations(list(graph), 2) if not a & b)
    numbered: Graph = nx.convert_node_labels_to_integers(graph)
    return numbered


NAMED: Mapping[str, Callable[[], Graph]] = MappingProxyType(
    {
        "k4": lambda: nx.complete_graph(4),
        "k33": lambda: nx.complete_bipartite_graph(3, 3),
        "prism": lambda: nx.circular_ladder_graph(3),
        "cube": nx.cubical_graph,
        "petersen": nx.petersen_graph,
        "tietze": tietze,
        "frucht": nx.frucht_graph,
        "heawood": nx.heawood_graph,
        "moebius-kantor": nx.moebius_kantor_graph,
        "pappus": nx.pappus_graph,
        "desargues": nx.desargues_graph,
        "dodecahedron": nx.dodecahedral_graph,
        "coxeter": coxeter,
        "tutte": nx.tutte_graph,
    }
)
"""Cubic bridgeless graphs by name; every one of them has a Hamiltonian path."""


def random_cubic(vertices: int, seed: int) -> Graph:
    """Return a cubic graph, drawn uniformly at random.

    Raises InstanceError if the number of vertices is odd or below 4.
    """
    if vertices < 4 or vertices % 2:
        raise InstanceError(
            f"vertices: {vertices} is not allowed; a cubic graph has an even number from 4 on"
        )
    graph: Graph = nx.random_regular_graph(3, vertices, seed=seed)
    return graph


def base_graph(name: str, vertices: int, seed: int) -> Graph:
    """Return a named graph or, for ``random``, a random connected cubic graph without bridges."""
    if name != "random":
        return NAMED[name]()
    for attempt in range(TRIES):
        graph = random_cubic(vertices, seed * TRIES + attempt)
        if nx.is_connected(graph) and not nx.has_bridges(graph):
            return graph
    raise NotAccepted("no bridgeless graph was drawn; take another seed")


def from_graph6(text: str) -> Graph:
    """Return the graph of a graph6 line; raise InstanceError if it is not valid."""
    try:
        size, edges = read_graph6(text.strip().removeprefix(">>graph6<<"))
    except InstanceError as error:
        raise InstanceError(f"graph6: {text[:40]!r} is not a graph6 line ({error})") from None
    graph: Graph = nx.empty_graph(size)
    graph.add_edges_from(edges)
    return graph


def with_diamonds(graph: Graph) -> Graph:
    """Return diamond(H): every edge replaced by K4 minus an edge, between its two ends."""
    replaced: Graph = nx.Graph()
    for index, (u, v) in enumerate(graph.edges()):
        a, b, c, d = (("inside", index, corner) for corner in range(4))
        replaced.add_edges_from([(("of", u), a), (d, ("of", v))])
        replaced.add_edges_from([(a, b), (a, c), (b, c), (b, d), (c, d)])
    return replaced


def with_petersen_fragments(graph: Graph, replaced: Iterable[Hashable]) -> Graph:
    """Return H[P on s]: some vertices replaced by the Petersen graph minus a vertex."""
    chosen = set(replaced)
    petersen = nx.petersen_graph()
    result: Graph = nx.Graph()
    ports: dict[Hashable, list[Hashable]] = {}
    for vertex in graph:
        ports[vertex] = [("of", vertex)] * 3
        if vertex in chosen:
            ports[vertex] = [("in", vertex, other) for other in petersen[0]]
            result.add_edges_from(
                (("in", vertex, a), ("in", vertex, b))
                for a, b in petersen.edges()
                if 0 not in (a, b)
            )
    result.add_edges_from((ports[u].pop(), ports[v].pop()) for u, v in graph.edges())
    return result
