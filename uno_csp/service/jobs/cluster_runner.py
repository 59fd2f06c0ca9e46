"""Running jobs on a Dask cluster; its workers run :mod:`~uno_csp.service.jobs.cluster_tasks`.

If a worker dies the scheduler gives its tasks to others, and gives up a task at which more than
``distributed.scheduler.allowed-failures`` workers have died. If a worker is ended in an orderly
way, or the scheduler is lost, tasks are submitted again. A job has one result in any case: the
server's store takes no second one.
"""

import logging
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from distributed import Client, KilledWorker

from uno_csp.errors import NotAccepted
from uno_csp.processes.channel import WAS_STOPPED
from uno_csp.processes.clusters import connected, run_in_loop
from uno_csp.processes.deadline import GRACE_S, INTERRUPT_S, NEVER, Deadline
from uno_csp.processes.supervision import Control, Limits, Listener, Outcome
from uno_csp.service.handlers.declaring import ERROR
from uno_csp.service.jobs.cluster_tasks import (
    DEPARTED,
    KEY,
    REPORT,
    Departed,
    Departure,
    Returned,
    Submission,
    failed,
    interrupt_task,
    run_task,
)
from uno_csp.service.jobs.runners import Runner
from uno_csp.service.problems import problem

CHECK_EVERY_S = 0.2  # interval at which a waiting thread checks whether its task is to be stopped
MONITOR_EVERY_S = 1.0  # between two polls of the scheduler, or attempts to reconnect
ANSWER_S = 5.0  # seconds to wait for the scheduler's reply to a poll
_IN_LOOP: Any = {"asynchronous": True}  # makes a method of the client return a coroutine
_STOPPED = Outcome(None, WAS_STOPPED)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Submitted:
    """A task that was submitted."""

    key: str  # its key at the scheduler
    topic: str  # the topic of its worker's events
    listener: Listener | None  # called with the reports of the task
    # set when its worker shuts down cleanly
    departed: threading.Event = field(default_factory=threading.Event)


