"""A question goes out and its answer comes back: large costs, compressed files, safe inputs."""

import bz2
import gzip
import json
import lzma
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.exports.test_objective_rules import SOLVERS, Run
from tests.support.running import run
from uno_csp import Status, decode, export, parse

LARGE = 2**31 - 1
"""The largest cost of a card."""
PRICED = [
    ([LARGE, LARGE - 1, LARGE], LARGE - 1),
    ([LARGE - 2, LARGE, LARGE - 1], LARGE - 2),
    ([LARGE, LARGE, LARGE], LARGE),
    ([0, LARGE, LARGE], 0),
]
OPTIMISING = [
    pytest.param(to, solver, id=f"{to}-{solver.__name__}")
    for to, solver, _ in SOLVERS
    if to != "dimacs"
]


def ends() -> dict[str, Any]:
    """Two cards that any of three cards joins."""
    hand = [["red", 1], ["blue", 2]]
    return {"question": "fill-in", "cards": hand, "supply": [["red", 2], ["blue", 1], ["red", 2]]}


@pytest.mark.parametrize(("costs", "best"), PRICED)
@pytest.mark.parametrize(("to", "solver"), OPTIMISING)
def test_the_largest_costs_come_back_exactly(
    to: str, solver: Run, costs: list[int], best: int, tmp_path: Path
) -> None:
    file = tmp_path / f"q.{to}"
    export(parse({**ends(), "costs": costs}), to, file)
    for said, _ in solver(file):
        answer = decode(file.read_text(), said)
        assert answer.objective == best
        # within the gap of linear solvers another sum might be better
        assert answer.status is Status.OPTIMAL or to in ("lp", "mps")


def solved(text: str) -> str:
    """The output of a SAT solver on a formula."""
    with Solver("glucose4", bootstrap_with=CNF(from_string=text)) as solver:
        assert solver.solve()
        return f"s SATISFIABLE\nv {' '.join(map(str, (*solver.get_model(), 0)))}\n"


PACKERS: dict[str, Callable[..., Any]] = {
    "": open,
    ".gz": gzip.open,
    ".GZ": gzip.open,
    ".Xz": lzma.open,
    ".BZ2": bz2.open,
}


@pytest.mark.parametrize(("ending", "other"), list(product(PACKERS, PACKERS)))
def test_compressed_files_are_decoded(
    ending: str, other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, output = tmp_path / f"q.CNF{ending}", tmp_path / f"said.Out{other}"
    assert run("export", "R5", "R7", "B7", "--to", "dimacs", "-o", str(file)) == 0
    with PACKERS[ending](file, "rt") as stream:
        said = solved(stream.read())
    with PACKERS[other](output, "wt") as stream:
        stream.write(said)
    assert run("decode", str(file), str(output)) == 10
    assert capsys.readouterr().out.startswith("YES")


@pytest.mark.parametrize("ending", ["", ".gz", ".XZ", ".Bz2"])
def test_batches_may_be_compressed(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"hands.Jsonl{ending}"
    with {key.lower(): each for key, each in PACKERS.items()}[ending.lower()](file, "wt") as out:
        out.write('{"question": "uno-1", "cards": ["R5", "R7"]}\n{"question": "nothing"}\n')
        out.write('{"question": "uno-1", "cards": ["R5", "B7"]}\n')
    assert run("solve", str(file)) == 2
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each.get("status") for each in found] == ["SATISFIABLE", None, "UNSATISFIABLE"]


@pytest.mark.parametrize("read", ["q.json", "soft.json", "hard.json"])
@pytest.mark.parametrize("out", ["q.json", "soft.json", "hard.json", "./q.json", "d/../q.json"])
def test_an_export_does_not_overwrite_what_it_reads(
    read: str,
    out: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    text = '{"question": "uno-1", "cards": ["R5", "R7"]}'
    Path("q.json").write_text(text)
    Path("soft.json").symlink_to("q.json")
    os.link("q.json", "hard.json")
    Path("d").mkdir()
    for name in (out, str(tmp_path / out)):
        assert run("export", read, "--to", "dimacs", "-o", name) == 2
        assert capsys.readouterr().err.endswith("this file is read itself; give another name\n")
    assert {Path(name).read_text() for name in ("q.json", "soft.json", "hard.json")} == {text}


@pytest.mark.parametrize(
    "asked",
    [
        ("R5", "R7"),
        ("R5", "B7", "--method", "walks", "--no-presolve"),
        ("R5", "R7", "B7", "--method", "walks"),
        ("W",),
    ],
)
def test_an_older_certificate_is_left_alone(
    asked: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "proof")
    assert run("solve", "R5", "B7", "--proof", folder) == 20
    before = {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
    capsys.readouterr()
    code = run("solve", *asked, "--proof", folder)
    said = capsys.readouterr()
    assert code in (0, 10, 30), said.err
    assert {path: path.read_bytes() for path in before} == before
    assert "no certificate" in said.out or "not certified" in said.out
