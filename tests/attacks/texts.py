"""Read typed hands and graph files: whole texts come back, damaged ones mean what they say."""

import random
import time
from collections import Counter

import networkx as nx

from tests.attacks.questions import Counterexample
from tests.graph_files.test_formats import UNDIRECTED, damaged, drawn, shape
from tests.support import spellings
from tests.support.graph_texts import MEANINGS, WRITERS, Shape, written_shape
from uno_csp import InstanceError, UnoCspError, parse
from uno_csp.graph_files.reading import read_graphs
from uno_csp.questions import codes


def attack(rng: random.Random, until: float) -> int:
    """Read texts until the deadline; return their number."""
    count = 0
    while time.monotonic() < until:
        _read_hand(rng)
        count += 1 + _read_graph(rng)
    return count


def _read_hand(rng: random.Random) -> None:
    """Read a hand of up to ten decks in one of the spellings."""
    hand = rng.choices(spellings.DECK, k=rng.randint(1, rng.choice((4, 20, 200))))
    form = rng.choice((*spellings.TEXTS, spellings.table, spellings.question))
    text = form(rng, hand)
    try:
        found = Counter(map(codes.code_of, parse(text).cards))
    except UnoCspError as error:
        raise Counterexample(f"a hand was refused: {error}", {"text": text}) from None
    if found != Counter(hand):
        raise Counterexample("another hand was read", {"text": text, "hand": hand})


def _read_graph(rng: random.Random) -> int:
    """Read a graph in one of the formats, whole and damaged; return the number of texts."""
    kind = rng.choice(list(WRITERS))
    graph = drawn(rng)
    whole = rng.choice(WRITERS[kind])(graph)
    texts = [whole, *damaged(whole, rng)]
    for text in texts:
        try:
            found = list(read_graphs(text, kind=kind, reading=UNDIRECTED))
        except InstanceError as error:
            if text == whole:
                case = {"text": text, "format": kind}
                raise Counterexample(f"a graph was refused: {error}", case) from None
            continue
        if len(found) != 1 or "heading" in found[0].said:
            continue
        meant = written_shape(graph, kind) if text == whole else _meant(kind, text)
        if meant not in (None, shape(found[0])):
            raise Counterexample("another graph was read", {"text": text, "format": kind})
    return len(texts)


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
