"""Functions that the workers of a Dask cluster run: a task is given to a child process.

A solver may hold the interpreter's lock, so that a Dask worker that solved by itself would seem
dead; and it could not be stopped. Reports of the child are sent as events of a topic to which one
server listens: an answer at once, and of progress the latest every 0.2 s, since an event takes as
long as a small task.

A task is ended when the scheduler has had the worker drop it, because it was cancelled or its
server is gone. When the worker itself is to end, it ends its tasks and notifies their servers,
which submit them again.
"""

import asyncio
import math
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from distributed import WorkerPlugin, get_worker

from uno_csp.errors import lacks_resources
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.scratch import scratch_folder
from uno_csp.processes.supervision import Control, Limits, Outcome
from uno_csp.service.handlers.solving import ANSWER
from uno_csp.service.jobs.runners import LocalRunner

if TYPE_CHECKING:
    from distributed import Worker

CHECK_EVERY_S = 0.2  # interval at which a worker reports, and checks if its tasks are still wanted
MAX_IDLE = 4  # maximum number of idle child processes of a worker
DEPARTURE_S = 5.0  # wait of a worker that shuts down, for its scheduler and its tasks
KEY, REPORT, DEPARTED = "key", "report", "departed"  # keys of an event; the last two say what it is


@dataclass(frozen=True, slots=True)
class Submission:
    """A task as it is sent to a worker; ``topic`` is that of its events."""

    task: Mapping[str, Any]
    limits: Limits
    grace_s: float
    topic: str


@dataclass(frozen=True, slots=True)
class Returned:
    """Reply of a worker: the outcome of the task, and its certificate, if it wrote one."""

    outcome: Outcome
    certificate: bytes | None


class Departed(Exception):
    """The worker is ended, or has no process for a task, which is to be submitted again."""


@dataclass(frozen=True, slots=True)
class _Running:
    """A task that this worker runs."""

    topic: str
    # the latest, until it is sent
    progress: deque[Mapping[str, Any]] = field(default_factory=lambda: deque(maxlen=1))
    stop: threading.Event = field(default_factory=threading.Event)
    interrupt: threading.Event = field(default_factory=threading.Event)


_runners: dict[float, LocalRunner] = {}  # runners by the memory that their tasks may use
_running: dict[str, _Running] = {}
_departing = threading.Event()


class Departure(WorkerPlugin):
    """Ends a worker's tasks, and tells their servers, when it is ended in an orderly way."""

    name = "uno-csp"
    idempotent = True

    def setup(self, worker: "Worker") -> None:
        """Install the SIGTERM handler; Dask calls this in the worker's event loop."""
        if threading.current_thread() is not threading.main_thread():
            return
        before, loop = signal.getsignal(signal.SIGTERM), asyncio.get_running_loop()

        async def depart_and_end() -> None:
            await _depart(worker)
            os.kill(os.getpid(), signal.SIGTERM)

        def on_signal(number: int, _frame: object) -> None:
            signal.signal(number, before)
            loop.call_soon_threadsafe(asyncio.ensure_future, depart_and_end())

        signal.signal(signal.SIGTERM, on_signal)

    async def teardown(self, worker: "Worker") -> None:
        """Notify the servers; Dask calls this before the worker closes its connections."""
        await _depart(worker)


async def _depart(worker: "Worker") -> None:
    _departing.set()
    scheduler: Any = worker.scheduler
    for key, task in list(_running.items()):
        task.stop.set()
        with suppress(Exception):  # a lost scheduler raises many kinds of errors
            event = scheduler.log_event(topic=task.topic, msg={KEY: key, DEPARTED: True})
            await asyncio.wait_for(event, DEPARTURE_S)
    deadline = Deadline.after(DEPARTURE_S)
    while _running and not deadline.expired:
        await asyncio.sleep(CHECK_EVERY_S / 4)


def failed(reason: str) -> Returned:
    """Return the outcome of a task that was not run to an end."""
    return Returned(Outcome(None, "", last_words=reason), None)


def run_task(submission: Submission) -> Returned:
    """Let a child run a task under its limits; raise Departed if it can only be run later."""
    try:
        return _run_task(submission)
    except (OSError, RuntimeError) as error:  # the server takes an OSError for a lost scheduler
        if lacks_resources(error):
            raise Departed from None
        return failed(f"a worker could not run the task: {error}")


def _run_task(submission: Submission) -> Returned:
    if _departing.is_set():
        raise Departed
    worker = get_worker()
    _watch(worker)
    key = str(worker.get_current_task())
    memory_mb = submission.limits.memory_mb or math.inf
    runner = _runners.setdefault(memory_mb, LocalRunner(MAX_IDLE, memory_mb))

    proof: Mapping[str, Any] | None = submission.task.get("proof")
    with (
        _followed(key, submission.topic) as running,
        scratch_folder() if proof else nullcontext() as folder,
    ):
        path = None if folder is None else folder / "certificate.zip"

        def note(report: Mapping[str, Any]) -> None:
            if ANSWER in report:
                worker.log_event(submission.topic, {KEY: key, REPORT: dict(report)})
            else:
                running.progress.append(report)

        own = {} if proof is None else {"proof": {**proof, "path": str(path)}}
        outcome = runner.run(
            {**submission.task, **own},
            submission.limits,
            Control(running.stop, running.interrupt, note, submission.grace_s),
        )
        if outcome.result is None and _departing.is_set():
            raise Departed
        written = path is not None and path.is_file()
        return Returned(outcome, path.read_bytes() if path is not None and written else None)


@contextmanager
def _followed(key: str, topic: str) -> Iterator[_Running]:
    """Register a running task, so that it can be stopped from outside."""
    running = _running[key] = _Running(topic)
    try:
        yield running
    finally:
        del _running[key]


@cache
def _watch(worker: "Worker") -> None:
    """Start a thread, once per worker, that reports, and stops tasks that the scheduler dropped."""

    def watch() -> None:
        while True:
            time.sleep(CHECK_EVERY_S)
            _send_progress(worker)
            for key, running in list(_running.items()):
                # Dask keeps a dropped task in the state while it runs, and marks it there.
                state = worker.state.tasks.get(key)
                if state is None or state.state in ("cancelled", "released", "forgotten"):
                    running.stop.set()

    threading.Thread(target=watch, name="uno-csp-wanted", daemon=True).start()


def _send_progress(worker: "Worker") -> None:
    """Send the latest progress of each task, unless it has been sent."""
    for key, running in list(_running.items()):
        with suppress(Exception):  # it has been sent, or nothing can be sent now
            worker.log_event(running.topic, {KEY: key, REPORT: dict(running.progress.pop())})


def interrupt_task(key: str) -> None:
    """Have the task of that key, if this worker runs it, end with the best it has found."""
    running = _running.get(key)
    if running is not None:
        running.interrupt.set()
