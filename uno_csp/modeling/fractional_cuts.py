"""Separation of cuts that a solution of the linear relaxation violates, by minimum cuts.

The width (capacity) of an edge is its value, times its weight if the graph is even, see
:class:`~uno_csp.modeling.ImpliedFacts`. A cut between two nodes whose presence literals have the
values p and q requires a total width of p + q - 1, or twice that if the graph is even. The root is
a node of largest presence. The candidates are the cuts of a Gomory-Hu tree, which has a minimum cut
between any two nodes (Gomory and Hu 1961).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.modeling.model import AtLeastTwo, Circuit, Connected, Cut, Global

VIOLATED = 0.1
"""Minimum violation of a cut that is added."""

MOST_CUTS = 1000
"""Maximum number of cuts added at a time, the most violated ones."""

_THIN = 1e-6

Flags: TypeAlias = NDArray[np.bool_]


def fractional_cuts(constraint: Global, values: Sequence[float]) -> list[Cut]:
    """Return cuts that the constraint implies and a fractional solution violates.

    Parameters
    ----------
    values
        The value of variable v at index v, between 0 and 1.
    """
    if isinstance(constraint, Circuit) or not constraint.presence:
        return []
    return _CutSearch(constraint, values).cuts()


def is_tight(cut: Cut, values: Sequence[float]) -> bool:
    """Return True if a fractional solution that satisfies the cut has no slack in it."""
    if isinstance(cut, AtLeastTwo):
        once = sum(_value(literal, values) for literal in cut.once)
        return once + 2 * sum(_value(literal, values) for literal in cut.twice) < 2 + _THIN
    return sum(_value(literal, values) for literal in cut) < 1 + _THIN


class _CutSearch:
    """Separation of one constraint at one fractional point."""

    def __init__(self, constraint: Connected, values: Sequence[float]) -> None:
        self._constraint = constraint
        self._present = [_value(literal, values) for literal in constraint.presence]
        weights = constraint.implied.weights
        self._even = weights is not None
        self._weights = weights or [1] * len(constraint.literals)
        self._widths = np.array(
            [
                weight * _value(literal, values)
                for weight, literal in zip(self._weights, constraint.literals, strict=True)
            ]
        )
        self._tails = np.array(constraint.tails, dtype=np.intp)
        self._heads = np.array(constraint.heads, dtype=np.intp)
        self._root = max(range(len(self._present)), key=self._present.__getitem__)
        loose = constraint.implied.loose if self._even else ()
        self._loose_nodes = np.array([node for node, _ in loose], dtype=np.intp)
        self._loose_widths = np.array([_value(literal, values) for _, literal in loose])

    def cuts(self) -> list[Cut]:
        """Return the cuts with more than the minimum violation, the most violated first."""
        found: list[tuple[float, int, set[int]]] = []
        need = 2 if self._even else 1
        for side in self._sides():
            node = max(side, key=self._present.__getitem__)
            asked = need * (self._present[node] + self._present[self._root] - 1)
            width = self._width(side)
            if asked - width > VIOLATED:
                found.append((width - asked, node, side))
        found.sort(key=lambda each: each[0])
        return [self._cut(side, node) for _, node, side in found[:MOST_CUTS]]

    def _sides(self) -> list[set[int]]:
        """Return node sets without the root that edges of small total width leave."""
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
        """Return the edges with their widths; a loose end becomes an edge to the root."""
        constraint = self._constraint
        tied = zip(constraint.tails, constraint.heads, self._widths.tolist(), strict=True)
        loose = zip(self._loose_nodes.tolist(), self._loose_widths.tolist(), strict=True)
        return [*tied, *((node, self._root, width) for node, width in loose)]

    def _within(self, side: set[int]) -> Flags:
        within = np.zeros(len(self._present), dtype=bool)
        within[list(side)] = True
        return within

    def _width(self, side: set[int]) -> float:
        within = self._within(side)
        width = self._widths[within[self._tails] != within[self._heads]].sum()
        return float(width + self._loose_widths[within[self._loose_nodes]].sum())

    def _cut(self, side: set[int], node: int) -> Cut:
        constraint, within = self._constraint, self._within(side)
        crossing = np.flatnonzero(within[self._tails] != within[self._heads]).tolist()
        absent = [-constraint.presence[node], -constraint.presence[self._root]]
        if not self._even:
            return [*(constraint.literals[edge] for edge in crossing), *absent]
        inside = np.flatnonzero(within[self._loose_nodes]).tolist()
        once = [constraint.implied.loose[place][1] for place in inside]
        twice = absent
        for edge in crossing:
            (once if self._weights[edge] == 1 else twice).append(constraint.literals[edge])
        return AtLeastTwo(once, twice)


def _value(literal: int, values: Sequence[float]) -> float:
    return values[literal] if literal > 0 else 1 - values[-literal]


def _cheap_sides(size: int, between: dict[tuple[int, int], float], root: int) -> list[set[int]]:
    """Return node sets without the root, with a minimum cut for every other node among them.

    If the graph is not connected, these are the components without the root.
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
    # A minimum cut between a node and the root is the cheapest tree edge on the path between them.
    return [below[node] for node in order if node != root]
