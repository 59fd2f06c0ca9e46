"""Graph files of every format, and what is wrong with them."""

from pathlib import Path

import networkx as nx
import pytest

from uno_csp.errors import InstanceError, UnknownName
from uno_csp.hamilton import FORMATS, read_graphs

SQUARE = nx.cycle_graph(4)

HCP = """NAME : square
TYPE : HCP
DIMENSION : 4
EDGE_DATA_FORMAT : EDGE_LIST
EDGE_DATA_SECTION
1 2
2 3
3 4
4 1
-1
EOF
"""

ADJACENCY = HCP.replace("EDGE_LIST", "ADJ_LIST").replace(
    "1 2\n2 3\n3 4\n4 1\n-1", "1 2 4 -1\n3 2 4 -1\n-1"
)

COL = "c a square\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n"

GRAPHML = "".join(nx.generate_graphml(SQUARE))

GRAPH6 = nx.to_graph6_bytes(SQUARE).decode()

SPARSE6 = nx.to_sparse6_bytes(SQUARE).decode()

EDGES = "a b # one side\nb c\n\n# the others\nc d\nd a\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hcp", HCP),
        ("hcp", ADJACENCY),
        ("col", COL),
        ("graph6", GRAPH6),
        ("graph6", GRAPH6.removeprefix(">>graph6<<")),
        ("sparse6", SPARSE6),
        ("sparse6", SPARSE6.removeprefix(">>sparse6<<")),
        ("graphml", GRAPHML),
        ("edges", EDGES),
    ],
)
def test_a_square_is_read_from_every_format(name: str, text: str) -> None:
    for graphs in (read_graphs(text), read_graphs(text, kind=name)):
        (graph,) = graphs
        assert nx.is_isomorphic(graph, SQUARE)


def test_a_file_of_lines_has_many_graphs() -> None:
    lines = GRAPH6.removeprefix(">>graph6<<") * 3
    assert [len(graph) for graph in read_graphs(lines, name="squares.g6")] == [4, 4, 4]


def test_names_and_single_vertices_are_kept() -> None:
    (graph,) = read_graphs("north south\nalone\n")
    assert sorted(graph) == ["alone", "north", "south"]
    (graph,) = read_graphs("a\nb\n")
    assert (sorted(graph), graph.number_of_edges()) == (["a", "b"], 0)
    (graph,) = read_graphs(HCP)
    assert sorted(graph) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "text",
    [
        "a,b\nb,c\n",
        "a, b\nb, c\n",
        "a;b\nb;c\n",
        '"a","b"\n"b","c"\n',
        "a\tb\nb\tc\n",
        "%% a comment\na b\n% another\nb c\n",
        "1-1,1-2\n1-2,2-2\n",
        "New York,Boston\nBoston,Lake Placid\n",
        "(0,1) (0,2)\n(0,2) (0,3)\n",
    ],
)
def test_names_are_separated_by_blanks_or_commas(text: str) -> None:
    (graph,) = read_graphs(text)
    assert nx.is_isomorphic(graph, nx.path_graph(3))


@pytest.mark.parametrize("text", ["node-1\nb c\n", "b c\nalone_2\n", "b c\nx.y\n"])
def test_a_single_vertex_may_have_a_hyphen(text: str) -> None:
    (graph,) = read_graphs(text)
    assert (len(graph), graph.number_of_edges()) == (3, 1)


@pytest.mark.parametrize("line", ["a->b", "a--b", "a-b", "1-2", "a:b", "{a,b}", "a,b c,d", "a,,b"])
def test_an_edge_that_looks_like_a_vertex_is_refused(line: str) -> None:
    with pytest.raises(InstanceError, match="line 2: expected two vertices, separated by a blank"):
        list(read_graphs(f"x y\n{line}\n"))


def test_lines_of_comment_are_counted() -> None:
    with pytest.raises(InstanceError, match="line 4: a loop"):
        list(read_graphs("a b\n\n% one\nb b\n", kind="edges"))


def test_a_heading_is_no_edge() -> None:
    with pytest.raises(InstanceError, match="line 1: a heading of columns; begin it with #"):
        list(read_graphs("source,target\na,b\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HCP.replace("4 1\n-1\nEOF\n", ""), "the file is cut off"),
        (HCP.replace("-1\nEOF", "EOF"), "the file is cut off"),
        (HCP.replace("3 4", "3 5"), "line 8: 5 is no vertex; they are numbered from 1 to 4"),
        (HCP.replace("3 4", "3 3"), "line 8: a loop at 3"),
        (HCP.replace("3 4", "3 4 5"), "line 8: expected two vertices"),
        (HCP.replace("DIMENSION : 4", "DIMENSION : many"), "DIMENSION: many is no number"),
        (HCP.replace("TYPE : HCP", "TYPE : TSP"), "TYPE: TSP is not allowed"),
        (ADJACENCY.replace("-1\n-1\nEOF\n", ""), "the file is cut off"),
        (HCP.replace("EOF", "FIXED_EDGES_SECTION\n1 2\n-1\nEOF"), "line 11: edges that a tour has"),
        ("FIXED_EDGES_SECTION\n1 2\n-1\n" + HCP, "line 1: edges that a tour has to use"),
        (COL.replace("e 4 1\n", ""), "the file is cut off; 3 edges of 4"),
        (COL.replace("e 4 1", "e 4 0"), "line 6: 0 is no vertex"),
        (COL.replace("e 4 1", "e 4 4"), "line 6: a loop at 4"),
        (COL.replace("e 4 1", "f 4 1"), "line 6: expected 'c ...'"),
        ("p edge 4\n", "line 1: expected one line"),
        ("a b c\n", "line 1: expected two vertices"),
        ("a b\nb b\n", "line 2: a loop at b"),
        (GRAPHML[:-30], "it is not GraphML"),
        ("".join(nx.generate_graphml(nx.DiGraph([(1, 2)]))), "it is directed"),
        ("".join(nx.generate_graphml(nx.Graph([(1, 1)]))), "a loop at 1"),
    ],
)
def test_a_file_that_is_no_graph_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InstanceError) as caught:
        list(read_graphs(text))
    assert message in str(caught.value)


def test_the_suffix_decides_before_the_text() -> None:
    with pytest.raises(InstanceError, match="line 1: it is not graph6"):
        list(read_graphs("a b\n", name=str(Path("folder") / "edges.g6")))
    with pytest.raises(UnknownName, match="did you mean graph6"):
        list(read_graphs(EDGES, kind="graph"))
    assert set(FORMATS) == {"hcp", "col", "graph6", "sparse6", "graphml", "edges"}
