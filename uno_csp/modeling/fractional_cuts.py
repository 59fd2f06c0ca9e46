"""Separation of cuts that a solution of the linear relaxation violates.

*Borders.* The width (capacity) of an edge is its value, times its weight if the graph is even, see
:class:`~uno_csp.modeling.ImpliedFacts`. A set of nodes with present nodes inside and outside must
be left by a total width of 1, or of 2 if the graph is even. A *claim* is a set of nodes with a
present one among them unless an *excuse* is true: a cover needs no excuse, and a single node has
its own absence. A border between two claims requires as much less as their excuses have values. In
an optimal solution the masses of present nodes have a least sum, so a set of little mass has a
present node outside for certain. Candidates are the sets of the claims, and the sides of a
Gomory-Hu tree, which has a minimum cut between any two nodes (Gomory and Hu 1961). Covers of
several nodes matter most: a relaxation visits half of each of two hubs where a card is to be played
at either.

*Parities.* Of the literals of an even parity let F be an odd number; either one of F is false or
one of the others is true. These are the facets of the convex hull (Jeroslow 1975), and the most
violated one is found by rounding.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from uno_csp.graph_tools.minimum_cuts import cheap_sides
from uno_csp.modeling.clauses import Clause
from uno_csp.modeling.cuts import nearest
from uno_csp.modeling.model import AtLeastTwo, Circuit, Connected, Cut, Global, Parity, value_of

VIOLATED = 0.1  # minimum violation of a cut that is added
MOST_CUTS = 1000  # maximum number of cuts of one constraint added at a time, the most violated ones

_SLACK = 1e-6

Flags: TypeAlias = NDArray[np.bool_]

Claim: TypeAlias = tuple[frozenset[int], int | None, float]
"""A set of nodes, the excuse if there is one, and the certainty of a present node."""


def fractional_cuts(constraint: Global, values: Sequence[float]) -> list[Cut]:
    """Return cuts that the constraint implies and a fractional solution violates.

    It has the value of variable v at index v, between 0 and 1.
    """
    if isinstance(constraint, Circuit) or not constraint.presence:
        return []
    return _CutSearch(constraint, values).cuts()


def parity_cuts(parities: Iterable[Parity], values: Sequence[float]) -> list[Clause]:
    """Return for each parity the clause that a fractional solution violates most, if any."""
    found: list[Clause] = []
    for parity in parities:
        shares = {place: value_of(each, values) for place, each in enumerate(parity.literals)}
        true, met = nearest(shares, odd=not parity.odd)
        if met < 1 - VIOLATED:
            found.append([-x if place in true else x for place, x in enumerate(parity.literals)])
    return found


def is_tight(cut: Cut, values: Sequence[float]) -> bool:
    """Return True if a fractional solution that satisfies the cut has no slack in it."""
    if isinstance(cut, AtLeastTwo):
        once = sum(value_of(literal, values) for literal in cut.once)
        return once + 2 * sum(value_of(literal, values) for literal in cut.twice) < 2 + _SLACK
    return sum(value_of(literal, values) for literal in cut) < 1 + _SLACK


class _CutSearch:
    """Separation of one constraint at one fractional point."""

    def __init__(self, constraint: Connected, values: Sequence[float]) -> None:
        self._constraint = constraint
        self._present = [value_of(literal, values) for literal in constraint.presence]
        weights = constraint.implied.weights
        self._even = weights is not None
        self._weights = weights or [1] * len(constraint.literals)
        chosen = [value_of(literal, values) for literal in constraint.literals]
        self._widths = np.multiply(self._weights, chosen)
        self._tails = np.array(constraint.tails, dtype=np.intp)
        self._heads = np.array(constraint.heads, dtype=np.intp)
        self._root = max(range(len(self._present)), key=self._present.__getitem__)
        self._read_claims(values)
        loose = constraint.implied.loose if self._even else ()
        self._loose_nodes = np.array([node for node, _ in loose], dtype=np.intp)
        self._loose_widths = np.array([value_of(literal, values) for _, literal in loose])

    def _read_claims(self, values: Sequence[float]) -> None:
        """List the claims by descending certainty, 1 less the value of the excuse."""
        implied = self._constraint.implied
        single = [((node,), -literal) for node, literal in enumerate(self._constraint.presence)]
        claims = [
            *((frozenset(nodes), None, 1.0) for nodes in implied.covers),
            *(
                (frozenset(nodes), excuse, 1 - value_of(excuse, values))
                for nodes, excuse in (*implied.covers_unless, *single)
            ),
        ]
        self._claims: list[Claim] = sorted(claims, key=lambda claim: -claim[2])
        self._mass, self._least_mass = implied.mass, implied.least_mass
        self._all_mass = sum(implied.mass)
        self._claims_at: list[list[int]] = [[] for _ in self._present]
        for number, (nodes, _, _) in enumerate(self._claims):
            for node in nodes:
                self._claims_at[node].append(number)

    def cuts(self) -> list[Cut]:
        """Return the cuts with more than the minimum violation, the most violated first."""
        found: list[tuple[float, Flags, list[int]]] = []
        need = 2 if self._even else 1
        several = (nodes for nodes, _, _ in self._claims if len(nodes) > 1)
        for side in dict.fromkeys([*several, *self._sides()]):
            if len(side) == len(self._present):
                continue
            sure, excuses = self._claimed(side)
            if need * sure <= VIOLATED:
                continue
            within = np.zeros(len(self._present), dtype=bool)
            within[list(side)] = True
            lacking = need * sure - self._width(within)
            if lacking > VIOLATED:
                found.append((lacking, within, excuses))
        found.sort(key=lambda each: -each[0])
        return [self._cut(within, excuses) for _, within, excuses in found[:MOST_CUTS]]

    def _claimed(self, side: frozenset[int]) -> tuple[float, list[int]]:
        """Return how certain it is that a border is needed, and what excuses from it."""
        touched = Counter(number for node in side for number in self._claims_at[node])
        inside = (n for n, count in touched.items() if count == len(self._claims[n][0]))
        outside = (n for n in range(len(self._claims)) if n not in touched)
        chosen = []
        mass = sum(map(self._mass.__getitem__, side)) if self._least_mass else 0
        if self._all_mass - mass >= self._least_mass:
            chosen.append(self._claims[min(inside)])
        if mass >= self._least_mass:
            chosen.append(self._claims[next(outside)])
        sure = 1 - sum(1 - certainty for _, _, certainty in chosen)
        return sure, [excuse for _, excuse, _ in chosen if excuse is not None]

    def _sides(self) -> list[frozenset[int]]:
        """Return node sets without the root that edges of small total width leave.

        A loose end is an edge to the root.
        """
        constraint, wide = self._constraint, 2 if self._even else 1
        tied = zip(constraint.tails, constraint.heads, self._widths.tolist(), strict=True)
        loose = zip(self._loose_nodes.tolist(), self._loose_widths.tolist(), strict=True)
        edges = [*tied, *((node, self._root, width) for node, width in loose)]
        sides = cheap_sides(len(self._present), edges, self._root, wide=wide)
        return list(map(frozenset, sides))

    def _width(self, within: Flags) -> float:
        width = self._widths[within[self._tails] != within[self._heads]].sum()
        return float(width + self._loose_widths[within[self._loose_nodes]].sum())

    def _cut(self, within: Flags, excuses: Sequence[int]) -> Cut:
        constraint = self._constraint
        crossing = np.flatnonzero(within[self._tails] != within[self._heads]).tolist()
        if not self._even:
            return [*(constraint.literals[edge] for edge in crossing), *excuses]
        inside = np.flatnonzero(within[self._loose_nodes]).tolist()
        once = [constraint.implied.loose[place][1] for place in inside]
        twice = [*excuses]
        for edge in crossing:
            (once if self._weights[edge] == 1 else twice).append(constraint.literals[edge])
        return AtLeastTwo(once, twice)
