"""The stages that may take long: reduce, encode, solve, decode, lift."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from uno_csp.checker import doubt
from uno_csp.errors import CheckFailed
from uno_csp.formats import question_to_dict
from uno_csp.methods import (
    ALGORITHMS,
    DEFAULT_BACKEND,
    DEFAULT_ENCODING,
    ENCODINGS,
    LAZY,
    AnyAlgorithm,
    AnyEncoder,
    algorithm_names,
    find_backend,
    find_method,
)
from uno_csp.modeling import (
    Backend,
    BoundingSession,
    Circuit,
    Encoded,
    Finding,
    Model,
    Proof,
    Result,
)
from uno_csp.pipeline.connectivity import choose_connectivity, with_connectivity
from uno_csp.pipeline.cut_loop import decide, minimise, minimise_by_bounding
from uno_csp.pipeline.guided import decide_guided
from uno_csp.pipeline.late_repair import LateRepair
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.patching import Patcher
from uno_csp.pipeline.progress import Bound, Built, Incumbent, Message, Poll, Progress, Reporter
from uno_csp.pipeline.search import Repair, Search, do_nothing
from uno_csp.processes.channel import Packed
from uno_csp.processes.deadline import NEVER, Deadline, clock_s
from uno_csp.questions import Instance
from uno_csp.questions.answers import Status, Witness
from uno_csp.reductions import (
    EARLY_STEPS,
    REFUTATIONS,
    STEPS,
    Presolved,
    is_dense,
    known_bound,
    reduce,
)

SMALL_HAND = 1200  # largest hand that a SAT backend tries without kernelization


@dataclass(frozen=True, slots=True)
class Task:
    """An instance with the options to solve it; it can be sent to another process."""

    instance: Instance
    options: Options  # with the method that was chosen, and the backend unless it is an algorithm
    deadline: Deadline = NEVER  # for solvers that can stop by themselves
    known_bound: int | None = None  # bound on the objective that is already proved
    reduce_first: bool = False  # whether the instance still has to be reduced
    after_s: float = 0.0  # CPU seconds of the tasks before it in a race, after which it starts

    @property
    def algorithm(self) -> AnyAlgorithm | None:
        """Its method, if that is an algorithm; any other needs a solver."""
        method = self.options.method
        return ALGORITHMS.find(method) if method in algorithm_names() else None

    @property
    def loads(self) -> str | None:
        """Name of the backend, or of the algorithm, that a worker loads for it; None if quick."""
        if self.algorithm is None:
            return self.options.backend or DEFAULT_BACKEND
        return self.algorithm.name if self.algorithm.loads_slowly else None


@dataclass(frozen=True, slots=True)
class SentTask:
    """A task on its way to a worker, which loads the solver before it reads the instance."""

    instance: Packed[Instance]
    rest: Task  # the task with an empty hand in place of the instance
    # time of the clock when it was handed over, if loading the solver is not to count
    sent_at: float | None = None

    def read(self) -> Task:
        """Return the task."""
        return replace(self.rest, instance=self.instance.read())


@dataclass(frozen=True, slots=True)
class Solved:
    """The result of a task."""

    status: Status
    witness: Witness | None = None  # of a yes, or the incumbent of an optimisation that was stopped
    bound: int | None = None  # proved bound on the objective
    reason: str = ""
    connectivity: str | None = None  # the one that was used; None without globals
    stats: Mapping[str, Any] | None = None
    reductions: tuple[str, ...] = ()  # names of the reductions that were made here
    by_reduction: bool = False  # whether the last of them found the answer


def run(task: Task, report: Reporter = do_nothing, poll: Poll = do_nothing) -> Solved:
    """Reduce if that is still to be done, encode, solve and decode; a NO in doubt is UNKNOWN.

    ``report`` receives progress, ``poll`` returns what others have found. Raises NotAccepted if the
    backend cannot enforce the globals as wanted, and CheckFailed if a NO is wrong.
    """
    method = find_method(task.options.method or DEFAULT_ENCODING)
    reduces = task.reduce_first and method.gains_by_reductions
    solved = (_run_reduced if reduces else _run)(task, report, poll)
    if solved.status is not Status.UNSATISFIABLE or solved.by_reduction:
        return solved
    found = doubt(task.instance)
    if found is None:
        return solved
    if found.is_wrong:
        refused = {"instance": question_to_dict(task.instance)}
        raise CheckFailed(f"the checker refused the answer ({found.reason})", refused)
    return replace(solved, status=Status.UNKNOWN, reason=found.reason)


def settle(task: Task) -> Solved:
    """Run a method that takes little time; a no gets the reason that reductions know."""
    solved = _run(task, do_nothing, do_nothing)
    if solved.status is Status.UNSATISFIABLE:
        found = reduce(task.instance)
        if found.decided is not None:
            return decision(found)
    return solved


def _run(task: Task, report: Reporter, poll: Poll) -> Solved:
    options = task.options
    assert options.method is not None  # noqa: S101
    if task.algorithm is not None:
        return _run_algorithm(task.algorithm, task, report)
    encoder = ENCODINGS.find(options.method)
    backend = find_backend(options.backend or DEFAULT_BACKEND)
    encoded = _encode(task, encoder, backend)
    connectivity = choose_connectivity(encoded.model, backend, options.connectivity)
    model = with_connectivity(encoded.model, connectivity)
    sizes = _sizes(model)
    report(Built(sizes, connectivity))
    sign = task.instance.sense.sign
    search = Search(
        encoder=encoder,
        encoded=encoded,
        model=_with_search_objective(model),
        lazy=encoded.model.globals if connectivity == LAZY else (),
        backend=backend,
        options=options,
        deadline=task.deadline,
        report=report,
        poll=poll,
        sign=sign,
        lower=None if task.known_bound is None else sign * task.known_bound,
    )
    late = LateRepair(search.model, backend, encoder, options.seed)
    with closing(search):
        search.repair = _repair(search, late)
        search.improve = late.improvement(search.lazy)
        result = _search(search)
    stats = {**sizes, **encoded.sizes, **search.effort(result)}
    if late.joined is not None:
        stats["repaired_components"] = late.joined
    bound = None if result.status is Status.UNSATISFIABLE else search.bound
    witness = _witness(search, result)
    solved = Solved(result.status, witness, bound, result.stop_reason, connectivity, stats)
    return _weaken_unproved(solved, encoder)


def _encode(task: Task, encoder: AnyEncoder, backend: Backend) -> Encoded[Any]:
    """Return the model of an instance, of its kernel where that saves more time than it takes."""
    instance = task.instance
    at_once = not (instance.optimises or backend.minimises) and instance.size <= SMALL_HAND
    if at_once or not task.options.presolve:
        return encoder.encode(instance)
    return encoder.encode_kernel(instance, minimising=backend.minimises)


def _sizes(model: Model) -> dict[str, int]:
    return {
        "variables": model.num_vars,
        "clauses": len(model.clauses),
        "linear_constraints": len(model.linears),
        "parities": len(model.parities),
    }


def _with_search_objective(model: Model) -> Model:
    """Return a model that minimises its search objective, if it has that alone."""
    if model.search_objective is None or model.objective is not None:
        return model
    return replace(model, objective=model.search_objective)


def _repair(search: Search, late: LateRepair) -> Repair:
    """Return the repair for assignments that violate only the lazy constraints."""
    match search.lazy:
        case [Circuit() as circuit]:
            return Patcher(search.encoded.model, circuit)
    if isinstance(search.session, BoundingSession) and search.session.supports_conflict_limit:
        return late.of(search.lazy)
    return do_nothing


def _search(search: Search) -> Result:
    """Search in the way that the model and the session allow."""
    model, session = search.encoded.model, search.session
    if model.objective is None:
        return decide(search) if model.search_objective is None else decide_guided(search)
    if isinstance(session, BoundingSession):
        return minimise_by_bounding(search, session, model.objective)
    return minimise(search, model.objective)


def _witness(search: Search, result: Result) -> Witness | None:
    """Return the witness of a search; a plain decision has one assignment, decoded here."""
    model = search.encoded.model
    if model.objective is model.search_objective is None and result.assignment is not None:
        return search.encoder.decode(search.encoded, result.assignment)
    return search.witness


def _run_reduced(task: Task, report: Reporter, poll: Poll) -> Solved:
    assert task.options.method is not None  # noqa: S101
    dense = find_method(task.options.method).sees_dead_ends and is_dense(task.instance)
    steps = [
        step for step in STEPS if step not in EARLY_STEPS and not (dense and step in REFUTATIONS)
    ]
    presolved = reduce(task.instance, steps)
    if presolved.decided is not None:
        return decision(presolved)

    def report_lifted(message: Message) -> None:
        if isinstance(message, Incumbent):
            message = Incumbent(presolved.lift(message.witness))
        report(message)

    bound = known_bound(presolved.instance)
    if bound is not None:
        report(Bound(bound))  # building the model of a large question takes a while
    rest = Task(presolved.instance, task.options, task.deadline, bound)
    solved = _run(rest, report_lifted, poll)
    if dense and solved.status is Status.UNSATISFIABLE:
        found = reduce(task.instance, REFUTATIONS)
        if found.decided is not None:
            return decision(found)
    witness = None if solved.witness is None else presolved.lift(solved.witness)
    return replace(solved, witness=witness, reductions=tuple(presolved.names))


def decision(presolved: Presolved) -> Solved:
    """Return the answer that reductions alone have found."""
    assert presolved.decided is not None  # noqa: S101
    names, reason = tuple(presolved.names), presolved.decided.reason
    if presolved.decided.witness is None:
        status = Status.UNSATISFIABLE
        return Solved(status, reason=reason, reductions=names, by_reduction=True)
    witness = presolved.lift(presolved.decided.witness)
    status = Status.SATISFIABLE if witness.objective is None else Status.OPTIMAL
    return Solved(status, witness, reason=reason, reductions=names, by_reduction=True)


def _weaken_unproved(solved: Solved, encoder: AnyEncoder) -> Solved:
    """Return UNKNOWN instead of a status that the encoding does not prove."""
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
            f"the solution of {encoder.name} could not be put into a legal order of play, "
            "and that encoding proves only a no"
        )
    return replace(solved, status=Status.UNKNOWN, witness=None, reason=reason)


def _run_algorithm(algorithm: AnyAlgorithm, task: Task, report: Reporter) -> Solved:
    began = clock_s()

    def show(known: Finding) -> None:
        """Report what the algorithm knows so far."""
        if known.witness is not None:
            report(Incumbent(known.witness))
        report(Progress(0, 0, clock_s() - began, bound=known.bound))

    finding = algorithm.run_reporting(task.instance, task.deadline, show)
    return Solved(
        finding.status, finding.witness, finding.bound, finding.reason, stats=finding.stats
    )
