"""Hands made from graphs (Theorem 3.3) and from trees, most of them with a known answer.

A hand made from a cubic graph splits into as few sequences as paths are needed to cover the graph,
so graphs whose minimum path covers are known give hands of any size with a proved answer.
"""

import random
from collections.abc import Iterable
from typing import Annotated, TypeAlias

from uno_csp.errors import InstanceError
from uno_csp.families.cubic_graphs import (
    NAMED,
    Graph,
    base_graph,
    flower_snark,
    from_graph6,
    generalized_petersen,
    random_cubic,
    with_diamonds,
    with_petersen_fragments,
)
from uno_csp.families.declaration import Origin, Sample, between, family, one_of
from uno_csp.graphs.paper import cubic_hand
from uno_csp.questions import Uno1

LARGEST_GRAPH = 1_000_000

Base: TypeAlias = Annotated[str, one_of(("random", *NAMED), "the cubic graph to start from")]
BaseVertices: TypeAlias = Annotated[
    int, between(4, LARGEST_GRAPH, "vertices of a random base; even")
]


@family("random-cubic", Origin.STRUCTURED)
def random_cubic_hand(
    vertices: Annotated[int, between(4, LARGEST_GRAPH, "vertices; even")] = 20, *, seed: int
) -> Sample:
    """A random cubic graph: almost surely a yes as it grows, though no path is planted.

    Robinson and Wormald (1992): almost all cubic graphs are Hamiltonian. This proves nothing
    about a single graph, so no answer is expected.
    """
    graph = random_cubic(vertices, seed)
    return Sample(cubic_hand(graph, f"random cubic graph on {vertices} vertices, seed {seed}"))


@family("generalized-petersen", Origin.STRUCTURED)
def generalized_petersen_hand(
    n: Annotated[int, between(3, LARGEST_GRAPH, "vertices of the outer circuit")] = 11,
    k: Annotated[int, between(1, LARGEST_GRAPH, "the inner jump, less than n / 2")] = 2,
) -> Sample:
    """The generalised Petersen graph GP(n, k) on 2n vertices: always a yes.

    Alspach (1983): all are Hamiltonian but GP(n, 2) with n = 5 modulo 6 and the graphs isomorphic
    to it. These are hypohamiltonian, so they have a Hamiltonian path, which a search for closed
    trails alone does not find.
    """
    if 2 * k >= n:
        raise InstanceError(f"k: {k} is not allowed; expected less than n / 2 = {n / 2:g}")
    why = "GP(n, k) has a Hamiltonian path (Alspach 1983)"
    return Sample(cubic_hand(generalized_petersen(n, k), f"GP({n},{k})"), most=1, why=why)


@family("flower-snark", Origin.STRUCTURED)
def flower_snark_hand(
    n: Annotated[int, between(5, LARGEST_GRAPH, "the number of stars; odd")] = 5,
) -> Sample:
    """The flower snark J(n) on 4n vertices, n odd: a yes, though it has no Hamiltonian circuit.

    Fiorini (1983): the flower snarks are hypohamiltonian.
    """
    if n % 2 == 0:
        raise InstanceError(f"n: {n} is not allowed; expected an odd number from 5 on")
    why = "flower snarks are hypohamiltonian (Fiorini 1983)"
    return Sample(cubic_hand(flower_snark(n), f"flower snark J{n}"), most=1, why=why)


@family("named-cubic", Origin.STRUCTURED)
def named_cubic_hand(
    graph: Annotated[str, one_of(tuple(NAMED), "its name")] = "petersen",
) -> Sample:
    """A well-known cubic graph; each of them has a Hamiltonian path, so the answer is yes."""
    why = f"the {graph} graph has a Hamiltonian path"
    return Sample(cubic_hand(NAMED[graph](), graph), most=1, why=why)


