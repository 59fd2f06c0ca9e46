"""Short work for clients who wait: reading, checking, exporting and generating, under limits.

Nothing of it is done in the server's own process, where it would hold up everybody. Requests that
may take long have lanes of their own: questions are read, answers checked and hands generated
however many games are analysed or files exported.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from uno_csp.processes.programs import Limits, Listener, Program, Supervised
from uno_csp.processes.scratch import scratch_folder
from uno_csp.service.problems import Problem
from uno_csp.service.programs import in_shape
from uno_csp.service.settings import Settings
from uno_csp.service.store import Store
from uno_csp.service.worker import ERROR, RESULT

READING_S = 3.0
"""So long reading a question may take, with finding its canonical form, which may be hard."""

WALL_S = 60.0
"""So long any other errand may take."""

PROGRAMS = 2
MOST_WAITING = 200
"""So many errands of a lane are run at a time, and so many more may wait for their turn."""

LOOK_EVERY_S = 0.5
"""So often it is seen whether the client is still there."""

CHUNK = 1 << 16
T = TypeVar("T")
Departed = Callable[[], Awaitable[bool]]
"""Whether a client has gone away."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A request that has been read, its canonical hash, and its answer if that is known."""

    request: Mapping[str, Any]
    hash: str | None
    answer: Mapping[str, Any] | None = None


Asking = Callable[..., Supervised]
"""Lets a program do a task: called with the task, its time in seconds, and maybe a listener."""


class Lane:
    """A few threads, each with a program of its own."""

    def __init__(self, memory_mb: float, *, eager: bool) -> None:
        self._memory_mb = memory_mb
        self._threads = ThreadPoolExecutor(PROGRAMS, thread_name_prefix="errand")
        self._programs: dict[int, Program] = {}
        self._waiting = 0
        self._stops: set[threading.Event] = set()
        if eager:
            self._threads.submit(self._program)

    async def run(self, doing: Callable[["Asking"], T], departed: Departed | None = None) -> T:
        """Do something in one of the threads; it is stopped when the client goes away.

        Raises
        ------
        Problem
            429 when too many wait already.
        """
        if self._waiting >= PROGRAMS + MOST_WAITING:
            raise Problem(429, "too much at a time", headers={"Retry-After": "1"})
        stop = threading.Event()
        self._waiting += 1
        self._stops.add(stop)
        try:
            ask = partial(self._ask, stop)
            work = asyncio.get_running_loop().run_in_executor(self._threads, doing, ask)
            while not (await asyncio.wait({work}, timeout=departed and LOOK_EVERY_S))[0]:
                if departed is not None and await departed():
                    stop.set()
            return work.result()
        finally:
            stop.set()  # also when the server ends, and nobody waits any more
            self._stops.discard(stop)
            self._waiting -= 1

    def _ask(
        self,
        stop: threading.Event,
        task: Mapping[str, Any],
        wall_s: float,
        listener: Listener | None = None,
    ) -> Supervised:
        """Let the program of this thread do a task."""
        if stop.is_set():
            raise Problem(503, "it was stopped")
        limits = Limits(wall_s, None, self._memory_mb)
        return self._program().run(task, limits, stop, listener, grace_s=0)

    def _program(self) -> Program:
        """The program of this thread."""
        here = threading.get_ident()
        program = in_shape(self._programs.get(here), self._memory_mb)
        self._programs[here] = program
        return program

    def close(self) -> None:
        """End the programs, whatever they are at."""
        for stop in list(self._stops):
            stop.set()
        self._threads.shutdown(cancel_futures=True)
        for program in self._programs.values():
            program.end()


