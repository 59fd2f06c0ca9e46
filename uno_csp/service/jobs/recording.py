"""Doing stored jobs: their tasks, and the record of how each ended."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from uno_csp.errors import lacks_resources
from uno_csp.processes.deadline import GRACE_S, INTERRUPT_S
from uno_csp.processes.endings import ending
from uno_csp.processes.supervision import Control, Limits, Outcome
from uno_csp.questions.answers import Answer, Status
from uno_csp.service.handlers.declaring import ERROR, RESULT, do
from uno_csp.service.handlers.solving import ANSWER, CACHED, REUSABLE, solve_job
from uno_csp.service.job import Job, State
from uno_csp.service.jobs.runners import Runner
from uno_csp.service.problems import StoreFull, StoreUnavailable, problem
from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import Store

IDLE_S = 1.0  # seconds between two looks at what may have changed elsewhere
MOST_ATTEMPTS = 3  # servers that may end while they are at a job before it counts as failed
CANCEL_S = INTERRUPT_S + GRACE_S + IDLE_S  # longest wait for a cancelled job's incumbent
_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Running:
    """A job or a short request that a thread of this server does, or is to do."""

    # events that end it: at once, or a job with its incumbent
    stop: threading.Event = field(default_factory=threading.Event)
    interrupt: threading.Event = field(default_factory=threading.Event)
    progress: Mapping[str, Any] | None = None  # latest progress reported by its solver
    # its answer, while its certificate is still being made; None before
    answer: Mapping[str, Any] | None = None


class Recorder:
    """Runs stored jobs, and records how they end as soon as the store takes it."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        runner: Runner,
        publish: Callable[..., None],
        closing: threading.Event,
    ) -> None:
        self._store, self._settings, self._runner = store, settings, runner
        self._publish, self._closing = publish, closing

    def do(self, job: Job, running: Running, leave: Callable[[], None]) -> None:
        """Let a worker answer a job, perhaps from the cache; an error of the server fails it.

        ``leave`` is called when the worker has answered. Without a process for the job now, it
        stays in the queue.
        """
        try:
            if job.attempts > MOST_ATTEMPTS:
                why = f"{MOST_ATTEMPTS} servers ended while they were at this job"
                self._finish(job, State.FAILED, problem(500, why))
            else:
                self._solve(job, running, leave)
        except Exception as error:
            if lacks_resources(error) and self._release(job):
                return
            _log.exception("the server could not run a job", extra={"job": job.id})
            self._fail(job, error)
            self._closing.wait(IDLE_S)

    def _release(self, job: Job) -> bool:
        """Queue a job again; return False if that fails."""
        _log.warning("no process can be started now: the job waits", extra={"job": job.id})
        try:
            self._store.release(job.id)
        except StoreUnavailable:
            return False
        self._closing.wait(IDLE_S)
        return True

    def _fail(self, job: Job, error: Exception) -> None:
        """Record an error of the server; if even that fails, a restart queues the job again."""
        detail = f"the server could not run this job: {type(error).__name__}: {error}"
        try:
            self._finish(job, State.FAILED, problem(500, detail))
        except Exception:
            _log.exception("a failed job could not be recorded", extra={"job": job.id})

    def _solve(self, job: Job, running: Running, leave: Callable[[], None]) -> None:
        options = dict(job.request["options"])
        wall_s = options["time_limit_s"]
        limits = Limits(wall_s, self._settings.cores * wall_s, self._settings.memory_mb)
        task = {
            "do": do(solve_job),
            "instance": job.request["instance"],
            "options": options,
            "hash": job.canonical,
            "kept": job.known,
            "proof": self._proof_options(job),
            "backends": self._settings.backends,
        }
        control = Control(running.stop, running.interrupt, partial(self._note, job.id, running))
        outcome = self._runner.run(task, limits, control)
        leave()
        if running.interrupt.is_set():
            self._record_cancelled(job, outcome, running)
        elif not self._closing.is_set() or (outcome.result and RESULT in outcome.result):
            self._record(job, outcome, running)  # otherwise the store queues the job again

    def _note(self, name: str, running: Running, report: Mapping[str, Any]) -> None:
        """Record a report of the worker: progress, or the answer before its certificate is made."""
        if ANSWER in report:
            running.answer, report = report[ANSWER], running.progress or {}
        running.progress = report if running.answer is None else {**report, "proving": True}
        self._publish(name)

    def _proof_options(self, job: Job) -> dict[str, Any] | None:
        """Return the path and maximum size of the certificate; None if none was requested."""
        if not job.request.get("proof"):
            return None
        path = self._settings.certificate(job.id)
        path.parent.mkdir(parents=True, exist_ok=True)
        return {"path": str(path), "most_bytes": self._settings.certificate_bytes}

    def _put_certificate(self, job: Job) -> bool:
        """Store the certificate before the job is done; return False if the server closes."""
        path = self._settings.certificate(job.id)

        def put() -> bool:
            seen = self._store.glance(job.id)
            if seen is not None and seen.state is State.RUNNING and path.is_file():
                self._store.put_certificate(job.id, path)
            return True

        return not job.request.get("proof") or bool(self._retry(put))

    def _record(self, job: Job, outcome: Outcome, running: Running) -> None:
        """Record the result; an answer stands even if its certificate was not finished."""
        returned = outcome.result or {}
        if RESULT in returned:
            self._record_result(job, returned[RESULT])
        elif running.answer is not None:
            reason = returned.get(ERROR, {}).get("detail") or outcome.limit_hit or death(outcome)
            certificate = {"certified": False, "summary": reason}
            self._finish(job, State.DONE, {**running.answer, "certificate": certificate})
        elif ERROR in returned:
            self._finish(job, State.FAILED, returned[ERROR])
        elif outcome.limit_hit:
            self._finish(job, State.DONE, _unknown(job, outcome).to_dict())
        else:
            self._finish(job, State.FAILED, problem(502, death(outcome)))

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
        self._finish(job, State.DONE, answer, cached=CACHED in result)

    def _record_cancelled(self, job: Job, outcome: Outcome, running: Running) -> None:
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
        ended = replace(job, state=state, result=result, cached=cached, finished=time.time())
        try:
            is_own = self._retry(lambda: self._store.finish(job.id, state, result, cached=cached))
        except StoreFull as error:
            why = problem(507, f"the answer could not be stored: {error}")
            ended = replace(ended, state=State.FAILED, result=why, cached=False)
            is_own = self._retry(lambda: self._store.finish(job.id, State.FAILED, why), full=True)
        if is_own is None:
            return  # the server closes; the job is queued again
        self._publish(job.id, ended=True, last=ended if is_own else None)

    def _retry(self, doing: Callable[[], bool], *, full: bool = False) -> bool | None:
        """Retry until the store is back; return None if the server closes first.

        Raises StoreFull without disk space, unless ``full``, and any other error at once.
        """
        waited = False
        while True:
            try:
                return doing()
            except (StoreUnavailable, OSError) as error:
                if isinstance(error, StoreFull) and not full:
                    raise
                if not waited:
                    _log.warning("the job store cannot be written; retrying: %s", error)
                    waited = True
                if self._closing.wait(IDLE_S):
                    return None


def _unknown(job: Job, outcome: Outcome) -> Answer:
    """Return the answer of a job that a limit has ended."""
    question, reason = job.request["instance"]["question"], outcome.limit_hit
    uncertified = {"certified": False, "summary": reason} if job.request.get("proof") else None
    return Answer(
        question, Status.UNKNOWN, reason=reason, wall_s=outcome.wall_s, certificate=uncertified
    )


def death(outcome: Outcome) -> str:
    """Return how the worker of a task ended, with the last line it printed."""
    words = f": {outcome.last_words[:200]}" if outcome.last_words else ""
    return f"the solver process {ending(outcome.exit_code)}{words}"
