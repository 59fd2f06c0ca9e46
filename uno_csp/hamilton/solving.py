"""Answers to Hamiltonian problems: a look at the graph, then a question about a hand; checked."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Event
from typing import Any

from uno_csp.certificates import require_free
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.graph_files.drafts import Vertex
from uno_csp.graph_tools.rotations import Sought
from uno_csp.hamilton.certificates import certificate_of
from uno_csp.hamilton.checking import violations
from uno_csp.hamilton.hands import GraphHand, hand_of, too_large
from uno_csp.hamilton.looking import (
    ROTATIONS,
    Look,
    Seen,
    look_for_fewest,
    look_for_longest,
    look_for_one,
)
from uno_csp.hamilton.problems import Goal, HamiltonAnswer, HamiltonProblem, problem_of
from uno_csp.methods import find_backend, find_method
from uno_csp.pipeline import Options
from uno_csp.pipeline.progress import ProgressListener, reporting_proof
from uno_csp.pipeline.solving import find_answer
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.channel import WAS_STOPPED
from uno_csp.processes.deadline import TimeUp, clock_s
from uno_csp.questions.answers import Answer, Status

FEWEST_ON_A_CYCLE = 3  # number of vertices of the shortest cycle


def solve_problem(
    problem: HamiltonProblem,
    options: Options | None = None,
    *,
    on_progress: ProgressListener | None = None,
    stop: Event | None = None,
) -> HamiltonAnswer:
    """Answer a Hamiltonian problem.

    Parameters
    ----------
    options, on_progress, stop
        As for :func:`uno_csp.solve`. A named method gets the graph unseen; so does every method if
        ``presolve`` is off.

    Raises
    ------
    NotAccepted
        If the folder of the certificate holds other files, or the certificate is to be strict.
    CheckFailed
        If the checker refuses the paths or the certificate. This is a bug.
    UnoCspError
        As :func:`uno_csp.solve`.
    """
    began = clock_s()
    options = options or Options()
    timed = Timed(options)
    deadline = timed.deadline
    if options.strict:
        raise NotAccepted("strict: certificates about graphs have no form without cuts")
    if options.proof is not None:
        require_free(options.proof)
    if options.backend is not None:  # both also where the look answers
        find_backend(options.backend)
    if options.method is not None:
        find_method(options.method)
    look = Look(options.seed, deadline, options.method == ROTATIONS, stop)
    known = _look(problem, options, look)
    if known.status is Status.UNKNOWN:
        if look.rotations_only or look.expired():
            why = _why_unknown(options, look)
            known = replace(known, reason=why, method=known.method or options.method)
        else:
            known = _search(problem, known, timed, on_progress, stop)
    found = answer_of(problem, known)
    if options.proof is not None:
        effort = reporting_proof(on_progress, found)
        certificate = certificate_of(problem, found, options.proof, deadline, stop, effort)
        found = replace(found, certificate=certificate)
    return replace(found, wall_s=clock_s() - began)


class _Decided(Exception):
    def __init__(self, seen: Seen) -> None:
        super().__init__()
        self.seen = seen


def _until_decided(parts: Iterable[Seen]) -> Iterator[Seen]:
    """Yield the parts of a look that decide nothing; raise _Decided with one that does."""
    for seen in parts:
        if seen.status is not Status.UNKNOWN:
            raise _Decided(seen)
        yield seen


def _look(problem: HamiltonProblem, options: Options, look: Look) -> Seen:
    if problem.goal is Goal.CYCLE and len(problem.vertices) < FEWEST_ON_A_CYCLE:
        return Seen(Status.UNSATISFIABLE, reason="a cycle has three vertices or more")
    nothing = Seen(undecided=range(len(problem.vertices)))
    if not look.rotations_only and (options.method is not None or not options.presolve):
        return nothing
    if problem.goal.optimises:
        goals = {Goal.PATHS: look_for_fewest, Goal.LONGEST: look_for_longest}
        try:
            return goals[problem.goal](problem.neighbours, look)
        except TimeUp:
            return nothing
    ends = (problem.source, problem.target)
    source, target = ends if problem.source is not None else ends[::-1]
    sought = Sought(problem.goal is Goal.CYCLE, source, target)
    return look_for_one(problem.neighbours, sought, look)


def _why_unknown(options: Options, look: Look) -> str:
    if look.stop is not None and look.stop.is_set():
        return WAS_STOPPED
    if look.deadline.expired:
        return f"time limit of {options.time_limit_s:g} s reached"
    return "rotations found no better answer, and prove none"


def _search(
    problem: HamiltonProblem,
    seen: Seen,
    timed: Timed,
    on_progress: ProgressListener | None,
    stop: Event | None,
) -> Seen:
    """Search the part of a graph that is not decided for a sequence of its hand.

    The paths that were seen there are the first incumbent. What is seen later comes first.
    """
    part, vertices = problem, list(range(len(problem.vertices)))
    if problem.goal.optimises and len(seen.undecided) < len(vertices):
        vertices = sorted(seen.undecided)
        part = problem.induced(vertices)
    place = {vertex: number for number, vertex in enumerate(vertices)}
    inside = [[place[each] for each in path] for path in seen.paths or () if path[0] in place]
    later = _until_decided(seen.later)
    try:
        refusal = too_large(part)
        if refusal is not None:
            deque(later, maxlen=0)
            return replace(seen, reason=refusal)
        hand, left = hand_of(part), replace(timed.left(), proof=None)
        answer = find_answer(hand.question, left, on_progress, stop, hand.witness(inside), later)
    except _Decided as decided:
        return decided.seen
    searched = translate(hand, timed.name_limit(answer, left))
    return _combine(problem.goal, seen, searched, vertices) if problem.goal.optimises else searched


def translate(hand: GraphHand, answer: Answer) -> Seen:
    """Return what an answer about the hand of a graph says of the graph."""
    joined = int(hand.problem.goal is Goal.PATHS)  # an added card joins two paths
    return Seen(
        answer.status,
        hand.paths(answer.sequence) if answer.sequence else None,
        None if answer.bound is None else answer.bound + joined,
        "" if answer.status is Status.UNSATISFIABLE else answer.reason,
        method=answer.method,
        backend=answer.backend,
        stats=answer.stats,
    )


def _combine(goal: Goal, seen: Seen, searched: Seen, vertices: Sequence[int]) -> Seen:
    """Return the better of what was seen, and what a search of some of the vertices found."""
    fewest = goal is Goal.PATHS
    inside = set(vertices)
    own = [path for path in seen.paths or () if fewest and path[0] not in inside]
    found = None
    if searched.paths is not None:
        found = own + [[vertices[place] for place in path] for path in searched.paths]
    known = [(paths, _value(goal, paths)) for paths in (seen.paths, found) if paths]
    sign = 1 if fewest else -1
    paths, value = min(known, key=lambda each: sign * each[1], default=(None, None))
    bounds = [] if seen.bound is None else [seen.bound]
    if searched.bound is not None:
        bounds.append(searched.bound + len(own) if fewest else max(searched.bound, value or 0))
    bound = max(bounds, key=lambda each: sign * each, default=None)
    best = searched if paths is found else seen
    optimal = value is not None and value == bound
    return replace(
        searched,
        status=Status.OPTIMAL if optimal else Status.UNKNOWN,
        paths=paths,
        bound=bound,
        reason="" if optimal else searched.reason,
        method=best.method or searched.method,
        backend=best.backend,
        separator=seen.separator,
    )


def _value(goal: Goal, paths: Sequence[Sequence[int]]) -> int:
    """Return the number that is sought: of the paths, or of the vertices on the path."""
    return len(paths) if goal is Goal.PATHS else len(paths[0])


def answer_of(problem: HamiltonProblem, known: Seen) -> HamiltonAnswer:
    """Return what is known of a problem as an answer; raise CheckFailed if its paths are wrong."""
    paths = None if known.paths is None else problem.forward(known.paths)
    value = _value(problem.goal, paths) if problem.goal.optimises and paths else None
    optimal = known.status is Status.OPTIMAL
    wrong = [] if paths is None else violations(problem, paths)
    if optimal and value != known.bound:
        wrong.append(f"the value is {value}, not {known.bound}")
    if wrong:
        refused = {"graph": {"edges": problem.edges}, "paths": paths, "violations": wrong}
        raise CheckFailed(f"the checker refused the paths ({wrong[0]})", refused)
    named = (problem.words[vertex] for vertex in known.named)
    return HamiltonAnswer(
        problem.goal,
        known.status,
        None if paths is None else tuple(map(problem.named, paths)),
        value,
        known.bound,
        known.reason.format(*named) if known.named else known.reason,
        known.method,
        known.backend,
        checked=paths is not None,
        stats=known.stats,
        separator=None if known.separator is None else tuple(known.separator),
    )


def _answer(
    graph: Any,
    goal: Goal,
    options: Mapping[str, Any],
    source: Vertex | None = None,
    target: Vertex | None = None,
) -> HamiltonAnswer:
    """Return the answer about a graph, which is read within the time limit."""
    timed = Timed(Options.of(options))
    try:
        problem = problem_of(graph, goal, source, target, deadline=timed.deadline)
    except TimeUp:
        return HamiltonAnswer(goal, Status.UNKNOWN, reason=timed.ended("reading"))
    left = timed.left()
    return timed.name_limit(solve_problem(problem, left), left)


def hamiltonian_cycle(graph: Any, **options: Any) -> HamiltonAnswer:
    """Find a Hamiltonian cycle, or prove that there is none.

    Parameters
    ----------
    graph
        A graph of networkx or igraph; an adjacency matrix of 0 and 1, of NumPy, SciPy or, with the
        vertices as index and columns, pandas; or pairs of vertices, also as an array or a data
        frame of two columns. The vertices of a matrix are numbered from 0.
    options
        Those of :class:`~uno_csp.Options`, by name.

    Examples
    --------
    >>> import networkx as nx
    >>> hamiltonian_cycle(nx.petersen_graph()).status
    <Status.UNSATISFIABLE: 'UNSATISFIABLE'>
    >>> hamiltonian_cycle([("a", "b"), ("b", "c"), ("c", "a")]).path
    ('a', 'c', 'b')
    """
    return _answer(graph, Goal.CYCLE, options)


def hamiltonian_path(
    graph: Any, source: Vertex | None = None, target: Vertex | None = None, **options: Any
) -> HamiltonAnswer:
    """Find a Hamiltonian path, with its ends if they are given, or prove that there is none.

    Examples
    --------
    >>> hamiltonian_path([(1, 2), (2, 3), (3, 1), (3, 4)], source=4).path[0]
    4
    """
    return _answer(graph, Goal.PATH, options, source, target)


def path_cover(graph: Any, **options: Any) -> HamiltonAnswer:
    """Find the fewest paths that visit every vertex once together.

    Examples
    --------
    >>> path_cover([(0, 1), (0, 2), (0, 3), (0, 4)]).objective  # a star with four leaves
    3
    """
    return _answer(graph, Goal.PATHS, options)


def longest_path(graph: Any, **options: Any) -> HamiltonAnswer:
    """Find a path with as many vertices as possible.

    Examples
    --------
    >>> longest_path([(0, 1), (0, 2), (0, 3), (0, 4)]).objective
    3
    """
    return _answer(graph, Goal.LONGEST, options)