class Errands:
    """The lanes of one server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._reading = Lane(settings.memory_mb, eager=settings.eager)
        self._short, self._exports, self._games = (
            Lane(settings.memory_mb, eager=False) for _ in range(3)
        )

    def close(self) -> None:
        """End what is under way."""
        for lane in (self._reading, self._short, self._exports, self._games):
            lane.close()

    async def accept(self, body: str, enter: Callable[[Accepted], T]) -> T:
        """Read a request to solve, look for its answer, and enter it.

        Raises
        ------
        Problem
            What is wrong with it; whatever ``enter`` raises.
        """

        def doing(ask: Asking) -> T:
            """Reading, and the store."""
            accepted = self._read(ask, body)
            return enter(replace(accepted, answer=self._recall(ask, accepted)))

        return await self._reading.run(doing)

    def _read(self, ask: Asking, body: str) -> Accepted:
        settings = self._settings
        limits = {"wall_s": settings.wall_s, "longest_wall_s": settings.longest_wall_s}
        found: list[Mapping[str, Any]] = []
        sizes = {"cards": settings.cards, "backends": settings.backends}
        task = {"do": "accept", "body": body, **sizes, **limits}
        ended = ask(task, READING_S, found.append)
        if found and ended.message is None:
            return Accepted(found[0], None)  # only the canonical form took too long
        result = _result(ended)
        return Accepted(found[0], result["hash"])

    def _recall(self, ask: Asking, accepted: Accepted) -> Mapping[str, Any] | None:
        kept = None if accepted.hash is None else self._store.recall(accepted.hash)
        if kept is None:
            return None
        asked = {"instance": accepted.request["instance"], "hash": accepted.hash, "kept": kept}
        ended = ask({"do": "recall", **asked}, READING_S)
        answer: Mapping[str, Any] | None = (ended.message or {}).get(RESULT)
        return answer

    async def parse(self, body: str) -> dict[str, Any]:
        """The question in a file's text, as JSON.

        Raises
        ------
        Problem
            When it cannot be read, with the place.
        """
        task = {"do": "parse_text", "body": body, "cards": self._settings.cards}
        ended = await self._reading.run(lambda ask: ask(task, READING_S))
        return dict(_result(ended))

    async def check(self, body: str, departed: Departed) -> dict[str, Any]:
        """What the checker says of an answer.

        Raises
        ------
        Problem
            When the question or the answer cannot be read, or it takes too long.
        """
        task = {"do": "check_answer", "body": body}
        return dict(await self._run(self._short, task, departed))

    async def generate(self, body: str, departed: Departed) -> dict[str, Any]:
        """A question of a family.

        Raises
        ------
        Problem
            When there is no such family, a parameter is wrong, or it takes too long.
        """
        task = {"do": "generate_question", "body": body}
        return dict(await self._run(self._short, task, departed))

    async def analyse(self, body: str, departed: Departed) -> dict[str, Any]:
        """What every move of a game on the way leads to.

        Raises
        ------
        Problem
            When the game or a turn cannot be read, or it takes too long.
        """
        task = {"do": "analyse_game", "body": body}
        return dict(await self._run(self._games, task, departed))

    async def advise(self, body: str, departed: Departed) -> dict[str, Any]:
        """Which card to play when the other hands are not seen.

        Raises
        ------
        Problem
            When what is known cannot be read, or cannot be.
        """
        task = {"do": "advise_player", "body": body}
        return dict(await self._run(self._games, task, departed))

    async def export(self, body: str, departed: Departed) -> Iterator[bytes]:
        """The file, piece by piece; it is whole before the first piece is handed out.

        Raises
        ------
        Problem
            When it cannot be written.
        """
        with scratch_folder() as folder:
            path = folder / "exported"
            task = {"do": "export_question", "body": body, "path": str(path)}
            await self._run(self._exports, task, departed)
            exported = path.open("rb")  # its name goes at once, it itself when it has been read

        def pieces() -> Iterator[bytes]:
            """The file as it is read."""
            with exported as stream:
                while piece := stream.read(CHUNK):
                    yield piece

        return pieces()

    async def _run(
        self, lane: Lane, task: Mapping[str, Any], departed: Departed
    ) -> Mapping[str, Any]:
        sized = {**task, "cards": self._settings.cards}
        ended = await lane.run(lambda ask: ask(sized, WALL_S), departed)
        found: Mapping[str, Any] = _result(ended)
        return found


def _result(ended: Supervised) -> Any:
    """What a program found.

    Raises
    ------
    Problem
        What it complained of, or how it ended without a word.
    """
    message = ended.message or {}
    if RESULT in message:
        return message[RESULT]
    if ERROR in message:
        body = dict(message[ERROR])
        raise Problem(body.pop("status"), body.pop("detail"), **body)
    if ended.reached:
        raise Problem(422, f"this takes too much: {ended.reached}")
    raise Problem(502, f"the process ended with {ended.exit_code}")
