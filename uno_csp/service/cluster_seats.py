"""Solving jobs on a Dask cluster; on its workers each job has a child process, as it has at home.

A solver may hold the interpreter's lock, so that a worker that solved by itself would seem dead;
and it could not be stopped. What a child says on the way comes back as events of a topic that this
server alone listens to. If a worker is lost the scheduler gives its tasks to others, three times
at most; if the scheduler is, they are handed in anew when it is back. A job has one result in any
case: the server's store takes no second.

A task is ended on its worker when the worker has been told that nobody wants it any more, which is
so when it is cancelled and also when this server is gone.
"""

import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from uno_csp.errors import NotAccepted
from uno_csp.processes.clusters import connected
from uno_csp.processes.programs import ASKED_S, GRACE_S, Limits, Listener, Supervised
from uno_csp.processes.scratch import scratch_folder
from uno_csp.service.seats import LocalSeat

if TYPE_CHECKING:
    from distributed import Client

LOOK_EVERY_S = 0.2
"""So often it is seen whether a task is still wanted."""

_STOPPED = Supervised(None, "it was stopped", None, 0.0, 0.0, 0.0, "")
_here = threading.local()
_asks: dict[str, threading.Event] = {}
"""On a worker: by key, what is to be ended with what it has."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What travels to a worker; the topic is where it tells how far it is."""

    task: Mapping[str, Any]
    limits: Limits
    grace_s: float
    topic: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """What travels back: how the task ended, and the certificate it wrote, if it did."""

    ended: Supervised
    certificate: bytes | None


class ClusterSeats:
    """The workers of a scheduler.

    Raises
    ------
    BackendUnavailable
        When ``distributed`` is not installed.
    NotAccepted
        When nobody answers at the address.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._topic = f"uno-csp-{uuid4().hex}"
        self._listeners: dict[str, Listener] = {}
        self._lock = threading.Lock()
        self._client = self._connect()

    def take(self) -> "ClusterSeat":
        """A seat; the scheduler finds the worker when there is a task."""
        return ClusterSeat(self)

    def close(self) -> None:
        """Leave the scheduler."""
        self._client.close()  # type: ignore[no-untyped-call]

    def client(self) -> "Client":
        """The client, a new one if the scheduler has been away.

        Raises
        ------
        NotAccepted
            When it is still away.
        """
        with self._lock:
            if self._client.status != "running":
                with suppress(OSError, TimeoutError):
                    self._client.close(timeout=1)  # type: ignore[no-untyped-call]
                self._client = self._connect()
            return self._client

    def _connect(self) -> "Client":
        client = connected(self._address)
        client.subscribe_topic(self._topic, self._hear)  # type: ignore[no-untyped-call]
        return client

    def _hear(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """What a child has said on the way."""
        _, said = event
        listener = self._listeners.get(said["key"])
        if listener is not None:
            listener(said["told"])

    @contextmanager
    def heard(self, key: str, listener: Listener | None) -> Iterator[str]:
        """Tell the listener what the task of that key says; the topic it is to say it in."""
        if listener is not None:
            self._listeners[key] = listener
        try:
            yield self._topic
        finally:
            self._listeners.pop(key, None)


class ClusterSeat:
    """Hands in one task at a time, and waits for it."""

    def __init__(self, seats: ClusterSeats) -> None:
        self._seats = seats

    def end(self) -> None:
        """Nothing is kept here."""

    def run(
        self,
        task: Mapping[str, Any],
        limits: Limits,
        stop: threading.Event | None = None,
        listener: Listener | None = None,
        *,
        ask: threading.Event | None = None,
        grace_s: float = GRACE_S,
    ) -> Supervised:
        """Let some worker do a task."""
        stop = stop or threading.Event()
        key = f"uno-csp-{uuid4().hex}"
        with self._seats.heard(key, listener) as topic:
            errand = Errand(task, limits, grace_s, topic)
            while not stop.is_set():
                try:
                    delivery = self._delivered(errand, key, stop, ask or threading.Event())
                except (CancelledError, OSError, NotAccepted):  # the scheduler is away
                    stop.wait(LOOK_EVERY_S)
                    continue
                if delivery.certificate is not None:
                    Path(task["proof"]["path"]).write_bytes(delivery.certificate)
                return delivery.ended
        return _STOPPED

    def _delivered(
        self, errand: Errand, key: str, stop: threading.Event, ask: threading.Event
    ) -> Delivery:
        from distributed import KilledWorker
        from distributed import TimeoutError as NotYet

        client = self._seats.client()
        future = client.submit(do_errand, errand, key=key, pure=False)
        asked_at: float | None = None
        try:
            while not stop.is_set():
                if ask.is_set() and asked_at is None:
                    asked_at = time.monotonic()
                    client.run(ask_for_what_there_is, key, on_error="ignore")
                if asked_at is not None and time.monotonic() - asked_at > ASKED_S + GRACE_S:
                    break
                try:
                    delivery: Delivery = future.result(timeout=LOOK_EVERY_S)
                    return delivery
                except NotYet:
                    if client.status != "running":
                        raise CancelledError from None
                    continue
                except KilledWorker as error:
                    return _undone(f"workers died: {error}")
            return Delivery(_STOPPED, None)
        finally:
            with suppress(Exception):  # a scheduler that is away has forgotten it
                future.cancel()  # type: ignore[no-untyped-call]


def _undone(why: str) -> Delivery:
    """What comes of a task that no program has ended."""
    return Delivery(Supervised(None, "", None, 0.0, 0.0, 0.0, why), None)


def do_errand(errand: Errand) -> Delivery:
    """On a worker: let a child process do a task under its limits."""
    try:
        return _do_errand(errand)
    except OSError as error:  # as such it would seem to be one of the scheduler's
        return _undone(f"a worker could not do it: {error}")


def _do_errand(errand: Errand) -> Delivery:
    from distributed import get_worker

    worker = get_worker()
    key = str(worker.get_current_task())
    if not hasattr(_here, "seat"):
        _here.seat = LocalSeat(errand.limits.memory_mb or float("inf"))

    def tell(told: Mapping[str, Any]) -> None:
        """Pass on what the child says."""
        worker.log_event(errand.topic, {"key": key, "told": dict(told)})

    proof = errand.task.get("proof")
    ask = _asks.setdefault(key, threading.Event())
    with _stopped_if_unwanted(worker, key) as stop, scratch_folder() as folder:
        path = folder / "certificate.zip"
        own = {"proof": {**proof, "path": str(path)}} if proof else {}
        ended = _here.seat.run(
            {**errand.task, **own}, errand.limits, stop, tell, ask=ask, grace_s=errand.grace_s
        )
        return Delivery(ended, path.read_bytes() if path.is_file() else None)


@contextmanager
def _stopped_if_unwanted(worker: Any, key: str) -> Iterator[threading.Event]:
    """An event that is set when the scheduler has told the worker to drop the task."""
    stop, done = threading.Event(), threading.Event()

    def look() -> None:
        """The worker keeps a task that it is at, and notes there that it is dropped."""
        while not done.wait(LOOK_EVERY_S):
            state = worker.state.tasks.get(key)
            if state is None or state.state in ("cancelled", "released", "forgotten"):
                stop.set()
                return

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield stop
    finally:
        done.set()
        looking.join()
        _asks.pop(key, None)


def ask_for_what_there_is(key: str) -> None:
    """On each worker: the task of that key, if it is at work here, is to end with what it has."""
    ask = _asks.get(key)
    if ask is not None:
        ask.set()
