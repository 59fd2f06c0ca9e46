"""Accepting jobs and reporting on them, for the routes of the API."""

import asyncio
import re
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fastapi.concurrency import run_in_threadpool
from fastapi.sse import ServerSentEvent
from starlette.requests import ClientDisconnect

from uno_csp.processes.channel import WAS_STOPPED
from uno_csp.processes.deadline import Deadline
from uno_csp.service.handlers.declaring import PARSE, do
from uno_csp.service.handlers.solving import ANSWER, accept
from uno_csp.service.job import FINISHED, Job, State, job_entered
from uno_csp.service.jobs.scheduler import Departed, Run, Scheduler, result_of
from uno_csp.service.jobs.updates import Subscription, Updates, wait
from uno_csp.service.messages import ProgressBody
from uno_csp.service.problems import Problem, StoreUnavailable, sendable
from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import Store

NO_PROGRESS = ProgressBody().model_dump()
_ID = re.compile("[0-9a-f]{32}")
_SHOWN = ("id", "state", "created", "started", "finished", "cached")
DELETED = "deleted"  # state in the last event of a job that was deleted
HEARTBEAT_S = 1.0  # longest time between polls, as updates of other servers may be missed


@dataclass(frozen=True, slots=True)
class Accepted:
    """A request that has been parsed, its canonical hash, and its answer if that is known."""

    request: Mapping[str, Any]
    sent: str  # equal for equal requests
    hash: str | None = None
    answer: Mapping[str, Any] | None = None


