"""Graphs of every format: what is written comes back, and what is damaged is not misread."""

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import networkx as nx
import pytest

from tests.support.graph_texts import (
    MEANINGS,
    WRITERS,
    Graph,
    Shape,
    shape_of,
    written_shape,
)
from uno_csp.errors import InstanceError
from uno_csp.graph_files.drafts import ReadGraph, Reading
from uno_csp.graph_files.reading import FORMATS, read_graph, read_graphs

UNDIRECTED = Reading(undirected=True)

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def drawn(rng: random.Random) -> Graph:
    """Draw a graph of up to 17 vertices with an edge, called by numbers or names."""
    size = rng.randint(2, 17)
    pairs = list(combinations(range(size), 2))
    graph: Graph = nx.empty_graph(size)
    graph.add_edges_from(rng.sample(pairs, rng.randint(1, min(40, len(pairs)))))
    if rng.random() < 0.5:
        ends = rng.sample([f"{one}{two}" for one in "019_.#-+" for two in LETTERS], size)
        graph = nx.relabel_nodes(graph, {i: rng.choice(LETTERS) + ends[i] for i in range(size)})
    return graph


def shape(read: ReadGraph) -> Shape:
    """Return a graph that was read, by the names of its vertices."""
    places = read.vertices
    return shape_of(places, [(places[one], places[other]) for one, other in read.edges])


@pytest.mark.parametrize(
    ("kind", "write"), [(kind, each) for kind, writers in WRITERS.items() for each in writers]
)
def test_a_graph_comes_back(kind: str, write: Callable[[Graph], str]) -> None:
    rng = random.Random(kind)
    for _ in range(60):
        graph = drawn(rng)
        text = write(graph)
        read = read_graph(text, kind=kind, reading=UNDIRECTED)
        assert shape(read) == written_shape(graph, kind)
        windows = "\ufeff" + text.replace("\n", "\r\n")
        assert read == read_graph(windows, kind=kind, reading=UNDIRECTED)


@pytest.mark.parametrize("seed", range(500))
def test_edges_come_back_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    graph = drawn(rng)
    edges = [rng.sample(edge, 2) for edge in graph.edges]
    rng.shuffle(edges)
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


@pytest.mark.parametrize("seed", range(200))
def test_weighted_edges_come_back(seed: int) -> None:
    """Unless the lines are an adjacency list of another graph, too."""
    rng = random.Random(seed)
    graph = drawn(rng)
    separator = rng.choice((" ", ",", ";", "\t"))
    heading = separator.join(("From", "to", "weight")) + "\n"
    rows = [
        (*rng.sample(edge, 2), rng.choice((0.5, -3, rng.randrange(20)))) for edge in graph.edges
    ]
    text = heading + "".join(separator.join(map(str, row)) + "\n" for row in rows)
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


@pytest.mark.parametrize("seed", range(200))
def test_a_heading_is_read_as_one_or_the_text_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 9)
    first = rng.randrange(2)
    pairs = list(combinations(range(first, first + size), 2))
    edges = [rng.sample(pair, 2) for pair in rng.sample(pairs, rng.randint(1, len(pairs)))]
    base = 0 if any(0 in edge for edge in edges) else 1
    text = f"{size} {len(edges)}\n" + "".join(f"{one} {other}\n" for one, other in edges)
    wanted = shape_of(range(base, base + size), [(one, other) for one, other in edges])
    try:
        assert shape(read_graph(text)) == wanted
    except InstanceError as error:
        assert len(edges) < size, error
    cut = text[: text.rindex("\n", 0, -1) + 1]
    if len(edges) > max(size, 2):
        with pytest.raises(InstanceError):
            read_graph(cut)


def texts() -> Iterator[tuple[str, str]]:
    """Yield a format and a text, for each writer and some graphs."""
    for graph in (nx.cycle_graph(3), nx.petersen_graph(), nx.star_graph(3), nx.path_graph(5)):
        for kind, writers in WRITERS.items():
            for write in writers:
                yield kind, write(graph)


def damaged(text: str, rng: random.Random) -> Iterator[str]:
    """Yield prefixes, suffixes, and texts with a character changed, added or left out."""
    for _ in range(40):
        place = rng.randrange(len(text))
        other = rng.choice([rng.choice(text), *'0129aZ:,;#%*"?~{}[]<>&/-\n\t \x0b\u00e9\u200b'])
        yield from (text[:place], text[place:])
        yield text[:place] + other + text[place + rng.randrange(2) :]
        yield text[:place] + text[place + 1 :]


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_text_is_refused_or_read_as_what_it_says(seed: int) -> None:
    rng = random.Random(seed)
    accepted = 0
    for kind, whole in texts():
        for text in damaged(whole, rng):
            try:
                found = list(read_graphs(text, kind=kind, reading=UNDIRECTED))
            except InstanceError:
                continue
            for read in found if len(found) == 1 else ():
                accepted += 1
                if "heading" not in read.said or "source" in text:
                    assert shape(read) == MEANINGS[kind](text), (kind, text)
    assert accepted > 1000


@pytest.mark.parametrize("seed", range(2))
def test_a_damaged_text_without_a_format_is_refused_or_read_as_what_it_says(seed: int) -> None:
    rng = random.Random(seed)
    words = {"edges": "an edge list", "adjacency": "an adjacency list", "tgf": "TGF"}
    meanings = {word: MEANINGS[kind] for kind, word in words.items()}
    for kind, whole in texts():
        for text in damaged(whole, rng):
            try:
                (read,) = read_graphs(text, reading=UNDIRECTED)
            except (InstanceError, ValueError):
                continue
            if "heading" not in read.said:
                assert shape(read) == meanings.get(read.format, MEANINGS[kind])(text), (kind, text)


PIECES = (*' \t\n,;:"#%[](){}<>&019-+.eE*~?@ax', "\n ", "[ ", "0 ", "1\n", "<a>")
BEGINNINGS = {"gml": "graph [", "json": '{"nodes": [', "col": "p edge 3 2\n", "metis": "3 2\n"}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_long_run_of_anything_ends_soon(kind: str) -> None:
    for piece in PIECES:
        text = BEGINNINGS.get(kind, "") + piece * (200_000 // len(piece))
        for given in (kind, None):
            try:
                found = list(read_graphs(text, kind=given))
            except InstanceError as error:
                assert len(str(error)) < 600
            else:
                assert all(len(graph.vertices) <= 200_000 for graph in found)
