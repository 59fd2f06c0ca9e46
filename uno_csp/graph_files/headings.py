"""Headings of lists of edges: names of columns, or numbers of vertices and edges."""

from dataclasses import dataclass, field

from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import error_at, is_number, named

_COLUMNS = (
    {"source", "target"},
    {"from", "to"},
    {"u", "v"},
    {"src", "dst"},
    {"tail", "head"},
    {"start", "end"},
    {"node1", "node2"},
    {"node_1", "node_2"},
    {"node_a", "node_b"},
    {"id1", "id2"},
    {"id_1", "id_2"},
    {"vertex1", "vertex2"},
    {"fromnodeid", "tonodeid"},
    {"vertex_a", "vertex_b"},
    {"node", "neighbor"},
    {"node", "neighbour"},
    {"von", "nach"},
    {"quelle", "ziel"},
    {"start", "ziel"},
)
_WEIGHTS = ("weight", "weights", "w", "value", "cost", "distance")
_COUNTED = ("n", "nodes", "vertices", "m", "edges")
"""Words that stand before a number of vertices or edges."""

_BEGIN = "begin a heading with #"


@dataclass(slots=True)
class Survey:
    """Properties of the lines of a list of edges.

    Parameters
    ----------
    first, line
        The cells of the first line, and its number.
    names
        The names on the other lines, with the line where each comes first.
    edges
        The number of other lines with an edge.
    columns
        The number of cells on these lines; 0 if there are none.
    again
        Whether one of them is the edge of the first line, too.
    starts
        The first cells of the other lines, up to three different ones.
    """

    first: list[str]
    line: int
    names: dict[str, int] = field(default_factory=dict)
    edges: int = 0
    columns: int = 0
    again: bool = False
    starts: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: what the answer says of it, and the vertices that it numbers."""

    said: str
    vertices: range = range(0)


def heading_of(survey: Survey, *, isolated: bool) -> Heading | None:
    """Return the heading that the first line is, or None if it is an edge or a vertex.

    Raises
    ------
    InstanceError
        If it may be both, or looks like a heading and does not fit what follows.
    """
    if all(map(is_plain_number, survey.first)):
        return _counts(survey, isolated=isolated)
    return _columns(survey)


def _columns(survey: Survey) -> Heading | None:
    ends = survey.first[:2]
    numbers = len(ends) == 2 and survey.names and all(map(is_number, survey.names))
    shown = ", ".join(map(named, survey.first))
    if ends[0].casefold().rstrip(":=") in _COUNTED and numbers and is_plain_number(ends[1]):
        raise error_at(survey.line, f"{shown} looks like a number in a heading; {_BEGIN}")
    if any(end in survey.names for end in ends):
        return None
    if is_heading(survey.first):
        return Heading(f"with the heading {shown}")
    if numbers and not any(map(is_number, survey.first)):
        raise error_at(survey.line, f"{shown}: all other names are numbers; {_BEGIN}")
    return None


def note_of(survey: Survey) -> str:
    """Return what the answer has to say of a first line that may be an unknown heading."""
    words = len(survey.first) > 1 and not any(map(is_number, survey.first))
    apart = survey.names.keys().isdisjoint(survey.first) and len(survey.names) < 2 * survey.edges
    shown = ", ".join(map(named, survey.first))
    return f"with an edge apart from all others, {shown}" if words and apart else ""


def is_heading(cells: list[str]) -> bool:
    """Return True if some cells are the usual names of two columns of ends, and one of weights."""
    ends, others = cells[:2], cells[2:]
    known = {end.casefold() for end in ends} in _COLUMNS
    return known and all(other.casefold() in _WEIGHTS for other in others)


def _counts(survey: Survey, *, isolated: bool) -> Heading | None:
    """Return the heading of numbers: ``n``, or ``n m`` with m edges behind it."""
    if not all(map(is_plain_number, survey.names)):
        _require_vertex(survey, isolated=isolated)
        return None
    size = int(survey.first[0])
    others = {int(name) for name in survey.names}
    base = 0 if 0 in others else 1
    fits = all(base <= vertex < base + size for vertex in others)
    if len(survey.first) == 1:
        if fits and others and not isolated:
            return _numbered(survey, size, base)
        if fits and others:
            raise _double(survey, f"{size} vertices, or a vertex without edges")
        _require_vertex(survey, isolated=isolated)
        return None
    edges = int(survey.first[1])
    if len(survey.first) > 2:
        if fits and edges == survey.edges and edges not in others:
            raise _double(survey, f"{size} vertices and {edges} edges, or an edge with a weight")
        return None
    says = f"{size} vertices and {edges} edges"
    known = {size, edges} & others
    if fits and edges == survey.edges:
        if not others or (len(known) == 2 and not survey.again):
            raise _double(survey, f"{says}, or an edge")
        return _numbered(survey, size, base)
    if fits and others and _is_likely_heading(size, edges, others):
        message = f"it looks like a heading of {says}, but {survey.edges} edges follow"
        raise error_at(survey.line, f"{message}; {_BEGIN}, or move an edge to another line")
    return None


def _is_likely_heading(size: int, edges: int, names: set[int]) -> bool:
    """Return True if the numbers ``n m`` are more likely those of a file that is cut off.

    As an edge they would be apart from all others, or lead from the last vertex to one that has a
    number beyond the next.
    """
    if size == edges:
        return True
    if edges in names or edges > size * (size - 1):
        return False
    return size not in names or (max(names) == size and edges > size + 1)


def _require_vertex(survey: Survey, *, isolated: bool) -> None:
    """Raise if the first line is a number alone, and no vertex is meant."""
    if len(survey.first) == 1 and not isolated:
        number = named(survey.first[0])
        message = f"{number} is no number of vertices that fits the names that follow, and no edge"
        alone = "a name alone is a vertex only with --isolated"
        raise error_at(survey.line, f"{message}; {alone}")


def _numbered(survey: Survey, size: int, base: int) -> Heading:
    shown = " ".join(survey.first)
    last = base + size - 1
    return Heading(f"with the heading {shown}: vertices {base} to {last}", range(base, base + size))


def _double(survey: Survey, readings: str) -> InstanceError:
    """Return the error of a first line that has two meanings."""
    shown = " ".join(survey.first)
    message = f"{shown} can be {readings}; {_BEGIN}, or move an edge to another line"
    return error_at(survey.line, message)


def is_plain_number(word: str) -> bool:
    """Return True if a word is a number as it is usually written, without zeros in front."""
    return is_number(word) and (word == "0" or not word.startswith("0")) and len(word) < 20
