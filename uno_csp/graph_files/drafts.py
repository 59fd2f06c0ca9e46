"""Graphs that are being read: their vertices, edges and limits, and what is said of them."""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from uno_csp.errors import InstanceError
from uno_csp.graphs.graph6 import MOST_VERTICES
from uno_csp.questions.wording import SHOWN_CHARS, counted, printable

MOST_EDGES = 10_000_000  # maximum number of edges that are read, or listed
WEIGHT = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
Vertex: TypeAlias = Hashable  # A vertex: a number or a name of the file
Token: TypeAlias = tuple[str, str, int]  # A token: its kind, its text, and its line


@dataclass(frozen=True, slots=True)
class Reading:
    """Options of the readers of graphs."""

    # whether arcs are taken as edges; otherwise a directed graph is an error
    undirected: bool = False
    # whether a name alone on a line of a list of edges is a vertex without edges; otherwise it is
    # an error
    isolated: bool = False


@dataclass(frozen=True, slots=True)
class ReadGraph:
    """A graph that was read: undirected, without loops and parallel edges."""

    vertices: tuple[Vertex, ...]  # the vertices, each once
    edges: tuple[tuple[int, int], ...]  # pairs of places in `vertices`, each pair once
    format: str  # the format in words, with its article where it has one
    # what else was done: weights ignored, repeated edges taken as one, and so on
    notes: tuple[str, ...] = ()
    asks_for_path: bool = False  # whether the file asks for a path

    @property
    def said(self) -> str:
        """Return in one line what was read.

        >>> ReadGraph((1, 2), ((0, 1),), "an edge list", ("weights are ignored",)).said
        'read as an edge list: 2 vertices, 1 edge; weights are ignored'
        """
        vertices = counted(len(self.vertices), "vertex", "vertices")
        sizes = f"{vertices}, {counted(len(self.edges), 'edge')}"
        return "; ".join((f"read as {self.format}: {sizes}", *self.notes))


def error_at(line: int | None, message: str) -> InstanceError:
    """Return the error of a line, or of the whole graph."""
    return InstanceError(f"graph: {message}" if line is None else f"line {line}: {message}")


