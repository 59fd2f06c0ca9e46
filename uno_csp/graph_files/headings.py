"""Headings of lists of edges: names of columns, or numbers of vertices and edges."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from uno_csp.errors import InstanceError
from uno_csp.formats.card_values import ALIKE
from uno_csp.graph_files.drafts import error_at, is_number, named
from uno_csp.questions.wording import counted

_COLUMNS = (
    *({"source", "target"}, {"from", "to"}, {"u", "v"}, {"src", "dst"}, {"tail", "head"}),
    *({"start", "end"}, {"node1", "node2"}, {"node_1", "node_2"}, {"node_a", "node_b"}),
    *({"id1", "id2"}, {"id_1", "id_2"}, {"vertex1", "vertex2"}, {"vertex_a", "vertex_b"}),
    *({"fromnodeid", "tonodeid"}, {"node", "neighbor"}, {"node", "neighbour"}),
    *({"origin", "destination"}, {"von", "nach"}, {"quelle", "ziel"}, {"start", "ziel"}),
)
_SIGNED = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?")
_COUNTED = ("n", "nodes", "vertices", "m", "edges")  # they stand before a number
HEADING = "with the heading"  # beginning of the note on a heading
APART = "with an edge apart from all others"  # beginning of the note on a likely heading
STRAY = "with words among numbers"  # beginning of the note on lines that may be no edges
_MOST_STRAY = 4  # maximum number of words among numbers that may be strays
SEVERAL = "with numbers that may be sizes of several graphs"  # beginning of the note on blocks
PAIRS = "with a name that may be an edge"  # beginning of the note on names that are pairs
_PAIR = re.compile(r"[(\[{]?(?:[0-9]+[-_,/][0-9]+|[^\W\d_][-,/][^\W\d_])[)\]}]?")
"""Two numbers or two letters, joined by a sign, as a name of a vertex or as an edge."""
BEGIN = "begin a heading with #, or move an edge to another line"
"""Advice on a first line that may be a heading or an edge."""


@dataclass(slots=True)
class Survey:
    """Properties of the lines of a list of edges."""

    # the cells of the first line, and its number
    first: list[str]
    line: int
    # the names on the other lines, with the line where each comes first
    names: dict[str, int] = field(default_factory=dict)
    edges: int = 0  # the number of other lines with an edge
    columns: int = 0  # the number of cells on these lines; 0 if there are none
    again: bool = False  # whether one of them is the edge of the first line, too
    # the first cells of the other lines, up to three different ones
    starts: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: what the answer says of it, and the vertices that it numbers."""

    said: str
    vertices: range = range(0)


def heading_of(survey: Survey, *, isolated: bool) -> Heading | None:
    """Return the heading in the first line, None if it is an edge; raise if it may be both."""
    if all(map(is_plain_number, survey.first)):
        return _counts(survey, isolated=isolated)
    return _columns(survey)


def _columns(survey: Survey) -> Heading | None:
    ends = survey.first[:2]
    numbers = len(ends) == 2 and survey.names and all(map(is_number, survey.names))
    shown = ", ".join(map(named, survey.first))
    if ends[0].casefold().rstrip(":=") in _COUNTED and numbers and is_plain_number(ends[1]):
        raise error_at(survey.line, f"{shown} looks like a number in a heading; {BEGIN}")
    if any(end in survey.names for end in ends):
        return None
    if is_heading(survey.first):
        return Heading(f"{HEADING} {shown}")
    if numbers and not any(map(is_number, survey.first)):
        raise error_at(survey.line, f"{shown}: all other names are numbers; {BEGIN}")
    return None


def note_of(survey: Survey) -> str:
    """Return what the answer has to say of a first line that may be an unknown heading."""
    ends = survey.first[:2]
    if len(ends) < 2 or any(map(is_number, ends)) or not survey.names.keys().isdisjoint(ends):
        return ""
    if len(survey.names) >= 2 * survey.edges and not all(map(_is_nearly_known, ends)):
        return ""
    return f"{APART}, {', '.join(map(named, survey.first))}" if survey.edges else ""


def note_of_words(survey: Survey, rows: Iterable[tuple[int, list[str]]], *, headed: bool) -> str:
    """Return what the answer has to say of words among numbers at the beginning or the end.

    They may be parts of a heading or of a row of sums: ``V 3``, ``Total 7``. The same word at the
    beginning of each line may be the kind of line, unless a heading names the columns.
    """
    words = {name for name in survey.names if not _SIGNED.fullmatch(name)}
    if not 0 < len(words) <= _MOST_STRAY or len(words) == len(survey.names):
        return ""
    size, found, lines = 0, list[tuple[int, list[str]]](), list[int]()
    for line, cells in rows:
        if not words.isdisjoint(cells[:2]):
            found.append((size, cells[:2]))
            lines.append(line)
        size += 1
    starts = {cells[0] for _, cells in found}
    if len(found) == size:
        same = len(starts) == 1 < size and starts <= words and survey.columns == 3 and not headed
        return f"{STRAY}, {named(*starts)} at the beginning of each line" if same else ""
    leading = sum(place == index for place, (index, _) in enumerate(found))
    sums = [cells for index, cells in found[leading:] if index == size - 1 and cells[0] in words]
    once = sum(end in words for _, cells in found for end in cells) == len(words)
    if not once or leading + len(sums) < len(found):
        return ""
    return f"{STRAY} in line {lines[0]}, {named(' '.join(found[0][1]))}"


