"""Graphs of every format: what is written comes back, and what is damaged is not misread."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawing import graphs
from tests.support.examples import examples
from tests.support.graph_texts import MEANINGS, WRITERS, Graph, Shape, shape_of, written_shape
from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import ReadGraph, Reading
from uno_csp.graph_files.reading import read_graph, read_graphs

LETTERS = "abcdefgh"

UNDIRECTED = Reading(undirected=True)

GRAPHS = (graphs(fewest=2, most=17) | graphs(fewest=2, most=12, names=True)).filter(
    lambda graph: bool(graph.edges)
)
"""Graphs with an edge, called by numbers or names."""


def shape(read: ReadGraph) -> Shape:
    """Return a graph that was read, by the names of its vertices."""
    places = read.vertices
    return shape_of(places, [(places[one], places[other]) for one, other in read.edges])


@pytest.mark.parametrize(
    ("kind", "write"), [(kind, each) for kind, writers in WRITERS.items() for each in writers]
)
@examples(6)
@given(GRAPHS)
def test_a_graph_comes_back(kind: str, write: Callable[[Graph], str], graph: Graph) -> None:
    text = write(graph)
    read = read_graph(text, kind=kind, reading=UNDIRECTED)
    assert shape(read) == written_shape(graph, kind)
    windows = "\ufeff" + text.replace("\n", "\r\n")
    assert read == read_graph(windows, kind=kind, reading=UNDIRECTED)


@examples(50)
@given(GRAPHS, st.data())
def test_edges_come_back_in_any_order(graph: Graph, data: st.DataObject) -> None:
    turned = [data.draw(st.permutations(edge)) for edge in graph.edges]
    edges: list[list[Any]] = [*data.draw(st.permutations(turned))]
    text = "".join(f"{one} {other}\n" for one, other in edges)
    try:
        read = read_graph(text)
    except InstanceError as error:
        first, *others = edges
        rest = {end for edge in others for end in edge}
        if "as in a matrix" in str(error):
            assert rest <= {0, 1}
            return
        if "apart from all others" in str(error):
            assert not rest & {*first}
            assert shape(read_graph(text, kind="edges")) == written_shape(graph, "edges")
            return
        # The numbers of an edge can also say how many vertices and edges follow.
        assert "move an edge to another line" in str(error)
        assert all(isinstance(end, int) for end in rest)
        cut_off = first[1] > first[0] + (len(others) >= first[1])
        assert len(others) == first[1] or not rest & set(first) or cut_off
        assert max(rest, default=0) <= first[0]
        return
    if "heading" in read.said:
        assert len(edges) - 1 == edges[0][1]
        return
    assert shape(read) == written_shape(graph, "edges")


@examples(12)
@given(GRAPHS, st.data())
def test_weighted_edges_come_back(graph: Graph, data: st.DataObject) -> None:
    """Unless the lines are an adjacency list of another graph, too."""
    separator = data.draw(st.sampled_from((" ", ",", ";", "\t")))
    rows = [
        (*data.draw(st.permutations(edge)), data.draw(st.sampled_from((0.5, -3, 7, 12))))
        for edge in graph.edges
    ]
    lines = [("From", "to", "weight"), *rows]
    text = "".join(separator.join(map(str, row)) + "\n" for row in lines)
    assert shape(read_graph(text)) == written_shape(graph, "edges")


@pytest.mark.parametrize("separator", [" ", ",", ";", "\t", ", ", ":", ": "])
@pytest.mark.parametrize("number", [True, False])
def test_adjacency_of_equal_lines_is_never_taken_for_edges(separator: str, number: bool) -> None:
    """Each vertex has two neighbours, so that its line has as many words as a weighted edge."""
    for plain in (nx.cycle_graph(5), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4))):
        graph = nx.relabel_nodes(plain, {v: v + 1 if number else LETTERS[v] for v in plain})
        rows = ((vertex, *graph[vertex]) for vertex in graph)
        near = " " if ":" in separator or separator == ", " else separator
        text = "".join(f"{v}{separator}{near.join(map(str, ends))}\n" for v, *ends in rows)
        if separator == ": ":
            assert shape(read_graph(text)) == written_shape(graph, "adjacency")
        else:
            with pytest.raises(InstanceError):
                read_graph(text)


@examples(80)
@given(st.integers(0, 1), st.integers(2, 9), st.data())
def test_a_heading_is_read_as_one_or_the_text_is_refused(
    first: int, size: int, data: st.DataObject
) -> None:
    pairs = list(combinations(range(first, first + size), 2))
    edges = data.draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    base = 0 if any(0 in edge for edge in edges) else 1
    text = f"{size} {len(edges)}\n" + "".join(f"{other} {one}\n" for one, other in edges)
    wanted = shape_of(range(base, base + size), edges)
    try:
        assert shape(read_graph(text)) == wanted
    except InstanceError as error:
        assert len(edges) < size, error
    cut = text[: text.rindex("\n", 0, -1) + 1]
    if len(edges) > max(size, 2):
        with pytest.raises(InstanceError):
            read_graph(cut)


@st.composite
def damaged(draw: st.DrawFn, kind: str) -> Sequence[str]:
    """Texts with a part cut off, or with a character changed, added or left out."""
    text = draw(st.sampled_from(WRITERS[kind]))(draw(GRAPHS))
    place = draw(st.integers(0, len(text) - 1))
    signs = '0129aZ:,;#%*"?~{}[]<>&/-\n\t \x0b\u00e9\u200b'
    other = draw(st.sampled_from(signs) | st.sampled_from(text))
    return (
        text[:place],
        text[place:],
        text[:place] + other + text[place:],
        text[:place] + other + text[place + 1 :],
        text[:place] + text[place + 1 :],
    )


@pytest.mark.parametrize("kind", WRITERS)
@examples(10)
@given(st.data())
def test_a_damaged_text_is_refused_or_read_as_what_it_says(kind: str, data: st.DataObject) -> None:
    for text in data.draw(damaged(kind)):
        try:
            found = list(read_graphs(text, kind=kind, reading=UNDIRECTED))
        except InstanceError:
            continue
        for read in found if len(found) == 1 else ():
            if "heading" not in read.said or "source" in text:
                assert shape(read) == MEANINGS[kind](text), text


@pytest.mark.parametrize("kind", WRITERS)
@examples(6)
@given(st.data())
def test_a_damaged_text_without_a_format_is_refused_or_read_as_what_it_says(
    kind: str, data: st.DataObject
) -> None:
    words = {"edges": "an edge list", "adjacency": "an adjacency list", "tgf": "TGF"}
    meanings = {word: MEANINGS[each] for each, word in words.items()}
    for text in data.draw(damaged(kind)):
        try:
            (read,) = read_graphs(text, reading=UNDIRECTED)
        except (InstanceError, ValueError):
            continue
        if "heading" not in read.said:
            assert shape(read) == meanings.get(read.format, MEANINGS[kind])(text), text
