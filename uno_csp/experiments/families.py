"""Instance families: hands drawn at random, and hands made of graphs whose answer is known.

A hand made of a cubic graph is playable if and only if the graph has a Hamiltonian path (the
paper's Theorem 3.3), so graphs that are known to have one, or none, give hands of any size with a
proved answer.
"""

import random
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

import networkx as nx

from uno_csp.graphs.paper import CubicReduction
from uno_csp.instances import Uno1

Graph: TypeAlias = "nx.Graph[Any]"


def random_hand(colours: int, numbers: int, count: int, *, seed: int) -> Uno1:
    """A hand of ``count`` cards, colour and number drawn uniformly and independently.

    The same card may be drawn more than once. With about (colours + numbers) / 2 cards or fewer
    the hand falls into groups and the answer is no; well above, nearly always yes.

    >>> random_hand(3, 3, 2, seed=1).cards
    ((0, 2), (0, 1))
    """
    draw = random.Random(seed)
    cards = tuple((draw.randrange(colours), draw.randrange(numbers)) for _ in range(count))
    return Uno1(cards, name=f"random {count} of {colours}x{numbers}, seed {seed}")


def cubic_hand(graph: Graph, name: str = "") -> Uno1:
    """The reduction of Theorem 3.3: a card (v, e) for each vertex v and each edge e at v.

    Playable if and only if the cubic graph has a Hamiltonian path. Vertices and edges are
    numbered in the order of the graph; 3n cards for n vertices.

    Raises
    ------
    NotAccepted
        If a vertex has another degree than 3.
    """
    return replace(CubicReduction(graph).instance, name=name)


def random_cubic_hand(vertices: int, *, seed: int) -> Uno1:
    """The hand of a random cubic graph; almost surely, as n grows, the answer is yes.

    Robinson and Wormald (1992): almost all cubic graphs are Hamiltonian.
    """
    graph: Graph = nx.random_regular_graph(3, vertices, seed=seed)
    return cubic_hand(graph, f"random cubic graph on {vertices} vertices, seed {seed}")


def generalized_petersen_hand(n: int, k: int) -> Uno1:
    """The hand of the generalised Petersen graph GP(n, k).

    GP(n, 2) with n = 5 modulo 6 has a Hamiltonian path but no Hamiltonian circuit (Alspach 1983),
    so the answer is yes, and closed trails alone do not find it.
    """
    graph: Graph = nx.Graph()
    for i in range(n):
        graph.add_edge(("outer", i), ("outer", (i + 1) % n))
        graph.add_edge(("outer", i), ("inner", i))
        graph.add_edge(("inner", i), ("inner", (i + k) % n))
    return cubic_hand(graph, f"GP({n},{k})")


def diamond_hand(graph: Graph, name: str = "") -> Uno1:
    """The hand of diamond(H): every edge of the cubic graph H replaced by K4 minus an edge.

    For bridgeless H on m vertices a minimum path cover has m/2 paths, so for m > 2 the answer is
    no: the diamonds force a path through each edge of H, and an end at each second vertex.
    """
    replaced: Graph = nx.Graph()
    for index, (u, v) in enumerate(graph.edges()):
        a, b, c, d = (("inside", index, corner) for corner in range(4))
        replaced.add_edges_from([(("of", u), a), (d, ("of", v))])
        replaced.add_edges_from([(a, b), (a, c), (b, c), (b, d), (c, d)])
    return cubic_hand(replaced, name or "diamonds")


def petersen_fragments_hand(graph: Graph, replaced: Iterable[Hashable], name: str = "") -> Uno1:
    """The hand of H[P on s]: s vertices of the cubic graph H replaced by Petersen minus a vertex.

    A path that enters such a fragment by one port and leaves it by another misses a vertex, so
    each fragment needs an end of a path inside: at least ceil(s / 2) paths. For s >= 3 the
    answer is no.
    """
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
    return cubic_hand(result, name or f"{len(chosen)} Petersen fragments")


FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "random": "colour and number drawn uniformly (random_hand)",
        "random-cubic": "Theorem 3.3 on a random cubic graph (random_cubic_hand)",
        "cubic": "Theorem 3.3 on a given cubic graph (cubic_hand)",
        "generalized-petersen": "GP(n, k): yes for k = 2, n = 5 mod 6 (generalized_petersen_hand)",
        "diamond": "every edge replaced by a diamond; no from 4 vertices on (diamond_hand)",
        "petersen-fragments": "Petersen fragments, no from 3 on (petersen_fragments_hand)",
    }
)
"""The families by name, with a word on each and the function that makes it."""
