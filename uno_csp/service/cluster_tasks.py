"""What runs on the workers of a Dask cluster: a task, given to a child process as at home.

A solver may hold the interpreter's lock, so that a worker that solved by itself would seem dead;
and it could not be stopped. What a child says on the way comes back as events of a topic that one
server listens to.

A task is ended when the worker has been told that nobody wants it any more, which is so when it is
cancelled and also when its server is gone, and when the worker is to end itself.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from distributed import WorkerPlugin, get_worker

from uno_csp.processes.programs import Limits, Supervised
from uno_csp.processes.scratch import scratch_folder
from uno_csp.service.seats import LocalSeat

if TYPE_CHECKING:
    from distributed import Worker

LOOK_EVERY_S = 0.2
"""Interval at which a worker looks whether its task is still wanted."""

PLUGIN = "uno-csp"
"""Name of the plugin, of which each worker has one."""

KEY, SAID, DEPARTED = "key", "said", "departed"
"""Keys of an event: the task it is about, and what its child said or that its worker departs."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A task as it travels to a worker; ``topic`` is where it says how far it is."""

    task: Mapping[str, Any]
    limits: Limits
    grace_s: float
    topic: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """What travels back: how the task ended, and the certificate it wrote, if it did."""

    ended: Supervised
    certificate: bytes | None


@dataclass(frozen=True, slots=True)
class _Running:
    """A task that this worker is at."""

    topic: str
    stop: threading.Event = field(default_factory=threading.Event)
    ask: threading.Event = field(default_factory=threading.Event)


_here = threading.local()
_running: dict[str, _Running] = {}


class Departure(WorkerPlugin):
    """When a worker is ended in an orderly way, ends its tasks and lets their servers know.

    They are given to other workers, and a task is not blamed for it; see
    :class:`~uno_csp.service.cluster_seats.ClusterSeat`.
    """

    name = PLUGIN
    idempotent = True

    def teardown(self, worker: "Worker") -> None:
        """Called by the worker before it closes its connections."""
        for key, task in list(_running.items()):
            worker.log_event(task.topic, {KEY: key, DEPARTED: True})
            task.stop.set()


def undone(why: str) -> Delivery:
    """Return what comes of a task that no program has ended."""
    return Delivery(Supervised(None, "", None, 0.0, 0.0, 0.0, why), None)


def do_errand(errand: Errand) -> Delivery:
    """Let a child process of this worker do a task under its limits."""
    try:
        return _do_errand(errand)
    except OSError as error:  # as such it would seem to be one of the scheduler's
        return undone(f"a worker could not do it: {error}")


def _do_errand(errand: Errand) -> Delivery:
    worker = get_worker()
    key = str(worker.get_current_task())
    if not hasattr(_here, "seat"):
        _here.seat = LocalSeat(errand.limits.memory_mb or float("inf"))

    def pass_on(said: Mapping[str, Any]) -> None:
        """Let the server know what the child says."""
        worker.log_event(errand.topic, {KEY: key, SAID: dict(said)})

    proof: Mapping[str, Any] | None = errand.task.get("proof")
    with (
        _followed(worker, key, errand.topic) as running,
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
        written = path is not None and path.is_file()
        return Delivery(ended, path.read_bytes() if path is not None and written else None)


@contextmanager
def _followed(worker: "Worker", key: str, topic: str) -> Iterator[_Running]:
    """Stop a task when the scheduler has told the worker to drop it."""
    running, done = _Running(topic), threading.Event()

    def look() -> None:
        """The worker keeps a task that it is at, and notes there that it is dropped."""
        while not done.wait(LOOK_EVERY_S):
            state = worker.state.tasks.get(key)
            if state is None or state.state in ("cancelled", "released", "forgotten"):
                running.stop.set()
                return

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    _running[key] = running
    try:
        yield running
    finally:
        done.set()
        looking.join()
        _running.pop(key, None)


def ask_for_what_there_is(key: str) -> None:
    """Have the task of that key, if it is at work on this worker, end with what it has."""
    running = _running.get(key)
    if running is not None:
        running.ask.set()
