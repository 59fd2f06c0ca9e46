"""Read typed hands and graph files: whole texts come back, damaged ones mean what they say."""

from collections import Counter

import networkx as nx
from hypothesis import strategies as st

from tests.attacks.questions import Counterexample
from tests.graph_files.test_formats import GRAPHS, UNDIRECTED, damaged, shape
from tests.support import spellings
from tests.support.graph_texts import MEANINGS, WRITERS, Shape, written_shape
from uno_csp import InstanceError, UnoCspError, parse
from uno_csp.graph_files.reading import read_graph, read_graphs
from uno_csp.questions import codes


def attempt(draw: st.DrawFn) -> None:
    """Read a hand, a graph, and damaged texts."""
    _read_hand(draw)
    kind = draw(st.sampled_from([*WRITERS]))
    _read_graph(draw, kind)
    for text in draw(damaged(kind)):
        _read_damaged(text, kind)


def _read_hand(draw: st.DrawFn) -> None:
    """Read a hand in one of the spellings."""
    hand, text = draw(spellings.written_hands(max_cards=40))
    try:
        found = Counter(map(codes.code_of, parse(text).cards))
    except UnoCspError as error:
        raise Counterexample(f"a hand was refused: {error}", {"text": text}) from None
    if found != Counter(hand):
        raise Counterexample("another hand was read", {"text": text, "hand": hand})


def _read_graph(draw: st.DrawFn, kind: str) -> None:
    """Read a whole text in one of the formats."""
    graph = draw(GRAPHS)
    text = draw(st.sampled_from(WRITERS[kind]))(graph)
    try:
        read = read_graph(text, kind=kind, reading=UNDIRECTED)
    except InstanceError as error:
        case = {"text": text, "format": kind}
        raise Counterexample(f"a graph was refused: {error}", case) from None
    if "heading" not in read.said and written_shape(graph, kind) != shape(read):
        raise Counterexample("another graph was read", {"text": text, "format": kind})


def _read_damaged(text: str, kind: str) -> None:
    """Read a damaged text."""
    try:
        found = list(read_graphs(text, kind=kind, reading=UNDIRECTED))
    except InstanceError:
        return
    whole = len(found) != 1 or "heading" in found[0].said
    if not whole and _meant(kind, text) not in (None, shape(found[0])):
        raise Counterexample("another graph was read", {"text": text, "format": kind})


def _meant(kind: str, text: str) -> Shape | None:
    """Return the graph of a damaged text by another reader; None where that one knows too little.

    It knows no names with a blank, which another separator allows, and no colon after a section.
    """
    if " " in text and set(text) & set(",;\t"):
        return None
    try:
        return MEANINGS[kind](text)
    except (ValueError, LookupError, SyntaxError, nx.NetworkXException):
        return None
