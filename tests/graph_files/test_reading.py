"""Graph files: how they are recognised, what is said of them, and what is refused."""

import re
from pathlib import Path

import networkx as nx
import pytest

from tests.support import ROOT
from tests.support.graph_texts import WRITERS, hcp
from tests.support.tables import table
from uno_csp.errors import InstanceError, UnknownName
from uno_csp.graph_files.drafts import Reading
from uno_csp.graph_files.reading import FORMATS, read_graph, read_graphs
from uno_csp.graphs.graph6 import MOST_VERTICES

SQUARE = nx.cycle_graph(4)
HCP = hcp(SQUARE)


def read(text: str, name: str = "") -> tuple[list[object], int]:
    """Return the vertices of a text, as numbers where they are, and the number of edges."""
    graph = read_graph(text, name=name)
    return [int(str(v)) if str(v).isdecimal() else v for v in graph.vertices], len(graph.edges)


@pytest.mark.parametrize(("name", "text", "expected"), table("graph_files", "read"))
def test_a_text_is_read_as_what_it_is(name: str, text: str, expected: list[object] | None) -> None:
    if expected is None:
        with pytest.raises(InstanceError, match="w is no number"):
            read(text, name)
    else:
        assert [*read(text, name)] == expected


@pytest.mark.parametrize(("name", "text", "message"), table("graph_files", "refused"))
def test_what_is_not_understood_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(InstanceError) as caught:
        read(text, name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "edges"),
    [("s 1\n1 2\n2 3\n", 3), ("1 2\nn 3\n2 3\n", 3), ("1 2\nhere there\n2 3\n", 3)],
)
def test_an_edge_that_may_be_a_heading_is_read_as_an_edge_if_one_says_so(
    text: str, edges: int
) -> None:
    assert len(read_graph(text, kind="edges").edges) == edges


@pytest.mark.parametrize(("kind", "text"), table("graph_files", "too large"))
def test_the_header_is_enough_to_refuse_a_graph_that_is_too_large(kind: str, text: str) -> None:
    with pytest.raises(InstanceError, match="too many; a graph has up to"):
        list(read_graphs(text, kind=kind, reading=Reading(undirected=True)))
    assert MOST_VERTICES == 1_000_000


def test_the_answer_says_what_was_read() -> None:
    for text, said in (
        ("a b 2\nb c 1\n", "read as an edge list: 3 vertices, 2 edges; weights are ignored"),
        ("a b\nb a\n", "read as an edge list: 2 vertices, 1 edge; 1 repeated edge is taken once"),
        (
            HCP.replace("HCP", "HPP"),
            "read as TSPLIB: 4 vertices, 4 edges; TYPE HPP asks for a path",
        ),
        ("C~\n", "read as graph6: 4 vertices, 6 edges"),
    ):
        kind = "graph6" if text == "C~\n" else None
        assert read_graph(text, kind=kind).said == said
    arcs = read_graph("&AO\n", kind="digraph6", reading=Reading(undirected=True))
    assert arcs.said.endswith("; its arcs are taken as edges")


def test_a_first_line_apart_from_all_others_is_said() -> None:
    text = "Stadt1,Stadt2\nBonn,Ulm\nUlm,Kiel\n"
    said = read_graph(text, kind="edges").said
    assert said.endswith("; with an edge apart from all others, Stadt1, Stadt2")
    with pytest.raises(
        InstanceError,
        match="first line is an edge apart from all others, Stadt1, Stadt2, or a heading; begin",
    ):
        read_graph(text)
    assert "apart" not in read_graph("a b\nc d\n").said


def test_a_name_alone_is_a_vertex_if_it_is_said() -> None:
    isolated = Reading(isolated=True)
    for text in ("north south\nalone_1\n", "node-1\na b\n", "b c\nx7\n"):
        graph = read_graph(text, reading=isolated)
        assert (len(graph.vertices), len(graph.edges)) == (3, 1)
    for text in ("b c\n1-2\n", "b c\na-b\n", "b c\na/b\n", "a->b\nb c\n"):
        with pytest.raises(InstanceError):
            read_graph(text, reading=isolated)
    with pytest.raises(InstanceError, match="3 can be 3 vertices, or a vertex without edges"):
        read_graph("3\n1 2\n2 1\n", reading=isolated)


def test_one_of_several_graphs_is_chosen() -> None:
    assert len(read_graph("C~\nBw\n", kind="graph6", number=2).vertices) == 3
    with pytest.raises(InstanceError, match="there is no graph 3; there are 2"):
        read_graph("C~\nBw\n", kind="graph6", number=3)
    networks = "*Network a\n*Vertices 2\n*Edges\n1 2\n*Network b\n*Vertices 3\n*Edges\n1 2\n"
    assert [len(graph.vertices) for graph in read_graphs(networks)] == [2, 3]


def test_the_suffix_decides_before_the_text() -> None:
    with pytest.raises(InstanceError, match="line 1: it is not graph6"):
        list(read_graphs("a b\n", name=str(Path("folder") / "edges.g6")))
    with pytest.raises(UnknownName, match="did you mean graph6"):
        list(read_graphs("a b\n", kind="graph"))
    with pytest.raises(InstanceError, match=r"marks of \w+ and of "):
        list(read_graphs("*Vertices 3\np edge 3 0\n"))


@pytest.mark.parametrize("kind", WRITERS)
def test_a_mark_tells_the_format(kind: str) -> None:
    text = WRITERS[kind][0](nx.petersen_graph())
    if FORMATS[kind].mark or kind == "edges":
        by_mark = list(read_graphs(text, reading=Reading(undirected=True)))
        assert by_mark == list(read_graphs(text, kind=kind, reading=Reading(undirected=True)))
    else:
        with pytest.raises(InstanceError, match=r"names one of edges, adj|it looks like a heading"):
            list(read_graphs(text))


def test_the_page_lists_every_format_with_its_suffixes() -> None:
    page = (ROOT / "docs/hamiltonian.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \|[^|]*\| ([^|]*) \|[^|\n]*\|$", page, re.MULTILINE))
    assert {key: set(re.findall(r"`(\.\w+)`", row)) for key, row in rows.items()} == {
        key: set(found.suffixes) for key, found in FORMATS.items()
    }


def test_a_mark_is_looked_for_in_linear_time() -> None:
    with pytest.raises(InstanceError):
        read_graph("# " * 100_000 + "x\n1 2 3 4\n")
