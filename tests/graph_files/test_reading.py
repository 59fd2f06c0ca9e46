"""Graph files: how they are recognised, what is said of them, and what is refused."""

import re
from pathlib import Path

import networkx as nx
import pytest

from tests.support import ROOT
from tests.support.graph_texts import WRITERS, hcp
from uno_csp.errors import InstanceError, UnknownName
from uno_csp.graph_files.drafts import Reading
from uno_csp.graph_files.reading import FORMATS, read_graph, read_graphs
from uno_csp.graphs.graph6 import MOST_VERTICES

SQUARE = nx.cycle_graph(4)
HCP = hcp(SQUARE)
COL = "c a square\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n"
GRAPHML = "".join(nx.generate_graphml(SQUARE))
GRAPH = '<graph edgedefault="undirected"><node id="a"/><node id="b"/></graph>'
STATED = f"<graphml>{GRAPH}</graphml>".replace(
    "undirected", 'undirected" parse.edges="0" parse.nodes="{nodes}'
)
UNDECLARED = GRAPH.replace("</g", '<edge source="a" target="c"/></g')
GML = "graph [\n node [ id 1 ]\n node [ id 2 ]\n edge [ source 1 target 2 ]\n]\n"
HALF = "DIMENSION : 3\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n1 2 3 -1\n2 3 -1\n-1\nEOF\n"
TRIANGLE = ([1, 2, 3], 3)


