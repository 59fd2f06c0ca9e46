"""Eulerian trails: covers of the edges of a graph by walks.

Edges are triples (end, end, label) of a multigraph in which an extra node, the *apex*, joins the
trails: it is connected to each odd vertex once and to one node of every closed trail twice. Then
every node is even, one Eulerian circuit runs through everything, and cutting it at the apex gives
the trails back.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from uno_csp.graph_tools.disjoint_sets import DisjointSets

APEX = -1  # the extra node; all others are numbered from 0
JOINT = -1  # the label of an edge to the apex that joins two trails
MANY_EDGES = 50_000
"""Number of edges from which the circuit is computed with arrays (numpy and scipy load slowly)."""

Edge: TypeAlias = tuple[int, int, int]
Step: TypeAlias = tuple[int, int]  # the label of an edge, and the node it leads to


def split_into_trails(edges: Sequence[Edge], nodes: Iterable[int]) -> list[list[Step]]:
    """Cover all edges and all of the nodes by a minimum number of trails.

    A component needs max(1, odd / 2) trails. A trail is a list of steps from and to the apex:
    the first step leads to its first node, the last one back to the apex.

    >>> split_into_trails([(0, 1, 7), (1, 2, 8)], [0, 1, 2, 3])
    [[(-1, 3), (-1, -1)], [(-1, 2), (8, 1), (7, 0), (-1, -1)]]
    """
    joined = [*edges, *_joints(edges, nodes)]
    return _split_at_apex(_circuit(joined))


def _joints(edges: Sequence[Edge], nodes: Iterable[int]) -> list[Edge]:
    """Return edges to the apex: one from each odd vertex, two from each component without any."""
    roots = list(nodes)
    first = [edge[0] for edge in edges]
    second = [edge[1] for edge in edges]
    degrees = Counter(chain(first, second))
    sets = DisjointSets(max(chain(roots, degrees), default=0) + 1)
    pairs = list(zip(first, second, strict=True))
    tied = [pair for pair in pairs if APEX in pair]
    sets.unite_all(pair for pair in pairs if APEX not in pair) if tied else sets.unite_all(pairs)
    anchored = {sets.find(max(pair)) for pair in tied}
    joints = []
    for node, degree in degrees.items():
        if degree % 2 and node != APEX:
            joints.append((APEX, node, JOINT))
            anchored.add(sets.find(node))
    for root in roots:
        component = sets.find(root)
        if component not in anchored:
            anchored.add(component)
            joints += [(APEX, root, JOINT)] * 2
    return joints


def _circuit(edges: Sequence[Edge]) -> list[Step]:
    """Return an Eulerian circuit of the apex's component."""
    if len(edges) < MANY_EDGES:
        return _hierholzer(edges, APEX, directed=False)
    from uno_csp.graph_tools.long_circuits import eulerian_circuit  # numpy and scipy load slowly

    return eulerian_circuit(edges, APEX)


def _hierholzer(edges: Sequence[Edge], start: int, *, directed: bool) -> list[Step]:
    around: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for index, (u, v, _) in enumerate(edges):
        around[u].append((v, index))
        if not directed:
            around[v].append((u, index))
    used = bytearray(len(edges))
    stack = [(JOINT, start)]
    walk = []
    while stack:
        ways = around[stack[-1][1]]
        while ways:
            node, index = ways.pop()
            if not used[index]:
                used[index] = True
                stack.append((edges[index][2], node))
                break
        else:
            walk.append(stack.pop())
    walk.reverse()
    return walk[1:]


def _split_at_apex(circuit: list[Step]) -> list[list[Step]]:
    walks: list[list[Step]] = []
    walk: list[Step] = []
    for label, node in circuit:
        walk.append((label, node))
        if node == APEX:
            walks.append(walk)
            walk = []
    return walks


def reversed_trail(trail: Sequence[Step]) -> list[Step]:
    """Return the trail in reverse; each edge has the node it now leads to."""
    nodes = [APEX, *(node for _, node in trail)]
    return [(trail[i][0], nodes[i]) for i in range(len(trail) - 1, -1, -1)]


def eulerian_walk(arcs: Sequence[Edge], start: int) -> list[Step]:
    """Return an Eulerian walk over arcs (tail, head, label), by Hierholzer's algorithm.

    It must exist: the arcs are connected, and in-degree = out-degree except at the two ends.

    >>> eulerian_walk([(0, 1, 5), (1, 0, 6), (0, 2, 7)], 0)
    [(5, 1), (6, 0), (7, 2)]
    """
    return _hierholzer(arcs, start, directed=True)
