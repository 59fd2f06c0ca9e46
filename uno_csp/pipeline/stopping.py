"""Runs in the background: a handle to wait for one, to watch it, to cancel it; and coroutines."""

import asyncio
import concurrent.futures
import threading
from concurrent.futures import Future
from typing import Unpack

from uno_csp.answers import Answer
from uno_csp.pipeline.options import Choices, Options
from uno_csp.pipeline.progress import Progress, ProgressListener
from uno_csp.pipeline.race import Stop
from uno_csp.pipeline.solving import solve
from uno_csp.questions import Instance


class SolveTask:
    """A question that is being answered in the background; made by :func:`start`.

    ``future`` is a :class:`concurrent.futures.Future` of the answer, to be waited for with others.
    """

    def __init__(
        self, instance: Instance | str, options: Options, on_progress: ProgressListener | None
    ) -> None:
        self._stop = Stop()
        self._latest: Progress | None = None
        self._listener = on_progress
        self.future: Future[Answer] = Future()
        self.future.set_running_or_notify_cancel()  # so that nobody cancels it but by `cancel`
        threading.Thread(target=self._run, args=(instance, options), daemon=True).start()

    def _run(self, instance: Instance | str, options: Options) -> None:
        try:
            found = solve(instance, options, on_progress=self._hear, stop=self._stop)
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(found)
        finally:
            self._stop.close()

    def _hear(self, progress: Progress) -> None:
        self._latest = progress
        if self._listener is not None:
            self._listener(progress)

    def result(self, timeout_s: float | None = None) -> Answer:
        """The answer, waited for.

        Of a run that was cancelled it is UNKNOWN, with the best that was found and proved.

        Raises
        ------
        TimeoutError
            When there is none after so many seconds; the run goes on.
        UnoCspError
            Whatever :func:`uno_csp.solve` raises.
        """
        return self.future.result(timeout_s)

    def wait(self) -> None:
        """Wait for its end, whatever it is."""
        concurrent.futures.wait([self.future])

    def done(self) -> bool:
        """Whether there is an answer, or an error."""
        return self.future.done()

    def progress(self) -> Progress | None:
        """How far it has come, as far as it has told; None before the first round."""
        return self._latest

    def cancel(self) -> None:
        """Stop it: its processes are gone within a second. A run that has ended stays as it is."""
        self._stop.set()


def start(
    instance: Instance | str,
    options: Options | None = None,
    *,
    on_progress: ProgressListener | None = None,
    **chosen: Unpack[Choices],
) -> SolveTask:
    r"""Begin to answer a question, and go on; as :func:`uno_csp.solve`, which waits.

    Parameters
    ----------
    instance, options, on_progress, chosen
        As for :func:`uno_csp.solve`; ``on_progress`` is called in a thread of its own, and what it
        raises ends the run and is raised by ``result``.

    Raises
    ------
    NotAccepted
        When an option is not allowed. What else is wrong is raised by ``result``.

    Examples
    --------
    >>> from uno_csp import parse
    >>> task = start(parse("red,5\\nred,7"))
    >>> task.result().status
    <Status.SATISFIABLE: 'SATISFIABLE'>
    """
    return SolveTask(instance, Options.given(options, chosen), on_progress)


async def solve_async(
    instance: Instance | str,
    options: Options | None = None,
    *,
    on_progress: ProgressListener | None = None,
    **chosen: Unpack[Choices],
) -> Answer:
    """Answer a question while other coroutines go on; as :func:`uno_csp.solve`.

    When it is cancelled, the processes that solve are ended, and then the cancellation goes on.

    Parameters
    ----------
    instance, options, on_progress, chosen
        As for :func:`start`.

    Raises
    ------
    UnoCspError
        Whatever :func:`uno_csp.solve` raises.
    """
    task = start(instance, options, on_progress=on_progress, **chosen)
    try:
        return await asyncio.wrap_future(task.future)
    except asyncio.CancelledError:
        task.cancel()
        raise
