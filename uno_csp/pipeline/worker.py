"""The handler of a solver worker: load what the task needs, then run its stages."""

import time
from dataclasses import replace

from uno_csp.errors import BackendError, UnoCspError
from uno_csp.methods import DEFAULT_BACKEND, algorithm_names, find_backend, find_method
from uno_csp.modeling import Model
from uno_csp.pipeline.stages import LOADING_S, Solved, Task, run
from uno_csp.processes.channel import READY, Channel
from uno_csp.questions.answers import Status


def handle(task: Task, channel: Channel) -> Solved:
    """Run the stages of a task.

    Raises
    ------
    UnoCspError
        Whatever they raise; other exceptions become a BackendError.
    """
    try:
        return run(_loaded(task, channel), channel.report, channel.latest_update)
    except UnoCspError:
        raise
    except MemoryError:
        return Solved(Status.UNKNOWN, reason="out of memory")
    except Exception as error:
        failed = task.options.backend or task.options.method
        raise BackendError(f"{failed} failed: {type(error).__name__}: {error}") from error


def _loaded(task: Task, channel: Channel) -> Task:
    """Load the solver, and move the deadline of a first task by the time that this took."""
    options = task.options
    if task.sent_at is None or options.method is None:
        return task
    find_method(options.method)
    if options.method not in algorithm_names():
        find_backend(options.backend or DEFAULT_BACKEND).open(Model(), seed=0).close()
    channel.report(READY)
    waited_s = min(time.monotonic() - task.sent_at, LOADING_S)
    return replace(task, deadline=task.deadline.shifted(waited_s), sent_at=None)
