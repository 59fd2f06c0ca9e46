"""``solve``: choose what was left open, reduce, run, lift, check."""

import time
from dataclasses import replace
from os import PathLike

from uno_csp.answers import NOTHING_SHOWN, Answer, Status
from uno_csp.cards import MANY_HUBS, hub_count
from uno_csp.certificates import certify, require_free
from uno_csp.checker import check
from uno_csp.errors import CheckFailed
from uno_csp.formats import parse, question_to_dict
from uno_csp.given import require_function
from uno_csp.modeling import STOPPED
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.planning import make_plan
from uno_csp.pipeline.progress import ProgressListener
from uno_csp.pipeline.race import Stop, run_isolated
from uno_csp.pipeline.stages import Solved, Task, decision
from uno_csp.questions import Instance, require_question
from uno_csp.reductions import STEPS, Presolved, known_bound, reduce

MANY_ENDS = 10_000
"""With fewer pairs of a card and a hub a hand is reduced in no time, and so in this process."""


def solve(  # noqa: PLR0913 (the options by name, as editors complete them)
    instance: Instance | str,
    options: Options | None = None,
    *,
    method: str | None = None,
    backend: str | None = None,
    connectivity: str | None = None,
    time_limit_s: float | None = None,
    memory_limit_mb: float | None = None,
    seed: int = 0,
    workers: int = 1,
    presolve: bool = True,
    proof: str | PathLike[str] | None = None,
    strict: bool = False,
    on_progress: ProgressListener | None = None,
    stop: Stop | None = None,
) -> Answer:
    r"""Answer a question; every witness is checked independently before it is returned.

    Parameters
    ----------
    instance
        The question, as from :func:`uno_csp.parse`, or a text that it reads.
    options
        How to go about it.
    method, backend, connectivity, time_limit_s, memory_limit_mb, seed, workers, presolve
        The same by name, see :class:`Options`.
    proof, strict
        Likewise.
    on_progress
        Called with a :class:`~uno_csp.pipeline.Progress` after rounds of the solver; a slow one is
        only told of the latest. What it raises ends the run.
    stop
        Stops the run from another thread; :func:`uno_csp.start` has one inside.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        When what was asked for does not exist, does not fit, or is not installed.
    BackendError
        When the solver fails.
    CheckFailed
        When the checker refuses the answer: a bug; its ``report`` has all that is needed.

    Examples
    --------
    >>> from uno_csp import parse
    >>> answer = solve(parse("red,5\nblue,7\nred,7"))
    >>> answer.sequence[1], answer.checked
    (('red', 7), True)
    >>> solve("R5 B7").status
    <Status.UNSATISFIABLE: 'UNSATISFIABLE'>
    """
    instance = question_of(instance)
    chosen = Options.without_defaults(
        method=method,
        backend=backend,
        connectivity=connectivity,
        time_limit_s=time_limit_s,
        memory_limit_mb=memory_limit_mb,
        seed=seed,
        workers=workers,
        presolve=presolve,
        proof=proof,
        strict=strict,
    )
    options = Options.given(options, chosen)
    require_function("on_progress", on_progress)
    if options.proof is None:
        return _answered(instance, options, on_progress, stop)
    require_free(options.proof)
    answer = _answered(instance, options, on_progress, stop)
    limit_s, strict = options.time_limit_s, options.strict
    return certify(instance, answer, options.proof, time_limit_s=limit_s, strict=strict)


def question_of(given: Instance | str) -> Instance:
    """Return a question, read if it is a text.

    Raises
    ------
    InstanceError
        When it is none.
    """
    if isinstance(given, str):
        return parse(given)
    require_question(given)
    return given


def _answered(
    instance: Instance,
    options: Options,
    on_progress: ProgressListener | None,
    stop: Stop | None,
) -> Answer:
    """Plan, reduce, run and check."""
    started = time.monotonic()
    plan = make_plan(instance, options)
    limit_s = options.time_limit_s
    deadline = None if limit_s is None else started + limit_s
    # What may take long is done where it can be ended, and where nothing has to be sent on.
    hubs = min(hub_count(instance.dimension, instance.at_least), MANY_HUBS)
    later = options.presolve and len(instance.cards) * hubs > MANY_ENDS
    presolved = Presolved(instance, None, ())
    if options.presolve:
        presolved = reduce(instance, STEPS[:1] if later else STEPS)
    if presolved.decided is not None:
        whole = Presolved(instance, None, ())
        return _checked(instance, _assembled(whole, options, decision(presolved)), started)
    if presolved.instance.question != instance.question:
        plan = make_plan(presolved.instance, replace(options, method=None))
    bound = known_bound(presolved.instance) if options.presolve and not later else None
    tasks = [Task(presolved.instance, way, None, bound, later) for way in plan.ways]
    task, solved = run_isolated(tasks, deadline, on_progress, stop)
    stopped = limit_s is not None and solved.reason.startswith(STOPPED)
    if solved.status is Status.UNKNOWN and stopped:
        known = solved.reason.removeprefix(STOPPED).removeprefix("; ")
        reason = f"time limit of {limit_s:g} s reached"
        solved = replace(solved, reason=f"{reason}; {known}" if known else reason)
    answer = _assembled(presolved, task.options, solved)
    if plan.declined:
        answer = replace(answer, stats={**answer.stats, "declined": plan.declined})
    return _checked(instance, answer, started)


def _assembled(presolved: Presolved, used: Options, solved: Solved) -> Answer:
    """What came out, in the terms of the question."""
    witness = NOTHING_SHOWN if solved.witness is None else presolved.lift(solved.witness)
    bound = witness.objective if solved.status is Status.OPTIMAL else solved.bound
    return Answer(
        presolved.instance.question,
        solved.status,
        witness,
        bound,
        reason=solved.reason,
        method=None if solved.by_reduction else used.method,
        backend=None if solved.by_reduction else used.backend,
        connectivity=solved.connectivity,
        stats={**(solved.stats or {}), "reductions": [*presolved.names, *solved.reductions]},
    )


def _checked(instance: Instance, answer: Answer, started: float) -> Answer:
    """The answer with its seal and its time."""
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
        wall_s=round(time.monotonic() - started, 6),
    )
