"""Long paths and Hamiltonian cycles by rotations and extensions.

A path is extended at its end as long as a neighbour is free, the one with the fewest free
neighbours first. Where none is left, an edge from the end back to the path turns round what lies
behind it, which gives another end (Pósa 1976; Angluin and Valiant 1979). Ends with free neighbours
are preferred, then those that close the path to a cycle, which can be opened beside a free vertex.
The search never proves that there is no path.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from uno_csp.graph_tools.pieces import Near

ROTATIONS, ROTATIONS_PER_VERTEX = 300, 6
"""Maximum number of rotations in a row without an extension: a constant, and per vertex."""

TURN_AFTER = 50  # number of rotations in a row after which the other end of the path is moved
PER_LOOK = 1000  # number of vertices that are appended between two looks at the clock
ROTATIONS_PER_LOOK = 16  # number of rotations in a row between two looks at the clock
PER_STEP = 64  # number of vertices that are reversed in the time of another step


@dataclass(frozen=True, slots=True)
class Sought:
    """A path or a cycle through all vertices that is sought."""

    closed: bool = False  # whether it is a cycle
    # ends of the path, if they are given. A target alone is not.
    source: int | None = None
    target: int | None = None


def rotated(
    near: Near, sought: Sought, seed: int, most_steps: int, expired: Callable[[], bool] = bool
) -> tuple[bool, list[int]]:
    """Return whether a path or cycle through all vertices was found, and the longest path found.

    The limits are those of :meth:`Rotations.run`.

    >>> square = [[1, 3], [0, 2], [1, 3], [0, 2]]
    >>> rotated(square, Sought(closed=True), 0, 100)
    (True, [3, 2, 1, 0])
    """
    search = Rotations(near, sought, seed)
    return search.run(most_steps, expired), search.best


class Rotations:
    """A search with restarts, which can go on; ``best`` is the longest path found so far."""

    def __init__(self, near: Near, sought: Sought, seed: int) -> None:
        self._near, self._sought, self._rng = near, sought, random.Random(seed)
        self._walk = _Walk(near, sought, self._rng)
        self._given_up = 0  # number of steps of the paths that were given up
        self.best: list[int] = []

    def run(self, most_steps: int, expired: Callable[[], bool] = bool) -> bool:
        """Go on with the search; return True once a path or cycle is found.

        All runs together make ``most_steps`` at most, each of which looks at one neighbour, and end
        when ``expired`` returns True.
        """
        while self._given_up < most_steps:
            walk, left = self._walk, most_steps - self._given_up
            complete = walk.run(left, expired)
            if complete or walk.length > len(self.best):
                self.best = walk.visited()
            if complete or walk.steps >= left or expired():
                return complete
            self._given_up += walk.steps
            self._walk = _Walk(self._near, self._sought, self._rng)
        return False


class _Walk:
    """A path that is extended and rotated."""

    def __init__(self, near: Near, sought: Sought, rng: random.Random) -> None:
        size = len(near)
        self.near, self.sought, self.rng = near, sought, rng
        self.path, self.place = np.zeros(size, dtype=np.int64), np.full(size, -1, dtype=np.int64)
        self.at, self.where = self.path.data, self.place.data
        self.numbers = np.arange(size)
        self.length, self.steps = 0, size  # to begin anew takes time, too
        self.idle = 0  # number of rotations since the last extension
        self.free = list(map(len, near))  # the number of free neighbours of each vertex
        self.unvisited = set(range(size))
        self.closing = bytearray(size)  # the vertices at which the path may end
        if sought.target is not None:
            self._take(sought.target)
        self.size = len(self.unvisited)
        self._append(self._start())

    def _start(self) -> int:
        if self.sought.source is not None:
            return self.sought.source
        fewest = min(map(len, self.near))
        return self.rng.choice([v for v, others in enumerate(self.near) if len(others) == fewest])

    def visited(self) -> list[int]:
        """Return the path; with its target if that ends it."""
        found: list[int] = self.path[: self.length].tolist()
        target = self.sought.target
        if target is not None and self.closing[found[-1]]:
            found.append(target)
        return found

    def run(self, most_steps: int, expired: Callable[[], bool]) -> bool:
        """Return True once all vertices are visited as sought; False if the search is stuck."""
        most_idle = ROTATIONS + ROTATIONS_PER_VERTEX * self.size
        turns = self.sought.source is None
        self._set_closing()
        while True:
            if self._extend(expired):
                self.idle = 0
            if self._is_complete():
                return True
            if self.steps >= most_steps or self.idle >= most_idle:
                return False
            if not self.idle % ROTATIONS_PER_LOOK and expired():
                return False
            if turns and self.length < self.size and self.closing[self.at[self.length - 1]]:
                self._open()
                continue
            self._rotate(self.closing if self.length == self.size else self.free)
            self.idle += 1
            if turns and self.idle % TURN_AFTER == 0:
                self._reverse(0)
                self._set_closing()

    def _set_closing(self) -> None:
        """Mark the vertices at which the path closes, or reaches its target."""
        target = self.sought.target
        self.closing = bytearray(len(self.near))
        for vertex in self.near[self.at[0] if target is None else target]:
            self.closing[vertex] = 1

    def _is_complete(self) -> bool:
        if self.length < self.size:
            return False
        bound = self.sought.closed or self.sought.target is not None
        return not bound or bool(self.closing[self.at[self.length - 1]])

    def _extend(self, expired: Callable[[], bool]) -> bool:
        """Extend the path as far as possible; return True if that was possible."""
        free, unvisited, began = self.free, self.unvisited, self.length
        end = self.at[began - 1]
        while free[end]:
            ahead = [vertex for vertex in self.near[end] if vertex in unvisited]
            fewest = min([free[vertex] for vertex in ahead])
            end = self.rng.choice([vertex for vertex in ahead if free[vertex] == fewest])
            self._append(end)
            if not self.length % PER_LOOK and expired():
                break
        return self.length > began

    def _append(self, vertex: int) -> None:
        self.at[self.length] = vertex
        self.where[vertex] = self.length
        self.length += 1
        self._take(vertex)

    def _take(self, vertex: int) -> None:
        self.unvisited.remove(vertex)
        for other in self.near[vertex]:
            self.free[other] -= 1
        self.steps += 1 + len(self.near[vertex])

    def _rotate(self, wanted: Sequence[int]) -> None:
        """Rotate the path to another end, a wanted one if there is one."""
        at, where, last = self.at, self.where, self.length - 2
        near = self.near[at[self.length - 1]]
        self.steps += 1 + len(near)
        places = [where[vertex] + 1 for vertex in near if -1 < where[vertex] < last]
        good = [place for place in places if wanted[at[place]]]
        if not good and self.length < self.size and self.sought.source is None:
            good = [place for place in places if self.closing[at[place]]]
        if places:
            self._reverse(self.rng.choice(good or places))

    def _reverse(self, first: int) -> None:
        """Reverse the path from a place on."""
        part = self.path[first : self.length]
        part[:] = part[::-1]
        self.place[part] = self.numbers[first : self.length]
        self.steps += len(part) // PER_STEP

    def _open(self) -> None:
        """Open the cycle that the path closes such that it ends beside a free vertex."""
        doors = (v for free in self.unvisited for v in self.near[free] if self.where[v] >= 0)
        door = next(doors, None)
        if door is None:  # no free vertex can be reached
            self.steps += len(self.near) * len(self.near)
            return
        self.path[: self.length] = np.roll(self.path[: self.length], -1 - self.where[door])
        self.place[self.path[: self.length]] = self.numbers[: self.length]
        self.steps += self.length // PER_STEP
        self._set_closing()
