"""A look at a graph before a solver is started: what is known without a search.

All steps are linear in the size of the graph, or limited by a number of steps, so that the same
graph and seed always give the same result; the deadline only ends them. Rotations may find a path
or a cycle; small degrees, components, blocks and separators may show that there is none; and graphs
of small treewidth are decided by tables of mates.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from threading import Event
from typing import Any

from uno_csp.graph_tools.long_paths import lengthened, long_path
from uno_csp.graph_tools.mate_tables import Edge, Effort, most_edges
from uno_csp.graph_tools.pieces import (
    Near,
    biconnected,
    components,
    double_sweep,
    has_short_cycles,
    induced,
    parted,
    paths_of,
    strip_leaves,
    two_core,
)
from uno_csp.graph_tools.rotations import Rotations, Sought, rotated
from uno_csp.graph_tools.separators import best_separator
from uno_csp.graph_tools.straight_orders import straight_walk
from uno_csp.graph_tools.wide_blocks import relaxed_edges
from uno_csp.processes.deadline import NEVER, Deadline, TimeUp
from uno_csp.questions.answers import Status

ROTATIONS = "rotations"  # name of the method that finds paths by rotations

# Steps of rotations per vertex or edge, and more of them for each of the first ones.
FIRST_PER_EDGE, FIRST_MORE = 5, 20
SPARSE_DEGREE = 3.5  # mean degree below which a graph is sparse
MANY_FORCED = 0.15  # share of vertices of degree 2 from which rotations are few
LAST_PER_EDGE, LAST_MORE = 10, 50  # where nothing else decides
PER_PART = 2000  # steps of rotations, of about 1 ms, between two looks at a search
LEAST_MORE, MOST_MORE = 50, 1000  # number of the first ones: more than there are, at most
MOST_JOINTS = 2_000_000  # maximum number of edges added to join paths of a cover
RELAXED_WIDTH = 8  # maximum degree of an eliminated vertex of a graph with relaxed blocks
MANY_VERTICES = 100_000  # number of vertices from which even trivial paths take long
FEW_NAMES = 5  # maximum number of vertices that a reason names


@dataclass(slots=True)
class Look:
    """The limits of a look."""

    seed: int = 0  # seed of the rotations
    deadline: Deadline = NEVER  # when to give up
    # whether only rotations are to find paths, and nothing to show that there are none
    rotations_only: bool = False
    stop: Event | None = None  # ends the look, as the deadline does

    def rotated(self, near: Near, sought: Sought, *, long: bool = False) -> tuple[bool, list[int]]:
        """Return whether a path or cycle was found by rotations, and the longest path found."""
        return rotated(near, sought, self.seed, most_steps(near, long=long), self.expired)

    def expired(self) -> bool:
        """Return True once the deadline has passed, or the look was stopped."""
        return self.deadline.expired or (self.stop is not None and self.stop.is_set())

    def require_time(self, near: Near) -> None:
        """Raise TimeUp if the look has ended, and paths of a graph would take long."""
        if len(near) >= MANY_VERTICES and self.expired():
            raise TimeUp("the look has ended")

    def relaxed(
        self, near: Near, *, single: bool, ended: Sequence[int]
    ) -> tuple[int | None, list[Edge] | None]:
        """Return a bound on the edges of paths, and edges that attain it, by its wide blocks."""
        effort = Effort(RELAXED_WIDTH, expired=self.expired)
        return relaxed_edges(near, single=single, ended=ended, effort=effort, rotate=self.rotated)

    @property
    def effort(self) -> Effort:
        """The effort for tables of mates."""
        return Effort(expired=self.expired)


def most_steps(near: Near, *, long: bool = False) -> int:
    """Return the maximum number of steps of rotations on a graph."""
    size = len(near) + sum(map(len, near)) // 2
    each, more = (LAST_PER_EDGE, LAST_MORE) if long else (FIRST_PER_EDGE, FIRST_MORE)
    return each * size + more * min(size + LEAST_MORE, MOST_MORE)


def most_at_once(near: Near) -> tuple[int, int]:
    """Return the steps of rotations for one path or cycle before a search, and those beside it.

    There are few where many vertices have two neighbours, whose edges rotations break again and
    again. There are none beside the search of a sparse graph where cycles are short, as in a
    lattice: there they find a cycle soon or not at all.
    """
    degrees = list(map(len, near))
    first, last = most_steps(near), most_steps(near, long=True)
    if degrees.count(2) >= MANY_FORCED * len(near):
        return first // 6, 0
    if sum(degrees) >= SPARSE_DEGREE * len(near):
        return first, last - first
    return first, 0 if has_short_cycles(near) else last - first


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of a look at a graph, or of a search."""

    status: Status = Status.UNKNOWN  # as for any question
    paths: list[list[int]] | None = None  # the best paths that were found
    # proved bound on the number of paths, or of vertices of a longest path
    bound: int | None = None
    # for a no, the reason, in which `{0}` and so on stand for the vertices in `named`
    reason: str = ""
    named: Sequence[int] = ()
    separator: Sequence[int] | None = None  # vertices whose removal shows the no or the bound
    method: str | None = None  # the method that found the paths, if that was one
    # vertices of the components that are still to be searched; `paths` covers them, too
    undecided: Sequence[int] = field(default=())
    # further parts of the look, which take a while, for beside a search; the last may decide
    later: Iterable["Seen"] = ()
    backend: str | None = None  # of a search
    stats: Mapping[str, Any] | None = None  # of a search


