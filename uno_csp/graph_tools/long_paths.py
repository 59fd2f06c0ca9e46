"""Long paths without a proof: the deepest of depth-first searches, lengthened by detours.

Each takes time linear in the size of the graph, or a limited number of steps. In sparse graphs with
many dead ends, where rotations lose what they have, they give paths that are several times longer.
"""

import random
from collections.abc import Callable, Iterator, Sequence

from uno_csp.graph_tools.pieces import Near

MOST_SEARCHES, MOST_SEARCHED = 4, 200_000
"""Maximum number of depth-first searches, and of vertices and edges in all but the first."""

MOST_SEEN = 40  # maximum number of vertices that are seen for one detour
MOST_DETOURS = 2_000_000  # maximum number of neighbours that are looked at for all detours
PER_LOOK = 64  # number of steps between two looks at the clock
FREE, LEFT_OUT = -1, -2  # places of vertices that are not on the path, or no longer


def long_path(near: Near, seed: int, expired: Callable[[], bool] = bool) -> list[int]:
    """Return a long path of a connected graph.

    >>> cross = [[1, 2, 3, 4], [0, 5], [0, 6], [0], [0], [1], [2]]
    >>> sorted(long_path(cross, seed=0))
    [0, 1, 2, 5, 6]
    """
    rng = random.Random(seed)
    size = len(near) + sum(map(len, near))
    path: list[int] = []
    for _ in range(1 + min(MOST_SEARCHES - 1, MOST_SEARCHED // size)):
        found = _deepest(near, rng.randrange(len(near)), rng, expired)
        path = max(path, _deepest(near, found[0], rng, expired), key=len)
    return lengthened(near, path, expired)


def _deepest(near: Near, root: int, rng: random.Random, expired: Callable[[], bool]) -> list[int]:
    """Return the path from the deepest vertex of a depth-first search to its root."""

    def others(vertex: int) -> Iterator[int]:
        return iter(rng.sample(near[vertex], len(near[vertex])))

    seen = bytearray(len(near))
    seen[root] = True
    trail, ways, deepest = [root], [others(root)], [root]
    while ways:
        vertex = next((other for other in ways[-1] if not seen[other]), None)
        if vertex is not None:
            seen[vertex] = True
            trail.append(vertex)
            ways.append(others(vertex))
            if len(trail) % PER_LOOK or not expired():
                continue
            ways.clear()
        if len(trail) > len(deepest):
            deepest = trail.copy()
        trail.pop()
        del ways[-1:]
    return deepest[::-1]


def lengthened(near: Near, path: Sequence[int], expired: Callable[[], bool] = bool) -> list[int]:
    """Return the path with detours, as long as they lengthen it.

    A detour leaves the path for vertices that are not on it, and ends there, or returns to the path
    behind fewer vertices than it adds. The path is walked from both ends in turn.
    """
    longest, in_vain, left = list(path), 0, MOST_DETOURS
    while in_vain < 2 and left > 0 and not expired():
        detours = _Detours(near, longest[::-1], left, expired)
        found = detours.walk()
        in_vain = in_vain + 1 if len(found) == len(longest) else 0
        longest, left = found, detours.left
    return longest


class _Detours:
    """A walk along a path; ``left`` is the number of neighbours that it may look at."""

    def __init__(
        self, near: Near, path: Sequence[int], left: int, expired: Callable[[], bool]
    ) -> None:
        self._near, self._path, self._expired = near, path, expired
        self._place = [FREE] * len(near)
        for place, vertex in enumerate(path):
            self._place[vertex] = place
        self.left = left

    def walk(self) -> list[int]:
        """Return the path with the best detour from each vertex that is reached."""
        walked: list[int] = []
        place = 0
        while place < len(self._path):
            if self.left <= 0 or (len(walked) % PER_LOOK == 0 and self._expired()):
                return [*walked, *self._path[place:]]
            walked.append(self._path[place])
            detour, after = self._best(place)
            for vertex in (*detour, *self._path[place + 1 : after]):
                self._place[vertex] = LEFT_OUT
            walked += detour
            place = after
        return walked

    def _best(self, place: int) -> tuple[list[int], int]:
        """Return the best detour from a place, and the place where it returns or the path ends."""
        near, places, end = self._near, self._place, len(self._path)
        best, after, gain = list[int](), place + 1, 0
        trail, ways = list[int](), [iter(near[self._path[place]])]
        seen = {self._path[place]}
        while ways and len(seen) <= MOST_SEEN:
            vertex = next((v for v in ways[-1] if places[v] == FREE and v not in seen), None)
            if vertex is None:
                ways.pop()
                del trail[-1:]
                continue
            seen.add(vertex)
            trail.append(vertex)
            ways.append(iter(near[vertex]))
            for back in (end, *(places[other] for other in near[vertex])):
                more = len(trail) - (back - place - 1)
                if back > place and more > gain:
                    best, after, gain = trail.copy(), back, more
        self.left -= sum(len(near[vertex]) for vertex in seen)
        return best, after
