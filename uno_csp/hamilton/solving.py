"""Answers to Hamiltonian problems: the question is put as one about a hand, solved and checked."""

import time
from dataclasses import replace
from typing import Any

from uno_csp.certificates import require_free
from uno_csp.errors import CheckFailed
from uno_csp.graph_files.drafts import Vertex
from uno_csp.hamilton.answers import HamiltonAnswer
from uno_csp.hamilton.certificates import certificate_of
from uno_csp.hamilton.checking import violations
from uno_csp.hamilton.hands import GraphHand, hand_of
from uno_csp.hamilton.problems import Goal, HamiltonProblem, problem_of
from uno_csp.pipeline import Options, solve
from uno_csp.pipeline.progress import ProgressListener, reporting_proof
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.stop import Stop
from uno_csp.questions.answers import Answer, Status

FEWEST_ON_A_CYCLE = 3
"""Number of vertices of the shortest cycle."""


def solve_problem(
    problem: HamiltonProblem,
    options: Options | None = None,
    *,
    on_progress: ProgressListener | None = None,
    stop: Stop | None = None,
) -> HamiltonAnswer:
    """Answer a Hamiltonian problem.

    Parameters
    ----------
    options, on_progress, stop
        As for :func:`uno_csp.solve`.

    Raises
    ------
    NotAccepted
        If the folder of the certificate holds other files.
    CheckFailed
        If the checker refuses the paths or the certificate. This is a bug.
    UnoCspError
        As :func:`uno_csp.solve`.
    """
    began = time.monotonic()
    options = options or Options()
    deadline = Deadline.after(options.time_limit_s)
    if options.proof is not None:
        require_free(options.proof)
    if problem.goal is Goal.CYCLE and len(problem.vertices) < FEWEST_ON_A_CYCLE:
        reason = "a cycle has three vertices or more"
        found = HamiltonAnswer(problem.goal, Status.UNSATISFIABLE, reason=reason)
    else:
        hand = hand_of(problem)
        own = replace(options, proof=None, time_limit_s=deadline.limit_s)
        found = _translated(hand, solve(hand.question, own, on_progress=on_progress, stop=stop))
    if options.proof is not None:
        certificate = certificate_of(
            problem,
            found,
            options.proof,
            time_limit_s=options.time_limit_s,
            on_effort=reporting_proof(on_progress, found),
        )
        found = replace(found, certificate=certificate)
    return replace(found, wall_s=time.monotonic() - began)


def _translated(hand: GraphHand, answer: Answer) -> HamiltonAnswer:
    """Return the answer about the graph, checked."""
    problem = hand.problem
    paths = None if answer.sequence is None else hand.paths(answer.sequence)
    objective, bound = answer.objective, answer.bound
    if problem.goal is Goal.PATHS:  # an added card joins two paths
        objective = None if objective is None else objective + 1
        bound = None if bound is None else bound + 1
    if paths is not None:
        wrong = violations(problem, paths)
        if problem.goal is Goal.PATHS and len(paths) != objective:
            wrong.append(f"there are {len(paths)} paths, not {objective}")
        if problem.goal is Goal.LONGEST and len(paths[0]) != objective:
            wrong.append(f"the path has {len(paths[0])} vertices, not {objective}")
        if wrong:
            refused = {"graph": {"edges": problem.edges}, "paths": paths, "violations": wrong}
            raise CheckFailed(f"the checker refused the paths ({wrong[0]})", refused)
    return HamiltonAnswer(
        problem.goal,
        answer.status,
        None if paths is None else tuple(map(problem.named, paths)),
        objective,
        bound,
        "" if answer.status is Status.UNSATISFIABLE else answer.reason,
        answer.method,
        answer.backend,
        paths is not None,
        answer.wall_s,
        answer.stats,
    )


def hamiltonian_cycle(graph: Any, **options: Any) -> HamiltonAnswer:
    """Find a Hamiltonian cycle, or prove that there is none.

    Parameters
    ----------
    graph
        A networkx graph, or an iterable of pairs of vertices.
    options
        Those of :class:`~uno_csp.Options`, by name.

    Examples
    --------
    >>> import networkx as nx
    >>> hamiltonian_cycle(nx.petersen_graph()).status
    <Status.UNSATISFIABLE: 'UNSATISFIABLE'>
    >>> hamiltonian_cycle([("a", "b"), ("b", "c"), ("c", "a")]).path
    ('a', 'b', 'c')
    """
    return solve_problem(problem_of(graph, Goal.CYCLE), Options.of(options))


def hamiltonian_path(
    graph: Any, source: Vertex | None = None, target: Vertex | None = None, **options: Any
) -> HamiltonAnswer:
    """Find a Hamiltonian path, with its ends if they are given, or prove that there is none.

    Examples
    --------
    >>> hamiltonian_path([(1, 2), (2, 3), (3, 1), (3, 4)], source=4).path[0]
    4
    """
    return solve_problem(problem_of(graph, Goal.PATH, source, target), Options.of(options))


def path_cover(graph: Any, **options: Any) -> HamiltonAnswer:
    """Find the fewest paths that visit every vertex once together.

    Examples
    --------
    >>> path_cover([(0, 1), (0, 2), (0, 3), (0, 4)]).objective  # a star with four leaves
    3
    """
    return solve_problem(problem_of(graph, Goal.PATHS), Options.of(options))


def longest_path(graph: Any, **options: Any) -> HamiltonAnswer:
    """Find a path with as many vertices as possible.

    Examples
    --------
    >>> longest_path([(0, 1), (0, 2), (0, 3), (0, 4)]).objective
    3
    """
    return solve_problem(problem_of(graph, Goal.LONGEST), Options.of(options))
