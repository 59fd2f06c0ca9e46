"""Local repair: joins the components of a relaxed assignment one by one.

This is a large-neighbourhood search. Some nodes near the border of a component are freed, and a
local problem looks for an assignment of them that joins it to another component
(:mod:`~uno_csp.pipeline.neighbourhoods`). If there is none, more nodes are freed. A hundred nodes
suffice if the graph is like a ribbon or a plane; in an expander, such as a random cubic graph, it
takes a tenth of all nodes.

Repair can find a solution but cannot prove that there is none. So it runs between the rounds of the
cut loop and is limited to a share of their work. Work is counted in propagations, so that the
outcome does not depend on the speed of the machine.
"""

from dataclasses import dataclass, field

import numpy as np

from uno_csp.graph_tools.array_graphs import Ints
from uno_csp.modeling import Assignment, Backend, BoundingSession, Connected, Model, violated_cuts
from uno_csp.pipeline.neighbourhoods import ABSENT, Bools, LocalProblem, Neighbourhoods
from uno_csp.pipeline.search import work_of

FEWEST_FREE, GROWTH = 60, 3  # initial nodes of the neighbourhood, and growth after a failure
LARGEST_SHARE = 2  # the neighbourhood has at most the number of nodes divided by this
AT_LEAST = 50_000  # work in propagations that repair may do in any case
WORK_OF_A_NODE = 6
"""Cost of labelling all components and cutting out a local problem, in propagations for each node
of the graph."""

CONFLICTS = 5_000  # conflict limit of each solver call on a local problem
MANY_COMPONENTS = 100  # maximum number of components; beyond it the cut loop goes on without repair
SMALL_COMPONENTS = 3  # number of smallest components from which the one to join is chosen at random
MOST_FAILURES = 5  # number of failures in a row after which an assignment is given up


@dataclass(slots=True)
class Repairer:
    """Repairs assignments of one model; counts joined components, and work in propagations."""

    # the model; every assignment to repair satisfies all of it but its global constraint
    model: Model
    constraint: Connected  # the one global constraint of the model
    backend: Backend  # solves the local problems, in sessions that only decide
    ratio: float  # work allowed for each unit of work of the search, and `AT_LEAST` in any case
    seed: int = 0  # seed for the choice of components and borders
    joined: int = 0
    work: int = 0
    _most: int = AT_LEAST
    _free: int = field(init=False)
    _left: Bools | None = None
    _places: Neighbourhoods = field(init=False)
    _drawing: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self._places = Neighbourhoods(self.model, self.constraint)
        self._free = FEWEST_FREE
        self._drawing = np.random.default_rng(self.seed)

    def __call__(self, assignment: Assignment, work: int) -> Assignment | None:
        """Return an assignment with one component; None if the work allowed did not do."""
        self._most = max(AT_LEAST, int(self.ratio * work))
        return self._repair(np.array(assignment, dtype=bool))

    @property
    def _is_over(self) -> bool:
        return self.work > self._most

    def _repair(self, values: Bools) -> Assignment | None:
        """Repair this assignment, or the unfinished last one if it has fewer components."""
        left, self._left = self._left, None
        if left is not None and self._count(left) < self._count(values):
            values = left
        failures = 0
        while failures < MOST_FAILURES:
            component = self._places.components(values)
            labels, sizes = np.unique(component[component != ABSENT], return_counts=True)
            if len(labels) < 2:
                repaired: list[bool] = values.tolist()
                return repaired
            if len(labels) > MANY_COMPONENTS:
                return None
            if self._is_over:
                self._left = values
                return None
            small = labels[np.argsort(sizes, kind="stable")[:SMALL_COMPONENTS]]
            better = self._join(values, component, int(self._drawing.choice(small)))
            if better is None:
                failures += 1
            else:
                values, failures = better, 0
                self.joined += 1
        return None

    def _count(self, values: Bools) -> int:
        component = self._places.components(values)
        return len(np.unique(component[component != ABSENT]))

    def _join(self, values: Bools, component: Ints, own: int) -> Bools | None:
        """Return values that join a component to another one; None if none were found."""
        borders = self._places.borders(component, own)
        self.work += WORK_OF_A_NODE * len(component)
        if not len(borders):
            return None
        edge = int(self._drawing.choice(borders))
        size = self._free
        while size * LARGEST_SHARE <= len(component) and not self._is_over:
            nodes = self._places.around(edge, size)
            problem = self._places.problem(nodes, values, component, own)
            self.work += WORK_OF_A_NODE * len(component)
            found = self._solve(problem)
            if found is not None:
                self._free = max(FEWEST_FREE, size // GROWTH)
                return problem.spread(found, values)
            size *= GROWTH
        return None

    def _solve(self, problem: LocalProblem) -> Assignment | None:
        """Run the cut loop on a local problem until it is decided or the work is used up."""
        session = self.backend.open(problem.model)
        assert isinstance(session, BoundingSession)  # noqa: S101
        last = None
        try:
            while not self._is_over:
                result = session.solve_assuming((), CONFLICTS)
                self.work += work_of(result, last)
                last = result
                if result.assignment is None:
                    return None
                cuts = violated_cuts(problem.net, result.assignment)
                if not cuts:
                    return result.assignment
                session.add(cuts)
            return None
        finally:
            session.close()