class ClusterRunner(Runner):
    """Runs tasks on the workers of a scheduler; raises NotAccepted if none answers."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._topic = f"uno-csp-{uuid4().hex}"
        self._submitted: dict[str, _Submitted] = {}
        self._closing = threading.Event()
        self._client = self._connect()
        self.workers = self._count()  # 0 while the scheduler is unreachable
        if self.workers == 0:
            _log.warning("the cluster has no workers: jobs wait")
        self._monitor = threading.Thread(target=self._watch, name="cluster", daemon=True)
        self._monitor.start()

    def close(self) -> None:
        """Stop the monitor and disconnect from the scheduler."""
        self._closing.set()
        self._monitor.join(MONITOR_EVERY_S)
        self._client.close(timeout=1)  # type: ignore[no-untyped-call]

    def run(
        self, task: Mapping[str, Any], limits: Limits, control: Control | None = None
    ) -> Outcome:
        """Let a worker of the cluster run a task; it is submitted again if that departs."""
        control = control or Control()
        while not control.stop.is_set():
            with self._submitting(control.listener) as submitted:
                submission = Submission(task, limits, control.grace_s, submitted.topic)
                try:
                    returned = self._await(submission, submitted, control)
                except (CancelledError, OSError, NotAccepted, Departed):
                    control.stop.wait(CHECK_EVERY_S)  # the scheduler or the worker is gone
                    continue
                except KilledWorker as error:
                    most = error.allowed_failures
                    returned = failed(
                        f"{most + 1} workers died while running this job; the limit is {most}"
                    )
                return _kept(returned, task)
        return _STOPPED

    def _await(self, submission: Submission, submitted: _Submitted, control: Control) -> Returned:
        """Submit a task and wait for what it returns, or until it is to be stopped."""
        client: Any = self._client
        if client.status != "running":
            raise CancelledError
        future = client.submit(run_task, submission, key=submitted.key, pure=False)
        gathered: Future[list[Returned]] = run_in_loop(client, client.gather([future], **_IN_LOOP))
        ending = NEVER
        try:
            while not control.stop.is_set() and not ending.expired:
                if control.interrupt.is_set() and ending == NEVER:
                    ending = Deadline.after(INTERRUPT_S + GRACE_S)
                    asked = client.run(interrupt_task, submitted.key, on_error="ignore", **_IN_LOOP)
                    run_in_loop(client, asked)
                if wait([gathered], CHECK_EVERY_S).done:
                    return gathered.result()[0]
                if submitted.departed.is_set():
                    raise Departed
                if client.status != "running":
                    raise CancelledError
            return Returned(_STOPPED, None)
        finally:
            # A finished task needs no cancel: the client releases it with the last future.
            if not gathered.done():
                with suppress(NotAccepted):  # an unreachable scheduler has lost the task
                    run_in_loop(client, client.cancel([future], **_IN_LOOP))

    @contextmanager
    def _submitting(self, listener: Listener | None) -> Iterator[_Submitted]:
        """Follow the events of a task with a new key."""
        submitted = _Submitted(f"uno-csp-{uuid4().hex}", self._topic, listener)
        self._submitted[submitted.key] = submitted
        try:
            yield submitted
        finally:
            del self._submitted[submitted.key]

    def _connect(self) -> Client:
        client = connected(self._address)
        try:
            client.subscribe_topic(self._topic, self._on_event)  # type: ignore[no-untyped-call]
            client.register_plugin(Departure())
        except Exception as error:
            with suppress(Exception):
                client.close(timeout=1)  # type: ignore[no-untyped-call]
            reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise NotAccepted(
                f"the workers at {self._address} do not take this version of uno-csp: {reason}"
            ) from None
        return client

    def _count(self) -> int:
        """Return the scheduler's number of workers; 0 if it does not answer."""
        scheduler: Any = self._client.scheduler
        with suppress(Exception):  # an unreachable scheduler raises many kinds of errors
            asked: Future[Any] = run_in_loop(self._client, scheduler.identity())
            return len(asked.result(ANSWER_S)["workers"])
        return 0

    def _watch(self) -> None:
        """Reconnect to a lost scheduler, and log when the last worker leaves or the first joins."""
        away = False
        while not self._closing.wait(MONITOR_EVERY_S):
            if self._client.status != "running":
                if not away:
                    _log.warning("the scheduler of the cluster is unreachable: jobs wait")
                away, self.workers = True, 0
                self._reconnect()
                continue
            if away:
                _log.warning("the scheduler of the cluster is reachable again")
                away = False
            before, self.workers = self.workers, self._count()
            if before and not self.workers:
                _log.warning("the cluster has lost its last worker: jobs wait")
            elif self.workers and not before:
                _log.warning("the cluster has workers again", extra={"workers": self.workers})

    def _reconnect(self) -> None:
        with suppress(Exception):  # tried again at the next poll
            self._client.close(timeout=1)  # type: ignore[no-untyped-call]
        with suppress(Exception):
            self._client = self._connect()

    def _on_event(self, event: tuple[float, Mapping[str, Any]]) -> None:
        _, message = event
        submitted = self._submitted.get(message[KEY])
        if submitted is None:
            return
        if DEPARTED in message:
            submitted.departed.set()
        elif submitted.listener is not None:
            submitted.listener(message[REPORT])


def _kept(returned: Returned, task: Mapping[str, Any]) -> Outcome:
    """Write the certificate to where the task wants it; without room, the answer alone stands."""
    if returned.certificate is None:
        return returned.outcome
    try:
        Path(task["proof"]["path"]).write_bytes(returned.certificate)
    except OSError as error:
        detail = f"the certificate could not be written: {(error.strerror or str(error)).lower()}"
        return replace(returned.outcome, result={ERROR: problem(507, detail)})
    return returned.outcome
