"""``solve``: plan, reduce, run, lift, check."""

from collections.abc import Iterable
from dataclasses import replace
from threading import Event
from typing import Unpack

from uno_csp.certificates import require_free
from uno_csp.checker import check
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import parse, question_to_dict
from uno_csp.modeling import STOPPED
from uno_csp.pipeline.certifying import certificate_of_answer
from uno_csp.pipeline.options import Choices, Options, takes_options
from uno_csp.pipeline.pieces import answer_pieces, worth_splitting
from uno_csp.pipeline.planning import Preparation, prepare
from uno_csp.pipeline.progress import ProgressListener, reporting_proof
from uno_csp.pipeline.race import run_isolated
from uno_csp.pipeline.stages import Solved
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.deadline import Deadline, TimeUp, clock_s
from uno_csp.questions import Instance, require_question
from uno_csp.questions.answers import NOTHING_SHOWN, Answer, Status, Witness
from uno_csp.questions.arguments import described, require_function
from uno_csp.reductions import trivial_bound


@takes_options
def solve(
    instance: Instance | str,
    options: Options | None = None,
    *,
    on_progress: ProgressListener | None = None,
    stop: Event | None = None,
    **chosen: Unpack[Choices],
) -> Answer:
    r"""Answer a question; every witness is checked independently before it is returned.

    Parameters
    ----------
    instance
        The question, as returned by :func:`uno_csp.parse`, or a text to be parsed.
    options
        The options as one object, instead of by name.
    on_progress
        Called with a :class:`~uno_csp.pipeline.Progress` after solver rounds; if it is slow, only
        with the latest one; then as the certificate is made. An exception that it raises ends the
        run.
    stop
        Stops the run from another thread; :func:`uno_csp.start` makes its own.
    chosen
        Options by name, as in :class:`Options`: ``method``, ``backend``, ``connectivity``,
        ``time_limit_s``, ``memory_limit_mb``, ``seed``, ``workers``, ``presolve``, ``proof`` and
        ``strict``.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        When a method or backend does not exist, does not take the question, or is not installed.
    BackendError
        When the solver fails.
    CheckFailed
        When the checker refuses the answer. This is a bug; ``report`` has everything to repeat it.

    Examples
    --------
    >>> from uno_csp import parse
    >>> answer = solve(parse("red,5\nblue,7\nred,7"))
    >>> answer.sequence[1], answer.checked
    (('red', 7), True)
    >>> solve("R5 B7").status
    <Status.UNSATISFIABLE: 'UNSATISFIABLE'>
    """
    options = Options.given(options, chosen)
    timed = Timed(options)  # reading a text and making a certificate take of the limit, too
    instance = question_of(instance)
    require_function("on_progress", on_progress)
    if stop is not None and not hasattr(stop, "is_set"):
        raise NotAccepted(f"stop: {described(stop)} is not allowed; expected a threading.Event")
    if options.proof is not None:
        require_free(options.proof)
    left = timed.left()
    answer = timed.name_limit(find_answer(instance, left, on_progress, stop), left)
    if options.proof is None:
        return answer
    certificate = certificate_of_answer(
        instance,
        answer,
        options.proof,
        timed.deadline,
        stop,
        strict=options.strict,
        on_effort=reporting_proof(on_progress, answer),
    )
    return replace(answer, certificate=certificate)


def question_of(given: Instance | str) -> Instance:
    """Return a question, parsed if it is given as text."""
    if isinstance(given, str):
        return parse(given)
    require_question(given)
    return given


def find_answer(
    instance: Instance,
    options: Options,
    on_progress: ProgressListener | None,
    stop: Event | None,
    first: Witness | None = None,
    beside: Iterable[object] = (),
) -> Answer:
    """Answer a question as :func:`solve`, from a witness of an optimisation if one is known.

    ``beside`` is run beside a race, see :func:`~uno_csp.pipeline.race.run_isolated`.
    """
    started = clock_s()
    deadline = Deadline.after(options.time_limit_s)
    free = options.presolve and options.method is None
    pieces = worth_splitting(instance) if free else None

    def run(
        asked: Instance,
        share: Deadline,
        listener: ProgressListener | None,
        known: Witness | None = None,
    ) -> Answer:
        try:
            prepared = prepare(asked, options, share)
        except TimeUp:
            reason = _reason(Solved(Status.UNKNOWN, reason=STOPPED), options.time_limit_s)
            bound = trivial_bound(asked)
            return Answer(asked.question, Status.UNKNOWN, bound=bound, reason=reason)
        if prepared.decided is not None:
            return _assemble(prepared, prepared.used or options, prepared.decided)
        cost = prepared.presolved.cost
        dearer = listener and (lambda progress: listener(progress.dearer(cost)))
        first = None if prepared.presolved.applied else known
        task, solved = run_isolated(prepared.tasks, share, dearer, stop, first, beside)
        return _assemble(prepared, task.options, solved)

    if pieces is None:
        return _check(instance, run(instance, deadline, on_progress, first), started)
    return _check(instance, answer_pieces(pieces, run, deadline, on_progress, stop), started)


def _assemble(prepared: Preparation, used: Options, solved: Solved) -> Answer:
    """Return the answer of the original question, its witness lifted."""
    presolved = prepared.presolved
    witness = NOTHING_SHOWN if solved.witness is None else presolved.lift(solved.witness)
    bound = None if solved.bound is None else solved.bound + presolved.cost
    bound = witness.objective if solved.status is Status.OPTIMAL else bound
    stats = {**(solved.stats or {}), "reductions": [*presolved.names, *solved.reductions]}
    if prepared.declined:
        stats["declined"] = prepared.declined
    return Answer(
        presolved.instance.question,
        solved.status,
        witness,
        bound,
        reason=_reason(solved, used.time_limit_s),
        method=None if solved.by_reduction else used.method,
        backend=None if solved.by_reduction else used.backend,
        connectivity=solved.connectivity,
        stats=stats,
    )


def _reason(solved: Solved, limit_s: float | None) -> str:
    """Return the reason of an answer, with the time limit if that stopped the run."""
    stopped = limit_s is not None and solved.reason.startswith(STOPPED)
    if solved.status is not Status.UNKNOWN or not stopped:
        return solved.reason
    known = solved.reason.removeprefix(STOPPED).removeprefix("; ")
    reason = f"time limit of {limit_s:g} s reached"
    return f"{reason}; {known}" if known else reason


def _check(instance: Instance, answer: Answer, started: float) -> Answer:
    """Return the answer with its meaning and wall time, after the checker has accepted it."""
    answer = replace(answer, question=instance.question, loser=instance.loser(answer.status))
    violations = check(instance, answer)
    if violations:
        refused = {
            "instance": question_to_dict(instance),
            "answer": answer.to_dict(),
            "violations": [str(violation) for violation in violations],
        }
        raise CheckFailed(f"the checker refused the answer ({violations[0]})", refused)
    return replace(
        answer,
        meaning=instance.meaning(answer),
        checked=answer.witness.complete,
        wall_s=round(clock_s() - started, 6),
    )