def _yes(path: list[int], method: str | None) -> Seen:
    return Seen(Status.SATISFIABLE, [path], method=method)


def _no(reason: str, named: Sequence[int] = (), separator: Sequence[int] | None = None) -> Seen:
    return Seen(Status.UNSATISFIABLE, None, None, reason, named, separator)


def _ends(sought: Sought) -> list[int]:
    return [end for end in (sought.source, sought.target) if end is not None]


def look_for_one(near: Near, sought: Sought, look: Look) -> Seen:
    """Look for one path or cycle through all vertices."""
    if len(near) == 1:
        return _yes([0], None)
    no = _small_degree(near, sought)
    if no is None and len(components(near)) > 1:
        no = _no("it is not connected", (), ())
    if no is not None and not look.rotations_only:
        return no
    search = Rotations(near, sought, look.seed)
    first, more = most_at_once(near)
    if look.rotations_only:
        first, more = most_steps(near), 0
    if search.run(first, look.expired):
        return _yes(search.best, ROTATIONS)
    if look.rotations_only:
        return Seen()
    for stage in (_separate, _blocks_forbid, _in_a_row, _by_tables):
        seen = None if look.expired() else stage(near, sought, look)
        if seen is not None:
            return seen
    return Seen(later=_rotate_on(search, first, first + more, look))


def _small_degree(near: Near, sought: Sought) -> Seen | None:
    """Return a no if a vertex has too few neighbours."""
    leaves = [vertex for vertex, others in enumerate(near) if len(others) == 1]
    if sought.closed:
        return _no("{0} has one neighbour only", leaves[:1], near[leaves[0]]) if leaves else None
    free = set(leaves).difference(_ends(sought))
    if len(free) <= 2 - len(_ends(sought)):
        return None
    several = Counter(near[leaf][0] for leaf in leaves)
    hubs = [vertex for vertex, count in several.items() if count > 1]
    if len(free) == 1:
        return _no("{0} has one neighbour only, and is no given end", [*free], hubs)
    besides = " besides the given ends" if _ends(sought) else ""
    return _no(f"{len(free)} vertices{besides} have one neighbour only", (), hubs)


def _in_a_row(near: Near, sought: Sought, _look: Look) -> Seen | None:
    """Return a yes if one is along a row of the vertices, as in proper interval graphs.

    One of these with a cycle has an edge from each vertex in the row to the two before it.
    """
    too_sparse = sought.closed and sum(map(len, near)) < 2 * (2 * len(near) - 3)
    walk = None if _ends(sought) or too_sparse else straight_walk(near, closed=sought.closed)
    return _yes(walk, None) if walk else None


