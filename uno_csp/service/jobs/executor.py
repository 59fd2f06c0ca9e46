"""The executor of queued jobs: threads that each pass one job after another to a worker process.

The runner decides where that process runs, on this machine or on a cluster
(see :mod:`~uno_csp.service.jobs.runners`).
"""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from uno_csp.processes.deadline import Deadline
from uno_csp.processes.supervision import GRACE_S, INTERRUPT_S, Control, Limits, Outcome
from uno_csp.questions.answers import Answer, Status
from uno_csp.service.jobs.runners import Runner
from uno_csp.service.jobs.tasks import ANSWER, ERROR, RESULT, REUSABLE
from uno_csp.service.problems import problem
from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import FINISHED, Job, State, Store, StoreFull, StoreUnavailable

RECALL_S = 3.0  # time limit in seconds for translating a cached answer into the names of a question
_IDLE_S = 1.0
_POLL_S = 0.2
_CANCEL_S = INTERRUPT_S + GRACE_S + _IDLE_S  # longest wait for a cancelled job's incumbent
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _RunningJob:
    """A job that a thread of this server is running."""

    # events that end the job: at once, or with its incumbent
    stop: threading.Event = field(default_factory=threading.Event)
    interrupt: threading.Event = field(default_factory=threading.Event)
    progress: Mapping[str, Any] | None = None  # latest progress reported by its solver
    # its answer, while its certificate is still being made; None before
    answer: Mapping[str, Any] | None = None


