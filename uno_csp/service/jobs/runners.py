"""Runners of tasks: their interface, and the one for this machine.

Wherever it is, a task is handled by a worker process under the limits it is given.
"""

import errno
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from uno_csp.errors import BackendError, lacks_resources
from uno_csp.processes.pool import Pool, Worker
from uno_csp.processes.supervision import Control, LimitedTask, Limits, Outcome, supervise
from uno_csp.service.handlers.declaring import LATER
from uno_csp.service.settings import Settings

WORKER = "uno_csp.service.jobs.worker"

MAX_TASKS = 10_000  # number of tasks after which a worker is replaced
CHECK_EVERY = 40  # tasks between two looks at a worker's memory, each longer than a small task


class Runner(ABC):
    """Runs the tasks of jobs, for several threads at a time."""

    workers: int | None = None  # of a cluster that are there now; None on this machine

    def start(self) -> None:  # noqa: B027 (a cluster needs no preparation)
        """Prepare for tasks."""

    @abstractmethod
    def run(
        self, task: Mapping[str, Any], limits: Limits, control: Control | None = None
    ) -> Outcome:
        """Run a task within limits, and return its end."""

    @abstractmethod
    def close(self) -> None:
        """Release what is held, when no task is under way."""


class LocalRunner(Runner):
    """Runs tasks in workers of this machine; one that keeps half of its memory is replaced.

    ``eager`` workers are started before there are tasks.
    """

    def __init__(self, max_idle: int, memory_mb: float, *, eager: int = 0) -> None:
        self._pool = Pool(
            max_idle, max_tasks=MAX_TASKS, max_idle_mb=memory_mb / 2, check_every=CHECK_EVERY
        )
        self._eager = eager

    def start(self) -> None:
        """Start the eager workers."""
        for _ in range(self._eager):
            with suppress(OSError):  # the first task will tell
                self._pool.give_back(Worker(WORKER))

    def run(
        self, task: Mapping[str, Any], limits: Limits, control: Control | None = None
    ) -> Outcome:
        """Run a task; raise OSError with EAGAIN where the system gives no process for it now."""
        with self._pool.worker(WORKER) as worker:
            outcome = supervise(LimitedTask(worker, task, limits, control))
        later: str | None = (outcome.result or {}).get(LATER)
        dying = BackendError("" if outcome.result else outcome.last_words)
        if later is not None or lacks_resources(dying):
            raise OSError(errno.EAGAIN, later or str(dying))
        return outcome

    def close(self) -> None:
        """End the idle workers."""
        self._pool.clear()


def local_runner(settings: Settings) -> LocalRunner:
    """Return the runner of a server without a cluster."""
    eager = settings.workers if settings.eager else 0
    return LocalRunner(settings.workers, settings.memory_mb, eager=eager)