class JobService:
    """Accepts, finds, cancels and deletes jobs, and streams their events."""

    def __init__(
        self, store: Store, scheduler: Scheduler, settings: Settings, updates: Updates
    ) -> None:
        self._updates = updates
        self._store = store
        self._scheduler = scheduler
        self._settings = settings

    async def accept(self, body: str, key: str | None, departed: Departed | None = None) -> Job:
        """Accept a job, or return the job of this key."""
        return await self._scheduler.run(
            PARSE, lambda run: self._enter(self._parse(run, body), key), departed
        )

    def _parse(self, run: Run, body: str) -> Accepted:
        """Parse a request to solve, and look for its answer in the store."""
        found: list[Mapping[str, Any]] = []
        task = {"do": do(accept), "body": body, "wall_s": self._settings.wall_s}
        outcome = run(task, found.append, self._recall)
        if found and outcome.result is None and outcome.limit_hit != WAS_STOPPED:
            return Accepted(**found[0])  # only the canonical form took too long
        result = result_of(outcome)
        return Accepted(**found[0], hash=result["hash"], answer=result[ANSWER])

    def _recall(self, canonical: str) -> Mapping[str, Any] | None:
        """Return the cached answer under a canonical hash, in canonical names."""
        with suppress(StoreUnavailable):  # the cache only saves work
            return self._store.recall(canonical)
        return None

    async def accept_and_wait(
        self, body: str, key: str | None, wait_s: float, departed: Departed
    ) -> Job:
        """Accept a job and wait up to ``wait_s`` for its end; return it as last seen.

        The job of a known question is stored only with an idempotency key, so that the key gives it
        again: nobody gets its id. A job without a key is cancelled if its client goes away.
        """
        name = uuid.uuid4().hex
        with self._updates.subscribe(name) as updates:

            def enter(run: Run) -> Job:
                accepted = self._parse(run, body)
                return self._find_known(accepted, key, name) or self._enter(accepted, key, name)

            try:
                job = await self._scheduler.run(PARSE, enter, departed)
            except ClientDisconnect:
                if key is None:
                    with suppress(Problem):  # its job was not stored
                        await run_in_threadpool(self.cancel, name)
                raise
            deadline = Deadline.after(wait_s)
            if job.id == name:
                if job.state not in FINISHED:
                    await wait(updates.ended, min(wait_s, HEARTBEAT_S))
                gone = departed if key is None else None
                return await self._wait(job, deadline, updates, gone)
        with self._updates.subscribe(job.id) as updates:
            return await self._wait(job, deadline, updates)

    def _find_known(self, accepted: Accepted, key: str | None, name: str) -> Job | None:
        """Return the finished job of a known question without a key; None for any other."""
        if accepted.answer is None or key is not None:
            return None
        job = job_entered(0, name, accepted.request, accepted.hash, time.time(), accepted.answer)
        if self._store.journal is not None:
            self._store.journal.accepted(job)
        return job

    def _enter(self, accepted: Accepted, key: str | None, name: str | None = None) -> Job:
        job = self._store.add(
            accepted.request,
            accepted.hash,
            name=name,
            idempotency=key,
            sent=accepted.sent,
            result=accepted.answer,
            most_queued=self._settings.queue,
        )
        if job.state is State.QUEUED:
            self._scheduler.wake()
        return job

    def find(self, name: str) -> Job:
        """Return the job with this id; raise a Problem with 404 if there is none."""
        job = self._store.get(name) if _ID.fullmatch(name) else None
        if job is None:
            raise Problem(404, f"there is no job {name[:64]!r}")
        return job

    def cancel(self, name: str) -> Job:
        """Cancel a job, keeping its incumbent; a finished job is left unchanged."""
        self.find(name)
        self._scheduler.cancel(name)
        return self.find(name)

    def delete(self, name: str) -> None:
        """Delete a finished job; raise a Problem with 404 or 409 if there is none."""
        self.find(name)
        if not self._store.delete(name):
            raise Problem(409, "the job is not finished; cancel it first")
        self._settings.certificate(name).unlink(missing_ok=True)

    def certificate(self, name: str, copy: Path) -> Path:
        """Return the path of a certificate: in the data folder, or of a copy from the store."""
        job = self.find(name)
        if job.state not in FINISHED:
            raise Problem(409, "the job is not finished")
        path = self._settings.certificate(job.id)
        if path.is_file():
            return path
        if self._store.fetch_certificate(job.id, copy):
            return copy
        why = ((job.result or {}).get("certificate") or {}).get("summary")
        raise Problem(404, f"the job has no certificate: {why or 'none was asked for'}")

    async def _wait(
        self, job: Job, deadline: Deadline, updates: Subscription, departed: Departed | None = None
    ) -> Job:
        """Wait for the end of a job, the deadline, or until its client departs."""
        while job.state not in FINISHED:
            if updates.last is not None:
                return updates.last
            pause: Callable[[float], Awaitable[None]] = partial(wait, updates.ended)
            try:
                ended = updates.ended.is_set()
                seen = None if ended else await run_in_threadpool(self._store.glance, job.id)
                if seen is None or seen.state in FINISHED:
                    return await run_in_threadpool(self.find, job.id)
                if departed is not None and await departed():
                    return await run_in_threadpool(self.cancel, job.id)
            except StoreUnavailable:
                pause = asyncio.sleep
            if deadline.expired:
                return await run_in_threadpool(self.find, job.id)
            await pause(min(deadline.left_s, HEARTBEAT_S))
        return job

    async def events(self, job: Job) -> AsyncIterator[ServerSentEvent]:
        """Yield a job's states and progress as they change, and its end, maybe ``deleted``."""
        state: State | None = None
        shown: Any = None
        seen: Job | None = job
        with self._updates.subscribe(job.id) as updates:
            while seen is not None:
                if seen.state is not state:
                    state = seen.state
                    yield ServerSentEvent(event="state", data={"state": state})
                progress = self._scheduler.progress(job.id) or seen.progress
                if progress is not None and progress != shown:
                    shown = progress
                    yield ServerSentEvent(event="progress", data=progress)
                if state in FINISHED:
                    break
                await wait(updates.changed, HEARTBEAT_S)
                updates.changed.clear()
                if self._updates.closed:
                    return
                with suppress(StoreUnavailable):
                    seen = await run_in_threadpool(self._store.glance, job.id)
        whole = seen and await run_in_threadpool(self._store.get, job.id)
        body = self.describe(whole) if whole else {"id": job.id, "state": DELETED}
        body.pop("instance", None)
        yield ServerSentEvent(event="end", data=body)

    def describe(self, job: Job, *, whole: bool = True) -> dict[str, Any]:
        """Return the JSON of a job (:class:`JobBody`), with question and answer if ``whole``."""
        progress = self._scheduler.progress(job.id) or job.progress
        failed = job.state is State.FAILED
        described = {
            **{key: getattr(job, key) for key in _SHOWN},
            "progress": None if progress is None else {**NO_PROGRESS, **progress},
            "problem": sendable(job.result) if failed and job.result else None,
        }
        if not whole:
            return described
        asked, mb = job.request["options"], self._settings.memory_mb
        return described | {
            "instance": job.request["instance"],
            "time_limit_s": asked.get("time_limit_s"),
            "memory_limit_mb": min(asked.get("memory_limit_mb", mb), mb),
            "answer": None if failed else job.result,
        }
