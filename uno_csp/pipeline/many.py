"""Many questions, answered in order by a few workers that are sent several at a time.

The module is also that of the workers: each solves its questions one after another, as
:func:`uno_csp.solve` does.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeAlias

from uno_csp.errors import BackendError, NotAccepted, UnoCspError
from uno_csp.methods import find_backend, find_method, require_available
from uno_csp.pipeline.options import MOST_WORKERS, Options
from uno_csp.pipeline.race import WORKER
from uno_csp.pipeline.solving import solve
from uno_csp.portfolio import is_answered_at_once
from uno_csp.processes.channel import Channel
from uno_csp.processes.pool import EndedAtLimit, Pool
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer
from uno_csp.questions.arguments import described, iterated, plain_value, require_kind
from uno_csp.questions.wording import shown

MODULE = __name__  # module that the workers run
STARTS = (WORKER,)  # modules of the workers that the workers start
MOST_IN_CHUNK = 64  # small questions at a time: a message takes as long as solving one
SHORT_TEXT = 400  # length in characters up to which a question given as text counts as small
AHEAD = 3  # maximum number of chunks read ahead for each worker
WAKE_S = 0.1  # seconds of a single wait, so that Ctrl-C and the end of the iteration are noticed
Given: TypeAlias = Instance | str | UnoCspError
Outcome: TypeAlias = Answer | Exception

POOL = Pool()


def solve_many(
    questions: Iterable[Given], options: Options | None = None, *, workers: int = 2, **chosen: Any
) -> Iterator[Outcome]:
    """Answer questions in several processes; yield an answer or an error for each, in order.

    Questions are read as answers are taken, a bounded number ahead. An error concerns only its
    question: it is yielded in place of the answer, as by ``asyncio.gather`` with
    ``return_exceptions``, and the other questions are answered.

    Parameters
    ----------
    questions
        Questions or their texts, as for :func:`uno_csp.solve`; from a generator, too, and without
        end. An error in place of a question is yielded as it is.
    options, chosen
        The same for every question, as for :func:`uno_csp.solve`; limits are those of each single
        question. A folder for a proof is not allowed.
    workers
        Number of processes; with 1 the questions are answered in this one.

    Raises
    ------
    UnknownName, NotAccepted, BackendUnavailable
        At once, when an option is not allowed, or a method or backend does not exist or is not
        installed.

    Examples
    --------
    >>> [found.status.word for found in solve_many(["R5 R7", "R5 B7"], workers=1)]
    ['YES', 'NO']
    """
    options = Options.given(options, chosen)
    workers = plain_value(workers)
    require_kind("workers", workers, int)
    if not 1 <= workers <= MOST_WORKERS:
        raise NotAccepted(f"workers must be from 1 to {MOST_WORKERS}, not {shown(workers)}")
    if options.proof is not None:
        raise NotAccepted("proof: a folder takes the certificate of one question, not of many")
    if options.method is not None:
        find_method(options.method)
    if options.backend is not None:
        require_available(find_backend(options.backend))
    if isinstance(questions, str):
        raise NotAccepted("questions: a text is one question; expected an iterable of questions")
    if not iterated(questions) and not isinstance(questions, Set):
        kind = described(questions)
        raise NotAccepted(f"questions: {kind} is not allowed; expected an iterable of questions")
    if workers == 1:
        return (_outcome(question, options) for question in questions)
    return _answer(questions, options, workers)


def handle(task: tuple[Sequence[Given], Options], _channel: Channel) -> list[Outcome]:
    """Answer the questions of a chunk; called in a worker."""
    questions, options = task
    return [_outcome(question, options) for question in questions]


def _outcome(question: Given, options: Options) -> Outcome:
    if isinstance(question, UnoCspError):
        return question
    try:
        return solve(question, options)
    except Exception as error:  # it concerns this question alone
        return error


def _answer(questions: Iterable[Given], options: Options, workers: int) -> Iterator[Outcome]:
    stop = threading.Event()
    waiting: deque[Future[list[Outcome]]] = deque()
    threads = ThreadPoolExecutor(workers, thread_name_prefix="solve-many")
    try:
        for chunk in _chunks(questions, workers, options.leave_the_choice):
            waiting.append(threads.submit(_ask, chunk, options, stop.is_set))
            while len(waiting) > AHEAD * workers or (waiting and waiting[0].done()):
                yield from _result(waiting.popleft())
        while waiting:
            yield from _result(waiting.popleft())
    finally:
        stop.set()
        threads.shutdown(cancel_futures=True)


def _result(future: Future[list[Outcome]]) -> list[Outcome]:
    while not future.done():
        wait([future], WAKE_S)
    return future.result()


def _chunks(questions: Iterable[Given], workers: int, free: bool) -> Iterator[list[Given]]:
    """Yield questions in chunks of small ones, the first ones short, and each other by itself."""
    chunk: list[Given] = []
    sent = 0
    for question in questions:
        chunk.append(question)
        most = min(MOST_IN_CHUNK, 1 << sent // workers) if free else 1
        if len(chunk) >= most or not _is_small(question):
            yield chunk
            chunk = []
            sent += 1
    if chunk:
        yield chunk


def _is_small(question: Given) -> bool:
    if isinstance(question, str):
        return len(question) <= SHORT_TEXT
    return not isinstance(question, Instance) or is_answered_at_once(question)


def _ask(chunk: Sequence[Given], options: Options, stopped: Callable[[], bool]) -> list[Outcome]:
    """Return the outcomes of a chunk; what is no question, such as an error, is not sent."""
    sent = [plain_value(each) for each in chunk if isinstance(each, Instance | str)]
    found = iter(_sent(sent, options, stopped) if sent else ())
    return [
        next(found) if isinstance(each, Instance | str) else _outcome(each, options)
        for each in chunk
    ]


def _sent(
    chunk: Sequence[Instance | str], options: Options, stopped: Callable[[], bool]
) -> list[Outcome]:
    """Return what a worker answers; the questions of one that dies are asked again one by one."""
    try:
        with POOL.worker(MODULE) as worker:
            worker.start((chunk, options))
            while not worker.connection.poll(WAKE_S):
                if stopped():
                    raise InterruptedError("the iteration has ended")
            result: list[Outcome] | NotAccepted = worker.receive().result
            if isinstance(result, NotAccepted):
                raise result
            return result
    except (EndedAtLimit, BackendError, NotAccepted) as error:
        if len(chunk) == 1:
            return [BackendError(str(error)) if isinstance(error, EndedAtLimit) else error]
        return [each for question in chunk for each in _sent([question], options, stopped)]
