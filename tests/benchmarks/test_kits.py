"""Kits for competitions: their form, and that they hold the measured files."""

import csv
import hashlib
import lzma
import re
import shutil
import subprocess
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.running import Patch, answered, put_program
from uno_csp import Status, UnoCspError
from uno_csp.benchmarks import Benchmark, benchmarks, kits, sat_kit

SMALL = "uno-hubtrail-longest-diamond-k4-opt"


def read(path: Path) -> list[str]:
    with lzma.open(path, "rt") as stream:
        return stream.read().splitlines()


@pytest.fixture
def small(monkeypatch: Patch) -> None:
    """Make the kits of one small file."""
    monkeypatch.setattr(kits, "benchmarks", lambda to: benchmarks(SMALL, to))


@pytest.mark.usefixtures("small")
def test_a_kit_for_pseudo_boolean_solvers(tmp_path: Path) -> None:
    """The header is the one that its lines give; the lines themselves are those of the set."""
    folder = str(tmp_path / "kit")
    assert answered(0, "benchmarks", "kit", "--for", "pb", folder) == f"1 files in {folder}\n"
    (path,) = (tmp_path / "kit/uno-longest").iterdir()
    first, *lines = read(path)
    rows = [line.split() for line in lines if line.endswith(";") and not line.startswith("min")]
    (objective,) = (line.split()[1:-1] for line in lines if line.startswith("min:"))
    assert {row[-3] for row in rows} == {">="}
    sums = [sum(abs(int(each)) for each in (*row[:-3:2], row[-2])) for row in rows]
    largest = max(*sums, sum(abs(int(each)) for each in objective[::2]))
    used = {name for row in rows for name in row[1:-3:2]}
    assert set(objective[1::2]) <= used == {f"x{number + 1}" for number in range(len(used))}
    assert first == (
        f"* #variable= {len(used)} #constraint= {len(rows)} #equal= 0 "
        f"intsize= {len(f'{largest:b}')}"
    )
    (own,) = benchmarks(SMALL, "opb")
    own.write(tmp_path)
    assert read(tmp_path / own.file)[1:] == lines
    readme = (tmp_path / "kit/README.txt").read_text()
    assert re.search(rf"{SMALL}\.opb\.xz\n  optimum of the question: 72\n  uno-csp gen", readme)


@pytest.mark.usefixtures("small")
def test_a_kit_for_maxsat_solvers(tmp_path: Path) -> None:
    (made,) = kits.make_kit("maxsat", tmp_path)
    found = read(tmp_path / "uno-longest" / made.file)
    lines = [line for line in found if not line.startswith("c")]
    assert {line.split()[0] for line in lines} == {"h", "1"}
    assert all(line.endswith(" 0") for line in lines)


