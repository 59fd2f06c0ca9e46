"""Short tasks for clients who wait: parsing, checking, exporting and generating, under limits.

None of it is done in the server's own process, where it would hold up everybody. Requests that may
take long have lanes of their own: questions are parsed, answers checked and hands generated however
many games are analysed or files exported.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from uno_csp.processes.channel import WAS_STOPPED
from uno_csp.processes.supervision import Control, Limits, Listener, Outcome, Replier
from uno_csp.service.jobs.runners import LocalRunner
from uno_csp.service.jobs.tasks import ANSWER, ERROR, RESULT
from uno_csp.service.problems import Problem
from uno_csp.service.settings import Settings
from uno_csp.service.stores.store import Store, StoreUnavailable

PARSING_S = 3.0  # for parsing a question and its canonical form, which may be hard
WALL_S = 60.0  # time limit of any other request
LANES = 4  # lanes for requests of people who wait for an answer

AT_A_TIME, MAX_WAITING = 2, 200  # requests of a lane that are handled, and that may wait
LINKS_AT_A_TIME = 1  # links that are looked into at a time
LINK_S = 3.0  # time limit for what is shown of a link
CHECK_EVERY_S = 0.5  # interval at which the connection of a waiting client is checked
T = TypeVar("T")
LONG_HANDLERS = (
    "solve_list",
    "analyse_game",
    "advise_player",
    "choose_move",
    "review_game",
    "solve_graph",
    "count_plays",
    "make_puzzle",
)

Departed = Callable[[], Awaitable[bool]]  # returns True when a client has gone away


@dataclass(frozen=True, slots=True)
class Accepted:
    """A request that has been parsed, its canonical hash, and its answer if that is known."""

    request: Mapping[str, Any]
    hash: str | None
    answer: Mapping[str, Any] | None = None


Run = Callable[..., Outcome]  # called with a task, its seconds, a listener and a replier


class Lane:
    """A few threads that hand tasks to a runner, and a limit on those that wait."""

    def __init__(self, runner: LocalRunner, memory_mb: float, at_a_time: int = AT_A_TIME) -> None:
        self._runner, self._memory_mb = runner, memory_mb
        self._threads = ThreadPoolExecutor(at_a_time, thread_name_prefix="short-request")
        self._at_a_time = at_a_time
        self._waiting = 0
        self._stops: set[threading.Event] = set()

    async def run(
        self,
        request: Callable[["Run"], T],
        departed: Departed | None = None,
        max_waiting: int = MAX_WAITING,
    ) -> T:
        """Handle a request in a thread while the client waits; raise a Problem if too many do."""
        if self._waiting >= self._at_a_time + max_waiting:
            raise Problem(429, "too many requests are waiting", headers={"Retry-After": "1"})
        stop = threading.Event()
        self._waiting += 1
        self._stops.add(stop)

        def run_task(
            task: Mapping[str, Any],
            wall_s: float,
            listener: Listener | None = None,
            replier: Replier | None = None,
        ) -> Outcome:
            if stop.is_set():
                raise Problem(503, WAS_STOPPED)
            limits = Limits(wall_s, None, self._memory_mb)
            control = Control(stop, listener=listener, grace_s=0, replier=replier)
            return self._runner.run(task, limits, control)

        try:
            work = asyncio.get_running_loop().run_in_executor(self._threads, request, run_task)
            while departed and not (await asyncio.wait({work}, timeout=CHECK_EVERY_S))[0]:
                if await departed():
                    stop.set()
            return await work
        finally:
            stop.set()  # also when this coroutine is cancelled at shutdown
            self._stops.discard(stop)
            self._waiting -= 1

    def stop(self) -> None:
        """Stop what is under way or waits."""
        for stop in list(self._stops):
            stop.set()

    def close(self) -> None:
        """Stop everything, and end the threads."""
        self.stop()
        self._threads.shutdown(cancel_futures=True)


class ShortRequests:
    """The lanes of one server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        eager = int(settings.eager)
        most_idle = LANES * AT_A_TIME + LINKS_AT_A_TIME
        self._runner = LocalRunner(most_idle, settings.memory_mb, eager=eager)
        self._runner.start()
        self._lanes = [Lane(self._runner, settings.memory_mb) for _ in range(LANES)]
        self._parsing, self._short, self._exports, self._long = self._lanes
        self._links = Lane(self._runner, settings.memory_mb, LINKS_AT_A_TIME)
        self._lanes.append(self._links)

    def stop(self) -> None:
        """Refuse what is under way or waits."""
        for lane in self._lanes:
            lane.stop()

    def close(self) -> None:
        """Stop everything, and end the workers."""
        for lane in self._lanes:
            lane.close()
        self._runner.close()

    async def accept(
        self, body: str, enter: Callable[[Accepted], T], departed: Departed | None = None
    ) -> T:
        """Parse a request to solve, look for its answer in the store, and enter it."""
        return await self._parsing.run(lambda run: enter(self._parse(run, body)), departed)

    def _parse(self, run: Run, body: str) -> Accepted:
        settings = self._settings
        limits = {"wall_s": settings.wall_s, "longest_wall_s": settings.longest_wall_s}
        found: list[Mapping[str, Any]] = []
        sizes = {"cards": settings.cards, "backends": settings.backends}
        task = {"do": "accept", "body": body, **sizes, **limits}
        outcome = run(task, PARSING_S, found.append, self._recall)
        if found and outcome.result is None:
            return Accepted(found[0], None)  # only the canonical form took too long
        result = _result(outcome)
        return Accepted(found[0], result["hash"], result[ANSWER])

    def _recall(self, canonical: str) -> Mapping[str, Any] | None:
        """Return the cached answer under a canonical hash, in canonical names."""
        with suppress(StoreUnavailable):  # the cache only saves work
            return self._store.recall(canonical)
        return None

    async def parse(self, body: str) -> dict[str, Any]:
        """Parse the text of a question file; return the question as JSON."""
        task = {"do": "parse_text", "body": body, "cards": self._settings.cards}
        outcome = await self._parsing.run(lambda run: run(task, PARSING_S))
        return dict(_result(outcome))

    async def answer(self, handler: str, body: str, departed: Departed) -> dict[str, Any]:
        """Return the reply of a handler of the worker; those that take long have a lane."""
        lane = self._long if handler in LONG_HANDLERS else self._short
        return dict(await self._run(lane, {"do": handler, "body": body}, departed))

    async def of_link(self, handler: str, query: str, departed: Departed, max_waiting: int) -> Any:
        """Return what a handler makes of the question in a link; None if the link is refused."""
        task = {"do": handler, "query": query}
        with suppress(Problem):
            outcome = await self._links.run(lambda run: run(task, LINK_S), departed, max_waiting)
            return _result(outcome)
        return None

    async def export(self, body: str, path: Path, departed: Departed) -> None:
        """Write the file of a question to a path."""
        task = {"do": "export_question", "body": body, "path": str(path)}
        await self._run(self._exports, task, departed)

    async def _run(
        self, lane: Lane, task: Mapping[str, Any], departed: Departed
    ) -> Mapping[str, Any]:
        sized = {**task, "cards": self._settings.cards, "backends": self._settings.backends}
        outcome = await lane.run(lambda run: run(sized, WALL_S), departed)
        found: Mapping[str, Any] = _result(outcome)
        return found


def _result(outcome: Outcome) -> Any:
    """Return the result of a task, or raise the Problem that it found or ended with."""
    returned = outcome.result or {}
    if RESULT in returned:
        return returned[RESULT]
    if ERROR in returned:
        body = dict(returned[ERROR])
        raise Problem(body.pop("status"), body.pop("detail"), **body)
    if outcome.limit_hit == WAS_STOPPED:
        raise Problem(503, WAS_STOPPED)
    if outcome.limit_hit:
        raise Problem(422, f"this request is too expensive: {outcome.limit_hit}")
    raise Problem(502, f"the worker process ended with exit code {outcome.exit_code}")
