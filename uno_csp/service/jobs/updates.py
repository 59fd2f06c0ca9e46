"""Subscriptions that wake the requests waiting for a job when it changes."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from uno_csp.service.job import Job
from uno_csp.service.problems import Problem

MOST_STREAMS, MOST_OF_CLIENT = 500, 20  # streams of events in all, and of one client


class Subscription:
    """Updates of one job, for one coroutine: that it has changed, or ended.

    ``last`` is the job as it ended, if this server has done it.
    """

    def __init__(self) -> None:
        self.changed, self.ended = asyncio.Event(), asyncio.Event()
        self.last: Job | None = None


async def wait(event: asyncio.Event, timeout_s: float) -> None:
    """Wait for an event, or until the timeout."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), timeout_s)


class Updates:
    """All subscriptions of a server; created in the event loop that awaits them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._subscriptions: dict[str, set[Subscription]] = defaultdict(set)
        self._streams: Counter[str] = Counter()
        self.closed = False

    def publish(self, job: str, *, ended: bool = False, last: Job | None = None) -> None:
        """Wake the subscribers of a job; may be called from any thread."""
        if job in self._subscriptions:
            with suppress(RuntimeError):  # the loop may be closed already
                self._loop.call_soon_threadsafe(self._publish, job, ended, last)

    def _publish(self, job: str, ended: bool, last: Job | None = None) -> None:
        for subscription in self._subscriptions.get(job, ()):
            subscription.last = last
            subscription.changed.set()
            if ended:
                subscription.ended.set()

    def close(self) -> None:
        """Wake all subscribers, for which nothing will change any more."""
        self.closed = True
        for job in list(self._subscriptions):
            self._publish(job, True)

    @contextmanager
    def stream(self, client: str) -> Iterator[None]:
        """Hold a place for a stream of events; raise a Problem with 429 if there are too many."""
        if self._streams[client] >= MOST_OF_CLIENT or self._streams.total() >= MOST_STREAMS:
            said = "too many streams of events are open"
            raise Problem(429, said, headers={"Retry-After": "5"})
        self._streams[client] += 1
        try:
            yield
        finally:
            self._streams[client] -= 1
            self._streams += Counter()  # drops clients without a stream

    @contextmanager
    def subscribe(self, job: str) -> Iterator[Subscription]:
        """Subscribe to a job; it may have ended before, so check once after subscribing."""
        subscription = Subscription()
        self._subscriptions[job].add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions[job].discard(subscription)
            if not self._subscriptions[job]:
                del self._subscriptions[job]