class Executor:
    """The threads of one server, and the jobs they are running.

    ``publish`` is called from any thread with the id of a job that has changed, and with
    ``ended=True`` at its end.
    """

    def __init__(
        self, store: Store, settings: Settings, runner: Runner, publish: Callable[..., None]
    ) -> None:
        self._store = store
        self._runner = runner
        self._publish = publish
        self._settings = settings
        self._lock = threading.Lock()
        self._queued = threading.Condition(self._lock)
        self._job_left = threading.Condition(self._lock)
        self._at_work: dict[str, _RunningJob] = {}
        self._closing = threading.Event()
        self._wakes = 0
        self._threads = [
            threading.Thread(target=self._work, name=f"worker-{i}", daemon=True)
            for i in range(settings.workers)
        ]
        self._threads.append(threading.Thread(target=self._watch, name="watch", daemon=True))

    def start(self) -> None:
        """Start the threads."""
        self._runner.start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop the threads and their jobs; the store queues unfinished jobs again."""
        with self._lock:
            self._closing.set()
            for each in self._at_work.values():
                each.stop.set()
            self._queued.notify_all()
        for thread in self._threads:
            thread.join()
        self._runner.close()

    @property
    def alive(self) -> bool:
        """True if all threads are alive."""
        return all(thread.is_alive() for thread in self._threads)

    @property
    def cluster_workers(self) -> int | None:
        """Current number of workers of the cluster; None if there is no cluster."""
        return self._runner.workers

    def wake(self) -> None:
        """Wake an idle thread to claim a new job."""
        with self._lock:
            self._wakes += 1
            self._queued.notify()

    def ended_elsewhere(self, name: str) -> None:
        """Stop a job that another server has ended, and publish its end."""
        with self._lock:
            running = self._at_work.get(name)
        if running is not None:
            running.stop.set()
        self._publish(name, ended=True)

    def cancel(self, name: str) -> None:
        """Cancel an unfinished job, which gets time to return its incumbent."""
        with self._lock:
            running = self._at_work.get(name)
            if running is not None:
                running.interrupt.set()
                self._job_left.wait_for(lambda: name not in self._at_work, _CANCEL_S)
        if running is None and self._store.request_cancel(name):
            self._await_end(name)
        # No-op if the job has ended; otherwise it was not running, or did not end in time.
        self._store.finish(name, State.CANCELLED, None)
        with self._lock:
            running = self._at_work.get(name)
        if running is not None:
            running.stop.set()
        self._publish(name, ended=True)

    def _await_end(self, name: str) -> None:
        """Wait for another server to end the job; servers poll for cancellations once a second."""
        deadline = Deadline.after(_IDLE_S + _CANCEL_S)
        while not deadline.expired:
            job = self._store.glance(name)
            if job is None or job.state is not State.RUNNING:
                return
            if self._closing.wait(_POLL_S):
                return

    def progress(self, name: str) -> Mapping[str, Any] | None:
        """Return the latest progress of a job running on this server; None if it is not."""
        running = self._at_work.get(name)
        return None if running is None else running.progress

    def _work(self) -> None:
        """Run one job after another until the server closes; errors do not end the thread."""
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
            except Exception:  # for example, out of file descriptors
                _log.warning("no job could be claimed", exc_info=True)
                self._closing.wait(_IDLE_S)
                continue
            running = _RunningJob()
            with self._lock:
                self._at_work[job.id] = running
                if self._closing.is_set():
                    running.stop.set()
            try:
                if not self._answer_from_cache(job):
                    self._solve(job, running)
            except Exception as error:
                _log.exception("the server could not run a job", extra={"job": job.id})
                self._fail(job, error)
                self._closing.wait(_IDLE_S)
            finally:
                with self._lock:
                    self._at_work.pop(job.id, None)
                    self._job_left.notify_all()

    def _fail(self, job: Job, error: Exception) -> None:
        """Record an error of the server; if even that fails, a restart queues the job again."""
        detail = f"the server could not run this job: {type(error).__name__}: {error}"
        try:
            self._finish(job, State.FAILED, problem(500, detail))
        except Exception:
            _log.exception("a failed job could not be recorded", extra={"job": job.id})

    def _rest(self, woken: int) -> None:
        """Wait briefly for a new job; return at once if `wake` was called after ``woken``."""
        with self._lock:
            if woken == self._wakes:
                self._queued.wait(_IDLE_S)

    def _answer_from_cache(self, job: Job) -> bool:
        """Answer a job from the cache of canonical answers; return False if that fails."""
        kept = None
        if job.canonical is not None:
            with suppress(StoreUnavailable):  # the cache only saves work
                kept = self._store.recall(job.canonical)
        if kept is None:
            return False
        known = {"instance": job.request["instance"], "hash": job.canonical, "kept": kept}
        limits = Limits(RECALL_S, None, self._settings.memory_mb)
        recalling = {"do": "recall", **known}
        outcome = self._runner.run(recalling, limits, Control(self._closing, grace_s=0))
        answer = (outcome.result or {}).get(RESULT)
        if answer is None:
            return False
        self._finish(job, State.DONE, answer, cached=True)
        return True

    def _solve(self, job: Job, running: _RunningJob) -> None:
        options = dict(job.request["options"])
        known = {"instance": job.request["instance"], "options": options, "hash": job.canonical}
        wall_s = options["time_limit_s"]
        limits = Limits(wall_s, self._settings.cores * wall_s, self._settings.memory_mb)
        more = {"proof": self._proof_options(job), "backends": self._settings.backends}
        control = Control(running.stop, running.interrupt, partial(self._note, job.id, running))
        outcome = self._runner.run({"do": "solve_job", **known, **more}, limits, control)
        if running.interrupt.is_set():
            self._record_cancelled(job, outcome, running)
        elif not self._closing.is_set() or (outcome.result and RESULT in outcome.result):
            self._record(job, outcome, running)  # otherwise the store queues the job again

    def _note(self, name: str, running: _RunningJob, report: Mapping[str, Any]) -> None:
        """Record a report of the worker: progress, or the answer before its certificate is made."""
        if ANSWER in report:
            running.answer = report[ANSWER]
            report = {**(running.progress or {}), "proving": True}
        running.progress = report
        self._publish(name)

    def _proof_options(self, job: Job) -> dict[str, Any] | None:
        """Return the path and maximum size of the certificate; None if none was requested."""
        if not job.request.get("proof"):
            return None
        path = self._settings.certificate(job.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        return {"path": str(path), "most_bytes": self._settings.certificate_bytes}

    def _put_certificate(self, job: Job) -> bool:
        """Store the certificate before the job is marked done; see `_retry` for the result."""
        path = self._settings.certificate(job.id)

        def put() -> None:
            seen = self._store.glance(job.id)
            if seen is not None and seen.state is State.RUNNING and path.is_file():
                self._store.put_certificate(job.id, path)

        return not job.request.get("proof") or self._retry(put)

    def _watch(self) -> None:
        """Publish the progress of running jobs to other servers, and poll for cancellations."""
        shown: dict[str, Mapping[str, Any]] = {}
        while not self._closing.wait(_IDLE_S):
            with self._lock:
                at_work = dict(self._at_work)
            shown = {name: progress for name, progress in shown.items() if name in at_work}
            for name, running in at_work.items():
                with suppress(Exception):  # the store is unreachable; tried again next time
                    progress = running.progress
                    if progress is not None and progress is not shown.get(name):
                        self._store.publish_progress(name, progress)
                        shown[name] = progress
                    self._apply_state(self._store.glance(name), running)

    def _apply_state(self, job: Job | None, running: _RunningJob) -> None:
        """Stop a job that was ended or deleted elsewhere; interrupt one to be cancelled."""
        if job is None or job.state in FINISHED:
            running.stop.set()
        elif job.cancel_requested:
            running.interrupt.set()

    def _record(self, job: Job, outcome: Outcome, running: _RunningJob) -> None:
        """Record the result; an answer stands even if its certificate was not finished."""
        returned = outcome.result or {}
        if RESULT in returned:
            self._record_result(job, returned[RESULT])
        elif running.answer is not None:
            reason = returned.get(ERROR, {}).get("detail") or outcome.limit_hit or _death(outcome)
            certificate = {"certified": False, "summary": reason}
            self._finish(job, State.DONE, {**running.answer, "certificate": certificate})
        elif ERROR in returned:
            self._finish(job, State.FAILED, returned[ERROR])
        elif outcome.limit_hit:
            question, wall_s = job.request["instance"]["question"], outcome.wall_s
            answer = Answer(question, Status.UNKNOWN, reason=outcome.limit_hit, wall_s=wall_s)
            self._finish(job, State.DONE, answer.to_dict())
        else:
            self._finish(job, State.FAILED, problem(502, _death(outcome)))

    def _record_result(self, job: Job, result: Mapping[str, Any]) -> None:
        answer, reusable = result[ANSWER], result[REUSABLE]
        try:
            if not self._put_certificate(job):
                return  # the server closes; the job is queued again
        except StoreFull as error:
            summary = f"the certificate could not be stored: {error}"
            answer = {**answer, "certificate": {"certified": False, "summary": summary}}
        if job.canonical is not None and reusable is not None:
            with suppress(Exception):  # the cache only saves work
                self._store.remember(job.canonical, reusable)
        self._finish(job, State.DONE, answer)

    def _record_cancelled(self, job: Job, outcome: Outcome, running: _RunningJob) -> None:
        """Record a cancelled job with incumbent and bound, or as done if it still finished."""
        found = ((outcome.result or {}).get(RESULT) or {}).get(ANSWER) or running.answer
        if found is None:
            self._finish(job, State.CANCELLED, None)
        elif found["status"] != Status.UNKNOWN and outcome.result is not None:
            self._record(job, outcome, running)
        else:
            shown = "objective" in found or "bound" in found or found["status"] != Status.UNKNOWN
            self._finish(job, State.CANCELLED, found if shown else None)

    def _finish(
        self, job: Job, state: State, result: Mapping[str, Any] | None, *, cached: bool = False
    ) -> None:
        try:
            kept = self._retry(lambda: self._store.finish(job.id, state, result, cached=cached))
        except StoreFull as error:
            why = problem(507, f"the answer could not be stored: {error}")
            kept = self._retry(lambda: self._store.finish(job.id, State.FAILED, why), full=True)
        if not kept:
            return  # the server closes; the job is queued again
        self._publish(job.id, ended=True)

    def _retry(self, doing: Callable[[], object], *, full: bool = False) -> bool:
        """Retry until the store is back; return False if the server closes first.

        Raises StoreFull without disk space, unless ``full``, and any other error at once.
        """
        waited = False
        while True:
            try:
                doing()
            except (StoreUnavailable, OSError) as error:
                if isinstance(error, StoreFull) and not full:
                    raise
                if not waited:
                    _log.warning("the job store cannot be written; retrying: %s", error)
                    waited = True
                if self._closing.wait(_IDLE_S):
                    return False
            else:
                return True


def _death(outcome: Outcome) -> str:
    """Return how the worker of a task ended, with the last line it printed."""
    words = f": {outcome.last_words[:200]}" if outcome.last_words else ""
    how = "was lost" if outcome.exit_code is None else f"exited with {outcome.exit_code}"
    return f"the solver process {how}{words}"
