"""Suites run and are reported in odd folders, environments and with odd programs."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.support.running import put_program
from tests.support.suites import CADICAL, suite_of
from uno_csp.experiments import environment
from uno_csp.experiments.environment import backend_version
from uno_csp.experiments.records import read_records
from uno_csp.experiments.reports import write_report
from uno_csp.experiments.scheduling import run_suite

ONE = f"""
name = "one"
[[instances]]
family = "random"
parameters = [{{ cards = 5 }}]
[[combinations]]
{CADICAL}
"""
Patch = pytest.MonkeyPatch


def in_a_deleted_folder(folder: Path, monkeypatch: Patch) -> None:
    gone = folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()


def in_a_read_only_folder(folder: Path, monkeypatch: Patch) -> None:
    fixed = folder / "fixed"
    fixed.mkdir(mode=0o555)
    monkeypatch.chdir(fixed)


def without_programs(folder: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("PATH", str(folder / "none"))


def with_blanks_in_the_temporary_folder(folder: Path, monkeypatch: Patch) -> None:
    (folder / "a b'c").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "a b'c"))
    monkeypatch.setattr("tempfile.tempdir", None)


def in_a_notebook(folder: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    (folder / "matplotlibrc").write_text("text.usetex: True\nbackend: no_such\n")
    monkeypatch.setenv("MATPLOTLIBRC", str(folder))
    monkeypatch.chdir(folder)
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)


SURROUNDINGS = (
    (in_a_deleted_folder, without_programs),
    (in_a_read_only_folder, with_blanks_in_the_temporary_folder),
    (in_a_notebook,),
)


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_a_suite_runs_and_is_reported(
    surroundings: Sequence[Callable[[Path, Patch], None]], tmp_path: Path, monkeypatch: Patch
) -> None:
    suite = suite_of(ONE, tmp_path)
    for surround in surroundings:
        surround(tmp_path, monkeypatch)
    environment.environment.cache_clear()
    assert run_suite(suite, tmp_path / "out") == 1
    (record,) = read_records(tmp_path / "out")
    assert (record["category"], record["status"]) == ("answered", "UNSATISFIABLE"), record
    page = write_report(tmp_path / "out").page
    assert list((page.parent / "plots").glob("*.svg"))


@pytest.mark.parametrize(
    ("version", "known"),
    [("echo solver 1.2", "odd-solver solver 1.2"), ("kill -9 $$", "odd-solver unknown")],
)
def test_a_version_is_recorded_or_left_out(
    version: str, known: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    """Other programs are those of the tests of ``note``."""
    put_program(tmp_path, "odd-solver", version, monkeypatch)
    backend_version.cache_clear()
    assert backend_version("dimacs:odd-solver") == known
