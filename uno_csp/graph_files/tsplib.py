"""Reader of TSPLIB's Hamiltonian problems: TYPE HCP (a cycle) and HPP (a path)."""

from collections.abc import Iterator

from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import (
    Draft,
    ReadGraph,
    Reading,
    Vertex,
    error_at,
    lines_of,
    named,
    numbered,
    size_of,
)

_KEYS = ("NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_DATA_FORMAT")
_TYPES = ("HCP", "HPP")
_LISTS = ("EDGE_LIST", "ADJ_LIST")
_CUT_OFF = "the file is cut off; EDGE_DATA_SECTION ends with -1"

_Lines = Iterator[tuple[int, list[str]]]


def read_tsplib(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of TSPLIB: DIMENSION, and edges as EDGE_LIST or ADJ_LIST."""
    lines = iter(lines_of(text))
    header = _header(lines)
    kind = _choice(header, "TYPE", _TYPES, default="HCP")
    written = _choice(header, "EDGE_DATA_FORMAT", _LISTS)
    line, dimension = header.get("DIMENSION", (None, ""))
    size = size_of(dimension, "vertices", line)
    draft = Draft(reading)
    draft.number(range(1, size + 1), line)
    each_twice = False
    if written == "EDGE_LIST":
        _read_pairs(draft, lines, size)
    else:
        each_twice = draft.is_both_ways(_read_lists(draft, lines, size))
    for number, words in lines:
        if words != ["EOF"]:
            raise _key_error(words[0].partition(":")[0], number)
        for after, _ in lines:
            raise error_at(after, "there is a line behind EOF")
    asks_for_path = kind == "HPP"
    if asks_for_path:
        draft.note("TYPE HPP asks for a path")
    yield draft.finish("TSPLIB", each_twice=each_twice, asks_for_path=asks_for_path)


def _header(lines: _Lines) -> dict[str, tuple[int, str]]:
    """Return the values of the keys before EDGE_DATA_SECTION, with their lines."""
    header: dict[str, tuple[int, str]] = {}
    for number, words in lines:
        key, colon, value = (part.strip() for part in " ".join(words).partition(":"))
        if key == "EDGE_DATA_SECTION" and not value:
            return header
        if key == "EOF":
            raise error_at(number, "the file ends before EDGE_DATA_SECTION")
        if key not in _KEYS or not colon:
            raise _key_error(key, number)
        if key in header and key != "COMMENT":
            raise error_at(number, f"a second {key}")
        header[key] = number, value
    raise error_at(None, "there is no EDGE_DATA_SECTION")


def _key_error(key: str, line: int) -> InstanceError:
    """Return the error of a line that is no key of a Hamiltonian problem."""
    key = key.strip()
    if key == "FIXED_EDGES_SECTION":
        return error_at(line, "edges that a tour has to use are not supported")
    known = ", ".join((*_KEYS, "EDGE_DATA_SECTION"))
    shown = named(key)
    return error_at(line, f"{shown} is not read in a Hamiltonian problem; there are {known}")


def _choice(
    header: dict[str, tuple[int, str]], key: str, allowed: tuple[str, ...], default: str = ""
) -> str:
    line, value = header.get(key, (None, default))
    if value not in allowed:
        shown = named(value) or "nothing"
        raise error_at(line, f"{key}: {shown} is not allowed; expected {' or '.join(allowed)}")
    return value


def _read_pairs(draft: Draft, lines: _Lines, size: int) -> None:
    """Read a pair of vertices from each line, up to a line with -1."""
    for number, words in lines:
        if words == ["-1"]:
            return
        if words[0] == "EOF":
            raise error_at(number, _CUT_OFF)
        if len(words) != 2:
            raise error_at(number, "expected two vertices")
        one, other = (numbered(word, size, number) for word in words)
        draft.join(one, other, number)
    raise error_at(None, _CUT_OFF)


def _read_lists(draft: Draft, lines: _Lines, size: int) -> set[tuple[Vertex, Vertex]]:
    """Read lists of a vertex and its neighbours, each ended by -1; so is the list of lists."""
    arcs = set[tuple[Vertex, Vertex]]()
    current: list[int] = []
    for number, words in lines:
        if words[0] == "EOF":
            raise error_at(number, _CUT_OFF)
        for place, word in enumerate(words, start=1):
            if word != "-1":
                current.append(numbered(word, size, number))
            elif current:
                for near in current[1:]:
                    draft.join(current[0], near, number)
                    arcs.add((current[0], near))
                current = []
            elif place < len(words):
                raise error_at(number, "there are numbers behind the last -1")
            else:
                return arcs
    raise error_at(None, _CUT_OFF)
