"""The benchmark set: what the list says is so, and files are made byte for byte again."""

import hashlib
import lzma
import re
from collections import Counter
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.support import ROOT
from tests.support.running import answered, refused, shell
from uno_csp import Status, UnknownName, UnoCspError
from uno_csp.benchmarks import Benchmark, benchmarks, make, read_list
from uno_csp.benchmarks.sat_kit import hardest
from uno_csp.questions import FillIn

SMALL = "uno-hubtrail-fragments3-k*"
ENDS = {"sat": Status.SATISFIABLE, "unsat": Status.UNSATISFIABLE, "opt": Status.OPTIMAL}


def test_the_set_is_as_large_as_promised_and_yes_and_no_in_balance() -> None:
    whole = benchmarks()
    assert Counter(each.to for each in whole) == {"dimacs": 60, "wcnf": 20, "opb": 20, "xcsp": 20}
    assert len({each.file for each in whole}) == len(whole) == len({each.sha256 for each in whole})
    decisions = Counter(each.name.rsplit("-", 1)[1] for each in benchmarks(to="dimacs"))
    assert decisions["sat"] == decisions["unsat"] == 30
    for each in whole:
        assert len(bytes.fromhex(each.sha256)) == 32
        assert each.status == (ENDS[each.name.rsplit("-", 1)[1]] if each.confirmed else "UNKNOWN")
        assert (each.objective is not None) == (each.status is Status.OPTIMAL)


def test_the_hardest_files_are_hard_enough_for_a_competition() -> None:
    """Ten or more are not solved by MiniSat in a minute, and all by kissat in an hour."""
    chosen = hardest()
    statuses = Counter(each.status for each in chosen)
    assert statuses == {Status.SATISFIABLE: 10, Status.UNSATISFIABLE: 10}
    assert sum(each.cpu_s["minisat"] is None for each in chosen) >= 10
    assert all(10 < (each.cpu_s["kissat"] or 0) < 3600 for each in chosen)
    whole = [each.cpu_s.get("kissat") or 0 for each in benchmarks(to="dimacs")]
    assert sum(100 <= cpu_s < 3600 for cpu_s in whole) >= 25


def test_the_list_says_nothing_else_than_the_families_prove() -> None:
    compared = 0
    for each in benchmarks():
        known = each.instance().expected
        if known is None or known.status is Status.UNKNOWN or not each.confirmed:
            continue
        compared += 1
        if each.bound is None:
            assert (each.status, each.objective) == (known.status, known.objective), each.name
        elif isinstance(each.instance(), FillIn) and known.objective is not None:
            assert (each.status is Status.SATISFIABLE) == (known.objective <= each.bound), each.name
    assert compared > 40


def test_files_are_made_byte_for_byte_by_us_and_by_their_commands(
    tmp_path: Path,
) -> None:
    folder = str(tmp_path / "set")
    made = answered(0, "benchmarks", "make", folder, "--only", SMALL)
    assert made == f"2 files in {folder}\n"
    lines = (tmp_path / "set/MANIFEST.tsv").read_text().splitlines()[1:]
    assert len(lines) == 2
    listed = {each.file: each for each in benchmarks(SMALL)}
    for line in lines:
        digest, file, status, command = line.split("\t")
        assert (digest, status) == (listed[file].sha256, "UNSATISFIABLE")
        text = lzma.decompress((tmp_path / "set" / file).read_bytes())
        assert hashlib.sha256(text).hexdigest() == digest
        assert command == listed[file].command
    assert shell("sha256sum --check --quiet SHA256SUMS", tmp_path / "set").returncode == 0


@pytest.mark.slow
def test_the_command_in_the_manifest_makes_the_same_file(tmp_path: Path) -> None:
    for to in ("dimacs", "wcnf", "opb", "xcsp"):
        each = next(each for each in benchmarks(to=to) if len(each.instance().cards) < 100)
        assert shell(f"set -o pipefail; {each.command}", tmp_path).returncode == 0
        text = lzma.decompress((tmp_path / each.file).read_bytes())
        assert hashlib.sha256(text).hexdigest() == each.sha256


@pytest.mark.slow
def test_every_encoding_still_makes_the_files_that_were_measured(tmp_path: Path) -> None:
    """The first small file of each: a change of an encoding must come with new measurements."""
    for encoding in sorted({each.encoding for each in benchmarks()}):
        own = [each for each in benchmarks(to="dimacs") if each.encoding == encoding]
        each = min(own, key=lambda each: len(each.instance().cards))
        assert each.write(tmp_path) == each.sha256, each.name


@pytest.mark.slow
def test_small_files_are_what_they_are_said_to_be(tmp_path: Path) -> None:
    chosen = benchmarks("uno-hubtrail-fillin-diamond-heawood-*", "dimacs")
    for each in (*benchmarks(SMALL), *chosen):
        each.write(tmp_path)
        with Solver("cadical195", CNF(from_file=str(tmp_path / each.file))) as solver:
            assert solver.solve() == (each.status is Status.SATISFIABLE), each.name


def test_another_file_than_the_one_measured_is_told(tmp_path: Path) -> None:
    (line,) = read_list(
        '{"name": "x", "to": "dimacs", "family": "spider", "encoding": "hub-trail",'
        ' "parameters": {"legs": 3}, "sha256": "00"}'
    )
    assert line.status is Status.UNKNOWN
    with pytest.raises(UnoCspError, match="not byte for byte what was measured: x;"):
        list(make(tmp_path, [line]))
    assert (tmp_path / "x.cnf.xz").exists()
    assert "UNKNOWN" in (tmp_path / "MANIFEST.tsv").read_text()


def test_a_command_has_every_choice() -> None:
    named = ("x", "opb", "theorem-3-1", "turns", {"path": False}, "flow")
    chosen = Benchmark(*named, seed=3, question="longest", bound=0)
    assert chosen.command == (
        "uno-csp generate theorem-3-1 --no-path --seed 3 --question longest | uno-csp export - "
        "--to opb --method turns --connectivity flow --bound 0 --no-decode -o x.opb.xz"
    )


def test_a_pattern_that_fits_nothing_tells_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        benchmarks("nothing*")
    assert "nothing*" in refused("benchmarks", "make", str(tmp_path), "--only", "nothing*")
    assert answered(0, "benchmarks list --to wcnf").count("\twcnf\tOPTIMAL\t") >= 10


@pytest.mark.slow
def test_the_ten_lines_of_the_page_measure_a_solver(tmp_path: Path) -> None:
    page = (ROOT / "docs/benchmarks.md").read_text()
    (lines,) = re.findall(r"```bash\n(.*?)```", page, re.DOTALL)
    assert len(lines.splitlines()) <= 11
    assert shell(lines, tmp_path).returncode == 0
    (row,) = (tmp_path / "results.csv").read_text().splitlines()
    assert re.fullmatch(r"uno-hubtrail-fragments3-k4-s1-unsat,20,20,[0-9]+ ms", row)