def note_of_blocks(survey: Survey, rows: Iterable[tuple[int, list[str]]]) -> str:
    """Return what the answer has to say of lines that may be several graphs, each with its sizes.

    Such a block begins with ``n m``, with n - 1 edges or more, and m edges of n vertices follow.
    """
    if survey.columns != 2 or not all(map(is_plain_number, survey.names)):
        return ""
    base = 0 if "0" in survey.names else 1
    blocks, left, size = 0, 0, 0
    for _, cells in rows:
        if len(cells) == 1:  # a vertex without edges
            return ""
        one, other = map(int, cells)
        if left:
            if not base <= min(one, other) <= max(one, other) < base + size:
                return ""
            left -= 1
        elif 1 < one <= other + 1:
            blocks, size, left = blocks + 1, one, other
        else:
            return ""
    return f"{SEVERAL}, {blocks} blocks" if blocks > 1 and not left else ""


def note_of_pairs(survey: Survey) -> str:
    """Return what the answer has to say of names that are pairs, if each stands on one line."""
    lines = survey.edges + 1
    if len(survey.names) < 2 * lines or not all(map(_PAIR.fullmatch, survey.names)):
        return ""
    return f"{PAIRS}, {named(survey.first[0])}"


def is_heading(cells: list[str]) -> bool:
    """Return True if some cells are the usual names of two columns of ends, and a third word."""
    known = {end.casefold() for end in cells[:2]} in _COLUMNS
    return known and not any(map(is_number, cells))


def _is_nearly_known(word: str) -> bool:
    """Return True if a word resembles the name of a column."""
    known = {name for names in _COLUMNS for name in names if name.isalpha()}
    near = get_close_matches(word.casefold(), sorted(known), n=1, cutoff=ALIKE)
    return word.isalpha() and bool(near)


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
            return _number_vertices(survey, size, base)
        if fits and others:
            raise _ambiguity_error(survey, f"{size} vertices, or a vertex without edges")
        _require_vertex(survey, isolated=isolated)
        return None
    edges = int(survey.first[1])
    if len(survey.first) > 2:
        if fits and edges == survey.edges and edges not in others:
            raise _ambiguity_error(
                survey, f"{size} vertices and {edges} edges, or an edge with a weight"
            )
        return None
    says = f"{size} vertices and {counted(edges, 'edge')}"
    if fits and edges == survey.edges:
        same = survey.again and len(others) == size
        if edges < size and not same:
            raise _ambiguity_error(survey, f"{says}, or an edge")
        return _number_vertices(survey, size, base)
    if fits and others and _is_likely_heading(size, edges, others, survey.edges):
        message = f"it looks like a heading of {says}, but {survey.edges} edges follow"
        raise error_at(survey.line, f"{message}; {BEGIN}")
    return None


def _is_likely_heading(size: int, edges: int, names: set[int], behind: int) -> bool:
    """Return True if the numbers ``n m`` are more likely those of a file that is cut off.

    As an edge they would be apart from all others, or lead from the last vertex to the next one,
    with fewer edges behind it than they say, or to one that has a number beyond the next.
    """
    if size == edges:
        return True
    if edges in names or edges > size * (size - 1):
        return False
    return size not in names or (max(names) == size and edges > size + (behind >= edges))


def _require_vertex(survey: Survey, *, isolated: bool) -> None:
    """Raise if the first line is a number alone, and no vertex is meant."""
    if len(survey.first) == 1 and not isolated:
        number = named(survey.first[0])
        message = f"{number} is no number of vertices that fits the names that follow, and no edge"
        alone = "a name alone is a vertex only with the option isolated"
        raise error_at(survey.line, f"{message}; {alone}")


def _number_vertices(survey: Survey, size: int, base: int) -> Heading:
    shown = " ".join(survey.first)
    last = base + size - 1
    return Heading(f"{HEADING} {shown}: vertices {base} to {last}", range(base, base + size))


def _ambiguity_error(survey: Survey, readings: str) -> InstanceError:
    """Return the error of a first line that has two meanings."""
    shown = " ".join(survey.first)
    message = f"{shown} can be {readings}; {BEGIN}"
    return error_at(survey.line, message)


def is_plain_number(word: str) -> bool:
    """Return True if a word is a number as it is usually written, without zeros in front."""
    return is_number(word) and (word == "0" or not word.startswith("0")) and len(word) < 20
