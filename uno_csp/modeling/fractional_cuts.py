"""Cuts that a solution of the linear relaxation breaks, found as minimum cuts of a graph.

Let every edge be as wide as its value (times its weight where the graph is even, see
:class:`~uno_csp.modeling.Hints`). A cut set asks for a total width of 1 (of 2 where even) between
two present nodes; where they are present only in part, for so much less. A root is chosen that is
as present as any node, and the sets that are cut off from it most cheaply are looked at: the cuts
of a tree of Gomory and Hu, which has the cheapest one between any two nodes (1961).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from uno_csp.disjoint_sets import DisjointSets
from uno_csp.modeling.model import AtLeastTwo, Circuit, Connected, Cut, Global

VIOLATED = 0.1
"""By so much a cut must be broken to be worth adding."""

MOST_CUTS = 200
"""So many are added at a time, those broken most."""

_THIN = 1e-6


def fractional_cuts(constraint: Global, values: Sequence[float]) -> list[Cut]:
    """What the constraint implies and a fractional solution breaks.

    Parameters
    ----------
    values
        The value of variable v at index v, between 0 and 1.
    """
    if isinstance(constraint, Circuit) or not constraint.presence:
        return []
    return _Separation(constraint, values).cuts()


class _Separation:
    """One constraint at one point."""

    def __init__(self, constraint: Connected, values: Sequence[float]) -> None:
        self._constraint = constraint
        self._present = [_value(literal, values) for literal in constraint.presence]
        weights = constraint.hints.weights
        self._even = weights is not None
        self._weights = weights or [1] * len(constraint.literals)
        self._widths = [
            weight * _value(literal, values)
            for weight, literal in zip(self._weights, constraint.literals, strict=True)
        ]
        self._root = max(range(len(self._present)), key=self._present.__getitem__)
        self._loose = [
            (node, literal, _value(literal, values)) for node, literal in constraint.hints.loose
        ]

    def cuts(self) -> list[Cut]:
        """Those broken by enough, the worst first."""
        found: list[tuple[float, Cut]] = []
        for side in self._sides():
            node = max(side, key=self._present.__getitem__)
            need = 2 if self._even else 1
            asked = need * (self._present[node] + self._present[self._root] - 1)
            width = self._width(side)
            if asked - width > VIOLATED:
                found.append((width - asked, self._cut(side, node)))
        found.sort(key=lambda each: each[0])
        return [cut for _, cut in found[:MOST_CUTS]]

    def _sides(self) -> list[set[int]]:
        """Sets of nodes without the root that little leads out of."""
        sets = DisjointSets(len(self._present))
        wide = 2 if self._even else 1
        for tail, head, width in self._edges():
            if width >= wide - _THIN:
                sets.unite(tail, head)
        group = [sets.find(node) for node in range(len(self._present))]
        number: dict[int, int] = {}
        for own in group:
            number.setdefault(own, len(number))
        members: defaultdict[int, set[int]] = defaultdict(set)
        for node, own in enumerate(group):
            members[number[own]].add(node)
        between: defaultdict[tuple[int, int], float] = defaultdict(float)
        for tail, head, width in self._edges():
            one, other = number[group[tail]], number[group[head]]
            if one != other and width > _THIN:
                between[min(one, other), max(one, other)] += width
        sides = _cheap_sides(len(number), between, number[group[self._root]])
        return [set[int]().union(*(members[each] for each in side)) for side in sides]

    def _edges(self) -> list[tuple[int, int, float]]:
        """The edges with their widths; a loose end leads to the root."""
        tied = zip(self._constraint.tails, self._constraint.heads, self._widths, strict=True)
        if not self._even:
            return list(tied)
        return [*tied, *((node, self._root, value) for node, _, value in self._loose)]

    def _crossing(self, side: set[int]) -> list[int]:
        ends = zip(self._constraint.tails, self._constraint.heads, strict=True)
        return [edge for edge, (tail, head) in enumerate(ends) if (tail in side) != (head in side)]

    def _width(self, side: set[int]) -> float:
        crossing = sum(self._widths[edge] for edge in self._crossing(side))
        if not self._even:
            return crossing
        return crossing + sum(value for node, _, value in self._loose if node in side)

    def _cut(self, side: set[int], node: int) -> Cut:
        constraint = self._constraint
        crossing = self._crossing(side)
        absent = [-constraint.presence[node], -constraint.presence[self._root]]
        if not self._even:
            return [*(constraint.literals[edge] for edge in crossing), *absent]
        once = [literal for at, literal, _ in self._loose if at in side]
        twice = absent
        for edge in crossing:
            (once if self._weights[edge] == 1 else twice).append(constraint.literals[edge])
        return AtLeastTwo(once, twice)


def _value(literal: int, values: Sequence[float]) -> float:
    return values[literal] if literal > 0 else 1 - values[-literal]


def _cheap_sides(size: int, between: dict[tuple[int, int], float], root: int) -> list[set[int]]:
    """For every node but the root a set it is in that is cut off from the root most cheaply.

    Where the graph is not connected, the components without the root are these sets.
    """
    import igraph

    graph: Any = igraph.Graph(n=size, edges=list(between))
    components = [set(each) for each in graph.connected_components()]
    if len(components) > 1:
        return [each for each in components if root not in each]
    if size < 2:
        return []
    tree = graph.gomory_hu_tree(capacity=list(between.values()))
    order, _, parents = tree.bfs(root)
    below: list[set[int]] = [{node} for node in range(size)]
    for node in reversed(order):
        if node != root:
            below[parents[node]] |= below[node]
    # The side of a tree edge that is cheapest on the way to the root separates what is below it.
    return [below[node] for node in order if node != root]