def read(text: str, name: str = "") -> tuple[list[object], int]:
    """Return the vertices of a text, as numbers where they are, and the number of edges."""
    graph = read_graph(text, name=name)
    return [int(str(v)) if str(v).isdecimal() else v for v in graph.vertices], len(graph.edges)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("bom.col", "\ufeffp edge 3 3\ne 1 2\ne 2 3\ne 3 1\n", TRIANGLE),
        ("bom.txt", "\ufeff1 2\n2 3\n3 1\n", TRIANGLE),
        ("bomhead.csv", "\ufeffsource,target\n1,2\n2,3\n3,1\n", TRIANGLE),
        ("hash2.txt", "a b#1\nb#1 c\nc a\n", (["a", "b#1", "c"], 3)),
        ("n_only0.txt", "4\n0 1\n1 2\n2 3\n3 0\n", ([0, 1, 2, 3], 4)),
        ("nm.txt", "5 6\n1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n", ([1, 2, 3, 4, 5], 6)),
        ("nm0.txt", "4 5\n0 1\n1 2\n2 3\n3 0\n0 2\n", ([0, 1, 2, 3], 5)),
        ("musae.csv", "id_1,id_2\n1,2\n2,3\n3,1\n", TRIANGLE),
        ("uv.csv", "u,v\n1,2\n2,3\n3,1\n", TRIANGLE),
        ("turned.txt", "1 2\n2 1\n", ([1, 2], 1)),
        ("weighted.txt", "1 2 5\n2 3 7\n3 1 2\n", TRIANGLE),
        ("weights.csv", "source,target,weight\n1,2,0.5\n2,3,1\n3,1,2\n", TRIANGLE),
        ("ziel.csv", "Quelle;Ziel;Gewicht\n1;2;0.5\n2;3;1\n3;1;2\n", TRIANGLE),
        ("star.csv", "u,v,cost\na,1,5\na,2,6\n", (["a", 1, 2], 2)),
        ("weighted.txt", "1 2 3\n2 3 1\n3 1 2\n", TRIANGLE),
        ("again.txt", "3 2\n2 3\n1 2\n", ([1, 2, 3], 2)),
        ("prefixed.txt", "ns:a ns:b\nns:b ns:c\n", (["ns:a", "ns:b", "ns:c"], 2)),
        ("york.csv", "New York,York\nYork,Bath\n", (["New York", "York", "Bath"], 2)),
        ("half.hcp", HALF, TRIANGLE),
        ("komma.csv", "source;target;weight\n1;2;0,5\n2;3;1\n3;1;-2,25\n", TRIANGLE),
        ("von.csv", "Von;Nach\n1;2\n2;3\n3;1\n", TRIANGLE),
        ("snap.txt", "# Nodes: 3 Edges: 3\n1\t2\n2\t3\n3\t1\n", TRIANGLE),
        ("both.txt", "# Nodes: 3 Edges: 3\n1 2\n2 1\n1 3\n3 1\n2 3\n3 2\n", TRIANGLE),
        ("konect.txt", "% sym unweighted\n% 3 3 3\n1 2\n2 3\n3 1\n", TRIANGLE),
        ("keys.gml", GML.replace("id 1", 'id 1 label "x" Label "z" node "y" ID 3'), ([1, 2], 1)),
        ("stated.graphml", STATED.format(nodes=2), (["a", "b"], 0)),
        ("star.graph", "3 2\n2 3\n1\n1\n", ([1, 2, 3], 2)),
        ("path4.graph", "4 3\n2\n1 3\n2 4\n3\n", ([1, 2, 3, 4], 3)),
        ("c4.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n", ([1, 2, 3, 4], 4)),
        ("square.net", "*Vertices 4\n*Edges\n1 2\n2 3\n3 4\n4 1\n", ([1, 2, 3, 4], 4)),
        (
            "labelled.net",
            '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Edges\n1 2\n2 3\n3 1\n',
            (["a", "b", "c"], 3),
        ),
        ("tri.tgf", "1 alpha\n2 beta\n3 gamma\n#\n1 2\n2 3\n3 1\n", TRIANGLE),
        ("head_nl.g6", ">>graph6<<\nBw\n", ([0, 1, 2], 3)),
        ("path.txt", "2 1\n1 3\n", ([2, 1, 3], 2)),
        (
            "names.csv",
            "New York,Boston\nBoston,Lake Placid\n",
            (["New York", "Boston", "Lake Placid"], 2),
        ),
        ("grid.txt", "(0,1) (0,2)\n(0,2) (0,3)\n", (["(0,1)", "(0,2)", "(0,3)"], 2)),
        ("quoted.csv", '"a","b"\n"b","c"\n', (["a", "b", "c"], 2)),
        ("blanks.txt", "a  b\n\n# of its own\n % and another\n\tb c\n", (["a", "b", "c"], 2)),
        ("colons.txt", "1: 2, 3\n2: 1\n3: 1\n", ([1, 2, 3], 2)),
        ("letters.txt", "u v\nv w\nw u\n", (["u", "v", "w"], 3)),
        ("down.txt", "4 3\n3 2\n2 1\n", ([4, 3, 2, 1], 3)),
        ("weights.txt", "n m w\n", None),
        ("digits.matrix", "011\n101\n110\n", TRIANGLE),
        ("weighted.graph", "3 2 11\n5 2 7 3 7\n5 1 7\n5 1 7\n", ([1, 2, 3], 2)),
    ],
)
def test_a_text_is_read_as_what_it_is(
    name: str, text: str, expected: tuple[list[object], int] | None
) -> None:
    if expected is None:
        with pytest.raises(InstanceError, match="w is no number"):
            read(text, name)
    else:
        assert read(text, name) == expected


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("eof.txt", "1 2\n2 3\n3 1\nEOF\n", "line 4: EOF is one word"),
        ("sect2.txt", "edges\n1 2\n2 3\n3 1\n", "line 1: edges is one word"),
        ("sqlcomment.txt", "-- triangle\n1 2\n", "line 1: -- is no name"),
        ("slashcomment.txt", "//triangle\n1 2\n", "line 1: //triangle is one word"),
        ("ctrlz.txt", "a b\nb c\nc a\n\x1a", r"line 4: \x1a: U+001A"),
        ("konect2.txt", "% asym unweighted\n2 1\n2 3\n3 1\n", "line 1: the graph is directed"),
        ("snap.txt", "# Directed graph (each\n1\t2\n1\t3\n2\t3\n", "line 1: the graph is directed"),
        ("bip.txt", "% bip\n1 1\n1 2\n", "line 1: the two sides"),
        ("uva775.txt", "4\n1 2\n2 3\n3 4\n%\n6\n1 6\n%\n", "line 6: 6 is one word"),
        ("zero.txt", "01 02\n2 3\n03 1\n", "line 3: 03 and 3 differ only"),
        ("case.txt", "A b\nB c\nC a\n", "line 3: C and c differ only"),
        ("forms.txt", "caf\u00e9 b\nb cafe\u0301\n", "differ only in how they are written"),
        ("alphabets.txt", "a b\nb \u0430\n", "differ only in how they are written"),
        ("invisible.txt", "a\u200b b\n", "U+200B (zero width space) is invisible"),
        ("nbsp.txt", "a\u00a0b\n", "line 1: U+00A0 (no-break space) is invisible"),
        ("arcs.net", "*Vertices 2\n*Arcs\n1 2\n", "line 3: the graph is directed (*Arcs)"),
        *((f"{c}.txt", f"1{c}2\n2{c}3\n3{c}1\n", "line 1: ") for c in "\u2013\u2192_+/~-=|&"),
        ("d6.txt", "&DI?AO?\n", "line 1: &DI?AO? is one word"),
        ("d6.d6", "&DI?AO?\n", "line 1: the graph is directed (digraph6)"),
        ("trunc.txt", "D?\n", "line 1: D? is one word"),
        ("trunc.g6", "D?\n", "line 1: it is not graph6: 1 characters follow"),
        ("bits.g6", "A@\n", "line 1: it is not graph6: the bits behind the last edge are not 0"),
        ("long.g6", "~??B~\n", "line 1: it is not graph6: 3 vertices are written"),
        ("loop.s6", ":@?\n", "a graph with one vertex has no edges"),
        ("two.graphml", f"<graphml>{GRAPH}{GRAPH}</graphml>", "2 graphs; expected one"),
        (
            "nested.graphml",
            f"<graphml>{GRAPH.replace('/>', f'>{GRAPH}</node>', 1)}</graphml>",
            "line 1: a graph within a graph",
        ),
        ("cut.graphml", GRAPHML[:-30], "it is not GraphML"),
        ("bomb.xml", '<!DOCTYPE x [<!ENTITY a "aa">]><graphml/>', "a document type is not read"),
        ("other.xml", "<gexf/>", "it begins with <gexf>"),
        ("di.graphml", "".join(nx.generate_graphml(nx.DiGraph([(1, 2)]))), "is directed"),
        ("loop.graphml", "".join(nx.generate_graphml(nx.Graph([(1, 1)]))), "a loop at 1"),
        (
            "end.graphml",
            f"<graphml>{UNDECLARED}</graphml>",
            "line 1: an edge of c, which is not declared",
        ),
        ("end.tgf", "1\n2\n#\n1 3\n", "line 4: an edge of 3, which is not declared"),
        ("end.gml", GML.replace("target 2", "target 3"), "line 4: an edge of 3, which is not"),
        ("end.net", "*Vertices 2\n*Edges\n1 3\n", "line 3: 3 is no vertex"),
        (
            "end.json",
            '{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}',
            "an edge of 2",
        ),
        ("end.adjlist", "1 2\n", "line 1: 2 has no line of its own"),
        ("two.gml", GML * 2, "2 graphs; expected one"),
        ("inner.gml", GML.replace("id 1", "id 1 graph [ ]"), "a list graph is not read there"),
        ("di.gml", GML.replace("graph [", "graph [ directed 1"), "line 1: the graph is directed"),
        ("di.json", '{"directed": true, "nodes": [], "edges": []}', "the graph is directed"),
        ("di.matrix", "0 1\n0 0\n", "line 2: the graph is directed"),
        ("di.graph", "3 1\n2 3\n\n\n", "names 2, which does not name it"),
        ("cut.graph", "3 2\n2 3\n1\n", "2 lines of 3 vertices are there"),
        (
            "cycle.txt",
            "4 4\n2 4\n1 3\n2 4\n1 3\n",
            "an edge list and one of the format metis are written like",
        ),
        ("square.txt", "0 1 0\n1 0 1\n0 1 0\n", "all names are 0 and 1, as in a matrix"),
        ("headless.txt", "e 1 2\ne 2 3\n", "has a line 'p edge'"),
        ("market.mtx", "%%MatrixMarket matrix\n3 3 1\n1 2\n", "Matrix Market is not read"),
        ("columns.txt", "1 2\n2 3 4\n", "line 1: it has 2 columns, where other lines have 3"),
        ("ring.txt", "4 3\n3 2\n2 1\n1 4\n", "4 3 can be 4 vertices and 3 edges, or an edge"),
        (
            "cut.txt",
            "5 9\n1 2\n2 3\n3 4\n4 5\n",
            "it looks like a heading of 5 vertices and 9 edges",
        ),
        (
            "heading.csv",
            "here,there\n1,2\n2,3\n",
            "line 1: here, there: all other names are numbers",
        ),
        ("costs.csv", "0,5,3\n5,0,2\n3,2,0\n", "line 1: the rows are those of a symmetric matrix"),
        (
            "square.txt",
            "1 2 4\n2 1 3\n3 2 4\n4 3 1\n",
            "an edge list and one of the format adjacency",
        ),
        ("n.txt", "n 3\n1 2\n2 3\n3 1\n", "line 1: n, 3 looks like a number in a heading"),
        ("same.txt", "5 5\n1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n", "a heading of 5 vertices and 5 edges"),
        (
            "three.txt",
            "4 2 1\n1 3 7\n3 4 1\n",
            "4 2 1 can be 4 vertices and 2 edges, or an edge with",
        ),
        (
            "snap.txt",
            "# Nodes: 4 Edges: 2\n1 2\n2 3\n",
            "line 1: the comment says 4 vertices and 2 edg",
        ),
        ("konect.txt", "% sym x\n% 3 3 3\n1 2\n2 3\n", "line 2: the comment says 3 vertices and 3"),
        ("dot.txt", "graph G { a -- b; b -- c }\n", "line 1: DOT is not read"),
        ("di.dot", "strict digraph {\n a -> b\n}\n", "line 1: DOT is not read"),
        ("set.txt", "a b {x}\n", "line 1: {x} is no number"),
        ("edge.txt", "edge 1 2\nedge 2 3\n", "has a line 'p edge'"),
        ("upper.gml", GML.replace("node", "Node"), "line 2: Node is not read; the key is node"),
        ("capitals.gml", GML.upper(), "line 1: GRAPH is not read; the key is graph"),
        (
            "within.gml",
            GML.replace("id 1", "id 1 node [ id 3 ]"),
            "line 2: a list node is not read",
        ),
        ("stated.graphml", STATED.format(nodes=3), "parse.nodes is not 2, the number of nodes"),
        ("c5.txt", "1 2 5\n2 1 3\n3 2 4\n4 3 5\n5 4 1\n", "one of the format adjacency"),
        ("c5.csv", "1,2,5\n2,1,3\n3,2,4\n4,3,5\n5,4,1\n", "one of the format adjacency"),
        (
            "colon.txt",
            "1:2 5\n2:1 3\n3:2 4\n",
            "line 1: 1:2 has a separator; a blank follows a colon",
        ),
        ("both.txt", "1, 2 3\n2, 1 3\n", "graph: 2 3 may be one name or several"),
        ("letters.txt", "a, b c\nb, a c\nc, a b\n", "graph: b c may be one name or several"),
        ("path.txt", "4 2\n3 1\n3 2\n", "4 2 can be 4 vertices and 2 edges, or an edge"),
        ("tree.txt", "4 3\n0 1\n1 2\n2 3\n", "4 3 can be 4 vertices and 3 edges, or an edge"),
        ("pair.csv", "5, 1\n2, 3\n", "5 1 can be 5 vertices and 1 edge, or an edge"),
        ("cut.txt", "3 4\n1 2\n2 3\n3 1\n", "a heading of 3 vertices and 4 edges, but 3 edges"),
        ("xy.csv", "x,y\na,b\nb,c\n", "graph: with an edge apart from all others, x, y; begin"),
        ("slip.csv", "source,targt\na,b\n", "with an edge apart from all others, source, targt"),
        ("slip.gml", GML.replace("edge", "dge"), "line 4: a list dge is not read"),
        ("hyper.gml", GML.replace("edge", "hyperedge"), "line 4: a list hyperedge is not read"),
        ("slip-node.gml", GML.replace("node [ id 2", "nde [ id 2"), "line 3: a list nde is not"),
        ("slip-graph.gml", GML + GML.replace("graph", "grph"), "line 6: a list grph is not read"),
        ("label.gml", GML.replace("id 1", 'id 1 Label "x"'), "Label is not read; the key is label"),
        ("cut.net", '*Vertices 4\n1 "a"\n2 "b"\n3 "c"\n', "3 of 4 vertices are declared"),
        ("middle.net", "*Vertices 3\n1\n3\n*Edges\n1 2\n", "2 of 3 vertices are declared"),
        ("short.net", "*Vertices 2\n1\n2\n", "no section *Edges follows the vertices"),
        (
            "mixed.hcp",
            hcp(SQUARE).split("EDGE_DATA_F")[0]
            + "EDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n1 2 -1\n2 1 3 -1\n3 4 -1\n-1\nEOF\n",
            "2 names 3, which does not name it",
        ),
        ("missing.csv", "a,b\nb,NaN\n", "line 2: NaN is a missing value"),
        ("empty.csv", "a,b\nb,\n", "line 2: a missing value"),
        ("trailing.txt", "a b # one side\n", "line 1: it has 5 columns"),
        ("loop.txt", "a b\n\n% one\nb b\n", "line 4: a loop at b"),
        ("pairs.txt", "a,b c,d\n", "line 1: "),
        (
            "tour.hcp",
            HCP.replace("EOF", "FIXED_EDGES_SECTION\n1 2\n-1\nEOF"),
            "line 11: edges that a tour",
        ),
        ("cut.hcp", HCP.replace("-1\nEOF", "EOF"), "the file is cut off"),
        ("end.hcp", HCP.replace("3 4", "3 5"), "5 is no vertex; they are numbered from 1 to 4"),
        ("loop.hcp", HCP.replace("3 4", "3 3"), "a loop at 3"),
        ("many.hcp", HCP.replace("DIMENSION : 4", "DIMENSION : many"), "line 3: many is no number"),
        ("tsp.tsp", HCP.replace("TYPE : HCP", "TYPE : TSP"), "line 2: TYPE: TSP is not allowed"),
        ("list.hcp", HCP.replace("EDGE_LIST", "FULL"), "line 4: EDGE_DATA_FORMAT: FULL is not"),
        (
            "weights.hcp",
            HCP.replace("EDGE_DATA_F", "EDGE_WEIGHT_F"),
            "EDGE_WEIGHT_FORMAT is not read",
        ),
        ("cut.col", COL.replace("e 4 1\n", ""), "the file is cut off; 3 edges of 4"),
        ("end.col", COL.replace("e 4 1", "e 4 0"), "line 6: 0 is no vertex"),
        ("other.col", COL.replace("e 4 1", "f 4 1"), "line 6: expected 'c ...'"),
    ],
)
def test_what_is_not_understood_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(InstanceError) as caught:
        read(text, name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("sparse6", ":~~?ZZZZZ\n"),
        ("graph6", "~~?ZZZZZ\n"),
        ("digraph6", "&~~?ZZZZZ\n"),
        ("col", "p edge 100000000 0\n"),
        ("col", "p edge 3 100000000\n"),
        ("hcp", HCP.replace("DIMENSION : 4", "DIMENSION: 500000000")),
        ("metis", "100000000 0\n"),
        ("pajek", "*Vertices 100000000\n"),
        ("edges", "100000000\n1 2\n2 3\n"),
    ],
)
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
    with pytest.raises(InstanceError, match="apart from all others, Stadt1, Stadt2; begin"):
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
