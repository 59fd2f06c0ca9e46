"""Contraction of collapsible subgraphs, which :mod:`~uno_csp.hub_graph.contraction` finds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Contraction:
    """The collapsible subgraphs of a graph, with the spanning trees that lift trails."""

    part: Sequence[int]  # for each hub the number of its part; most hubs are parts of their own
    count: int  # number of parts
    across: Sequence[int]  # the edges between different parts, as indices
    # for each part the number of edges in it, if there are any
    inside: Mapping[int, int] = field(default_factory=dict)
    # the edges of the two spanning trees of all parts, as indices
    first: Sequence[int] = ()
    second: Sequence[int] = ()


def odd_join(size: int, edges: Sequence[Sequence[int]], odd: Iterable[int]) -> list[int]:
    """Return edges of a spanning forest, as indices, that give just the nodes ``odd`` odd degree.

    This is a T-join. A component with an odd number of these nodes has none; the parity of its root
    is then ignored.
    """
    import rustworkx

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(u, v, index) for index, (u, v) in enumerate(edges)])
    wanted = [False] * size
    for node in odd:
        wanted[node] = not wanted[node]
    chosen: list[int] = []
    for before, node in reversed(rustworkx.dfs_edges(graph)):
        if wanted[node]:
            chosen.append(graph.get_edge_data(before, node))
            wanted[before] = not wanted[before]
    return chosen