def _separate(near: Near, sought: Sought, look: Look) -> Seen | None:
    """Return a no if few vertices separate the graph into many components."""
    needed, removed = best_separator(near, _ends(sought), look.expired)
    if needed <= int(not sought.closed):
        return None
    count = len(components(near, removed))
    return _no(*_without(removed, count), removed)


def _without(removed: Sequence[int], count: int) -> tuple[str, Sequence[int]]:
    """Return a reason of a separator, and the vertices that it names."""
    if len(removed) > FEW_NAMES:
        return f"without {len(removed)} of its vertices it falls into {count} components", ()
    names = ", ".join(f"{{{place}}}" for place in range(len(removed)))
    return f"without {names} it falls into {count} components", removed


def _blocks_forbid(near: Near, sought: Sought, _look: Look) -> Seen | None:
    """Return a no unless the blocks of the graph are in a row between the ends of the path."""
    blocks = biconnected(near)
    times = Counter(chain.from_iterable(blocks))
    cuts = {vertex for vertex, count in times.items() if count > 1}
    given = set(_ends(sought))
    if sought.closed or not cuts:
        return None
    leaves = [block for block in blocks if len(block & cuts) == 1]
    bare = [block for block in leaves if not (block - cuts) & given]
    if len(bare) > 2 - len(given):
        count = "a block that hangs" if len(bare) == 1 else f"{len(bare)} blocks that each hang"
        room = ("no other end", "one other end", "two ends")[2 - len(given)]
        return _no(f"{count} on one vertex must hold an end of the path, which has {room}")
    return None


def _by_tables(near: Near, sought: Sought, look: Look) -> Seen | None:
    """Return the answer if the graph has a small treewidth; a cycle is a path to a doubled end."""
    ends, size = _ends(sought), len(near)
    if sought.closed:
        doubled = min(range(size), key=lambda vertex: len(near[vertex]))
        copy = [
            [*others, size] if vertex in near[doubled] else list(others)
            for vertex, others in enumerate(near)
        ]
        near, ends = [*copy, list(near[doubled])], [doubled, size]
    decided, edges = most_edges(
        near, single=False, most_cost=2 - len(ends), ended=ends, effort=look.effort
    )
    if not decided:
        return None if sought.closed else _by_wide_blocks(near, sought, look)
    if edges is None:
        return _no("tables of its parts leave no choice of edges")
    return _yes(_path(near, edges, ends)[:size], None)


def _path(near: Near, edges: Iterable[Edge], ends: Sequence[int]) -> list[int]:
    """Return the path of some edges, from the first of its given ends."""
    (path,) = paths_of(range(len(near)), edges)
    return path if path[0] == next(iter(ends), path[0]) else path[::-1]


def _by_wide_blocks(near: Near, sought: Sought, look: Look) -> Seen | None:
    """Return the answer if blocks relaxed to complete graphs leave a small treewidth."""
    bound, edges = look.relaxed(near, single=False, ended=_ends(sought))
    if edges is not None and len(edges) == len(near) - 1:
        return _yes(_path(near, edges, _ends(sought)), ROTATIONS)
    if bound is not None and bound < len(near) - 1:
        return _no("tables of its blocks leave no choice of edges")
    return None


def _rotate_on(search: Rotations, done: int, most: int, look: Look) -> Iterator[Seen]:
    for steps in range(done, most, PER_PART):
        if look.expired():
            return
        if search.run(steps + PER_PART, look.expired):
            yield _yes(search.best, ROTATIONS)
            return
        yield Seen()


