"""Local repair: join the components of a relaxed assignment one by one.

Near a border between two components some nodes are freed, and a local problem asks for what joins
them there (:mod:`~uno_csp.modeling.neighbourhoods`). If it has no solution, more nodes are freed.
A hundred nodes do where the graph is like a ribbon or a plane; in an expander, as a random cubic
graph is, it takes a tenth of all.

What comes out is a solution; that there is none is never found out in this way. So it runs between
the rounds of the cut loop and does no more than a share of their work. Work is counted in
propagations, so that what is repaired does not depend on how fast the machine is.
"""

from dataclasses import dataclass, field

import numpy as np

from uno_csp.modeling import Assignment, Backend, BoundingSession, Connected, Model, violated_cuts
from uno_csp.modeling.neighbourhoods import ABSENT, Bools, Ints, LocalProblem, Neighbourhoods
from uno_csp.pipeline.cut_loop import work_of

FEWEST_FREE, GROWTH = 60, 3
"""So many nodes are freed at first, and so many times more whenever that fails."""

LARGEST_SHARE = 2
"""At most one in so many of all nodes is freed."""

AT_LEAST = 50_000
"""Work that repair may do in any case."""

WORK_OF_A_NODE = 6
"""Cost of labelling all components and cutting out a local problem, in propagations for each node
of the graph."""

CONFLICTS = 5_000
"""So much effort is spent on each round of a local problem."""

MANY_COMPONENTS = 100
"""With more components an assignment is left to the next rounds of the cut loop."""

SMALL_COMPONENTS = 3
"""One of the so many smallest components is joined."""

MOST_FAILURES = 5
"""After so many failures in a row an assignment is given up."""


@dataclass(slots=True)
class Repairer:
    """Repairs assignments of one model.

    Parameters
    ----------
    model
        The model; what it says besides its global constraint holds in every assignment.
    constraint
        Its one global constraint.
    backend
        Solves the local problems, in sessions that only decide.
    ratio
        The work it may do for each unit of work of the search, :data:`AT_LEAST` in any case.
    seed
        Chooses where to begin.

    Attributes
    ----------
    joined
        How many components were joined so far.
    work
        The work done so far.
    """

    model: Model
    constraint: Connected
    backend: Backend
    ratio: float
    seed: int = 0
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
        """Return an assignment with one component; None if the work allowed did not suffice.

        Parameters
        ----------
        work
            Of the search so far.
        """
        self._most = max(AT_LEAST, int(self.ratio * work))
        return self._repaired(np.array(assignment, dtype=bool))

    @property
    def _is_over(self) -> bool:
        return self.work > self._most

    def _repaired(self, values: Bools) -> Assignment | None:
        """Go on with this assignment, or with the one that was left, if it has fewer components."""
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
            better = self._joined(values, component, int(self._drawing.choice(small)))
            if better is None:
                failures += 1
            else:
                values, failures = better, 0
                self.joined += 1
        return None

    def _count(self, values: Bools) -> int:
        """How many components there are."""
        component = self._places.components(values)
        return len(np.unique(component[component != ABSENT]))

    def _joined(self, values: Bools, component: Ints, own: int) -> Bools | None:
        """Values for which a component is joined to another one."""
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
            found = self._solved(problem)
            if found is not None:
                self._free = max(FEWEST_FREE, size // GROWTH)
                return problem.spread(found, values)
            size *= GROWTH
        return None

    def _solved(self, problem: LocalProblem) -> Assignment | None:
        """Run the cut loop on a local problem until the work allowed is done."""
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
