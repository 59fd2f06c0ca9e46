"""Solving the queued jobs: threads that each hand one job after another to a process of its own.

Where that process is, here or on a cluster, is the affair of the seat that each thread has
(see :mod:`~uno_csp.service.seats`).
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from uno_csp.answers import Answer, Status
from uno_csp.processes.programs import ASKED_S, GRACE_S, Limits, Supervised
from uno_csp.service.problems import problem
from uno_csp.service.seats import Seat, Seats
from uno_csp.service.settings import Settings
from uno_csp.service.store import FINISHED, Job, State, Store, StoreFull, StoreUnavailable
from uno_csp.service.worker import ANSWER, ERROR, KEPT, RESULT

RECALL_S = 3.0
"""So long giving a known answer the names of another question may take."""

_IDLE_S = 1.0
_POLL_S = 0.2
_PATIENCE_S = ASKED_S + GRACE_S + _IDLE_S
"""So long a job that is to hand over what it has is waited for; a cluster takes the longest."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _AtWork:
    """A job that a thread of this server has at work.

    Parameters
    ----------
    stop, ask
        Set to stop it at once, and to end it with what it has.
    progress
        How far its solver says that it is.
    answer
        What was answered already, while a certificate is still looked for.
    """

    stop: threading.Event = field(default_factory=threading.Event)
    ask: threading.Event = field(default_factory=threading.Event)
    progress: Mapping[str, Any] | None = None
    answer: Mapping[str, Any] | None = None


