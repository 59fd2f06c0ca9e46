"""What runs in a worker process: receive a task, run the stages, send back what came out."""

import gc

from uno_csp.answers import Status
from uno_csp.errors import BackendError, UnoCspError
from uno_csp.pipeline.stages import Solved, Task, run
from uno_csp.processes.workers import connect


def main(number: int) -> None:
    """Do tasks until the parent closes the channel of that number."""
    channel = connect(number)
    while True:
        try:
            task: Task = channel.recv()
        except EOFError:
            return
        message: Solved | UnoCspError
        gc.disable()  # a model is many objects and no cycles; collecting costs a sixth of the time
        try:
            message = run(task, channel.send)
        except UnoCspError as error:
            message = error
        except MemoryError:
            message = Solved(Status.UNKNOWN, reason="memory is used up")
        except Exception as error:
            message = BackendError(
                f"{task.options.backend or task.options.method} failed: "
                f"{type(error).__name__}: {error}"
            )
        gc.enable()
        channel.send(message)