@family("cubic", Origin.STRUCTURED)
def given_cubic_hand(
    graph6: Annotated[str, "a cubic graph as a line of graph6, or @FILE, or @FILE:LINE"] = "C~",
) -> Sample:
    """Any cubic graph, given as graph6."""
    return Sample(cubic_hand(from_graph6(graph6), f"cubic graph {graph6}"))


def diamond_hand(graph: Graph, name: str = "diamonds") -> Uno1:
    """Return the hand of diamond(H) for a cubic graph H."""
    return cubic_hand(with_diamonds(graph), name)


@family("diamond", Origin.STRUCTURED)
def diamond_family(base: Base = "random", vertices: BaseVertices = 4, *, seed: int) -> Sample:
    """Every edge of a cubic graph H replaced by a diamond, K4 minus an edge: hard to refute.

    For bridgeless H on m vertices a minimum path cover of diamond(H) has m/2 paths: of the three
    diamonds at a vertex a path can continue through two, so each vertex forces the end of a path.
    So with m > 2 the answer is no. 21m cards.
    """
    graph = base_graph(base, vertices, seed)
    order = len(graph)
    name = f"diamonds of {_describe(base, order, seed)}"
    paths = order // 2
    why = f"the diamonds of a bridgeless cubic graph on {order} vertices need {paths} paths"
    return Sample(diamond_hand(graph, name), paths, paths, why)


def petersen_fragments_hand(graph: Graph, replaced: Iterable[int], name: str = "fragments") -> Uno1:
    """Return the hand of H[P on s] for a cubic graph H and the vertices to replace."""
    return cubic_hand(with_petersen_fragments(graph, replaced), name)


@family("petersen-fragments", Origin.STRUCTURED)
def petersen_fragments_family(
    base: Base = "petersen",
    vertices: BaseVertices = 10,
    fragments: Annotated[int, between(0, LARGEST_GRAPH, "vertices that are replaced")] = 3,
    *,
    seed: int,
) -> Sample:
    """H[P on s]: s vertices of a cubic graph H replaced by the Petersen graph minus a vertex.

    A path that enters such a fragment by one port and leaves it by another misses a vertex, so each
    fragment needs the end of a path inside: at least s/2 paths. For s >= 3 the answer is no.
    """
    graph = base_graph(base, vertices, seed)
    if fragments > len(graph):
        raise InstanceError(f"fragments: {fragments} is not allowed; expected up to {len(graph)}")
    chosen = random.Random(seed).sample(sorted(graph), fragments)
    name = f"{fragments} Petersen fragments in {_describe(base, len(graph), seed)}"
    why = f"each of {fragments} Petersen fragments has the end of a path inside"
    fewest = max(1, -(-fragments // 2))
    return Sample(petersen_fragments_hand(graph, chosen, name), fewest, None, why)


@family("spider", Origin.STRUCTURED)
def spider_hand(
    legs: Annotated[int, between(1, LARGEST_GRAPH, "number of legs")] = 5,
    length: Annotated[int, between(1, LARGEST_GRAPH, "number of cards in each leg")] = 3,
) -> Sample:
    """Legs of cards from one common colour, the body, which alternate number and colour.

    With two or more cards in each leg, each leg ends a sequence, and a sequence joins two legs at
    the body, so that legs/2 sequences, rounded up, are needed; with one card in each leg, all cards
    have one colour.
    """
    cards = []
    for leg in range(legs):
        hubs = ["body", *(f"{leg}.{joint}" for joint in range(1, length + 1))]
        for step in range(length):
            ends = hubs[step], hubs[step + 1]
            cards.append(ends if step % 2 == 0 else ends[::-1])
    sequences = 1 if length == 1 else -(-legs // 2)
    why = f"each of {legs} legs ends a sequence" if length > 1 else "all cards have one colour"
    hand = Uno1(tuple(cards), name=f"spider with {legs} legs of {length}")
    return Sample(hand, sequences, sequences, why)


def _describe(base: str, order: int, seed: int) -> str:
    if base == "random":
        return f"a random cubic graph on {order} vertices, seed {seed}"
    return f"the {base} graph"