def look_for_fewest(near: Near, look: Look) -> Seen:
    """Look for the fewest paths that visit all vertices, component by component.

    Raises TimeUp if a look at a large graph has ended before its first paths are found.
    """
    look.require_time(near)
    paths: list[list[int]] = []
    bound, undecided, methods = 0, list[int](), set[str | None]()
    removed: list[int] = []
    for part in components(near):
        look.require_time(near)
        own = _fewest(induced(near, part), look)
        assert own.paths is not None  # noqa: S101
        assert own.bound is not None  # noqa: S101
        paths += [[part[vertex] for vertex in path] for path in own.paths]
        bound += own.bound
        methods.add(own.method)
        removed += [part[vertex] for vertex in own.separator or ()]
        if own.bound < len(own.paths):
            undecided += part
    status = Status.UNKNOWN if undecided else Status.OPTIMAL
    method = methods.pop() if len(methods) == 1 else None
    return Seen(status, paths, bound, "", (), removed, method, undecided)


def _fewest(near: Near, look: Look) -> Seen:
    """Look for the fewest paths that visit all vertices of a connected graph."""
    size = len(near)
    stripped = strip_leaves(near)
    look.require_time(near)
    if not stripped.left and not look.rotations_only:
        paths = paths_of(range(size), stripped.edges)
        return Seen(Status.OPTIMAL, paths, len(paths))
    found, path = look.rotated(near, Sought())
    if found:
        return Seen(Status.OPTIMAL, [path], 1, method=ROTATIONS)
    look.require_time(near)
    if look.rotations_only or look.expired():
        paths = _greedy_cover(near) if look.expired() else _cover(near, 1, look)
        bound = 1 if look.rotations_only else _fewest_by_ends(near)
        return Seen(Status.UNKNOWN, paths, bound, method=ROTATIONS)
    place = {vertex: number for number, vertex in enumerate(stripped.left)}
    _, edges = most_edges(
        induced(near, stripped.left),
        single=False,
        most_cost=2 * size,
        ended=[place[vertex] for vertex in stripped.ended],
        effort=look.effort,
    )
    if edges is not None:
        joined = [(stripped.left[one], stripped.left[other]) for one, other in edges]
        paths = paths_of(range(size), [*stripped.edges, *joined])
        return Seen(Status.OPTIMAL, paths, len(paths))
    most, edges = look.relaxed(near, single=False, ended=())
    if edges is not None:
        paths = paths_of(range(size), edges)
        return Seen(Status.OPTIMAL, paths, len(paths), method=ROTATIONS)
    needed, removed = best_separator(near, (), look.expired)
    bound = max(needed, _fewest_by_ends(near) if most is None else size - most)
    paths = _cover(near, bound, look)
    return Seen(Status.UNKNOWN, paths, bound, separator=removed, method=ROTATIONS)


