"""``solve``: choose what was left open, reduce, run, lift, check."""

import json
import math
import tempfile
import time
from dataclasses import replace

from uno_csp.backends import Backend, Outcome
from uno_csp.cards import Card
from uno_csp.checker import check
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import Answer, Status, question_to_dict
from uno_csp.instances import Instance
from uno_csp.pipeline.cut_loop import ProgressListener
from uno_csp.pipeline.process import run_isolated
from uno_csp.pipeline.stages import Task
from uno_csp.reductions import Presolved, reduce
from uno_csp.registry import (
    backends,
    encodings,
    find_backend,
    find_connectivity,
    find_encoder,
    require_available,
)

FALLBACK_ENCODING = "successor"
"""What ``solve`` turns to when the default encoding declines."""


def solve(
    instance: Instance,
    *,
    encoding: str | None = None,
    backend: str | None = None,
    connectivity: str | None = None,
    time_limit_s: float | None = None,
    seed: int = 0,
    workers: int = 1,
    on_progress: ProgressListener | None = None,
) -> Answer:
    r"""Answer a question; a yes is checked independently before it is returned.

    Parameters
    ----------
    instance
        The question, as from :func:`uno_csp.parse`.
    encoding, backend, connectivity
        Names, or None to have one chosen; the answer says what was used.
    time_limit_s
        Wall-clock seconds for everything. At the limit the answer is UNKNOWN with that reason.
    seed
        For the solver; the same seed on one worker repeats the run.
    workers
        Threads, for backends that have any.
    on_progress
        Called after every round of the solver with a :class:`~uno_csp.pipeline.Progress`.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        When what was asked for does not exist, does not fit, or is not installed.
    BackendError
        When the solver fails.
    CheckFailed
        When the checker refuses the answer: a bug; the instance is kept in a file.

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
    chosen_backend = require_available(find_backend(backend or backends()[0]))
    _require_options(chosen_backend, time_limit_s, seed, workers)
    if connectivity is not None:
        find_connectivity(connectivity)
    chosen_encoding, declined = _choose_encoding(instance, encoding)
    deadline = None if time_limit_s is None else started + time_limit_s
    presolved = reduce(instance)
    if presolved.decided is not None:
        answer = _from_decision(instance, presolved)
    else:
        left = None if deadline is None else max(deadline - time.monotonic(), 0.001)
        task = Task(
            presolved.instance, chosen_encoding, chosen_backend.name, connectivity, seed, workers,
            left,
        )  # fmt: skip
        answer = _run(instance, presolved, task, deadline, time_limit_s, on_progress)
        if declined:
            answer = replace(answer, stats={**answer.stats, "declined": declined})
    return _checked(instance, answer, started)


def _run(
    instance: Instance,
    presolved: Presolved,
    task: Task,
    deadline: float | None,
    time_limit_s: float | None,
    on_progress: ProgressListener | None,
) -> Answer:
    solved = run_isolated(task, deadline, on_progress)
    reason = solved.reason
    if solved.outcome is Outcome.UNKNOWN and deadline is not None and time.monotonic() >= deadline:
        reason = f"time limit of {time_limit_s:g} s reached"
    return Answer(
        instance.question,
        Status(str(solved.outcome)),
        None if solved.sequence is None else presolved.lift(solved.sequence),
        reason=reason,
        encoding=task.encoding,
        backend=task.backend,
        connectivity=solved.connectivity,
        stats={"reductions": presolved.names, **solved.stats},
    )


def _require_options(backend: Backend, time_limit_s: float | None, seed: int, workers: int) -> None:
    if time_limit_s is not None and not 0 < time_limit_s < math.inf:
        raise NotAccepted(f"a time limit is more than 0 seconds and finite, not {time_limit_s:g}")
    if not 0 <= seed < 2**31:
        raise NotAccepted(f"a seed is from 0 to {2**31 - 1}, not {seed}")
    if workers < 1:
        raise NotAccepted(f"workers are 1 or more, not {workers}")
    if workers > 1 and not backend.parallel:
        raise NotAccepted(f"backend {backend.name!r} runs on one thread; workers must be 1")


def _choose_encoding(instance: Instance, asked: str | None) -> tuple[str, dict[str, str]]:
    """The encoding to use, and why another one declined, by its name."""
    name = asked or encodings()[0]
    refusal = find_encoder(name).accepts(instance)
    if refusal is None:
        return name, {}
    if asked is not None:
        raise NotAccepted(f"encoding {name!r} does not take this question: {refusal}")
    return FALLBACK_ENCODING, {name: refusal}


def _from_decision(instance: Instance, presolved: Presolved) -> Answer:
    assert presolved.decided is not None  # noqa: S101
    sequence: tuple[Card, ...] | None = presolved.decided.sequence
    status = Status.UNSATISFIABLE
    if sequence is not None:
        sequence, status = presolved.lift(sequence), Status.SATISFIABLE
    return Answer(
        instance.question, status, sequence, presolved.decided.reason,
        stats={"reductions": presolved.names},
    )  # fmt: skip


def _checked(instance: Instance, answer: Answer, started: float) -> Answer:
    """The answer with its seal and its time."""
    violations = check(instance, answer)
    if violations:
        refused = {
            "instance": question_to_dict(instance),
            "answer": answer.to_dict(),
            "violations": [str(violation) for violation in violations],
        }
        with tempfile.NamedTemporaryFile(
            "w", prefix="uno-csp-refused-", suffix=".json", delete=False
        ) as dump:
            json.dump(refused, dump, indent=1)
        raise CheckFailed(f"the checker refused the answer ({violations[0]}); see {dump.name}")
    return replace(
        answer,
        checked=answer.sequence is not None,
        wall_s=round(time.monotonic() - started, 6),
    )
