"""Local problems of a large model: an assignment is changed in one neighbourhood only.

A model with one :class:`~uno_csp.modeling.Connected` is stored as arrays. Some nodes of its graph
are *free*: their variables, those of their edges, and the auxiliary variables that share
constraints with these may change, while all others keep their values. Each component that the
other edges form is contracted to one node, so the size of the problem depends on the
neighbourhood and not on the model.

The package does not import this module, because numpy and scipy load slowly.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from uno_csp.graph_tools.array_graphs import Ints, components
from uno_csp.modeling.model import Assignment, Connected, Model

Bools: TypeAlias = NDArray[np.bool_]

ABSENT = -1  # component label of an absent node
LARGE_ROW = 50  # longest constraint through which a free variable frees others
WIDE_NODE = 50  # maximum degree of a node that is freed, or through which others are reached


@dataclass(frozen=True, slots=True)
class LocalProblem:
    """The problem of assigning the free variables while all others are fixed."""

    # the constraints on the free variables, with the others fixed; free variables come first
    model: Model
    net: Connected  # the connectivity constraint on it
    variables: Ints  # the free variables, by their numbers in the large model

    def spread(self, assignment: Assignment, values: Bools) -> Bools:
        """Return the values of the large model, updated by an assignment of the local model."""
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
        """Return the component of each node under the chosen edges, ABSENT for absent nodes."""
        labels = self._label(_holds(self._literals, values))
        labels[~_holds(self._presence, values)] = ABSENT
        return labels

    def borders(self, component: Ints, own: int) -> Ints:
        """Return the edges between a component and the rest of the graph."""
        inside = component[self._edges] == own
        return np.flatnonzero(inside[0] != inside[1])

    def around(self, edge: int, size: int) -> Ints:
        """Return the nodes nearest to an edge, at least ``size`` of them if there are that many."""
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
        """Return the problem of changing some nodes so that one component joins another.

        A solution satisfies all constraints but the global one, with fewer components: those that
        meet the free nodes, other than ``own``, are linked to a chain from the start.
        """
        free = self._free(nodes)
        variables = np.flatnonzero(free)
        local = np.zeros(len(free), dtype=np.int64)
        local[variables] = np.arange(1, len(variables) + 1)
        model = self._rest(variables, local, values)
        always = model.new_var()
        model.add_clause(always)
        net = self._contract(free, local, always, values, component, own)
        return LocalProblem(model, net, variables)

    def _label(self, chosen: Bools) -> Ints:
        return components(len(self._presence), self._edges[:, chosen].T)[1]

    def _free(self, nodes: Ints) -> Bools:
        """Mark the variables of nodes and their edges, and the auxiliary variables on these."""
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
        """Return the constraints on the free variables, with the others fixed."""
        rows, large = self._rows, self._model
        touched = rows.with_any(variables)
        places = rows.places(touched)
        literals, weights = rows.literals[places], rows.coefficients[places]
        at = np.repeat(np.arange(len(touched)), rows.sizes[touched])
        moving = local[np.abs(literals)] > 0
        held = np.where(~moving & _holds(literals, values), weights, 0)
        held_by_row = np.bincount(at, held, len(touched)).astype(np.int64)
        ends = np.cumsum(np.bincount(at[moving], minlength=len(touched)))
        named = _rename(literals[moving], local).tolist()
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

    def _contract(
        self, free: Bools, local: Ints, always: int, values: Bools, component: Ints, own: int
    ) -> Connected:
        """Return the constraint on the free edges; components of the fixed edges are contracted."""
        moving = free[np.abs(self._literals)]
        pieces = self._label(~moving & _holds(self._literals, values))
        loose = free[np.abs(self._presence)]
        there = loose | _holds(self._presence, values)
        edges = np.flatnonzero(moving & there[self._edges].all(axis=0))
        tails, heads = pieces[self._edges[:, edges]]
        presence = dict.fromkeys(chain(tails.tolist(), heads.tolist()), always)
        standing = np.array(list(presence), dtype=np.int64)
        alone = np.flatnonzero(loose)
        named = _rename(self._presence[alone], local)
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
            [*_rename(self._literals[edges], local).tolist(), *(always for _ in others[1:])],
        )


class _Rows:
    """The literals by constraint and by variable; rows are clauses, then linears, then parities."""

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
        """Return the constraints on at least one of these variables."""
        found: Ints = np.unique(
            self._row_at[self._by_variable[_slices(self._of_variable, variables)]]
        )
        return found

    def places(self, rows: Ints) -> Ints:
        """Return the positions of the literals of these constraints."""
        return _slices(self._begins, rows)


def _slices(begins: Ints, chosen: Ints) -> Ints:
    """Return the indices of all elements of the chosen slices; each ends where the next begins."""
    lengths = begins[chosen + 1] - begins[chosen]
    before = np.cumsum(lengths) - lengths
    places: Ints = np.arange(lengths.sum()) + np.repeat(begins[chosen] - before, lengths)
    return places


def _holds(literals: Ints, values: Bools) -> Bools:
    holds: Bools = values[np.abs(literals)] == (literals > 0)
    return holds


def _rename(literals: Ints, local: Ints) -> Ints:
    named: Ints = np.sign(literals) * local[np.abs(literals)]
    return named


def _numbers(number: dict[int, int], pieces: Ints) -> Iterable[int]:
    return (number[piece] for piece in pieces.tolist())
