"""Suites in odd folders and environments: they run, and what is noted of these is no error."""

import json
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.running import put_program, run
from tests.support.suites import CADICAL, suite_of
from uno_csp.errors import BackendError
from uno_csp.experiments import environment as place
from uno_csp.experiments.records import read_records
from uno_csp.experiments.reports import write_report
from uno_csp.experiments.scheduling import run_suite
from uno_csp.processes import notes

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
    place.environment.cache_clear()
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
    place.backend_version.cache_clear()
    assert place.backend_version("dimacs:odd-solver") == known


COMMIT = "0123456789abcdef0123456789abcdef01234567"
INSTALLED = {"url": "https://example.org/uno-csp", "vcs_info": {"vcs": "git", "commit_id": COMMIT}}


def installed(text: str | None) -> Any:
    """Return a distribution whose file direct_url.json has a text."""
    return lambda _: SimpleNamespace(read_text=lambda _: text)


@pytest.mark.parametrize(
    ("git", "expected"),
    [
        (None, COMMIT),  # there is no git
        ("echo 'fatal: detected dubious ownership' >&2; exit 128", COMMIT),
        ("exit 0", COMMIT),  # a repository that does not track this file
        ("[ $3 = ls-files ] && echo environment.py", COMMIT),  # and has no commit
        ("echo 1234", "1234"),
        ("printf 'a\\377b'", "a\ufffdb"),
    ],
)
def test_the_commit_is_that_of_the_package(
    git: str | None, expected: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(place, "distribution", installed(json.dumps(INSTALLED)))
    monkeypatch.setattr(notes, "LONGEST_S", 60.0)
    if git is None:
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        put_program(tmp_path, "git", git, monkeypatch)
    assert place._commit() == expected


@pytest.mark.parametrize(
    "text",
    [PackageNotFoundError, None, "", "{}", "no JSON", '{"dir_info": {"editable": true}}'],
)
def test_an_unknown_commit_is_left_out(text: Any, monkeypatch: Patch) -> None:
    monkeypatch.setattr(place, "note", lambda _: None)
    missing = Mock(side_effect=PackageNotFoundError)
    given = missing if text is PackageNotFoundError else installed(text)
    monkeypatch.setattr(place, "distribution", given)
    assert place._commit() is None


@pytest.mark.parametrize("error", [BackendError("no"), OSError("no"), PermissionError("no")])
def test_a_version_that_cannot_be_had_is_left_out(error: Exception, monkeypatch: Patch) -> None:
    monkeypatch.setattr(place, "find_backend", Mock(side_effect=error))
    assert place.backend_version("dimacs:broken") is None
    assert place.backend_version(None) is None


@pytest.mark.parametrize("text", [None, "", "processor : 0\n", "model name\t: A B\n"])
def test_a_processor_has_some_name(text: str | None, tmp_path: Path, monkeypatch: Patch) -> None:
    file = tmp_path / "cpuinfo"
    if text is not None:
        file.write_text(text)
    monkeypatch.setattr(place, "Path", lambda _: file)
    found = place._processor()
    assert found == "A B" if text == "model name\t: A B\n" else found


def test_without_matplotlib_a_report_has_no_plots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A plain installation does not have it."""
    run_suite(suite_of(ONE, tmp_path), tmp_path / "out")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run("bench", "report", str(tmp_path / "out")) == 0
    assert "no plots: pictures need Matplotlib" in capsys.readouterr().out
    report = tmp_path / "out/report"
    assert [*(report / "plots").iterdir()] == []
    assert all((report / name).exists() for name in ("index.html", "report.md", "runs.csv"))
