"""A question goes out and its answer comes back: large costs, compressed files, safe inputs."""

import bz2
import gzip
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.exports.test_objective_rules import SOLVERS, Run
from tests.support.running import Patch, answered, refused
from uno_csp import Status, decode, export, parse

LARGE = 2**31 - 1
"""The largest cost of a card."""
OPTIMISING = [
    pytest.param(to, solver, id=f"{to}-{solver.__name__}")
    for to, solver, _ in SOLVERS
    if to != "dimacs"
]
ENDS = {"question": "fill-in", "cards": ["R1", "B2"], "supply": ["R2", "B1", "R2"]}
"""Two cards that any of three cards joins."""


@pytest.mark.parametrize("below", [(0, 1, 0), (2, 0, 1), (0, 0, 0), (LARGE, 0, 0)])
@pytest.mark.parametrize(("to", "solver"), OPTIMISING)
def test_the_largest_costs_come_back_exactly(
    to: str, solver: Run, below: tuple[int, ...], tmp_path: Path
) -> None:
    file, costs = tmp_path / f"q.{to}", [LARGE - each for each in below]
    export(parse({**ENDS, "costs": costs}), to, file)
    for said, _ in solver(file):
        answer = decode(file.read_text(), said)
        assert answer.objective == min(costs)
        # within the gap of linear solvers another sum might be better
        assert answer.status is Status.OPTIMAL or to in ("lp", "mps")


PACKERS: dict[str, Callable[..., Any]] = {
    "": open,
    ".gz": gzip.open,
    ".GZ": gzip.open,
    ".Xz": lzma.open,
    ".BZ2": bz2.open,
}


@pytest.mark.parametrize(("ending", "other"), list(zip(PACKERS, reversed(PACKERS), strict=True)))
def test_compressed_files_are_decoded(ending: str, other: str, tmp_path: Path) -> None:
    file, output = tmp_path / f"q.CNF{ending}", tmp_path / f"said.Out{other}"
    answered(0, "export", "R5", "R7", "B7", "--to", "dimacs", "-o", str(file))
    if ending.lower() == ".gz":  # it has neither a name nor a time
        assert file.read_bytes()[3:8] == bytes(5)
    with PACKERS[ending](file, "rt") as stream:
        formula = CNF(from_string=stream.read())
    with Solver("glucose4", bootstrap_with=formula) as solver, PACKERS[other](output, "wt") as out:
        assert solver.solve()
        out.write(f"s SATISFIABLE\nv {' '.join(map(str, (*solver.get_model(), 0)))}\n")
    assert answered(10, "decode", str(file), str(output)).startswith("YES")


@pytest.mark.parametrize("ending", PACKERS)
def test_batches_may_be_compressed(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"hands.Jsonl{ending}"
    with PACKERS[ending](file, "wt") as out:
        out.write('{"question": "uno-1", "cards": ["R5", "R7"]}\n{"question": "nothing"}\n')
        out.write('{"question": "uno-1", "cards": ["R5", "B7"]}\n')
    found = [json.loads(line) for line in answered(2, "solve", str(file)).splitlines()]
    assert [each.get("status") for each in found] == ["SATISFIABLE", None, "UNSATISFIABLE"]


@pytest.mark.parametrize("read", ["q.json", "soft.json", "hard.json"])
@pytest.mark.parametrize("out", ["q.json", "soft.json", "hard.json", "./q.json", "d/../q.json"])
def test_an_export_does_not_overwrite_what_it_reads(
    read: str, out: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = '{"question": "uno-1", "cards": ["R5", "R7"]}'
    Path("q.json").write_text(text)
    Path("soft.json").symlink_to("q.json")
    os.link("q.json", "hard.json")
    Path("d").mkdir()
    for name in (out, str(tmp_path / out)):
        said = refused("export", read, "--to", "dimacs", "-o", name)
        assert said.endswith("this file is read itself; give another name\n")
    assert {Path(name).read_text() for name in ("q.json", "soft.json", "hard.json")} == {text}
