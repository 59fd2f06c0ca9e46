"""The scheduler: threads that pass requests and jobs to worker processes, in classes of service.

A short request is a job that is not stored. Each class (:data:`LANES`, and the stored jobs) has
threads of its own, so that none waits for another. A job's runner decides where its process runs,
here or on a cluster (:mod:`~uno_csp.service.jobs.runners`); short requests are handled here.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect

from uno_csp.errors import lacks_resources
from uno_csp.processes.channel import WAS_STOPPED
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.supervision import Control, Limits, Listener, Outcome, Replier
from uno_csp.service.handlers.declaring import (
    ERROR,
    ITEM,
    LANES,
    RESULT,
    SHORT_MB,
    Handler,
    Lane,
    do,
)
from uno_csp.service.job import FINISHED, Job, State
from uno_csp.service.jobs.recording import CANCEL_S, IDLE_S, Recorder, Running, death
from uno_csp.service.jobs.runners import LocalRunner, Runner
from uno_csp.service.problems import REASON, Problem, StoreUnavailable
from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import Store

BUSY = "the server is busy"
WAIT_S = 20.0  # longest time that a short request waits before it is begun
EXPIRE_EVERY_S = 600.0  # interval at which jobs that are kept long enough are deleted
CHECK_EVERY_S = 0.5  # interval at which the connection of a waiting client is checked
_POLL_S = 0.2
THREADS = 2  # for each job at a time: the answer of one is recorded while another is at work
T = TypeVar("T")
Departed = Callable[[], Awaitable[bool]]  # returns True when a client has gone away
Run = Callable[..., Outcome]  # called with a task, a listener and a replier
_log = logging.getLogger(__name__)


class Scheduler:
    """The threads of one server, and what they are at.

    ``publish`` is called from any thread with the id of a job that has changed, and with
    ``ended=True`` at its end.
    """

    def __init__(
        self, store: Store, settings: Settings, runner: Runner, publish: Callable[..., None]
    ) -> None:
        self._store, self._settings, self._publish = store, settings, publish
        self._runner = runner
        most_idle = sum(lane.at_a_time for lane in LANES)
        self._short_mb = min(SHORT_MB, settings.memory_mb)
        self._near = LocalRunner(most_idle, self._short_mb, eager=int(settings.eager))
        self._lock = threading.Lock()
        self._queued = threading.Condition(self._lock)
        self._left = threading.Condition(self._lock)
        self._at_work: dict[str, Running] = {}
        self._places = threading.Semaphore(settings.workers)
        self._closing = threading.Event()
        self._recorder = Recorder(store, settings, runner, publish, self._closing)
        self._wakes = 0
        self.requests: dict[str, set[Running]] = {lane.name: set() for lane in LANES}
        self._lanes = {each.name: ThreadPoolExecutor(each.at_a_time, each.name) for each in LANES}
        self._threads = [
            threading.Thread(target=self._serve, name=f"job-{number}", daemon=True)
            for number in range(THREADS * settings.workers)
        ]
        self._threads.append(threading.Thread(target=self._watch, name="watch", daemon=True))

    def start(self) -> None:
        """Start the threads."""
        self._runner.start()
        self._near.start()
        for thread in self._threads:
            thread.start()
        for lane in LANES:  # all threads of a pool, which the system might not give later
            met = threading.Barrier(lane.at_a_time)
            for _ in range(lane.at_a_time):
                self._lanes[lane.name].submit(met.wait)

    def stop_requests(self) -> None:
        """Stop the short requests: their callers get a Problem."""
        for requests in self.requests.values():
            for running in list(requests):
                running.stop.set()

    def close(self) -> None:
        """Stop all threads and what they are at; the store queues unfinished jobs again."""
        self._closing.set()
        self.stop_requests()
        with self._lock:
            for running in self._at_work.values():
                running.stop.set()
            self._queued.notify_all()
        for thread in self._threads:
            thread.join()
        for lane in self._lanes.values():
            lane.shutdown(cancel_futures=True)
        self._runner.close()
        self._near.close()

    @property
    def alive(self) -> bool:
        """True if all threads are alive."""
        return all(thread.is_alive() for thread in self._threads)

    @property
    def cluster_workers(self) -> int | None:
        """Current number of workers of the cluster; None if there is no cluster."""
        return self._runner.workers

    async def run(
        self, lane: Lane, work: Callable[[Run], T], departed: Departed | None = None
    ) -> T:
        """Handle a short request while its caller waits; raise a Problem if too many do.

        A caller who goes away frees its place, whether the request waits or is at work.
        """
        requests = self.requests[lane.name]
        if len(requests) >= lane.at_a_time + lane.waiting:
            raise Problem(429, "too many requests are waiting", headers={"Retry-After": "1"})
        running, future = Running(), None
        requests.add(running)
        try:
            run = partial(self._run_near, lane, running)
            future = self._lanes[lane.name].submit(work, run)
            return await _result(future, running, departed)
        except (OSError, RuntimeError) as error:
            if not lacks_resources(error):
                raise
            later = {"headers": {"Retry-After": "5"}, REASON: str(error)}
            raise Problem(503, "no process can be started now", **later) from None
        finally:
            running.stop.set()  # also when this coroutine is cancelled at shutdown
            if future is not None:
                future.cancel()
            requests.remove(running)

    async def answer(
        self, handler: Handler, body: str, departed: Departed | None = None, **more: Any
    ) -> Any:
        """Return the reply of a handler."""
        task = {"do": do(handler), "body": body, **more}
        return result_of(await self.run(handler.lane, lambda run: run(task), departed))

    async def items(
        self, handler: Handler, body: str, departed: Departed | None = None
    ) -> AsyncIterator[Any]:
        """Yield the items of a reply that is streamed, until its caller goes away."""
        items: asyncio.Queue[Any] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def put(report: Any) -> None:
            loop.call_soon_threadsafe(items.put_nowait, report)

        task = {"do": do(handler), "body": body}
        work = self.run(handler.lane, lambda run: run(task, put), departed)
        running = asyncio.create_task(work)
        running.add_done_callback(lambda _: items.put_nowait(None))
        try:
            while (item := await items.get()) is not None:
                yield item[ITEM]
            result_of(await running)
        finally:
            running.cancel()

    def _run_near(
        self,
        lane: Lane,
        running: Running,
        task: Mapping[str, Any],
        listener: Listener | None = None,
        replier: Replier | None = None,
    ) -> Outcome:
        """Run a task of a short request in a worker of this machine."""
        if running.stop.is_set():
            raise Problem(503, WAS_STOPPED)
        settings = self._settings
        limits = Limits(lane.wall_s, None, self._short_mb)
        control = Control(running.stop, listener=listener, grace_s=0, replier=replier)
        sizes = {"cards": settings.cards, "backends": settings.backends}
        return self._near.run({**sizes, **task}, limits, control)

    def wake(self) -> None:
        """Wake an idle thread to claim a new job."""
        with self._lock:
            self._wakes += 1
            self._queued.notify()

    def ended_elsewhere(self, name: str) -> None:
        """Stop a job that another server has ended, and publish its end."""
        self._stop(name)
        self._publish(name, ended=True)

    def cancel(self, name: str) -> None:
        """Cancel an unfinished job, which gets time to return its incumbent."""
        with self._lock:
            running = self._at_work.get(name)
            if running is not None:
                running.interrupt.set()
                self._left.wait_for(lambda: name not in self._at_work, CANCEL_S)
        if running is None and self._store.request_cancel(name):
            self._await_end(name)
        # No-op if the job has ended; otherwise it was not running, or did not end in time.
        self._store.finish(name, State.CANCELLED, None)
        self.ended_elsewhere(name)

    def _stop(self, name: str) -> None:
        with self._lock:
            running = self._at_work.get(name)
        if running is not None:
            running.stop.set()

    def _await_end(self, name: str) -> None:
        """Wait for another server to end the job; servers poll for cancellations once a second."""
        deadline = Deadline.after(IDLE_S + CANCEL_S)
        while not deadline.expired:
            job = self._store.glance(name)
            if job is None or job.state is not State.RUNNING or self._closing.wait(_POLL_S):
                return

    def progress(self, name: str) -> Mapping[str, Any] | None:
        """Return the latest progress of a job running on this server; None if it is not."""
        running = self._at_work.get(name)
        return None if running is None else running.progress

    def _serve(self) -> None:
        """Do one job after another until the server closes; errors do not end the thread.

        The thread holds a place until the task of its job has ended.
        """
        while not self._closing.is_set():
            with ExitStack() as place:
                place.enter_context(self._places)
                job = None if self._closing.is_set() else self._claim()
                if job is not None:
                    self._do(job, place.close)

    def _do(self, job: Job, leave: Callable[[], None]) -> None:
        running = Running()
        with self._lock:
            self._at_work[job.id] = running
            if self._closing.is_set():
                running.stop.set()
        try:
            self._recorder.do(job, running, leave)
        finally:
            with self._lock:
                if self._at_work.get(job.id) is running:  # not of a thread that does it again
                    del self._at_work[job.id]
                self._left.notify_all()

    def _claim(self) -> Job | None:
        """Return the next stored job; None after a while without one, or without the store."""
        woken = self._wakes
        try:
            job = self._store.claim()
        except Exception as error:  # for example, out of file descriptors
            if not isinstance(error, StoreUnavailable):
                _log.warning("no job could be claimed", exc_info=True)
            self._closing.wait(IDLE_S)
            return None
        if job is None:
            with self._lock:
                if woken == self._wakes and not self._closing.is_set():
                    self._queued.wait(IDLE_S)
        return job

    def _watch(self) -> None:
        """Publish progress to other servers, poll for cancellations, and forget old jobs."""
        shown: dict[str, Mapping[str, Any]] = {}
        expiry = Deadline.after(0.0)
        while not self._closing.wait(IDLE_S):
            with self._lock:
                at_work = dict(self._at_work)
            shown = {name: progress for name, progress in shown.items() if name in at_work}
            for name, running in at_work.items():
                with suppress(Exception):  # the store is unreachable; tried again next time
                    progress = running.progress
                    if progress is not None and progress is not shown.get(name):
                        self._store.publish_progress(name, progress)
                        shown[name] = progress
                    _apply_state(self._store.glance(name), running)
            if self._settings.keep_days is not None and expiry.expired:
                expiry = Deadline.after(EXPIRE_EVERY_S)
                with suppress(StoreUnavailable):
                    self.forget(86_400 * self._settings.keep_days)

    def forget(self, older_s: float, state: State | None = None) -> int:
        """Delete the jobs that ended so long ago, with their certificates; return their number."""
        gone = self._store.forget(older_s, state)
        for name in gone:
            self._settings.certificate(name).unlink(missing_ok=True)
        return len(gone)


def _apply_state(job: Job | None, running: Running) -> None:
    """Stop a job that was ended or deleted elsewhere; interrupt one to be cancelled."""
    if job is None or job.state in FINISHED:
        running.stop.set()
    elif job.cancel_requested:
        running.interrupt.set()


async def _result(future: "Future[T]", running: Running, departed: Departed | None) -> T:
    """Wait for a short request, until it should have begun and while its caller is there.

    Raises ClientDisconnect for a caller who has gone.
    """
    work, begin, gone = asyncio.wrap_future(future), Deadline.after(WAIT_S), False
    while not (await asyncio.wait({work}, timeout=CHECK_EVERY_S))[0]:
        if begin.expired and future.cancel():
            raise Problem(503, BUSY, headers={"Retry-After": "5"})
        gone = gone or (departed is not None and await departed())
        if gone or running.stop.is_set():
            running.stop.set()
            future.cancel()
    if gone:
        raise ClientDisconnect from (None if work.cancelled() else work.exception())
    if future.cancelled():
        raise Problem(503, WAS_STOPPED)
    return await work


def result_of(outcome: Outcome) -> Any:
    """Return the result of a task, or raise the Problem that it found or ended with."""
    returned = outcome.result or {}
    if RESULT in returned:
        return returned[RESULT]
    if ERROR in returned:
        body = dict(returned[ERROR])
        raise Problem(body.pop("status"), body.pop("detail"), **body)
    if outcome.limit_hit == WAS_STOPPED:
        raise Problem(503, WAS_STOPPED)
    if outcome.starved:  # it might be cheap: the machine had no time for it
        raise Problem(503, BUSY, headers={"Retry-After": "5"})
    if outcome.limit_hit:
        raise Problem(422, f"this request is too expensive: {outcome.limit_hit}")
    raise Problem(502, "the worker process has ended", **{REASON: death(outcome)})
