"""Questions with proved answers, and hands that are hard."""

import json
from dataclasses import dataclass
from functools import cache

import networkx as nx

from tests.support import ROOT
from uno_csp import Uno1, parse
from uno_csp.families.cubic_graphs import Graph
from uno_csp.families.structured_hands import diamond_hand
from uno_csp.graphs.paper import cubic_hand
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


def hard() -> Uno1:
    """A no that takes textbook encodings for ever."""
    return diamond_hand(nx.complete_bipartite_graph(3, 3))
