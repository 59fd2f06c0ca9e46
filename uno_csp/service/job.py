"""Jobs as the service keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """State of a job: queued, running, or one of the three ways to be finished."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


FINISHED = (State.DONE, State.FAILED, State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Job:
    """A job, as one row of the store."""

    number: int
    id: str
    state: State
    request: Mapping[str, Any]  # the question and the options, as they were accepted
    canonical: str | None  # canonical hash under which its answer is cached; None if it must not be
    created: float
    started: float | None
    finished: float | None
    attempts: int
    # the answer of a job that is done, or the problem of one that failed
    result: Mapping[str, Any] | None
    # whether the answer came from the cache, from a question equal up to names and order
    cached: bool
    # latest progress published by the server that runs the job; None if there is none
    progress: Mapping[str, Any] | None = None
    # whether the server that runs it has been asked to end it with its incumbent
    cancel_requested: bool = False
    # cached answer under its canonical hash, in canonical names, when it was claimed
    known: Mapping[str, Any] | None = None


def job_entered(
    number: int,
    name: str,
    request: Mapping[str, Any],
    canonical: str | None,
    now: float,
    result: Mapping[str, Any] | None = None,
) -> Job:
    """Return a job that was accepted just now: done if its answer is known, otherwise queued."""
    known = result is not None
    state, finished = (State.DONE, now) if known else (State.QUEUED, None)
    return Job(number, name, state, request, canonical, now, None, finished, 0, result, known)
