"""Solving jobs on a Dask cluster; its workers run :mod:`~uno_csp.service.cluster_tasks`.

If a worker dies the scheduler gives its tasks to others, and gives up a task at which more than
``distributed.scheduler.allowed-failures`` workers have died. If a worker is ended in an orderly
way, or the scheduler is lost, tasks are handed in anew. A job has one result in any case: the
server's store takes no second.
"""

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from uno_csp.errors import NotAccepted
from uno_csp.processes.clusters import connected, run_in_loop
from uno_csp.processes.programs import ASKED_S, GRACE_S, Limits, Listener, Supervised

if TYPE_CHECKING:
    from distributed import Client, Future

    from uno_csp.service.cluster_tasks import Delivery, Errand

LOOK_EVERY_S = 0.2
"""Interval at which a seat looks whether its task is to be stopped."""

MONITOR_EVERY_S = 1.0
"""Interval at which the scheduler is asked for its workers, or reached for while it is away."""

ANSWER_S = 5.0
"""Longest wait for such an answer."""

_STOPPED = Supervised(None, "it was stopped", None, 0.0, 0.0, 0.0, "")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Handed:
    """A task that was handed in.

    Parameters
    ----------
    key
        Its name at the scheduler.
    topic
        Where its worker lets this server know of it.
    listener
        Told what its child says on the way.
    departed
        Set when its worker is ended in an orderly way.
    """

    key: str
    topic: str
    listener: Listener | None
    departed: threading.Event = field(default_factory=threading.Event)


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
        self._handed: dict[str, _Handed] = {}
        self._closing = threading.Event()
        self._client = self._connect()
        self._workers = self._counted()
        if self._workers == 0:
            _log.warning("no worker of the cluster is there: jobs wait")
        self._monitor = threading.Thread(target=self._watch, name="cluster", daemon=True)
        self._monitor.start()

    @property
    def workers(self) -> int:
        """Number of workers that the scheduler has; 0 while it is away."""
        return self._workers

    def take(self) -> "ClusterSeat":
        """A seat; the scheduler finds the worker when there is a task."""
        return ClusterSeat(self)

    def close(self) -> None:
        """Leave the scheduler."""
        self._closing.set()
        self._monitor.join(MONITOR_EVERY_S)
        self._client.close(timeout=1)  # type: ignore[no-untyped-call]

    def client(self) -> "Client":
        """The client.

        Raises
        ------
        NotAccepted
            When the scheduler is away.
        """
        client = self._client
        if client.status != "running":
            raise NotAccepted("the scheduler is away")
        return client

    @contextmanager
    def handing_in(self, listener: Listener | None) -> Iterator["_Handed"]:
        """A task of a new key; what becomes known of it on the way is taken in."""
        handed = _Handed(f"uno-csp-{uuid4().hex}", self._topic, listener)
        self._handed[handed.key] = handed
        try:
            yield handed
        finally:
            del self._handed[handed.key]

    def _connect(self) -> "Client":
        from uno_csp.service.cluster_tasks import Departure

        client = connected(self._address)
        try:
            client.subscribe_topic(self._topic, self._hear)  # type: ignore[no-untyped-call]
            client.register_plugin(Departure())
        except Exception as error:
            with suppress(Exception):
                client.close(timeout=1)  # type: ignore[no-untyped-call]
            reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise NotAccepted(
                f"the workers at {self._address} do not take this version of uno-csp: {reason}"
            ) from None
        return client

    def _counted(self) -> int:
        """Ask the scheduler for the number of its workers; 0 if it does not answer."""
        client = self._client
        with suppress(Exception):  # it is away in one of many ways
            return len(run_in_loop(client, _identity(client)).result(ANSWER_S)["workers"])
        return 0

    def _watch(self) -> None:
        """Reach for a scheduler that is away, and log when the last worker goes or one comes."""
        away = False
        while not self._closing.wait(MONITOR_EVERY_S):
            if self._client.status != "running":
                if not away:
                    _log.warning("the scheduler of the cluster is away: jobs wait")
                away, self._workers = True, 0
                self._reconnect()
                continue
            if away:
                _log.warning("the scheduler of the cluster is back")
                away = False
            before, self._workers = self._workers, self._counted()
            if before and not self._workers:
                _log.warning("no worker of the cluster is left: jobs wait")
            elif self._workers and not before:
                _log.warning("the cluster has workers again", extra={"workers": self._workers})

    def _reconnect(self) -> None:
        with suppress(Exception):  # it is tried again
            self._client.close(timeout=1)  # type: ignore[no-untyped-call]
        with suppress(Exception):
            self._client = self._connect()

    def _hear(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Take in what a worker has let this server know."""
        from uno_csp.service.cluster_tasks import DEPARTED, KEY, SAID

        _, message = event
        handed = self._handed.get(message[KEY])
        if handed is None:
            return
        if DEPARTED in message:
            handed.departed.set()
        elif handed.listener is not None:
            handed.listener(message[SAID])


async def _identity(client: "Client") -> dict[str, Any]:
    """Return the scheduler's description of itself and its workers."""
    scheduler: Any = client.scheduler
    found: dict[str, Any] = await scheduler.identity()
    return found


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
        from distributed import KilledWorker

        from uno_csp.service.cluster_tasks import Departed, Errand, undone

        stop, ask = stop or threading.Event(), ask or threading.Event()
        while not stop.is_set():
            with self._seats.handing_in(listener) as handed:
                errand = Errand(task, limits, grace_s, handed.topic)
                try:
                    delivery = self._delivered(errand, handed, stop, ask)
                except (CancelledError, OSError, NotAccepted, Departed):
                    stop.wait(LOOK_EVERY_S)  # the scheduler is away, or the worker went
                    continue
                except KilledWorker as error:
                    most = error.allowed_failures
                    delivery = undone(
                        f"{most + 1} workers died while they had this job; at most {most} may"
                    )
                if delivery.certificate is not None:
                    Path(task["proof"]["path"]).write_bytes(delivery.certificate)
                return delivery.ended
        return _STOPPED

    def _delivered(
        self, errand: "Errand", handed: _Handed, stop: threading.Event, ask: threading.Event
    ) -> "Delivery":
        """Hand in a task and wait for it, or until it is to be stopped."""
        from uno_csp.service.cluster_tasks import (
            Delivery,
            Departed,
            ask_for_what_there_is,
            do_errand,
        )

        client = self._seats.client()
        future = client.submit(do_errand, errand, key=handed.key, pure=False)
        gathered = run_in_loop(client, _gathered(client, future))
        asked_at: float | None = None
        try:
            while not stop.is_set():
                if ask.is_set() and asked_at is None:
                    asked_at = time.monotonic()
                    client.run(ask_for_what_there_is, handed.key, on_error="ignore")
                if asked_at is not None and time.monotonic() - asked_at > ASKED_S + GRACE_S:
                    break
                if wait([gathered], LOOK_EVERY_S).done:
                    return gathered.result()
                if handed.departed.is_set():
                    raise Departed
                if client.status != "running":
                    raise CancelledError
            return Delivery(_STOPPED, None)
        finally:
            # A client drops a result as soon as nobody has its future.
            if not gathered.done():
                with suppress(Exception):  # a scheduler that is away has forgotten it
                    future.cancel()  # type: ignore[no-untyped-call]


async def _gathered(client: "Client", future: "Future[Delivery]") -> "Delivery":
    found: list[Delivery] = await client.gather([future], asynchronous=True)  # type: ignore[no-untyped-call]
    return found[0]
