"""Folders of certificates: an older one is lost neither by a failure, nor by a crash."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.running import Patch
from uno_csp import Answer, certify, parse, solve
from uno_csp.certificates import drafts, folders
from uno_csp.verifier.hands import verify
from uno_csp.verifier.reading import Exceeded, NoChecker

APART = parse("R5 B7")
LONGEST = parse({"question": "longest", "cards": ["R5", "R7", "B9"]})


def contents(folder: Path) -> set[bytes]:
    """The contents of all files in a folder and those below it."""
    return {each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def broken_at(step: int, how: Callable[[], None]) -> Callable[[Path, Path], Path]:
    """A renaming of files that is broken off at a step."""
    rename, done = Path.rename, [0]

    def broken(source: Path, target: Path) -> Path:
        done[0] += 1
        if done[0] == step:
            how()
        return rename(source, target)

    return broken


def interrupt() -> None:
    raise KeyboardInterrupt


def crash() -> None:
    os._exit(9)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """A folder with a certificate, and one with that which is to replace it."""
    older, newer = tmp_path / "older", tmp_path / "newer"
    certify(APART, solve(APART), older)
    certify(LONGEST, solve(LONGEST), newer)
    return older, newer


@pytest.mark.parametrize("step", range(1, 6))
def test_an_interrupt_leaves_the_older_certificate(
    step: int, two: tuple[Path, Path], monkeypatch: Patch
) -> None:
    older, newer = two
    kept = {each: each.read_bytes() for each in older.iterdir()}
    with monkeypatch.context() as broken:
        broken.setattr(Path, "rename", broken_at(step, interrupt))
        with pytest.raises(KeyboardInterrupt):
            folders.place(newer, older)
    assert {each: each.read_bytes() for each in older.iterdir()} == kept
    assert verify(older)


@pytest.mark.parametrize("step", range(1, 6))
def test_a_crash_loses_neither_certificate(
    step: int, two: tuple[Path, Path], monkeypatch: Patch
) -> None:
    older, newer = two
    both = contents(older) | contents(newer)
    pid = os.fork()
    if not pid:
        try:
            monkeypatch.setattr(Path, "rename", broken_at(step, crash))
            folders.place(newer, older)
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    assert contents(older) == both


@pytest.mark.parametrize("error", [NoChecker("no proof checker is installed"), Exceeded("long")])
def test_what_nobody_could_verify_replaces_nothing(
    error: Exception, two: tuple[Path, Path], tmp_path: Path, monkeypatch: Patch
) -> None:
    def refuse(_folder: Path) -> None:
        raise error

    older, _ = two
    kept = contents(older)
    monkeypatch.setattr(drafts, "verify", refuse)
    answer: Answer = solve(LONGEST)
    found = certify(LONGEST, answer, older).certificate or {}
    assert found["summary"] == f"{error}; {older} keeps its older certificate"
    assert (found["certified"], "path" in found) == (False, False)
    assert contents(older) == kept
    fresh = certify(LONGEST, answer, tmp_path / "fresh").certificate or {}
    assert (fresh["certified"], fresh["path"]) == (False, str(tmp_path / "fresh"))