class Executor:
    """The threads of one server, and what is known of the jobs at work.

    Parameters
    ----------
    publish
        Called from any thread with the id of a job when something has happened to it; with
        ``ended=True`` when that is its end.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        seats: Seats,
        publish: Callable[..., None],
    ) -> None:
        self._store = store
        self._seats = seats
        self._publish = publish
        self._settings = settings
        self._lock = threading.Lock()
        self._queued = threading.Condition(self._lock)
        self._left = threading.Condition(self._lock)
        self._at_work: dict[str, _AtWork] = {}
        self._closing = threading.Event()
        self._wakes = 0
        self._threads = [
            threading.Thread(target=self._work, name=f"worker-{i}", daemon=True)
            for i in range(settings.workers)
        ]
        self._threads.append(threading.Thread(target=self._watch, name="watch", daemon=True))

    def start(self) -> None:
        """Begin with what waits."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop what is being solved; it is queued again when the store is opened next."""
        with self._lock:
            self._closing.set()
            for each in self._at_work.values():
                each.stop.set()
            self._queued.notify_all()
        for thread in self._threads:
            thread.join()
        self._seats.close()

    @property
    def alive(self) -> bool:
        """Whether all threads are at work."""
        return all(thread.is_alive() for thread in self._threads)

    @property
    def cluster_workers(self) -> int | None:
        """Number of workers of the cluster that are there now; None if there is no cluster."""
        return self._seats.workers

    def wake(self) -> None:
        """Have an idle thread look for a new job."""
        with self._lock:
            self._wakes += 1
            self._queued.notify()

    def ended_elsewhere(self, name: str) -> None:
        """Stop a job that another server has ended, and publish its end."""
        with self._lock:
            here = self._at_work.get(name)
        if here is not None:
            here.stop.set()
        self._publish(name, ended=True)

    def cancel(self, name: str) -> None:
        """End a job that is not finished, with the best it has found.

        One that is at work is asked for that, and waited for until it has ended.
        """
        with self._lock:
            here = self._at_work.get(name)
            if here is not None:
                here.ask.set()
                self._left.wait_for(lambda: name not in self._at_work, _PATIENCE_S)
        if here is None and self._store.ask(name):
            self._await_end(name)
        # What has not been at work, or does not end, has nothing to hand over.
        self._store.finish(name, State.CANCELLED, None)
        with self._lock:
            here = self._at_work.get(name)
        if here is not None:
            here.stop.set()
        self._publish(name, ended=True)

    def _await_end(self, name: str) -> None:
        """Wait for another server, which looks once a second what it is asked for."""
        deadline = time.monotonic() + _IDLE_S + _PATIENCE_S
        while time.monotonic() < deadline:
            job = self._store.glance(name)
            if job is None or job.state is not State.RUNNING:
                return
            time.sleep(_POLL_S)

    def progress(self, name: str) -> Mapping[str, Any] | None:
        """Return the latest progress of a job that is being solved here."""
        here = self._at_work.get(name)
        return None if here is None else here.progress

    def _work(self) -> None:
        """One thread: a job, the next job, until the server closes; nothing else ends it."""
        seat = self._seats.take()
        while not self._closing.is_set():
            woken = self._wakes
            try:
                job = self._store.claim()
                if job is None:
                    self._rest(woken)
                    continue
            except StoreUnavailable:
                self._closing.wait(_IDLE_S)
                continue
            except Exception:  # say, no descriptor is left
                _log.warning("no job could be claimed", exc_info=True)
                self._closing.wait(_IDLE_S)
                continue
            here = _AtWork()
            with self._lock:
                self._at_work[job.id] = here
                if self._closing.is_set():
                    here.stop.set()
            try:
                if not self._from_memory(job, seat):
                    self._solve(job, seat, here)
            except Exception as error:
                _log.exception("the server could not do a job", extra={"job": job.id})
                detail = f"the server could not do this job: {type(error).__name__}: {error}"
                self._finish(job, State.FAILED, problem(500, detail))
                self._closing.wait(_IDLE_S)
            finally:
                with self._lock:
                    self._at_work.pop(job.id, None)
                    self._left.notify_all()
        seat.end()

    def _rest(self, woken: int) -> None:
        """Wait a moment, or until there is a new job; not at all if there has been one since."""
        with self._lock:
            if woken == self._wakes:
                self._queued.wait(_IDLE_S)

    def _from_memory(self, job: Job, seat: Seat) -> bool:
        """Answer a job as one that is the same but for names and order; False if there is none."""
        kept = None
        if job.canonical is not None:
            with suppress(StoreUnavailable):  # it would only have saved work
                kept = self._store.recall(job.canonical)
        if kept is None:
            return False
        asked = {"instance": job.request["instance"], "hash": job.canonical, "kept": kept}
        limits = Limits(RECALL_S, None, self._settings.memory_mb)
        ended = seat.run({"do": "recall", **asked}, limits, self._closing, grace_s=0)
        answer = (ended.message or {}).get(RESULT)
        if answer is None:
            return False
        self._finish(job, State.DONE, answer, cached=True)
        return True

    def _solve(self, job: Job, seat: Seat, here: "_AtWork") -> None:
        options = dict(job.request["options"])
        asked = {"instance": job.request["instance"], "options": options, "hash": job.canonical}
        wall_s = options["time_limit_s"]
        limits = Limits(wall_s, self._settings.cores * wall_s, self._settings.memory_mb)
        more = {"proof": self._wanted(job), "backends": self._settings.backends}
        task = {"do": "solve_job", **asked, **more}
        ended = seat.run(task, limits, here.stop, partial(self._hear, job.id, here), ask=here.ask)
        if here.ask.is_set():
            self._record_cancelled(job, ended, here)
        elif not self._closing.is_set() or (ended.message and RESULT in ended.message):
            self._record(job, ended, here)  # else it is queued again with the next start

    def _hear(self, name: str, here: "_AtWork", said: Mapping[str, Any]) -> None:
        """Keep what a solver says on the way: how far it is, or the answer it goes on to prove."""
        if ANSWER in said:
            here.answer = said[ANSWER]
            said = {**(here.progress or {}), "proving": True}
        here.progress = said
        self._publish(name)

    def _wanted(self, job: Job) -> dict[str, Any] | None:
        """Where a certificate is to be put, and how large it may be; None if none is asked for."""
        if not job.request.get("proof"):
            return None
        path = self._settings.certificate(job.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        return {"path": str(path), "most_bytes": self._settings.certificate_bytes}

    def _put_certificate(self, job: Job) -> bool:
        """Let the store have what was packed, before the job is seen to be done; as `_insist`."""
        path = self._settings.certificate(job.id)

        def put() -> None:
            """Nobody wants it any more if the job was ended elsewhere, or forgotten."""
            seen = self._store.glance(job.id)
            if seen is not None and seen.state is State.RUNNING and path.is_file():
                self._store.put_certificate(job.id, path)

        return not job.request.get("proof") or self._insist(put)

    def _watch(self) -> None:
        """Let other servers know how far the jobs here are, and do what they ask."""
        shown: dict[str, Mapping[str, Any]] = {}
        while not self._closing.wait(_IDLE_S):
            with self._lock:
                at_work = dict(self._at_work)
            shown = {name: progress for name, progress in shown.items() if name in at_work}
            for name, here in at_work.items():
                with suppress(Exception):  # the store is away; it is tried again
                    progress = here.progress
                    if progress is not None and progress is not shown.get(name):
                        self._store.tell(name, progress)
                        shown[name] = progress
                    self._heed(self._store.glance(name), here)

    def _heed(self, job: Job | None, here: "_AtWork") -> None:
        """Stop a job that has ended meanwhile, and end one that is to be cancelled."""
        if job is None or job.state in FINISHED:
            here.stop.set()
        elif job.asked:
            here.ask.set()

    def _record(self, job: Job, ended: Supervised, here: "_AtWork") -> None:
        message = ended.message or {}
        if RESULT in message:
            answer, kept = message[RESULT][ANSWER], message[RESULT][KEPT]
            if not self._put_certificate(job):
                return  # it is solved again with the next start
            if job.canonical is not None and kept is not None:
                with suppress(Exception):  # it would only have saved work
                    self._store.remember(job.canonical, kept)
            self._finish(job, State.DONE, answer)
        elif ERROR in message:
            self._finish(job, State.FAILED, message[ERROR])
        elif ended.reached and here.answer is not None:
            certificate = {"certified": False, "told": ended.reached}
            self._finish(job, State.DONE, {**here.answer, "certificate": certificate})
        elif ended.reached:
            question = job.request["instance"]["question"]
            answer = Answer(question, Status.UNKNOWN, reason=ended.reached, wall_s=ended.wall_s)
            self._finish(job, State.DONE, answer.to_dict())
        else:
            said = f": {ended.last_words[:200]}" if ended.last_words else ""
            how = "was lost" if ended.exit_code is None else f"ended with {ended.exit_code}"
            detail = f"the solver process {how}{said}"
            self._finish(job, State.FAILED, problem(502, detail))

    def _record_cancelled(self, job: Job, ended: Supervised, here: "_AtWork") -> None:
        """The best found and proved; a job that came to its end all the same is done."""
        found = ((ended.message or {}).get(RESULT) or {}).get(ANSWER) or here.answer
        if found is None:
            self._finish(job, State.CANCELLED, None)
        elif found["status"] != Status.UNKNOWN and ended.message is not None:
            self._record(job, ended, here)
        else:
            shown = "objective" in found or "bound" in found or found["status"] != Status.UNKNOWN
            self._finish(job, State.CANCELLED, found if shown else None)

    def _finish(
        self, job: Job, state: State, result: Mapping[str, Any] | None, *, cached: bool = False
    ) -> None:
        try:
            kept = self._insist(lambda: self._store.finish(job.id, state, result, cached=cached))
        except StoreFull as error:
            why = problem(507, f"the answer could not be kept: {error}")
            kept = self._insist(lambda: self._store.finish(job.id, State.FAILED, why), full=True)
        if not kept:
            return  # it is solved again with the next start
        self._publish(job.id, ended=True)

    def _insist(self, doing: Callable[[], object], *, full: bool = False) -> bool:
        """Do something with the store as soon as it can be reached; False if the server closes.

        Raises
        ------
        StoreFull
            When there is no space, unless that is to be waited for as well.
        """
        waited = False
        while True:
            try:
                doing()
            except Exception as error:
                if isinstance(error, StoreFull) and not full:
                    raise
                if not waited:
                    _log.warning("the job store cannot be written, and is waited for: %s", error)
                    waited = True
                if self._closing.wait(_IDLE_S):
                    return False
            else:
                return True
