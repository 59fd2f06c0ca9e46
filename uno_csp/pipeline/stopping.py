"""Runs in the background: a handle to wait for, watch and cancel one, and a coroutine."""

import asyncio
import concurrent.futures
import threading
from concurrent.futures import Future
from threading import Event
from typing import Unpack

from uno_csp.pipeline.options import Choices, Options, takes_options
from uno_csp.pipeline.progress import Progress, ProgressListener
from uno_csp.pipeline.solving import solve
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer
from uno_csp.questions.arguments import require_function


class SolveTask:
    """Handle of a run in the background; returned by :func:`start`.

    ``future`` is the :class:`concurrent.futures.Future` of the answer, for use with
    :func:`concurrent.futures.wait` and the like.
    """

    def __init__(
        self,
        instance: Instance | str,
        options: Options,
        on_progress: ProgressListener | None,
        stop: Event | None = None,
    ) -> None:
        self._stop = stop or Event()
        self._latest: Progress | None = None
        self._listener = on_progress
        self.future: Future[Answer] = Future()
        self.future.set_running_or_notify_cancel()  # only `cancel` may cancel it
        threading.Thread(target=self._run, args=(instance, options), daemon=True).start()

    def _run(self, instance: Instance | str, options: Options) -> None:
        try:
            found = solve(instance, options, on_progress=self._hear, stop=self._stop)
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(found)

    def _hear(self, progress: Progress) -> None:
        self._latest = progress
        if self._listener is not None:
            self._listener(progress)

    def result(self, timeout_s: float | None = None) -> Answer:
        """Wait for the answer and return it.

        The answer of a cancelled run is UNKNOWN, with the incumbent and the best bound.

        Raises
        ------
        TimeoutError
            When there is no answer after ``timeout_s`` seconds; the run goes on.
        UnoCspError
            Any error that :func:`uno_csp.solve` raises.
        """
        return self.future.result(timeout_s)

    def wait(self) -> None:
        """Wait until the run has ended, with an answer or an error."""
        concurrent.futures.wait([self.future])

    def done(self) -> bool:
        """Return True if the run has ended, with an answer or an error."""
        return self.future.done()

    def progress(self) -> Progress | None:
        """Return the latest progress reported; None before the first round."""
        return self._latest

    def cancel(self) -> None:
        """Stop the run, killing its processes within a second; no-op if it has ended."""
        self._stop.set()


@takes_options
def start(
    instance: Instance | str,
    options: Options | None = None,
    *,
    on_progress: ProgressListener | None = None,
    **chosen: Unpack[Choices],
) -> SolveTask:
    r"""Start :func:`uno_csp.solve` in the background and return a handle at once.

    Parameters
    ----------
    instance, options, on_progress, chosen
        As for :func:`uno_csp.solve`; ``on_progress`` is called in the background thread. An
        exception that it raises ends the run and is raised by ``result``.

    Raises
    ------
    NotAccepted
        When an option or ``on_progress`` is not allowed. All other errors are raised by ``result``.

    Examples
    --------
    >>> from uno_csp import parse
    >>> task = start(parse("red,5\nred,7"))
    >>> task.result().status
    <Status.SATISFIABLE: 'SATISFIABLE'>
    """
    require_function("on_progress", on_progress)
    return SolveTask(instance, Options.given(options, chosen), on_progress)


@takes_options
async def solve_async(
    instance: Instance | str,
    options: Options | None = None,
    *,
    on_progress: ProgressListener | None = None,
    **chosen: Unpack[Choices],
) -> Answer:
    """Answer a question like :func:`uno_csp.solve`, as a coroutine.

    Cancelling it kills the solving processes, and the cancellation then propagates.

    Parameters
    ----------
    instance, options, on_progress, chosen
        As for :func:`start`.

    Raises
    ------
    UnoCspError
        Any error that :func:`uno_csp.solve` raises.
    """
    task = start(instance, options, on_progress=on_progress, **chosen)
    try:
        return await asyncio.wrap_future(task.future)
    except asyncio.CancelledError:
        task.cancel()
        raise
