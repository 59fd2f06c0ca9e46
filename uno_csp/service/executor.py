"""Solving the queued jobs: threads that each hand one job after another to a process of its own.

Where that process is, here or on a cluster, is the affair of the seat that each thread has
(see :mod:`~uno_csp.service.seats`).
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from uno_csp.answers import Answer, Status
from uno_csp.processes.programs import ASKED_S, GRACE_S, Limits, Supervised
from uno_csp.service.problems import problem
from uno_csp.service.seats import Seat, Seats
from uno_csp.service.settings import Settings
from uno_csp.service.store import FINISHED, Job, State, Store, StoreFull
from uno_csp.service.worker import ANSWER, ERROR, KEPT, RESULT

RECALL_S = 3.0
"""So long giving a known answer the names of another question may take."""

_IDLE_S = 1.0
_POLL_S = 0.2
_PATIENCE_S = ASKED_S + GRACE_S + _IDLE_S
"""So long a job that is to hand over what it has is waited for; a cluster takes the longest."""

_log = logging.getLogger(__name__)


class Executor:
    """The threads of one server, and what is known of the jobs at work.

    ``tell`` is called from any thread when something has happened to some job.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        seats: Seats,
        tell: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._seats = seats
        self._tell_news = tell
        self._settings = settings
        self._news = threading.Condition()
        self._stops: dict[str, threading.Event] = {}
        self._asks: dict[str, threading.Event] = {}
        self._progress: dict[str, Mapping[str, Any]] = {}
        self._found: dict[str, Mapping[str, Any]] = {}
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
        with self._news:
            self._closing.set()
            for stop in self._stops.values():
                stop.set()
            self._news.notify_all()
        for thread in self._threads:
            thread.join()
        self._seats.close()

    @property
    def alive(self) -> bool:
        """Whether all threads are at work."""
        return all(thread.is_alive() for thread in self._threads)

    def wake(self) -> None:
        """There is a new job."""
        with self._news:
            self._wakes += 1
            self._news.notify_all()

    def cancel(self, name: str) -> None:
        """End a job that is not finished, with the best it has found.

        One that is at work is asked for that, and waited for until it has ended.
        """
        with self._news:
            ask = self._asks.get(name)
            if ask is not None:
                ask.set()
                self._news.wait_for(lambda: name not in self._asks, _PATIENCE_S)
        if ask is None and self._store.ask(name):
            self._await_end(name)
        # What has not been at work, or does not end, has nothing to hand over.
        self._store.finish(name, State.CANCELLED, None)
        with self._news:
            stop = self._stops.get(name)
            if stop is not None:
                stop.set()
        self._tell_news()

    def _await_end(self, name: str) -> None:
        """Wait for another server, which looks once a second what it is asked for."""
        deadline = time.monotonic() + _IDLE_S + _PATIENCE_S
        while time.monotonic() < deadline:
            job = self._store.glance(name)
            if job is None or job.state is not State.RUNNING:
                return
            time.sleep(_POLL_S)

    def progress(self, name: str) -> Mapping[str, Any] | None:
        """How far a job is, while it is being solved."""
        return self._progress.get(name)

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
            except Exception:  # say, a full disk, or no descriptor left
                _log.warning("no job could be claimed", exc_info=True)
                self._closing.wait(_IDLE_S)
                continue
            try:
                if not self._from_memory(job, seat):
                    self._solve(job, seat)
            except Exception as error:
                _log.exception("the server could not do a job", extra={"job": job.id})
                detail = f"the server could not do this job: {type(error).__name__}: {error}"
                self._finish(job, State.FAILED, problem(500, detail))
                self._closing.wait(_IDLE_S)
        seat.end()

    def _rest(self, woken: int) -> None:
        """Wait a moment, or until there is a new job; not at all if there has been one since."""
        with self._news:
            if woken == self._wakes:
                self._news.wait(_IDLE_S)

    def _from_memory(self, job: Job, seat: Seat) -> bool:
        """Answer a job as one that is the same but for names and order; False if there is none."""
        kept = None if job.canonical is None else self._store.recall(job.canonical)
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

    def _solve(self, job: Job, seat: Seat) -> None:
        stop, ask = threading.Event(), threading.Event()
        with self._news:
            self._stops[job.id], self._asks[job.id] = stop, ask
            if self._closing.is_set():
                stop.set()
        now = self._store.get(job.id)
        if now is None or now.state is not State.RUNNING:
            stop.set()  # it was cancelled before there was anything to stop
        options = dict(job.request["options"])
        asked = {"instance": job.request["instance"], "options": options, "hash": job.canonical}
        wall_s = options["time_limit_s"]
        limits = Limits(wall_s, self._settings.cores * wall_s, self._settings.memory_mb)
        more = {"proof": self._wanted(job), "backends": self._settings.backends}
        task = {"do": "solve_job", **asked, **more}
        try:
            ended = seat.run(task, limits, stop, lambda told: self._tell(job.id, told), ask=ask)
            if ask.is_set():
                self._record_cancelled(job, ended)
            elif not self._closing.is_set() or (ended.message and RESULT in ended.message):
                self._record(job, ended)  # else it is queued again with the next start
        finally:
            with self._news:
                self._stops.pop(job.id, None)
                self._asks.pop(job.id, None)
                self._news.notify_all()

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
        """Tell other servers that have the same store of the jobs here, and do what they ask."""
        told: dict[str, Mapping[str, Any]] = {}
        while not self._closing.is_set():
            here = list(self._stops)
            told = {name: what for name, what in told.items() if name in here}
            for name in here:
                with suppress(Exception):  # the store is away; it is tried again
                    self._watch_one(name, told)
            self._closing.wait(_IDLE_S)

    def _watch_one(self, name: str, told: dict[str, Mapping[str, Any]]) -> None:
        progress = self._progress.get(name)
        if progress is not None and progress != told.get(name):
            self._store.tell(name, progress)
            told[name] = progress
        job = self._store.glance(name)
        with self._news:
            stop, ask = self._stops.get(name), self._asks.get(name)
        if stop is not None and (job is None or job.state in FINISHED):
            stop.set()
        elif ask is not None and job is not None and job.asked:
            ask.set()

    def _tell(self, name: str, told: Mapping[str, Any]) -> None:
        if ANSWER in told:
            self._found[name] = told[ANSWER]
            told = {**self._progress.get(name, {}), "proving": True}
        self._progress[name] = told
        self._tell_news()

    def _record(self, job: Job, ended: Supervised) -> None:
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
        elif ended.reached and job.id in self._found:
            certificate = {"certified": False, "told": ended.reached}
            self._finish(job, State.DONE, {**self._found[job.id], "certificate": certificate})
        elif ended.reached:
            question = job.request["instance"]["question"]
            answer = Answer(question, Status.UNKNOWN, reason=ended.reached, wall_s=ended.wall_s)
            self._finish(job, State.DONE, answer.to_dict())
        else:
            said = f": {ended.last_words[:200]}" if ended.last_words else ""
            how = "was lost" if ended.exit_code is None else f"ended with {ended.exit_code}"
            detail = f"the solver process {how}{said}"
            self._finish(job, State.FAILED, problem(502, detail))

    def _record_cancelled(self, job: Job, ended: Supervised) -> None:
        """The best found and proved; a job that came to its end all the same is done."""
        found = ((ended.message or {}).get(RESULT) or {}).get(ANSWER) or self._found.get(job.id)
        if found is None:
            self._finish(job, State.CANCELLED, None)
        elif found["status"] != Status.UNKNOWN and ended.message is not None:
            self._record(job, ended)
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
        self._progress.pop(job.id, None)
        self._found.pop(job.id, None)
        self._tell_news()

    def _insist(self, doing: Callable[[], object], *, full: bool = False) -> bool:
        """Do something with the store as soon as it can be reached; False if the server closes.

        Raises
        ------
        StoreFull
            When there is no space, unless that is to be waited for as well.
        """
        while True:
            try:
                doing()
            except Exception as error:
                if isinstance(error, StoreFull) and not full:
                    raise
                _log.warning("the job store does not do what it is to do: %s", error)
                if self._closing.wait(_IDLE_S):
                    return False
            else:
                return True
