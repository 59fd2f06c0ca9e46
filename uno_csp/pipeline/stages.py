"""The stages that may take long: encode, treat the globals, solve, decode."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from uno_csp.answers import Status, Witness
from uno_csp.checker import doubt
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import question_to_dict
from uno_csp.modeling import (
    DECOMPOSITIONS,
    Assignment,
    Backend,
    BoundingSession,
    Connected,
    Encoded,
    Global,
    Model,
    Proof,
    Result,
    Session,
    decompose,
    relax,
)
from uno_csp.pipeline.cut_loop import (
    Search,
    decide,
    minimise,
    minimise_by_bounding,
)
from uno_csp.pipeline.guided import decide_guided
from uno_csp.pipeline.late_repair import LateRepair
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.progress import Begun, Built, Ear, Incumbent, Message, Reporter
from uno_csp.questions import Instance
from uno_csp.reductions import (
    REFUTATIONS,
    STEPS,
    Presolved,
    is_dense,
    known_bound,
    reduce,
)
from uno_csp.registry import (
    DEFAULT_BACKEND,
    LAZY,
    NATIVE,
    AnyEncoder,
    algorithm_names,
    find_algorithm,
    find_backend,
    find_connectivity,
    find_encoder,
    find_method,
)

SMALL_HAND = 1200
"""A hand of so many cards, or fewer, a solver of clauses decides before its kernel is made."""


@dataclass(frozen=True, slots=True)
class Task:
    """What to solve and how; everything in it can be sent to another process.

    Parameters
    ----------
    options
        With the method that was chosen, and the backend unless it is an algorithm. Connectivity
        None means native where the backend can, else lazy.
    ends_at
        When the time is over, as :func:`time.time` counts, for solvers that can stop themselves.
    sent_at
        When it was handed over, where the time until the solver is loaded is not to count.
    known_bound
        What is already proved of the objective.
    reduce_first
        Whether the instance is still to be reduced.
    """

    instance: Instance
    options: Options
    ends_at: float | None = None
    known_bound: int | None = None
    reduce_first: bool = False
    sent_at: float | None = None


@dataclass(frozen=True, slots=True)
class Solved:
    """What came out: a witness for a yes, or the best one found when an optimisation was stopped.

    ``bound`` is what is proved of the objective, ``connectivity`` the treatment that was used,
    None without globals. ``reductions`` are those that were made here, and ``by_reduction`` says
    that the last of them found the answer.
    """

    status: Status
    witness: Witness | None = None
    bound: int | None = None
    reason: str = ""
    connectivity: str | None = None
    stats: Mapping[str, Any] | None = None
    reductions: tuple[str, ...] = ()
    by_reduction: bool = False


def loaded(task: Task, report: Reporter) -> Task:
    """Load what a task takes, tell how long that took, and put its end off for as long."""
    options = task.options
    if task.sent_at is None or options.method is None:
        return task
    find_method(options.method)
    if options.method not in algorithm_names():
        find_backend(options.backend or DEFAULT_BACKEND).open(Model(), seed=0).close()
    waited_s = max(time.time() - task.sent_at, 0.0)
    report(Begun(waited_s))
    ends_at = None if task.ends_at is None else task.ends_at + waited_s
    return replace(task, ends_at=ends_at, sent_at=None)


def run(task: Task, report: Reporter | None = None, hear: Ear | None = None) -> Solved:
    """Reduce if that is still to be done, encode, solve and decode; a NO in doubt is UNKNOWN.

    ``report`` is told how far the run has come, ``hear`` asked what others found out meanwhile.

    Raises
    ------
    NotAccepted
        If the backend cannot treat the globals of the model in the way asked for.
    CheckFailed
        If the checker finds that a NO is wrong.
    """
    report, hear = report or _silently, hear or _no_news
    solved = (_run_reduced if task.reduce_first else _run)(task, report, hear)
    if solved.status is not Status.UNSATISFIABLE or solved.by_reduction:
        return solved
    found = doubt(task.instance)
    if found is None:
        return solved
    if found.is_wrong:
        refused = {"instance": question_to_dict(task.instance)}
        raise CheckFailed(f"the checker refused the answer ({found.reason})", refused)
    return replace(solved, status=Status.UNKNOWN, reason=found.reason)


def _run(task: Task, report: Reporter, hear: Ear) -> Solved:
    """Encode, solve and decode; or run an algorithm."""
    options = task.options
    assert options.method is not None  # noqa: S101
    if options.method in algorithm_names():
        return _run_algorithm(options.method, task)
    encoder = find_encoder(options.method)
    backend = find_backend(options.backend or DEFAULT_BACKEND)
    encoded = _encoded(task, encoder, backend)
    model = encoded.model
    treatment = choose_treatment(model, backend, options.connectivity)
    plain = _treated(model, treatment)
    sign = task.instance.sense.sign
    search = Search(
        model.globals if treatment == LAZY else (),
        report,
        hear,
        sign,
        lower=None if task.known_bound is None else sign * task.known_bound,
        started=time.perf_counter(),
    )
    sizes = _sizes(plain)
    search.report(Built(sizes, treatment))
    if model.guide is not None and model.objective is None:
        plain = replace(plain, objective=model.guide)  # so that solvers look where it points
    seeds = count(options.seed)

    def open_session() -> Session:
        """A session with the next seed."""
        return backend.open(plain, seed=next(seeds), workers=options.workers)

    session = open_session()
    late = LateRepair(plain, backend, encoder, options.seed)
    if isinstance(session, BoundingSession) and session.counts_conflicts:
        search.repair = late.of(search.globals)
    try:
        left_s = None if task.ends_at is None else task.ends_at - time.time()
        result = _search(session, search, plain, encoder, encoded, left_s, open_session)
    finally:
        session.close()
    witness = search.witness
    if model.objective is model.guide is None and result.assignment is not None:
        witness = encoder.decode(encoded, result.assignment)
    bound = None if search.lower is None else sign * search.lower
    if result.status is Status.UNSATISFIABLE:
        bound = None
    stats = {**sizes, **encoded.sizes, **_effort(search, result)}
    if late.joined is not None:
        stats["repaired_components"] = late.joined
    solved = Solved(result.status, witness, bound, result.stop_reason, treatment, stats)
    return _as_far_as_proved(solved, encoder)


def _encoded(task: Task, encoder: AnyEncoder, backend: Backend) -> Encoded[Any]:
    """The model of an instance, condensed where that saves more time than it takes."""
    instance = task.instance
    at_once = not (instance.optimises or backend.minimises) and instance.size <= SMALL_HAND
    if at_once or not task.options.presolve:
        return encoder.encode(instance)
    return encoder.condensed(instance, bounding=backend.minimises)


def _sizes(model: Model) -> dict[str, int]:
    """How large a model is."""
    return {
        "variables": model.num_vars,
        "clauses": len(model.clauses),
        "linear_constraints": len(model.linears),
        "parities": len(model.parities),
    }


def _effort(search: Search, result: Result) -> dict[str, Any]:
    """What a run took."""
    return {
        "rounds": search.rounds,
        "cuts": search.cuts,
        "solver_wall_s": round(result.wall_s, 6),
        "native_status": result.native_status,
        "solver": dict(result.stats),
    }


def _run_reduced(task: Task, report: Reporter, hear: Ear) -> Solved:
    """Reduce, run the rest, and lift every witness on its way out."""
    assert task.options.method is not None  # noqa: S101
    dense = find_method(task.options.method).sees_dead_ends and is_dense(task.instance)
    steps = [step for step in STEPS if not (dense and step in REFUTATIONS)]
    presolved = reduce(task.instance, steps)
    if presolved.decided is not None:
        return decision(presolved)

    def lift(message: Message) -> None:
        """Tell of a witness in the terms of the question."""
        if isinstance(message, Incumbent):
            message = Incumbent(presolved.lift(message.witness))
        report(message)

    bound = known_bound(presolved.instance)
    rest = Task(presolved.instance, task.options, task.ends_at, bound)
    solved = _run(rest, lift, hear)
    if dense and solved.status is Status.UNSATISFIABLE:
        found = reduce(task.instance, REFUTATIONS)
        if found.decided is not None:
            return decision(found)
    witness = None if solved.witness is None else presolved.lift(solved.witness)
    return replace(solved, witness=witness, reductions=tuple(presolved.names))


def decision(presolved: Presolved) -> Solved:
    """What reductions alone found out."""
    assert presolved.decided is not None  # noqa: S101
    names, reason = tuple(presolved.names), presolved.decided.reason
    if presolved.decided.witness is None:
        status = Status.UNSATISFIABLE
        return Solved(status, reason=reason, reductions=names, by_reduction=True)
    witness = presolved.lift(presolved.decided.witness)
    status = Status.SATISFIABLE if witness.objective is None else Status.OPTIMAL
    return Solved(status, witness, reason=reason, reductions=names, by_reduction=True)


def _as_far_as_proved(solved: Solved, encoder: AnyEncoder) -> Solved:
    """An answer of an encoding that does not prove it is none."""
    if encoder.proves is Proof.NO_ONLY and solved.status is Status.UNSATISFIABLE:
        return replace(solved, reason=f"even the relaxation {encoder.name} has no solution")
    silent = {Proof.YES_ONLY: Status.UNSATISFIABLE, Proof.NO_ONLY: Status.SATISFIABLE}
    if solved.status is not silent.get(encoder.proves):
        return solved
    if solved.status is Status.SATISFIABLE and solved.witness is not None:
        return solved
    reason = f"{encoder.name} has no solution, but proves only a yes"
    if solved.status is Status.SATISFIABLE:
        reason = (
            f"the solution of {encoder.name} could not be put in order, and it proves only a no"
        )
    return replace(solved, status=Status.UNKNOWN, witness=None, reason=reason)


def _run_algorithm(name: str, task: Task) -> Solved:
    finding = find_algorithm(name).run_until(task.instance, task.ends_at)
    return Solved(
        finding.status, finding.witness, finding.bound, finding.reason, stats=finding.stats
    )


def _search(
    session: Session,
    search: Search,
    model: Model,
    encoder: AnyEncoder,
    encoded: Encoded[Any],
    left_s: float | None,
    another: Callable[[], Session],
) -> Result:
    def read(assignment: Assignment, whole: bool) -> Witness | None:
        """The assignment as a witness; one that breaks the globals perhaps as a worse one."""
        found = encoder.decode if whole else encoder.mend
        return found(encoded, assignment)

    left = None if left_s is None else max(left_s, 0.001)
    if encoded.model.guide is not None and encoded.model.objective is None:
        return decide_guided(session, search, encoder, encoded, left, another)
    if model.objective is None:
        return decide(session, search, left, another)
    if isinstance(session, BoundingSession):
        return minimise_by_bounding(session, search, read, model.objective)
    return minimise(session, search, read, model.objective, left)


def _silently(_message: Message) -> None:
    """Nobody listens."""


def _no_news() -> None:
    """Nobody tells anything."""


def choose_treatment(model: Model, backend: Backend, asked: str | None) -> str | None:
    """How the globals of this model are treated on this backend; None if it has none.

    Raises
    ------
    NotAccepted
        If ``native`` is asked for and the backend has no such constraint, or a decomposition with
        which it is of no use.
    """
    treatment = None if asked is None else find_connectivity(asked)
    if not model.globals:
        return None
    foreign = [type(each) for each in model.globals if type(each) not in backend.native_globals]
    if treatment is None:
        return LAZY if foreign else NATIVE
    if treatment == NATIVE and foreign:
        raise NotAccepted(
            f"backend {backend.name!r} has no native constraint {foreign[0].__name__.lower()!r}; "
            f"connectivity may be {', '.join((LAZY, *DECOMPOSITIONS))}"
        )
    most = dict(backend.most_links).get(treatment)
    links = max(map(link_count, model.globals))
    if most is not None and links > most:
        raise NotAccepted(
            f"backend {backend.name!r} gets lost in {treatment!r} with more than {most} possible "
            f"links, and here are {links}; connectivity may be {LAZY}"
        )
    return treatment


def link_count(constraint: Global) -> int:
    """In how many places a global constraint may join two nodes; two arcs count as one."""
    size = len(constraint.literals)
    return size if isinstance(constraint, Connected) else size // 2


def _treated(model: Model, treatment: str | None) -> Model:
    if treatment is None or treatment == NATIVE:
        return model
    return relax(model) if treatment == LAZY else decompose(model, treatment)