class Draft:
    """A graph that is being read; ``place`` has the places of its vertices."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.place: dict[Vertex, int] = {}
        self.listed = 0
        self._edges: dict[tuple[int, int], None] = {}
        self._notes: dict[str, None] = {}

    def number(self, vertices: range, line: int | None, kind: type[int] | type[str] = int) -> None:
        """Add numbered vertices, unless they would be too many."""
        if len(vertices) > MOST_VERTICES:
            many = f"{len(vertices)} vertices are too many"
            raise error_at(line, f"{many}; a graph has up to {MOST_VERTICES}")
        for vertex in vertices:
            self.add(kind(vertex), line)

    def add(self, vertex: Vertex, line: int | None = None) -> int:
        """Return the place of a vertex, which is added if it is new."""
        place = self.place.get(vertex)
        if place is None:
            place = self.place[vertex] = len(self.place)
            if place >= MOST_VERTICES:
                raise error_at(line, f"more than {MOST_VERTICES} vertices, the most of a graph")
        return place

    def declare(self, vertex: Vertex, line: int | None = None) -> None:
        """Add a vertex that is declared; raise InstanceError if it is declared twice."""
        if vertex in self.place:
            raise error_at(line, f"vertex {named(vertex)} is declared twice")
        self.add(vertex, line)

    def join(self, one: Vertex, other: Vertex, line: int | None = None) -> None:
        """Add an edge; raise InstanceError at a loop, or an end that is not declared."""
        first, second = self.place.get(one), self.place.get(other)
        if first is None or second is None:
            end = one if first is None else other
            raise error_at(line, f"an edge of {named(end)}, which is not declared as a vertex")
        if first == second:
            raise error_at(line, f"a loop at {named(one)}; a path uses none")
        self.listed += 1
        if self.listed > MOST_EDGES:
            raise error_at(line, f"more than {MOST_EDGES} edges, the most of a graph")
        self._edges[(first, second) if first < second else (second, first)] = None

    @property
    def size(self) -> int:
        """Number of different edges."""
        return len(self._edges)

    def directed(self, line: int | None, what: str) -> None:
        """Note that it is directed; raise InstanceError unless arcs may be edges."""
        if not self.reading.undirected:
            message = f"the graph is directed ({what})"
            raise error_at(line, f"{message}; the option undirected takes its arcs as edges")
        self.note("its arcs are taken as edges")

    def is_both_ways(self, arcs: set[tuple[Vertex, Vertex]], *, required: bool = False) -> bool:
        """Return True if each edge is listed at both ends, and False if each is at one.

        Others, and edges at one end where both are required, are those of a directed graph.
        """
        one_way = [arc for arc in arcs if arc[::-1] not in arcs]
        if one_way and (required or len(one_way) < len(arcs)):
            one, other = min(one_way, key=lambda arc: [self.place[end] for end in arc])
            self.directed(None, f"{named(one)} names {named(other)}, which does not name it")
        return not one_way

    def note(self, text: str) -> None:
        """Note what the answer has to say of the reading; a repeated note is said once."""
        self._notes[text] = None

    def finish(
        self,
        words: str,
        labels: Sequence[str] = (),
        *,
        each_twice: bool = False,
        asks_for_path: bool = False,
    ) -> ReadGraph:
        """Return the graph of a format, in words, which may list edges at both ends.

        The vertices are called by their labels if each has another one.
        """
        repeated = 0 if each_twice else self.listed - len(self._edges)
        if repeated:
            verb = "1 repeated edge is" if repeated == 1 else f"{repeated} repeated edges are"
            self.note(f"{verb} taken once")
        called = labels if labels and all(labels) and len({*labels}) == len(labels) else self.place
        return ReadGraph(
            tuple(called), tuple(self._edges), words, tuple(self._notes), asks_for_path
        )


def named(vertex: Vertex) -> str:
    """Return a vertex as text for messages, cut to fit into a line."""
    text = str(vertex)
    return printable(text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}...")


def lines_of(text: str, comments: str = "") -> Iterable[tuple[int, list[str]]]:
    """Yield the words of lines that are neither empty nor comments, with their numbers."""
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if words and words[0][0] not in comments:
            yield number, words


def tokens_of(text: str, pattern: re.Pattern[str], fault: str) -> Iterator[Token]:
    """Yield the tokens of a text: what the groups of a pattern match, which has all of it."""
    place, line = 0, 1
    while place < len(text):
        found = pattern.match(text, place)
        if found is None:
            column = place - text.rfind("\n", 0, place)
            raise error_at(line, f"column {column}: {named(text[place])} {fault}")
        if found.lastgroup:
            yield found.lastgroup, found[0], line
        line += found[0].count("\n")
        place = found.end()


def size_of(word: str, what: str, line: int | None, most: int = MOST_VERTICES) -> int:
    """Return a number of vertices or edges; raise InstanceError if it is none, or too large."""
    if not is_number(word):
        raise error_at(line, f"{named(word) or 'nothing'} is no number of {what}")
    size = int(word[:20])
    if size > most:
        raise error_at(line, f"{word[:20]} {what} are too many; a graph has up to {most}")
    return size


def is_number(word: str) -> bool:
    """Return True if a word is a number without sign, in the digits 0 to 9."""
    return word.isascii() and word.isdecimal()


def numbered(word: str, size: int, line: int) -> int:
    """Return the number of a vertex; raise InstanceError if there is none of it."""
    number = int(word) if is_number(word) and len(word) < 20 else -1
    if not 1 <= number <= size:
        raise error_at(line, f"{named(word)} is no vertex; they are numbered from 1 to {size}")
    return number
