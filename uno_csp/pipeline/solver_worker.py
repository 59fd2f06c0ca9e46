"""The handler of a solver worker: load what the task needs, then run its stages."""

import os
from dataclasses import replace
from importlib import import_module
from threading import Event

from uno_csp.errors import BackendError, UnoCspError
from uno_csp.graph_tools.igraph_alone import load_igraph
from uno_csp.methods import ALGORITHMS, algorithm_names, find_backend, method_names
from uno_csp.modeling import Model, RelaxingSession
from uno_csp.pipeline.stages import SentTask, Solved, run
from uno_csp.processes.channel import READY, Channel
from uno_csp.processes.deadline import LOADING_S, Deadline, clock_s
from uno_csp.questions.answers import Status
from uno_csp.registry import modules_of


def handle(task: SentTask, channel: Channel) -> Solved:
    """Run the stages of a task; errors of other packages become a BackendError.

    An interrupt says that nobody wants its result any more: its deadline has passed.
    """
    stop = Event()
    channel.on_interrupt(stop.set)
    try:
        deadline = replace(_load(task, channel), is_stopped=stop.is_set)
        return run(replace(task.read(), deadline=deadline), channel.report, channel.latest_update)
    except UnoCspError:
        raise
    except MemoryError:
        return Solved(Status.UNKNOWN, reason="out of memory")
    except Exception as error:
        failed = task.rest.options.backend or task.rest.options.method
        raise BackendError(f"{failed} failed: {type(error).__name__}: {error}") from error
    finally:
        channel.on_interrupt(None)


def preload() -> None:
    """Load in a fork server what most tasks need and starts no thread; so no plug-in."""
    for package in ("uno_csp.encodings", "uno_csp.algorithms", "uno_csp.backends"):
        modules_of(package)
    import_module("pysat.solvers")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # else NumPy starts threads; workers have their own
    import_module("numpy")


def prepare(name: str | None) -> None:
    """Load all methods, and the solver of a backend, or an algorithm that loads slowly.

    None stands for all other algorithms.
    """
    method_names()
    if name is None:
        return
    if name in algorithm_names():
        ALGORITHMS.find(name).load()
        return
    session = find_backend(name).open(Model(), seed=0)
    session.close()
    if isinstance(session, RelaxingSession):
        import_module("uno_csp.modeling.fractional_cuts")
        load_igraph()


def _load(task: SentTask, channel: Channel) -> Deadline:
    """Load the solver, and return the deadline, later by the time that this took a first task."""
    if task.rest.options.method is not None:
        prepare(task.rest.loads)
        channel.report(READY)
    if task.rest.options.method is None or task.sent_at is None:
        return task.rest.deadline
    return task.rest.deadline.shifted(min(clock_s() - task.sent_at, LOADING_S))
