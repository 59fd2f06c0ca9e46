"""Where jobs are solved: what a place must offer, and the place that is this machine.

The executor gives each of its threads a seat. A job is solved there by a child process of its own
under the limits it is given, wherever that is.
"""

from collections.abc import Mapping
from contextlib import suppress
from threading import Event
from typing import Any, Protocol

from uno_csp.processes.programs import GRACE_S, Limits, Listener, Program, Supervised
from uno_csp.service.programs import in_shape
from uno_csp.service.settings import Settings


class Seat(Protocol):
    """Does one task at a time, for one thread."""

    def run(
        self,
        task: Mapping[str, Any],
        limits: Limits,
        stop: Event | None = None,
        listener: Listener | None = None,
        *,
        ask: Event | None = None,
        grace_s: float = GRACE_S,
    ) -> Supervised:
        """As :meth:`uno_csp.processes.programs.Program.run`."""
        ...

    def end(self) -> None:
        """Leave it."""
        ...


class Seats(Protocol):
    """A place with seats."""

    @property
    def workers(self) -> int | None:
        """Number of workers of a cluster that are there now; None if the place is this machine."""
        ...

    def take(self) -> Seat:
        """A seat for the thread that asks."""
        ...

    def close(self) -> None:
        """Leave the place, when all its seats have been left."""
        ...


class LocalSeats:
    """Programs of this machine."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def workers(self) -> None:
        """There is no cluster."""

    def take(self) -> Seat:
        """A seat whose program is begun at once if the server is eager."""
        return LocalSeat(self._settings.memory_mb, eager=self._settings.eager)

    def close(self) -> None:
        """Nothing is left to be closed."""


class LocalSeat:
    """A program that is kept from one task to the next."""

    def __init__(self, memory_mb: float, *, eager: bool = False) -> None:
        self._memory_mb = memory_mb
        self._program: Program | None = None
        if eager:
            with suppress(OSError):  # the first task will tell
                self._program = in_shape(None, memory_mb)

    def run(
        self,
        task: Mapping[str, Any],
        limits: Limits,
        stop: Event | None = None,
        listener: Listener | None = None,
        *,
        ask: Event | None = None,
        grace_s: float = GRACE_S,
    ) -> Supervised:
        """Let the program do a task."""
        self._program = in_shape(self._program, self._memory_mb)
        return self._program.run(task, limits, stop, listener, ask=ask, grace_s=grace_s)

    def end(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.end()
