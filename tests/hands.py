"""Hands for the tests: the proved ones, and strategies for random ones."""

import json
from functools import cache
from pathlib import Path

import networkx as nx
from hypothesis import strategies as st

from tests.brute_force import Card
from uno_csp import Uno1, parse
from uno_csp.experiments.families import Graph, cubic_hand

DATA = Path(__file__).parent / "data"


@cache
def truth() -> list[tuple[Uno1, str]]:
    """Small instances with proved answers."""
    lines = (DATA / "truth_uno1.jsonl").read_text().splitlines()
    read = [json.loads(line) for line in lines]
    return [(parse(each["instance"]), each["status"]) for each in read]


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
    return Uno1(tuple(cards), k, pile)