@pytest.mark.usefixtures("small")
def test_a_kit_needs_a_new_folder(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("")
    with pytest.raises(UnoCspError, match="the folder is not empty; give a new one"):
        list(kits.make_kit("pb", tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_variable_without_a_constraint_is_refused(tmp_path: Path) -> None:
    for text, said in (
        ("* \nmin: +1 x2 ;\n+1 x1 >= 1 ;\n", "of the objective is in no constraint"),
        ("* \n+1 x1 +1 x3 >= 1 ;\n", "a variable is in no constraint"),
        ("* \n+1 x1 >= 1\n", "does not end with"),
    ):
        with lzma.open(tmp_path / "a.xz", "wt") as stream:
            stream.write(text)
        with pytest.raises(UnoCspError, match=said):
            kits._with_header(tmp_path / "a.xz", tmp_path / "b.xz")


XCSP = Benchmark("uno-circuit-spider-unsat", "xcsp", "spider", "successor", {"legs": 3})


def test_a_kit_for_constraint_solvers(tmp_path: Path, monkeypatch: Patch) -> None:
    asked = [XCSP, replace(XCSP, name="uno-circuit-longest-spider", question="longest")]
    known = [replace(each, sha256=each.write(tmp_path)) for each in asked]
    monkeypatch.setattr(kits, "benchmarks", lambda to: known)
    made = list(kits.make_kit("xcsp", tmp_path / "kit"))
    assert made == known
    whole, longest = (tmp_path / "kit" / name for name in ("uno-whole-hand", "uno-longest"))
    (first,), (second,) = whole.iterdir(), longest.iterdir()
    assert first.name == "uno-circuit-spider-unsat.xml.lzma"
    for path, each, kind in ((first, known[0], "CSP"), (second, known[1], "COP")):
        text = lzma.decompress(path.read_bytes(), format=lzma.FORMAT_ALONE)
        assert hashlib.sha256(text).hexdigest() == each.sha256
        assert f'type="{kind}"'.encode() in text
    readme = (tmp_path / "kit/README.txt").read_text()
    assert "uno-whole-hand: 1 files" in readme
    assert "--to xcsp --method successor --no-decode -o uno-circuit-spider" in readme


@pytest.fixture
def timed(monkeypatch: Patch, tmp_path: Path) -> list[Benchmark]:
    """Two small files with measured times, and one that no solver decided."""
    spider = Benchmark("uno-position-spider-unsat", "dimacs", "spider", "position", {"legs": 3})
    planted = Benchmark(
        "uno-position-cubic-n8-sat", "dimacs", "random-cubic", "position", {"vertices": 8}, seed=1
    )
    known = [
        replace(each, sha256=each.write(tmp_path), confirmed="solve", status=status, cpu_s=cpu_s)
        for each, status, cpu_s in (
            (spider, Status.UNSATISFIABLE, {"kissat": 5.04, "minisat": None}),
            (planted, Status.SATISFIABLE, {"kissat": 123.4, "minisat": 2.06}),
        )
    ]
    whole = [*known, replace(planted, name="undecided", cpu_s={"kissat": None})]
    monkeypatch.setattr(sat_kit, "benchmarks", lambda to: whole)
    return known


def test_a_kit_for_sat_solvers(timed: list[Benchmark], tmp_path: Path) -> None:
    folder = tmp_path / "kit"
    words = ("benchmarks", "kit", "--for", "sat", "--author", "Ada & Co", str(folder))
    assert answered(0, *words) == f"2 files in {folder}\n"
    check = ["md5sum", "--check", "--quiet", "MD5SUMS"]
    assert subprocess.run(check, cwd=folder, check=False).returncode == 0
    with (folder / "benchmarks.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["filename"] for row in rows] == [each.file for each in reversed(timed)]
    assert [row["result"] for row in rows] == ["sat", "unsat"]
    assert [row["minisat1m"] for row in rows] == ["yes", "no"]
    for row in rows:
        lines = read(folder / "cnf" / row["filename"])
        clauses = [line for line in lines if not line.startswith(("c", "p"))]
        found = hashlib.md5(" ".join(clauses).encode())  # noqa: S324
        assert found.hexdigest() == row["hash"]
        header = next(line.split() for line in lines if line.startswith("p"))
        assert len(clauses) == int(header[3])
    text = (folder / "description.tex").read_text()
    assert r"\IEEEauthorblockN{Ada \& Co}" in text
    assert "MiniSat does not solve 1 of\nthe 2 formulas within 60 seconds" in text
    assert re.search(r"^position-cubic-n8 & sat & \d+ & \d+ & 2.1 & 123.4", text, re.MULTILINE)
    assert re.search(r"^position-spider & unsat & .* & \$>\$60 & 5.0", text, re.MULTILINE)
    latex = shutil.which("pdflatex") is not None and sat_kit._finds("IEEEtran.cls")
    assert (folder / "description.pdf").exists() == latex


@pytest.mark.usefixtures("timed")
@pytest.mark.parametrize("code", [0, 1])
def test_latex_is_run_where_it_is_and_its_refusal_is_told(
    code: int, tmp_path: Path, monkeypatch: Patch
) -> None:
    script = f"echo '! Undefined control sequence.'; : > description.pdf; exit {code}"
    for name, text in (("pdflatex", script), ("kpsewhich", ":")):
        put_program(tmp_path, name, text, monkeypatch)
    said = pytest.raises(UnoCspError, match="Undefined control sequence")
    with said if code else nullcontext():
        list(kits.make_kit("sat", tmp_path / "kit"))
    assert code or (tmp_path / "kit/description.pdf").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p cnf 2 1\n1 1 0\n", "repeats a variable: 1 1 0"),
        ("p cnf 2 1\n1 -1 0\n", "repeats a variable: 1 -1 0"),
        ("p cnf 2 1\n0\n", "a clause is empty"),
        ("p cnf 2 1\n1 2\n", "repeats a variable"),
        ("p cnf 2 2\n1 2 0\n", "says 2 variables and 2 clauses, but there are 2 and 1"),
        ("p cnf 1 1\n1 2 0\n", "says 1 variables and 1 clauses, but there are 2 and 1"),
    ],
)
def test_a_file_that_competitions_refuse_is_not_sent(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.cnf.xz"
    with lzma.open(path, "wt") as stream:
        stream.write(text)
    with pytest.raises(UnoCspError, match=message):
        sat_kit.inspect(path)
