"""Readers of graph6, sparse6 and digraph6, the formats of nauty: a graph is a line of text.

A line is read strictly: every character, the length and the bits that fill up the last character
must be as the formats have them (https://users.cecs.anu.edu.au/~bdm/data/formats.txt). Vertices
are numbered from 0.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from uno_csp.errors import InstanceError
from uno_csp.questions.wording import shown

MOST_VERTICES = 1_000_000  # maximum number of vertices of a graph that is read
Pairs: TypeAlias = Iterator[tuple[int, int]]  # the edges of a graph, or the arcs of a directed one
_BITS = 6  # number of bits of a character


def read_graph6(line: str) -> tuple[int, Pairs]:
    """Return the number of vertices and the edges of a line of graph6.

    Raises InstanceError if the line is not graph6, or has more than :data:`MOST_VERTICES`.

    >>> size, edges = read_graph6("Bw")
    >>> size, list(edges)
    (3, [(0, 1), (0, 2), (1, 2)])
    """
    size, data = _size_and_data(line)
    ones = _ones(data, size * (size - 1) // 2)
    return size, _upper_triangle(ones)


def read_digraph6(line: str) -> tuple[int, Pairs]:
    """Return the number of vertices and the arcs of a line of digraph6.

    Raises InstanceError as :func:`read_graph6`.

    >>> size, arcs = read_digraph6("&AO")
    >>> size, list(arcs)
    (2, [(0, 1)])
    """
    size, data = _size_and_data(_after("&", line))
    return size, (divmod(place, size) for place in _ones(data, size * size))


def read_sparse6(line: str) -> tuple[int, Pairs]:
    """Return the number of vertices and the edges of a line of sparse6.

    Raises InstanceError as :func:`read_graph6`; what follows the last edge is checked when the
    edges are consumed.

    >>> size, edges = read_sparse6(":An")
    >>> size, list(edges)
    (2, [(0, 1)])
    """
    size, data = _size_and_data(_after(":", line))
    return size, _sparse_edges(size, data)


READERS: Mapping[str, Callable[[str], tuple[int, Pairs]]] = MappingProxyType(
    {"graph6": read_graph6, "sparse6": read_sparse6, "digraph6": read_digraph6}
)
"""The readers by the names of the formats."""


def _after(mark: str, line: str) -> str:
    if not line.startswith(mark):
        raise InstanceError(f"it begins with {shown(line[:1])}, not with {mark}")
    return line[1:]


def _size_and_data(text: str) -> tuple[int, str]:
    """Return the number of vertices, and the characters behind it."""
    odd = re.search(r"[^?-~]", text)
    if odd:
        raise InstanceError(f"character {shown(odd[0])} is not one of those from ? to ~")
    begin = 2 if text.startswith("~~") else int(text.startswith("~"))
    digits, least = ((1, 0), (3, 63), (6, 258048))[begin]
    codes = [ord(char) - 63 for char in text[begin : begin + digits]]
    if len(codes) < digits:
        raise InstanceError("it ends before the number of vertices")
    size = sum(code << _BITS * place for place, code in enumerate(reversed(codes)))
    if size < least:
        raise InstanceError(f"{size} vertices are written with too many characters")
    if size > MOST_VERTICES:
        raise InstanceError(f"{size} vertices are too many; a graph has up to {MOST_VERTICES}")
    return size, text[begin + digits :]


def _ones(data: str, bits: int) -> Iterator[int]:
    """Return the places of the bits that are 1, after checking how many bits there are."""
    wanted = -(-bits // _BITS)
    if len(data) != wanted:
        found = "1 character follows" if len(data) == 1 else f"{len(data)} characters follow"
        raise InstanceError(f"{found} the number of vertices, not {wanted}")
    spare = wanted * _BITS - bits
    if data and (ord(data[-1]) - 63) & ((1 << spare) - 1):
        raise InstanceError("the bits behind the last edge are not 0")
    return (
        place.start() * _BITS + bit
        for place in re.finditer("[@-~]", data)
        for bit in range(_BITS)
        if (ord(place[0]) - 63) >> (_BITS - 1 - bit) & 1
    )


def _upper_triangle(places: Iterator[int]) -> Pairs:
    """Yield the pair at each place of the upper triangle of a matrix, column by column."""
    column, begin = 1, 0
    for place in places:
        while place >= begin + column:
            begin += column
            column += 1
        yield place - begin, column


def _sparse_edges(size: int, data: str) -> Pairs:
    """Yield the edges: each bit b and number x moves a vertex v, or joins x to it."""
    width = (size - 1).bit_length() if size > 1 else 0
    if data and not width:
        raise InstanceError("a graph with one vertex has no edges")
    bits = held = vertex = 0
    for index, char in enumerate(data, start=1):
        bits, held = bits << _BITS | (ord(char) - 63), held + _BITS
        while held > width:
            group = bits >> (held - width - 1)
            vertex, number = vertex + (group >> width), group & ((1 << width) - 1)
            if max(vertex, number) >= size:  # these bits fill up the last character
                _require_filling(bits, held, last=index == len(data))
                return
            if number > vertex:
                vertex = number
            else:
                yield number, vertex
            held -= width + 1
            bits &= (1 << held) - 1
    if held == width and size == 1 << width:
        # Some writers fill up with a 0 first, which the format wants only from one bit more on.
        bits |= 1 << held >> 1
    _require_filling(bits, held, last=True)


def _require_filling(bits: int, held: int, *, last: bool) -> None:
    """Raise unless the last bits are fewer than a character, and all of them 1."""
    if not last or held >= _BITS or bits != (1 << held) - 1:
        raise InstanceError("the bits behind the last edge are not 1")
