"""Hands for the tests: the proved ones, and strategies for random ones."""

import json
from dataclasses import dataclass
from functools import cache

import networkx as nx
from hypothesis import strategies as st

from tests.support import ROOT
from tests.support.brute_force import Card
from uno_csp import Uno1, parse
from uno_csp.families.cubic_graphs import Graph
from uno_csp.families.structured_hands import cubic_hand, diamond_hand
from uno_csp.questions import Instance

DATA = ROOT / "tests/data"


@dataclass(frozen=True)
class Proved:
    """An instance with its proved answer."""

    instance: Instance
    status: str
    objective: int | None


@cache
def truth(question: str | None = None) -> list[Proved]:
    """Small instances with proved answers, of one kind or of all."""
    read = [json.loads(line) for line in (DATA / "truth.jsonl").read_text().splitlines()]
    found = [
        Proved(parse(each["instance"]), each["status"], each.get("objective")) for each in read
    ]
    return [each for each in found if question in (None, each.instance.question)]


@cache
def nontraceable() -> list[Uno1]:
    """Hands of the cubic graphs on 16 and 18 vertices that have no Hamiltonian path."""
    lines = (DATA / "nontraceable_cubic.g6").read_bytes().split()
    graphs: list[Graph] = [nx.from_graph6_bytes(line) for line in lines]
    return [cubic_hand(graph, f"non-traceable cubic {i}") for i, graph in enumerate(graphs)]


@st.composite
def hands(draw: st.DrawFn, *, wild: str = "none", max_cards: int = 7, after: bool = True) -> Uno1:
    """Random small hands; ``wild`` is none, universal or partial."""
    dimension = draw(st.integers(1, 3))
    k = draw(st.integers(1, dimension))
    value: st.SearchStrategy[int | str] = st.integers(0, draw(st.integers(1, 4)))
    plain: st.SearchStrategy[Card] = st.tuples(*[value] * dimension)
    card = plain
    if wild == "universal":
        card = st.one_of(plain, plain, plain, st.just(("*",) * dimension))
    elif wild == "partial":
        card = st.tuples(*[st.one_of(value, value, st.just("*"))] * dimension)
    cards = draw(st.lists(card, max_size=max_cards))
    pile = draw(st.none() | card) if after else None
    return Uno1(tuple(cards), at_least=k, after=pile)


@st.composite
def deals(draw: st.DrawFn, *, players: int, wild: bool = False) -> tuple[tuple[Card, ...], ...]:
    """Small hands for so many players."""
    value: st.SearchStrategy[int | str] = st.integers(0, draw(st.integers(1, 3)))
    card: st.SearchStrategy[Card] = st.tuples(value, value)
    if wild:
        card = st.one_of(card, card, card, st.just(("*", "*")))
    hand = st.lists(card, min_size=1, max_size=4).map(tuple)
    return tuple(draw(hand) for _ in range(players))


def piles() -> st.SearchStrategy[Card | None]:
    """Nothing, or a card, on the discard pile."""
    return st.sampled_from((None, (0, 0), (0, 1), ("*", "*")))


def hard() -> Uno1:
    """A no that takes textbook encodings for ever."""
    return diamond_hand(nx.complete_bipartite_graph(3, 3))
