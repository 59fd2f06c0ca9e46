"""Kits for competitions: their form, and that they hold the measured files."""

import lzma
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from uno_csp import UnoCspError
from uno_csp.benchmarks import Benchmark, benchmarks, kits
from uno_csp.cli import cli

SMALL = "uno-hubtrail-longest-diamond-k4-opt"


def read(path: Path) -> list[str]:
    with lzma.open(path, "rt") as stream:
        return stream.read().splitlines()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the kits of one small file."""

    def chosen(to: str) -> list[Benchmark]:
        return benchmarks(SMALL, to)

    monkeypatch.setattr(kits, "benchmarks", chosen)


@pytest.mark.usefixtures("small")
def test_a_kit_for_pseudo_boolean_solvers(tmp_path: Path) -> None:
    """With the header that its lines give; the lines themselves are those of the set."""
    run = CliRunner().invoke(cli, ["benchmarks", "kit", "--for", "pb", str(tmp_path / "kit")])
    assert (run.exit_code, run.stdout) == (0, f"1 files in {tmp_path / 'kit'}\n")
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
