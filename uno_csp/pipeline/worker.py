"""What runs in a worker process: receive a task, run the stages, send back what came out."""

import gc
from contextlib import suppress
from multiprocessing.connection import Connection

from uno_csp.answers import Status
from uno_csp.errors import BackendError, UnoCspError
from uno_csp.pipeline.progress import News
from uno_csp.pipeline.stages import Solved, Task, loaded, run
from uno_csp.processes.workers import connect

MANY_OBJECTS = 100_000
"""After a task that left so many objects, cycles among them are looked for."""


def main(number: int) -> None:
    """Do tasks until the parent closes the channel of that number."""
    channel = connect(number)
    gc.disable()  # a model is many objects and no cycles; collecting costs a sixth of the time
    while True:
        try:
            task: Task | News = channel.recv()
        except EOFError:
            return
        if isinstance(task, News):  # of a task that is done
            continue
        message: Solved | UnoCspError
        try:
            message = run(loaded(task, channel.send), channel.send, lambda: _latest(channel))
        except UnoCspError as error:
            message = error
        except MemoryError:
            message = Solved(Status.UNKNOWN, reason="memory is used up")
        except Exception as error:
            message = BackendError(
                f"{task.options.backend or task.options.method} failed: "
                f"{type(error).__name__}: {error}"
            )
        channel.send(message)
        del task, message
        if gc.get_count()[0] > MANY_OBJECTS:
            gc.collect()


def _latest(channel: Connection) -> News | None:
    """The last of the news that came meanwhile."""
    news = None
    with suppress(EOFError):
        while channel.poll():
            news = channel.recv()
    return news
