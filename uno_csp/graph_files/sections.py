"""Readers of DIMACS, TGF and Pajek: vertices and edges in sections of lines."""

import re
from collections.abc import Iterator

from uno_csp.graph_files.drafts import (
    MOST_EDGES,
    WEIGHT,
    Draft,
    ReadGraph,
    Reading,
    error_at,
    lines_of,
    named,
    numbered,
    size_of,
)
from uno_csp.graph_files.lists import join_rows
from uno_csp.graph_files.names import fault_of_name, require_apart, require_visible
from uno_csp.questions.wording import counted


def read_col(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of DIMACS: ``p edge VERTICES EDGES``, and ``e U V`` for each edge."""
    draft = Draft(reading)
    size = edges = None
    for line, words in lines_of(text):
        if words[0] == "c":
            continue
        if words[0] == "p" and size is None:
            size, edges = _problem_line(words, line)
            draft.number(range(1, size + 1), line)
        elif words[0] == "e" and len(words) == 3 and size is not None:
            one, other = (numbered(word, size, line) for word in words[1:])
            draft.join(one, other, line)
        elif words[0] == "e" and size is None:
            raise error_at(line, "an edge before the line 'p edge'")
        else:
            raise error_at(line, "expected 'c ...', one line 'p edge VERTICES EDGES', or 'e U V'")
    if size is None:
        raise error_at(None, "there is no line 'p edge VERTICES EDGES'")
    if edges not in (draft.listed, draft.size):
        cut = "the file is cut off; " if draft.listed < (edges or 0) else ""
        raise error_at(None, f"{cut}{draft.listed} edges of {edges} are there")
    yield draft.finish("DIMACS")


def _problem_line(words: list[str], line: int) -> tuple[int, int]:
    if len(words) != 4 or words[1] not in ("edge", "col", "edges"):
        raise error_at(line, "expected one line 'p edge VERTICES EDGES'")
    return size_of(words[2], "vertices", line), size_of(words[3], "edges", line, MOST_EDGES)


def read_tgf(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graph of TGF: vertices, ``#``, and edges, a line for each, with labels behind."""
    draft = Draft(reading)
    in_edges = False
    for line, words in lines_of(text):
        if words == ["#"]:
            if in_edges:
                raise error_at(line, "a second line '#'")
            in_edges = True
        elif in_edges:
            if len(words) < 2:
                raise error_at(line, "expected the two vertices of an edge, and perhaps a label")
            draft.join(words[0], words[1], line)
        else:
            fault = fault_of_name(words[0])
            if fault:
                raise error_at(line, fault)
            draft.declare(words[0], line)
    if not in_edges:
        raise error_at(None, "there is no line '#' between vertices and edges")
    require_apart(map(str, draft.place), strict=False)
    yield draft.finish("TGF")


_PAJEK_SECTIONS = ("edges", "arcs", "edgeslist", "arcslist", "matrix")


def read_pajek(text: str, reading: Reading) -> Iterator[ReadGraph]:
    """Yield the graphs of Pajek: ``*Vertices n``, and sections of edges, arcs, lists, a matrix."""
    network: _Network | None = None
    for line, words in lines_of(text, "%"):
        section = words[0][1:].lower() if words[0].startswith("*") else None
        if section in ("network", "vertices"):
            if network is not None and (section == "network" or network.section != "network"):
                yield network.finish()
                network = None
            network = network or _Network(Draft(reading))
            if section == "vertices":
                network.begin(words, line)
        elif network is None or network.section == "network":
            raise error_at(line, "expected '*Vertices NUMBER' first")
        elif section is not None:
            if section not in _PAJEK_SECTIONS or len(words) > 1:
                known = ", ".join(f"*{name.capitalize()}" for name in _PAJEK_SECTIONS)
                raise error_at(line, f"{named(' '.join(words))} is not read; there are {known}")
            if "matrix" in (section, network.section) and network.section != "vertices":
                raise error_at(line, "a matrix stands alone, behind the vertices")
            network.section = section
        else:
            network.read(words, line)
    if network is None or network.section == "network":
        raise error_at(None, "there is no line '*Vertices NUMBER'")
    yield network.finish()


class _Network:
    """A graph of a Pajek file that is being read, and the section that is read now."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.section = "network"
        self.labels: dict[int, str] = {}
        self.rows: list[tuple[int, str]] = []
        self.size = 0

    def begin(self, words: list[str], line: int) -> None:
        """Read the line with the number of vertices; a second number is of those on one side."""
        if not 2 <= len(words) <= 3:
            raise error_at(line, "expected '*Vertices NUMBER'")
        for word in words[2:]:
            size_of(word, "vertices", line)
        self.size = size_of(words[1], "vertices", line)
        self.section = "vertices"
        self.draft.number(range(1, self.size + 1), line)

    def read(self, words: list[str], line: int) -> None:
        """Read a line of the section."""
        if sum(word.count('"') for word in words) % 2:
            raise error_at(line, "a quote has no end")
        if self.section == "vertices":
            vertex = numbered(words[0], self.size, line)
            if vertex in self.labels:
                raise error_at(line, f"vertex {vertex} is declared twice")
            self.labels[vertex] = _label(" ".join(words), line)
            return
        if self.section == "matrix":
            self._add_row(words, line)
            return
        if self.section.startswith("arcs"):
            self.draft.directed(line, f"*{self.section.capitalize()}")
        if len(words) < 2:
            raise error_at(line, "expected two vertices")
        ends = words if self.section.endswith("list") else words[:2]
        one, *others = (numbered(word, self.size, line) for word in ends)
        for other in others:
            self.draft.join(one, other, line)
        if len(words) > len(ends):
            self.draft.note("weights are ignored")

    def _add_row(self, words: list[str], line: int) -> None:
        """Add a row of a matrix, whose numbers but 0 are weights of edges."""
        wrong = next((word for word in words if not WEIGHT.fullmatch(word)), None)
        if wrong is not None or len(self.rows) == self.size:
            problem = f"{named(wrong)} is no number" if wrong else "there is a row too many"
            raise error_at(line, f"{problem}; the matrix has {self.size} rows")
        if {*words} - {"0", "1"}:
            self.draft.note("weights are ignored")
        self.rows.append((line, "".join("1" if float(word) else "0" for word in words)))

    def finish(self) -> ReadGraph:
        """Return the graph, its vertices called by labels if these tell them apart."""
        if self.section == "matrix":
            if len(self.rows) < self.size:
                rows = counted(len(self.rows), "row")
                raise error_at(None, f"the file is cut off; {rows} of {self.size}")
            join_rows(self.draft, self.rows)
        if len(self.labels) not in (0, self.size):
            some = f"{len(self.labels)} of {self.size} vertices are declared"
            raise error_at(None, f"the file is cut off; {some}")
        if self.section == "vertices":
            raise error_at(None, "the file is cut off; no section *Edges follows the vertices")
        labels = [self.labels.get(number + 1, "") for number in range(self.size)]
        found = self.draft.finish("Pajek", labels, each_twice=self.section == "matrix")
        require_apart((name for name in found.vertices if isinstance(name, str)), strict=False)
        return found


def _label(text: str, line: int) -> str:
    """Return the label on the line of a vertex; empty if there is none."""
    found = re.match(r'\S+(?:\s+(?:"([^"]*)"|([^"\s]+))(?=\s|\Z)|\Z)', text)
    if not found:
        raise error_at(line, "expected a number, and a label that is a word or in quotes")
    label = found[1] or found[2] or ""
    require_visible(label, line)
    return label