def _fewest_by_ends(near: Near) -> int:
    """Return a bound on the paths: a vertex with one neighbour is an end, and a path has two."""
    leaves = sum(len(each) == 1 for each in near)
    return max(1, (leaves + 1) // 2)


def _cover(near: Near, count: int, look: Look) -> list[list[int]]:
    """Return the smallest of some covers, one of them for a bound on the number of its paths."""
    covers = [_greedy_cover(near)]
    if not look.expired():
        covers.append(_cover_by_long_paths(near, look))
    if (count - 1) * len(near) <= MOST_JOINTS and not look.expired():
        covers.append(_cover_by_joints(near, count - 1, look))
    return min(covers, key=len)


def _cover_by_joints(near: Near, more: int, look: Look) -> list[list[int]]:
    """Return the cover that a longer path through some more vertices, next to all, falls into."""
    size = len(near)
    joints = range(size, size + more)
    wider = [[*others, *joints] for others in near] + [list(range(size)) for _ in joints]
    _, path = look.rotated(wider, Sought(), long=True)
    left = sorted(set(range(size)).difference(path))
    rest = [[left[vertex] for vertex in each] for each in _greedy_cover(induced(near, left))]
    return parted(path, size) + rest


def _cover_by_long_paths(near: Near, look: Look) -> list[list[int]]:
    """Return a long path of each component, and then of each that this leaves, and so on."""
    paths, left = list[list[int]](), list(range(len(near)))
    while left and not look.expired():
        inside, rest = induced(near, left), list[int]()
        for part in components(inside):
            path = long_path(induced(inside, part), look.seed, look.expired)
            paths.append([left[part[vertex]] for vertex in path])
            on = set(path)
            rest += [left[vertex] for place, vertex in enumerate(part) if place not in on]
        left = sorted(rest)
    last = _greedy_cover(induced(near, left))
    return paths + [[left[vertex] for vertex in path] for path in last]


def _greedy_cover(near: Near) -> list[list[int]]:
    """Return paths that visit all vertices, each extended at both ends as far as possible."""
    free = set(range(len(near)))
    order = sorted(free, key=lambda vertex: len(near[vertex]))
    return [_extend(near, [start], free) for start in order if start in free]


def look_for_longest(near: Near, look: Look) -> Seen:
    """Look for a longest path, in the largest components first; raise TimeUp as for covers."""
    look.require_time(near)
    best, method = list[int](), None
    undecided: list[tuple[int, list[int]]] = []
    for part in sorted(components(near), key=len, reverse=True):
        if len(part) <= len(best):
            break
        look.require_time(near)
        if undecided and look.expired():
            undecided.append((len(part), part))
            continue
        own = _longest(induced(near, part), len(best), look)
        if own.paths and len(own.paths[0]) > len(best):
            best, method = [part[vertex] for vertex in own.paths[0]], own.method
        if own.status is Status.UNKNOWN:
            undecided.append((len(part) if own.bound is None else own.bound, part))
    open_parts = [(most, part) for most, part in undecided if most > len(best)]
    status = Status.UNKNOWN if open_parts else Status.OPTIMAL
    bound = max([len(best), *(most for most, _ in open_parts)])
    rest = list(chain.from_iterable(part for _, part in open_parts))
    return Seen(status, [best], bound, method=method, undecided=rest)


def _longest(near: Near, known: int, look: Look) -> Seen:
    """Look for a longest path of a connected graph; one of ``known`` vertices is known."""
    size = len(near)
    if sum(map(len, near)) == 2 * (size - 1) and not look.rotations_only:
        return Seen(Status.OPTIMAL, [double_sweep(near)])
    found, path = look.rotated(near, Sought())
    if found:
        return Seen(Status.OPTIMAL, [path], method=ROTATIONS)
    if look.expired():
        return Seen(Status.UNKNOWN, [_extend(near, path, set(range(size)))], method=ROTATIONS)
    path = max(path, long_path(near, look.seed, look.expired), key=len)
    if look.rotations_only:
        return Seen(Status.UNKNOWN, [max(path, _long_path(near, look), key=len)], method=ROTATIONS)
    if len(path) == size:
        return Seen(Status.OPTIMAL, [path], method=ROTATIONS)
    most_left_out = size - 1 - max(known, len(path))
    decided, edges = most_edges(
        near, single=True, most_cost=most_left_out, ended=(), effort=look.effort
    )
    most = None
    if not decided:
        most, edges = look.relaxed(near, single=True, ended=())
    if not decided and edges is None and not look.expired():
        path = max(path, _long_path(near, look), key=len)
    if edges is None:
        bound = size if most is None else most + 1
        decided = decided or bound <= max(known, len(path))
        status = Status.OPTIMAL if decided else Status.UNKNOWN
        return Seen(status, [path], bound, method=ROTATIONS)
    paths = paths_of({vertex for edge in edges for vertex in edge}, edges)
    return Seen(Status.OPTIMAL, paths)


def _long_path(near: Near, look: Look) -> list[int]:
    """Return a long path: one through cycles first, then on from both ends, with detours."""
    core = two_core(near) or [0]
    _, found = look.rotated(induced(near, core), Sought(), long=True)
    path = _extend(near, [core[vertex] for vertex in found], set(range(len(near))))
    return lengthened(near, path, look.expired)


def _extend(near: Near, path: list[int], free: set[int]) -> list[int]:
    """Return a path extended at both ends to free vertices, those of small degree first."""
    free.difference_update(path)
    for _ in range(2):
        while ahead := [vertex for vertex in near[path[-1]] if vertex in free]:
            path.append(min(ahead, key=lambda vertex: len(near[vertex])))
            free.remove(path[-1])
        path.reverse()
    return path
