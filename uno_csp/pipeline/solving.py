"""``solve``: choose what was left open, reduce, run, lift, check."""

import math
import time
from dataclasses import replace

from uno_csp.answers import Answer, Status, Witness
from uno_csp.cards import MANY_HUBS, hub_count
from uno_csp.checker import check
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import question_to_dict
from uno_csp.modeling import STOPPED
from uno_csp.pipeline.planning import make_plan
from uno_csp.pipeline.progress import ProgressListener
from uno_csp.pipeline.race import run_isolated
from uno_csp.pipeline.stages import Solved, Task, decision
from uno_csp.questions import Instance
from uno_csp.reductions import STEPS, Presolved, known_bound, reduce
from uno_csp.registry import backend_names, find_backend, find_connectivity

MANY_ENDS = 10_000
"""With fewer pairs of a card and a hub a hand is reduced in no time, and so in this process."""

MOST_WORKERS = 256
"""More threads than any machine here has; some solvers refuse a thousand, others start them."""


def solve(
    instance: Instance,
    *,
    encoding: str | None = None,
    backend: str | None = None,
    connectivity: str | None = None,
    time_limit_s: float | None = None,
    seed: int = 0,
    workers: int = 1,
    presolve: bool = True,
    on_progress: ProgressListener | None = None,
) -> Answer:
    r"""Answer a question; every witness is checked independently before it is returned.

    Parameters
    ----------
    instance
        The question, as from :func:`uno_csp.parse`.
    encoding, backend, connectivity
        Names, or None to have them chosen; the answer says what was used. With several ways to
        go about a question, two of them run at a time, each in a process of its own.
    time_limit_s
        Wall-clock seconds for everything. At the limit the answer is UNKNOWN with that reason,
        and for an optimisation question with the best that was found and proved.
    seed
        For the solver; the same seed on one worker repeats the run.
    workers
        Threads, for backends that have any.
    presolve
        Whether reductions may decide or shrink the question first. Without them an encoding and a
        backend show what they can do themselves.
    on_progress
        Called with a :class:`~uno_csp.pipeline.Progress` after rounds of the solver; a slow one is
        only told of the latest. What it raises ends the run.

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
    >>> solve(parse("red,5\nblue,7")).status
    <Status.UNSATISFIABLE: 'UNSATISFIABLE'>
    """
    started = time.monotonic()
    _require_options(backend, time_limit_s, seed, workers)
    if connectivity is not None:
        find_connectivity(connectivity)
    plan = make_plan(instance, encoding, backend)
    deadline = None if time_limit_s is None else started + time_limit_s
    # Under a time limit what may take long is done where it can be ended.
    hubs = min(hub_count(instance.dimension, instance.at_least), MANY_HUBS)
    later = presolve and deadline is not None and len(instance.cards) * hubs > MANY_ENDS
    presolved = Presolved(instance, None, ())
    if presolve:
        presolved = reduce(instance, STEPS[:1] if later else STEPS)
    if presolved.decided is not None:
        whole = Presolved(instance, None, ())
        answer = _assembled(instance, whole, Task(instance, "", None), decision(presolved))
        return _checked(instance, answer, started)
    if presolved.instance.question != instance.question:
        plan = make_plan(presolved.instance, None, backend)
    bound = known_bound(presolved.instance) if presolve and not later else None
    tasks = [
        Task(presolved.instance, method, name, connectivity, seed, workers, deadline, bound, later)
        for method, name in plan.methods
    ]
    task, solved = run_isolated(tasks, deadline, on_progress)
    late = deadline is not None and time.monotonic() >= deadline
    late = late or solved.reason == STOPPED
    if solved.status is Status.UNKNOWN and late:
        solved = replace(solved, reason=f"time limit of {time_limit_s:g} s reached")
    answer = _assembled(instance, presolved, task, solved)
    if plan.declined:
        answer = replace(answer, stats={**answer.stats, "declined": plan.declined})
    return _checked(instance, answer, started)


def _assembled(instance: Instance, presolved: Presolved, task: Task, solved: Solved) -> Answer:
    witness = Witness() if solved.witness is None else presolved.lift(solved.witness)
    bound = solved.bound
    if solved.status is Status.OPTIMAL:
        bound = witness.objective
    return Answer(
        instance.question, solved.status, witness, bound, instance.loser(solved.status),
        solved.reason,
        method=None if solved.by_reduction else task.encoding,
        backend=None if solved.by_reduction else task.backend,
        connectivity=solved.connectivity,
        stats={**(solved.stats or {}), "reductions": [*presolved.names, *solved.reductions]},
    )  # fmt: skip


def _require_options(
    backend: str | None, time_limit_s: float | None, seed: int, workers: int
) -> None:
    if time_limit_s is not None and not 0 < time_limit_s < math.inf:
        raise NotAccepted(f"a time limit is more than 0 seconds and finite, not {time_limit_s:g}")
    if not 0 <= seed < 2**31:
        raise NotAccepted(f"a seed is from 0 to {2**31 - 1}, not {seed}")
    if not 1 <= workers <= MOST_WORKERS:
        raise NotAccepted(f"workers are from 1 to {MOST_WORKERS}, not {workers}")
    name = backend or backend_names()[0]
    if workers > 1 and not find_backend(name).parallel:
        raise NotAccepted(f"backend {name!r} runs on one thread; workers must be 1")


def _checked(instance: Instance, answer: Answer, started: float) -> Answer:
    """The answer with its seal and its time."""
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
