"""Dense parts shrunk to one hub each; :mod:`~uno_csp.hub_graph.contraction` finds them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Contraction:
    """The dense parts of a graph, with the spanning trees that are needed to lift trails.

    Parameters
    ----------
    part
        For each hub the number of its part; most hubs are parts of their own.
    count
        Number of parts.
    across
        The edges between different parts, as indices.
    inside
        For each part the number of edges in it, if there are any.
    first, second
        The edges of the two spanning trees of all parts, as indices.
    """

    part: Sequence[int]
    count: int
    across: Sequence[int]
    inside: Mapping[int, int] = field(default_factory=dict)
    first: Sequence[int] = ()
    second: Sequence[int] = ()


def odd_join(size: int, edges: Sequence[Sequence[int]], odd: Iterable[int]) -> list[int]:
    """Return edges of a spanning forest, as indices, that give just the nodes ``odd`` odd degree.

    This is a T-join. A component with an odd number of these nodes has none; the parity of its root
    is then ignored.
    """
    around: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for index, (u, v) in enumerate(edges):
        around[u].append((v, index))
        around[v].append((u, index))
    wanted = [False] * size
    for node in odd:
        wanted[node] = not wanted[node]
    chosen = []
    entry = [(-1, -1)] * size  # the edge by which a node was reached, and its parent
    seen = [False] * size
    for root in range(size):
        if seen[root] or not around[root]:
            continue
        seen[root] = True
        order = [root]
        for node in order:
            for other, index in around[node]:
                if not seen[other]:
                    seen[other] = True
                    entry[other] = (index, node)
                    order.append(other)
        for node in reversed(order[1:]):
            if wanted[node]:
                index, before = entry[node]
                chosen.append(index)
                wanted[before] = not wanted[before]
    return chosen
