"""Reader of lists of edges: two names on each line, and perhaps a number, which is a weight.

The columns are separated by commas, semicolons, tabs or blanks, the same on all lines. The first
line may be a heading (:mod:`uno_csp.graph_files.headings`).
"""

import csv
import re
from collections.abc import Iterator

from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import Draft, ReadGraph, Reading, error_at, named
from uno_csp.graph_files.headings import (
    Survey,
    heading_of,
    is_heading,
    is_plain_number,
    note_of,
    note_of_blocks,
    note_of_pairs,
    note_of_words,
)
from uno_csp.graph_files.names import fault_of_name, is_no_value, require_apart

_SEPARATORS = (",", ";", "\t", " ")
_WEIGHT = re.compile(
    r"[-+]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?|\{(?:(['\"])[^'\"]*\1: .*)?\}"
)
"""A number, also with a decimal comma, or the attributes of an edge as networkx writes them."""

_SINGLE = re.compile(r"(?!\d+[-_.]\d+\Z|[^\W\d_]+-[^\W\d_]+\Z)[\w.-]+")
"""A single word that is a name, rather than an edge such as ``1-2`` or ``a/b``."""

_SAYS_DIRECTED = re.compile(
    r"(?<![\w-])(?<!not )(?:directed|digraph|asym)\b(?!\s{0,3}[:=]?\s{0,3}(?:false|no|0)\b)",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"\bnodes:\s*(?P<vertices>[0-9]{1,9})\s+edges:\s*(?P<edges>[0-9]{1,9})\b", re.IGNORECASE
)
"""The sizes in a comment of SNAP."""

_SIZES = re.compile(r"%\s*(?P<edges>[0-9]{1,9})\s+(?P<vertices>[0-9]{1,9})\s+(?P=vertices)\s*")
"""The comment of KONECT behind the kind of edges."""

_NOT_NAMES = frozenset(("e", "a", "edge", "arc", "link"))  # they begin lines of other formats
_Row = tuple[int, list[str]]


class NotEdges(InstanceError):
    """The text does not have the form of a list of edges, as a line shows."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


def read_edges(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of a list of edges; raise NotEdges if it has another form."""
    draft = Draft(reading)
    stated = _read_comments(text, draft)
    survey, separator = _find_survey(text, reading)
    if survey is not None:
        _fill(draft, text, survey, separator)
    for line, vertices, edges in stated:
        if vertices != len(draft.place) or edges not in (draft.listed, draft.size):
            says = f"the comment says {vertices} vertices and {edges} edges"
            raise error_at(line, f"{says}, but {len(draft.place)} and {draft.listed} are there")
    yield draft.finish("an edge list")


def _read_comments(text: str, draft: Draft) -> list[tuple[int, int, int]]:
    """Return the sizes that comments state, as in SNAP and KONECT, with their lines."""
    stated = []
    after_kind = False
    for number, line in enumerate(text.split("\n"), start=1):
        comment = line.lstrip()
        if not comment.startswith(("#", "%")):
            continue
        cell = re.match("[^,;\t]*(?=[,;\t])", comment)
        if cell and is_no_value(cell[0]):
            raise NotEdges(number, fault_of_name(cell[0]))
        if _SAYS_DIRECTED.search(comment):
            draft.directed(number, named(comment))
        if comment[1:].split()[:1] == ["bip"]:
            raise error_at(number, "the two sides of a bipartite graph have the same numbers")
        if sizes := _STATED.search(comment) or (after_kind and _SIZES.fullmatch(comment)):
            stated.append((number, int(sizes["vertices"]), int(sizes["edges"])))
        after_kind = comment[1:].split()[:1] in (["sym"], ["asym"])
    return stated


def _find_survey(text: str, reading: Reading) -> tuple[Survey | None, str]:
    """Return what the lines have, and the separator by which they are edges; or raise NotEdges."""
    found: list[tuple[Survey | None, str]] = []
    faults: list[NotEdges] = []
    for separator in _SEPARATORS:
        if separator in text or separator == " ":
            try:
                found.append((_survey(text, separator, reading), separator))
            except NotEdges as fault:
                faults.append(fault)
    if not found:
        raise max(faults, key=lambda fault: fault.line)
    if any(survey != found[0][0] for survey, _ in found):
        raise NotEdges(1, "the columns may be separated by more than one character")
    return found[0]


def _survey(text: str, separator: str, reading: Reading) -> Survey | None:
    """Read all lines by a separator; return None if there are none."""
    rows = _rows(text, separator)
    line, first = next(rows, (0, []))
    if not first:
        return None
    survey = Survey(first, line)
    if len(first) > 1 or not is_plain_number(first[0]):
        _require_row(line, first, {}, reading)
    _survey_rest(rows, survey, reading)
    return survey


def _survey_rest(rows: Iterator[_Row], survey: Survey, reading: Reading) -> None:
    """Read all lines behind the first one."""
    ends, names = set(survey.first[:2]), survey.names
    for line, cells in rows:
        known = len(cells) == 2 and cells[0] in names and cells[1] in names
        if not known:
            _require_row(line, cells, names, reading)
        if len(cells) > 1:
            if survey.columns not in (0, len(cells)):
                raise _row_error(line, _columns(cells, survey))
            survey.columns = len(cells)
            survey.edges += 1
            if cells[0] in ends and ends == set(cells[:2]):
                survey.again = True
        if len(survey.starts) < 3:
            survey.starts.add(cells[0])
        if not known:
            for name in cells[:2]:
                names.setdefault(name, line)


