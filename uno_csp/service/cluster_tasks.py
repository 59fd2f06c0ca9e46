"""The side of the workers of a Dask cluster: a task is given to a child process as at home.

A solver may hold the interpreter's lock, so that a worker that solved by itself would seem dead;
and it could not be stopped. What a child says on the way comes back as events of a topic that one
server listens to.

A task is ended when the scheduler has had the worker drop it, because it was cancelled or its
server is gone. When the worker itself is to end, it ends its tasks and lets their servers know;
these hand them in again.
"""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from distributed import WorkerPlugin, get_worker

from uno_csp.processes.programs import Limits, Supervised
from uno_csp.processes.scratch import scratch_folder
from uno_csp.service.seats import LocalSeat

if TYPE_CHECKING:
    from distributed import Worker

LOOK_EVERY_S = 0.2
"""Interval at which a worker looks whether its task is still wanted."""

DEPARTURE_S = 5.0
"""Longest wait of a worker that is to end, for its scheduler and for the ends of its tasks."""

KEY, SAID, DEPARTED = "key", "said", "departed"
"""Keys of an event: the task it is about, and what its child said, or that its worker departs."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A task as it travels to a worker; ``topic`` is where it says how far it is."""

    task: Mapping[str, Any]
    limits: Limits
    grace_s: float
    topic: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """The result as it travels back: how the task ended, and its certificate, if it wrote one."""

    ended: Supervised
    certificate: bytes | None


class Departed(Exception):
    """The worker is ended in an orderly way; the task is to be handed in again."""


@dataclass(frozen=True, slots=True)
class _Running:
    """A task that this worker is at."""

    topic: str
    stop: threading.Event = field(default_factory=threading.Event)
    ask: threading.Event = field(default_factory=threading.Event)


_here = threading.local()
_running: dict[str, _Running] = {}
_departing = threading.Event()


class Departure(WorkerPlugin):
    """Ends a worker's tasks, and lets their servers know, when it is ended in an orderly way.

    That is by SIGTERM, to the worker or to its nanny, or because the scheduler is gone. A worker
    without a nanny would otherwise just be gone, and the scheduler take it for a death.
    """

    name = "uno-csp"
    idempotent = True

    def setup(self, worker: "Worker") -> None:
        """Called in the worker's event loop, when it has the plugin."""
        if threading.current_thread() is not threading.main_thread():
            return
        before, loop = signal.getsignal(signal.SIGTERM), asyncio.get_running_loop()

        async def depart_and_end() -> None:
            """End by the same signal, when servers know."""
            await _depart(worker)
            os.kill(os.getpid(), signal.SIGTERM)

        def on_signal(number: int, _frame: object) -> None:
            """Depart first; a second signal has its usual effect."""
            signal.signal(number, before)
            loop.call_soon_threadsafe(asyncio.ensure_future, depart_and_end())

        signal.signal(signal.SIGTERM, on_signal)

    async def teardown(self, worker: "Worker") -> None:
        """Called by the worker before it closes its connections."""
        await _depart(worker)


async def _depart(worker: "Worker") -> None:
    _departing.set()
    scheduler: Any = worker.scheduler
    for key, task in list(_running.items()):
        task.stop.set()
        with suppress(Exception):  # the scheduler is gone, in one of many ways
            event = scheduler.log_event(topic=task.topic, msg={KEY: key, DEPARTED: True})
            await asyncio.wait_for(event, DEPARTURE_S)
    deadline = time.monotonic() + DEPARTURE_S
    while _running and time.monotonic() < deadline:
        await asyncio.sleep(LOOK_EVERY_S / 4)


def undone(why: str) -> Delivery:
    """Return what comes of a task that no program has ended."""
    return Delivery(Supervised(None, "", None, 0.0, 0.0, 0.0, why), None)


def do_errand(errand: Errand) -> Delivery:
    """Let a child process of this worker do a task under its limits.

    Raises
    ------
    Departed
        When the worker ends before the task.
    """
    try:
        return _do_errand(errand)
    except OSError as error:  # as such it would seem to be one of the scheduler's
        return undone(f"a worker could not do it: {error}")


def _do_errand(errand: Errand) -> Delivery:
    if _departing.is_set():
        raise Departed
    worker = get_worker()
    _watch(worker)
    key = str(worker.get_current_task())
    if not hasattr(_here, "seat"):
        _here.seat = LocalSeat(errand.limits.memory_mb or float("inf"))

    def pass_on(said: Mapping[str, Any]) -> None:
        """Let the server know what the child says."""
        worker.log_event(errand.topic, {KEY: key, SAID: dict(said)})

    proof: Mapping[str, Any] | None = errand.task.get("proof")
    with (
        _followed(key, errand.topic) as running,
        scratch_folder() if proof else nullcontext() as folder,
    ):
        path = None if folder is None else folder / "certificate.zip"
        own = {} if proof is None else {"proof": {**proof, "path": str(path)}}
        ended = _here.seat.run(
            {**errand.task, **own},
            errand.limits,
            running.stop,
            pass_on,
            ask=running.ask,
            grace_s=errand.grace_s,
        )
        if ended.message is None and _departing.is_set():
            raise Departed
        written = path is not None and path.is_file()
        return Delivery(ended, path.read_bytes() if path is not None and written else None)


@contextmanager
def _followed(key: str, topic: str) -> Iterator[_Running]:
    """Let a task be stopped from outside while it is at work."""
    running = _running[key] = _Running(topic)
    try:
        yield running
    finally:
        del _running[key]


@cache
def _watch(worker: "Worker") -> None:
    """Start a thread, once, that stops the tasks which the scheduler has dropped."""

    def watch() -> None:
        """Compare the tasks at work with the worker's own list of them."""
        while True:
            time.sleep(LOOK_EVERY_S)
            for key, running in list(_running.items()):
                # The worker keeps a task that it is at, and notes there that it is dropped.
                state = worker.state.tasks.get(key)
                if state is None or state.state in ("cancelled", "released", "forgotten"):
                    running.stop.set()

    threading.Thread(target=watch, name="uno-csp-wanted", daemon=True).start()


def ask_for_what_there_is(key: str) -> None:
    """Have the task of that key, if it is at work on this worker, end with what it has."""
    running = _running.get(key)
    if running is not None:
        running.ask.set()
