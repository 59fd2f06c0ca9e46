"""Small problems inside a large one: an assignment chosen anew in one place.

A model with one :class:`~uno_csp.modeling.Connected` is kept as arrays. For some *free* nodes of
its graph the variables of these nodes, of the edges at them and what hangs on these alone may be
chosen anew, while all others keep their values. What the other edges connect counts as one node
each, so that the problem is as small as the neighbourhood, however large the model is.

Its module is not imported by its package: numpy and scipy take a while to load.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from uno_csp.modeling.model import Assignment, Connected, Model

Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

ABSENT = -1
"""The component of a node that is not there."""

LARGE_ROW = 50
"""In a constraint on more literals a free variable frees no others."""

WIDE_NODE = 50
"""A node with more edges is not freed, nor what lies behind it."""


@dataclass(frozen=True, slots=True)
class LocalProblem:
    """What is to be solved when some variables are free.

    Parameters
    ----------
    model
        The constraints on the free variables, given the others; these come first in it.
    net
        What has to be connected besides.
    variables
        The free variables, by their numbers in the large model.
    """

    model: Model
    net: Connected
    variables: Ints

    def spread(self, assignment: Assignment, values: Bools) -> Bools:
        """The values of the large model with an assignment of the small one in place."""
        spread = values.copy()
        spread[self.variables] = np.array(assignment)[1 : len(self.variables) + 1]
        return spread


class Neighbourhoods:
    """The local problems of one model and its one global constraint."""

    def __init__(self, model: Model, constraint: Connected) -> None:
        self._model = model
        self._rows = _Rows(model)
        self._presence = np.array(constraint.presence, dtype=np.int64)
        self._edges = np.array((constraint.tails, constraint.heads), dtype=np.int64)
        self._literals = np.array(constraint.literals, dtype=np.int64)
        ends = self._edges.ravel()
        order = np.argsort(ends, kind="stable")
        self._at_node = order % self._edges.shape[1]
        self._begins = np.searchsorted(ends[order], np.arange(len(self._presence) + 1))
        self._wide = np.diff(self._begins) > WIDE_NODE
        self._in_net = np.zeros(model.num_vars + 1, dtype=bool)
        self._in_net[np.abs(self._presence)] = True
        self._in_net[np.abs(self._literals)] = True

    def components(self, values: Bools) -> Ints:
        """The component that each node is in, as the chosen edges connect them, or ABSENT."""
        labels = self._connected(_holds(self._literals, values))
        labels[~_holds(self._presence, values)] = ABSENT
        return labels

    def borders(self, component: Ints, own: int) -> Ints:
        """The edges between a component and what is outside it."""
        inside = component[self._edges] == own
        return np.flatnonzero(inside[0] != inside[1])

    def around(self, edge: int, size: int) -> Ints:
        """The nodes nearest to an edge: so many at least, unless there are no more."""
        seen = self._wide.copy()
        ring = np.unique(self._edges[:, edge])
        ring = ring[~seen[ring]]
        rings = [ring]
        total = len(ring)
        seen[ring] = True
        while len(ring) and total < size:
            at = self._at_node[_slices(self._begins, ring)]
            ring = np.unique(self._edges[:, at])
            ring = ring[~seen[ring]]
            seen[ring] = True
            rings.append(ring)
            total += len(ring)
        return np.concatenate(rings)

    def problem(self, nodes: Ints, values: Bools, component: Ints, own: int) -> LocalProblem:
        """Choose anew at some nodes, and join one component to another.

        Whatever solves it breaks no constraint of the model but the global one, and there are
        fewer components than there were: those but ``own`` that meet the free nodes count as
        joined from the start, in a chain.
        """
        free = self._freed(nodes)
        variables = np.flatnonzero(free)
        local = np.zeros(len(free), dtype=np.int64)
        local[variables] = np.arange(1, len(variables) + 1)
        model = self._rest(variables, local, values)
        always = model.new_var()
        model.add_clause(always)
        net = self._contracted(free, local, always, values, component, own)
        return LocalProblem(model, net, variables)

    def _connected(self, chosen: Bools) -> Ints:
        size = len(self._presence)
        tails, heads = self._edges[:, chosen]
        matrix = csr_matrix((np.ones(len(tails), dtype=np.int8), (tails, heads)), (size, size))
        labels: Ints = connected_components(matrix, directed=False)[1].astype(np.int64)
        return labels

    def _freed(self, nodes: Ints) -> Bools:
        """The variables of nodes and of the edges at them, and those that only hang on these."""
        rows = self._rows
        free = np.zeros(len(self._in_net), dtype=bool)
        edges = self._at_node[_slices(self._begins, nodes)]
        new = np.unique(np.abs(np.concatenate((self._presence[nodes], self._literals[edges]))))
        while len(new):
            free[new] = True
            near = rows.with_any(new)
            near = near[rows.sizes[near] <= LARGE_ROW]
            new = np.unique(np.abs(rows.literals[rows.places(near)]))
            new = new[~free[new] & ~self._in_net[new]]
        return free

    def _rest(self, variables: Ints, local: Ints, values: Bools) -> Model:
        """The constraints on the free variables, given the others."""
        rows, large = self._rows, self._model
        touched = rows.with_any(variables)
        places = rows.places(touched)
        literals, weights = rows.literals[places], rows.coefficients[places]
        at = np.repeat(np.arange(len(touched)), rows.sizes[touched])
        moving = local[np.abs(literals)] > 0
        held = np.where(~moving & _holds(literals, values), weights, 0)
        held_by_row = np.bincount(at, held, len(touched)).astype(np.int64)
        ends = np.cumsum(np.bincount(at[moving], minlength=len(touched)))
        named = _named(literals[moving], local).tolist()
        coefficients = weights[moving].tolist()
        clauses, linears = len(large.clauses), len(large.linears)
        model = Model(len(variables))
        begin = 0
        for row, end, sum_held in zip(
            touched.tolist(), ends.tolist(), held_by_row.tolist(), strict=True
        ):
            own = named[begin:end]
            if row < clauses:
                if not sum_held:
                    model.clauses.append(own)
            elif row < clauses + linears:
                linear = large.linears[row - clauses]
                bound = linear.bound - sum_held
                model.add_linear(coefficients[begin:end], own, linear.relation, bound)
            else:
                parity = large.parities[row - clauses - linears]
                model.add_parity(own, odd=bool((parity.odd + sum_held) % 2))
            begin = end
        return model

    def _contracted(
        self, free: Bools, local: Ints, always: int, values: Bools, component: Ints, own: int
    ) -> Connected:
        """What the free edges have to connect; what others connect is one node each."""
        moving = free[np.abs(self._literals)]
        pieces = self._connected(~moving & _holds(self._literals, values))
        loose = free[np.abs(self._presence)]
        there = loose | _holds(self._presence, values)
        edges = np.flatnonzero(moving & there[self._edges].all(axis=0))
        tails, heads = pieces[self._edges[:, edges]]
        presence = dict.fromkeys(chain(tails.tolist(), heads.tolist()), always)
        standing = np.array(list(presence), dtype=np.int64)
        alone = np.flatnonzero(loose)
        named = _named(self._presence[alone], local)
        presence.update(zip(pieces[alone].tolist(), named.tolist(), strict=True))
        number = {piece: index for index, piece in enumerate(presence)}
        standing = standing[~np.isin(standing, pieces[alone])]
        of_piece = np.full(len(pieces), ABSENT)
        of_piece[pieces] = component
        sizes = np.bincount(pieces)
        largest: dict[int, int] = {}
        for piece in standing[np.argsort(sizes[standing], kind="stable")].tolist():
            largest[int(of_piece[piece])] = number[piece]
        largest.pop(own, None)
        others = list(largest.values())
        return Connected(
            list(presence.values()),
            [*_numbers(number, tails), *others[:-1]],
            [*_numbers(number, heads), *others[1:]],
            [*_named(self._literals[edges], local).tolist(), *(always for _ in others[1:])],
        )


class _Rows:
    """Which literal stands in which constraint, both ways; clauses, linears, parities follow."""

    def __init__(self, model: Model) -> None:
        several = [
            *model.clauses,
            *(linear.literals for linear in model.linears),
            *(parity.literals for parity in model.parities),
        ]
        self.sizes = np.fromiter(map(len, several), np.int64, len(several))
        self._begins = np.concatenate(([0], np.cumsum(self.sizes)))
        count = int(self._begins[-1])
        self.literals = np.fromiter(chain.from_iterable(several), np.int64, count)
        self.coefficients = np.ones(count, dtype=np.int64)
        weights = list(chain.from_iterable(linear.coefficients for linear in model.linears))
        first = int(self._begins[len(model.clauses)])
        self.coefficients[first : first + len(weights)] = weights
        self._row_at = np.repeat(np.arange(len(several)), self.sizes)
        variables = np.abs(self.literals)
        self._by_variable = np.argsort(variables, kind="stable")
        self._of_variable = np.searchsorted(
            variables[self._by_variable], np.arange(model.num_vars + 2)
        )

    def with_any(self, variables: Ints) -> Ints:
        """The constraints on at least one of these variables."""
        found: Ints = np.unique(
            self._row_at[self._by_variable[_slices(self._of_variable, variables)]]
        )
        return found

    def places(self, rows: Ints) -> Ints:
        """Where the literals of these constraints stand."""
        return _slices(self._begins, rows)


def _slices(begins: Ints, chosen: Ints) -> Ints:
    """All places of several slices, each from its begin to the next one's."""
    lengths = begins[chosen + 1] - begins[chosen]
    before = np.cumsum(lengths) - lengths
    places: Ints = np.arange(lengths.sum()) + np.repeat(begins[chosen] - before, lengths)
    return places


def _holds(literals: Ints, values: Bools) -> Bools:
    holds: Bools = values[np.abs(literals)] == (literals > 0)
    return holds


def _named(literals: Ints, local: Ints) -> Ints:
    """The literals in the numbers of the local variables."""
    named: Ints = np.sign(literals) * local[np.abs(literals)]
    return named


def _numbers(number: dict[int, int], pieces: Ints) -> Iterable[int]:
    return (number[piece] for piece in pieces.tolist())