def _rows(text: str, separator: str) -> Iterator[_Row]:
    """Yield the cells of the lines that are neither empty nor comments."""
    blanks = separator == " "
    for number, line in enumerate(text.split("\n"), start=1):
        plain = line.strip()
        if plain and plain[0] not in "#%":
            simple = blanks and "{" not in plain
            yield number, plain.split() if simple else _cells(plain, separator, number)


def _cells(line: str, separator: str, number: int) -> list[str]:
    if separator == " ":
        words = line.split(None, 2)
        has_attributes = len(words) > 2 and words[2][0] == "{" and words[2][-1] == "}"
        return words if has_attributes else line.split()
    if '"' not in line:
        return [cell.strip() for cell in line.split(separator)]
    try:
        (cells,) = csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True)
    except (csv.Error, ValueError) as error:
        raise NotEdges(number, str(error)) from None
    return [cell.strip() for cell in cells]


def _require_row(line: int, cells: list[str], known: dict[str, int], reading: Reading) -> None:
    """Raise unless the cells are an edge, an edge with a weight, or a vertex alone."""
    if len(cells) == 3 and not _WEIGHT.fullmatch(cells[2]) and (known or not is_heading(cells)):
        raise _row_error(line, f"{named(cells[2])} is no number, which a third column has")
    if len(cells) > 3:
        raise _row_error(line, f"it has {len(cells)} columns")
    for name in cells[:2]:
        fault = "" if name in known else fault_of_name(name) or _fault_of_separators(name)
        if fault:
            raise _row_error(line, fault)
    if len(cells) == 1:
        if not _SINGLE.fullmatch(cells[0]):
            raise _row_error(line, f"{named(cells[0])} is one word")
        if not reading.isolated:
            alone = "a name alone is a vertex without edges only with the option isolated"
            raise _row_error(line, f"{named(cells[0])} is one word; {alone}")


def _fault_of_separators(name: str) -> str:
    """Return an error message for a separator within a name that is not in brackets."""
    bracketed = name[0] in "([{" and name[-1] in ")]}"
    return f"{named(name)} has a separator" if re.search("[,;]", name) and not bracketed else ""


def _row_error(line: int, message: str) -> NotEdges:
    allowed = (
        "expected two vertices, separated by a blank, tab, comma or semicolon, and perhaps a weight"
    )
    return NotEdges(line, f"{message}; {allowed}")


def _columns(cells: list[str], survey: Survey) -> str:
    return f"it has {len(cells)} columns, where other lines have {survey.columns}"


def _fill(draft: Draft, text: str, survey: Survey, separator: str) -> None:
    """Add the vertices and edges of all lines behind the heading."""
    heading = heading_of(survey, isolated=draft.reading.isolated)
    if heading is None:
        if said := note_of(survey):
            draft.note(said)
        _count_first(survey)
    else:
        draft.note(heading.said)
        draft.number(heading.vertices, survey.line, str)
    for said in filter(None, _notes(text, survey, separator, headed=heading is not None)):
        draft.note(said)
    _require_edges(survey, heading is None)
    if survey.edges < survey.columns == 3:
        _require_no_matrix([cells for _, cells in _rows(text, separator)], survey.line)
    require_apart(survey.names, strict=True)
    if survey.columns == 3:
        draft.note("weights are ignored")
    for name in survey.first[:2] if heading is None else ():
        draft.add(name, survey.line)
    for name, line in survey.names.items():
        draft.add(name, line)
    for line, cells in _rows(text, separator):
        if len(cells) > 1 and (heading is None or line != survey.line):
            draft.join(cells[0], cells[1], line)


def _notes(text: str, survey: Survey, separator: str, *, headed: bool) -> Iterator[str]:
    """Yield what the answer has to say of lines that may be no edges; or nothing, as ``""``."""
    rows = (row for row in _rows(text, separator) if not headed or row[0] != survey.line)
    yield note_of_words(survey, rows, headed=headed)
    if not headed:
        yield note_of_pairs(survey)
        yield note_of_blocks(survey, _rows(text, separator))


def _require_no_matrix(rows: list[list[str]], line: int) -> None:
    """Raise if three lines of three columns are symmetric, with 0 on the diagonal."""
    turned = [list(column) for column in zip(*rows, strict=False)]
    if rows == turned and all(cells[at] in ("0", "0.0") for at, cells in enumerate(rows)):
        raise NotEdges(line, "the rows are those of a symmetric matrix")


def _count_first(survey: Survey) -> None:
    """Count the first line among the others; raise unless it has as many columns."""
    cells = survey.first
    if len(cells) > 1 and survey.columns not in (0, len(cells)):
        raise _row_error(survey.line, _columns(cells, survey))
    survey.columns = max(survey.columns, len(cells))
    survey.starts.add(cells[0])
    for name in cells[:2]:
        survey.names.setdefault(name, survey.line)


def _require_edges(survey: Survey, first_too: bool) -> None:
    """Raise if the lines are more likely those of a matrix or of DIMACS."""
    lines = survey.edges + first_too
    if lines > 1 and set(survey.names) <= {"0", "1"}:
        raise NotEdges(survey.line, "all names are 0 and 1, as in a matrix")
    if first_too and survey.columns == 3 and survey.starts <= _NOT_NAMES:
        raise NotEdges(survey.line, "'e U V' is an edge of DIMACS, which has a line 'p edge'")
