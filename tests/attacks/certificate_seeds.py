"""Small certificates of every kind, as the bytes of their files, for attacks on the verifiers."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx

from tests.support.certifying import written
from tests.support.tables import table
from uno_csp import certify, parse, solve
from uno_csp.certificates import graphs
from uno_csp.certificates.parts import ProofOptions
from uno_csp.verifier import cards, games
from uno_csp.verifier.graphs import Graph, allowed

Certificate = dict[str, bytes]
"""The bytes of each file."""

HANDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = table("attacks", "seeds")
"""Questions about hands, each with the options of its certificate."""

PETERSEN = [list(edge) for edge in nx.petersen_graph().edges]
GRAPHS: dict[str, dict[str, Any]] = {
    "separator": {"goal": "cycle", "edges": [[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2]]},
    "Petersen": {"goal": "cycle", "edges": PETERSEN},
    "paths": {"goal": "paths", "edges": [[0, 1], [0, 2], [0, 3]]},
    "longest path": {"goal": "longest", "edges": [[0, 1], [0, 2], [0, 3]]},
}


@cache
def seeds() -> dict[str, Certificate]:
    """Return a certificate of each kind."""
    with TemporaryDirectory() as folder:
        return dict(_made(Path(folder)))


def _made(folder: Path) -> Iterator[tuple[str, Certificate]]:
    for name, (question, options) in HANDS.items():
        hand = parse(json.dumps(question))
        summary = certify(hand, solve(hand), folder, **options).certificate or {}
        assert summary["certified"], name
        yield name, _files(folder)
        if name == "strategy":
            yield "lines", _lines(folder)
    yield from _graphs(folder)
    yield from _real_games(folder)


def _files(folder: Path) -> Certificate:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def _lines(folder: Path) -> Certificate:
    """Return the same strategy with a line for each position."""
    asked = cards.Question(json.loads((folder / "question.json").read_text()))
    positions = json.loads((folder / "reason.json").read_text())["positions"]
    deal, known = games.Deal(asked), dict[Any, Any]()
    for at in positions:
        hands = tuple(deal.bits(map(tuple, hand)) for hand in at["hands"])
        known[at["player"] - 1, tuple(at["last"]), hands] = tuple(at["play"])
    lines: list[str] = []

    def answer(*at: Any) -> Any:
        lines.append(json.dumps(known[at]) + "\n")
        return known[at]

    games.follow(asked, answer)
    claim = json.loads((folder / "claim.json").read_text())
    files = {"question.json": (folder / "question.json").read_text()}
    del claim["files"]
    return _with_claim(claim, {**files, games.STRATEGY: "".join(lines)})


def _graphs(folder: Path) -> Iterator[tuple[str, Certificate]]:
    values = {"paths": 2, "longest": 3}
    for name, data in GRAPHS.items():
        size = 1 + max(max(edge) for edge in data["edges"])
        whole = {**data, "vertices": [f"v{number}" for number in range(size)]}
        value = values.get(data["goal"])
        claim = {"status": "UNSATISFIABLE" if value is None else "OPTIMAL", "objective": value}
        paths = {"paths": [[1, 0, 2], [3]], "longest": [[1, 0, 2]]}.get(data["goal"])
        made = graphs.certify_graph(whole, {**claim, "made_by": {}}, paths, folder)
        assert made["certified"], name
        yield name, _files(folder)
        if name == "separator":
            stated, goal = Graph(whole), allowed(Graph(whole), claim)
            assert goal is not None
            drafts = [
                graphs.refutation(stated, goal, ProofOptions(bounds=x)) for x in (True, False)
            ]
            for draft in filter(None, (*drafts, graphs.order(stated, goal))):
                files = {"graph.json": json.dumps(whole), **draft.files}
                yield f"graph {draft.kind}", _with_claim(claim, files)


def _with_claim(claim: dict[str, Any], files: dict[str, str]) -> Certificate:
    with TemporaryDirectory() as folder:
        return _files(written(Path(folder), files, **claim))


def _real_games(folder: Path) -> Iterator[tuple[str, Certificate]]:
    for name, hands in (("win", [["R1"], ["G2", "G3"]]), ("stopped", [["G7", "G8"], ["R2"]])):
        game = parse(
            json.dumps({"question": "open-game", "hands": hands, "after": "R5", "draw": ["B9"]})
        )
        with TemporaryDirectory() as own:
            summary = certify(game, solve(game), own).certificate or {}
            assert summary["certified"], name
            yield f"real game, {name}", _files(Path(own))
