"""Verifier of certificates about graphs: ``python graph_verifier.py CERTIFICATE``.

Such a certificate is a folder with ``graph.json``, the graph and what was sought in it, and
``hand``, a certificate about a hand. Here it is checked that the cards of the hand agree in an
attribute exactly where the vertices of the graph are adjacent; the hand is left to
``full_verifier.py``, which lies beside this file and like it needs nothing but Python.

For a cycle one vertex is doubled and each copy has one more neighbour, so that the cycles of the
graph are the paths through all vertices of the larger one. So it is for given ends of a path.
"""

import json
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from uno_csp.certificates import full_verifier, verifier
else:
    import full_verifier
    import verifier

GRAPH, HAND = "graph.json", "hand"
"""Name of the file with the graph, and of the folder with the certificate about its hand."""

QUESTIONS = {"cycle": "uno-1", "path": "uno-1", "paths": "fill-in", "longest": "longest"}
"""For each goal, the question about the hand."""

Edges = set[tuple[int, int]]


def verify(folder: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Verify a certificate; return what was proved of the graph, and the proof checker, if any.

    Raises
    ------
    verifier.Refused
        If the certificate does not prove what it claims.
    """
    given = json.loads((folder / GRAPH).read_text(encoding="utf-8"))
    question = json.loads((folder / HAND / "question.json").read_text(encoding="utf-8"))
    require_hand(given, question)
    claim = json.loads((folder / HAND / verifier.CLAIM).read_text(encoding="utf-8"))
    status = "OPTIMAL" if given["goal"] in ("paths", "longest") else "UNSATISFIABLE"
    verifier.require(claim["status"] == status, f"{claim['status']} says nothing of the graph")
    shown, by = full_verifier.verify(folder / HAND, checker)
    return f"proved: {statement(given, claim)}\nthe hand of the graph: {shown}", by


def require_hand(given: dict[str, Any], question: dict[str, Any]) -> None:
    """Require that a question is about the hand of a graph.

    Raises
    ------
    verifier.Refused
        If it is not.
    """
    goal = given["goal"]
    verifier.require(goal in QUESTIONS, f"{GRAPH}: unknown goal {goal!r}")
    verifier.require(question["question"] == QUESTIONS[goal], f"the question is not about a {goal}")
    verifier.require(question.get("at_least", 1) == 1, "the cards have to agree in one attribute")
    for name in ("after", "supply", "costs"):
        verifier.require(question.get(name) is None, f"the question has a field {name!r}")
    size, edges = _extended(given)
    cards = question["cards"]
    verifier.require(len(cards) == size, f"{len(cards)} cards are no hand for {size} vertices")
    verifier.require(
        all(type(value) is int for card in cards for value in card), "a card has a name or is wild"
    )
    # With one attribute no card could be added between two that do not match.
    verifier.require(goal != "paths" or len(cards[0]) > 1, "the cards have one attribute")
    by_value: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, card in enumerate(cards):
        for place, value in enumerate(card):
            by_value[place, value].append(number)
    agreeing: Edges = {pair for several in by_value.values() for pair in combinations(several, 2)}
    for one, other in agreeing ^ edges:
        how = "agree" if (one, other) in agreeing else "do not agree"
        raise verifier.Refused(f"cards {one + 1} and {other + 1} {how}, unlike their vertices")


def _extended(given: dict[str, Any]) -> tuple[int, Edges]:
    """Return the number of vertices and the edges of the graph that the hand stands for."""
    size = len(given["vertices"])
    edges: Edges = set()
    for one, other in given["edges"]:
        right = type(one) is type(other) is int and 0 <= one < size and 0 <= other < size
        verifier.require(right and one != other, f"{GRAPH}: [{one}, {other}] is no edge")
        edges.add((min(one, other), max(one, other)))
    ends = [end for end in (given.get("source"), given.get("target")) if end is not None]
    goal = given["goal"]
    verifier.require(goal == "path" or not ends, f"{GRAPH}: only a path has given ends")
    if goal == "cycle":
        verifier.require(size > 2, f"{GRAPH}: a cycle has three vertices or more")
        doubled = given["doubled"]
        right = type(doubled) is int and 0 <= doubled < size
        verifier.require(right, f"{GRAPH}: {doubled} is no vertex that can be doubled")
        near = [other if one == doubled else one for one, other in edges if doubled in (one, other)]
        edges |= {(vertex, size) for vertex in near}
        ends = [doubled, size]
        size += 1
    for number, end in enumerate(ends):
        verifier.require(type(end) is int and 0 <= end < size, f"{GRAPH}: {end} is no vertex")
        edges.add((end, size + number))
    return size + len(ends), edges


def statement(given: dict[str, Any], claim: dict[str, Any]) -> str:
    """Return what a claim about the hand says of the graph."""
    size, edges = len(given["vertices"]), len({frozenset(edge) for edge in given["edges"]})
    value = claim.get("objective")
    what = {
        "cycle": "the graph has no Hamiltonian cycle",
        "path": "the graph has no Hamiltonian path",
        "paths": f"the fewest paths that visit every vertex once are {(value or 0) + 1}",
        "longest": f"the longest path has {value} vertices",
    }[given["goal"]]
    ends = (("from", given.get("source")), ("to", given.get("target")))
    named = "".join(f" {name} {given['vertices'][end]}" for name, end in ends if end is not None)
    return f"{what}{named} ({size} vertices, {edges} edges)"


if __name__ == "__main__":
    verifier.main(verify, full_verifier.CHECKERS)
