"""Notes of a record about its surroundings: each is known or left out, and none is an error."""

import json
import os
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from uno_csp.errors import BackendError
from uno_csp.experiments import environment as place
from uno_csp.processes import notes

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
    git: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, "distribution", installed(json.dumps(INSTALLED)))
    monkeypatch.setattr(notes, "LONGEST_S", 60.0)
    if git is None:
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        program = tmp_path / "git"
        program.write_text(f"#!/bin/sh\n{git}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert place._commit() == expected


@pytest.mark.parametrize("text", [None, "", "{}", "no JSON", '{"dir_info": {"editable": true}}'])
def test_an_unknown_commit_is_left_out(text: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "note", lambda _: None)
    monkeypatch.setattr(place, "distribution", installed(text))
    assert place._commit() is None


def test_a_package_that_is_not_installed_has_no_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise PackageNotFoundError

    monkeypatch.setattr(place, "note", lambda _: None)
    monkeypatch.setattr(place, "distribution", missing)
    assert place._commit() is None


@pytest.mark.parametrize("error", [BackendError("no"), OSError("no"), PermissionError("no")])
def test_a_version_that_cannot_be_had_is_left_out(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> None:
        raise error

    monkeypatch.setattr(place, "find_backend", broken)
    assert place.backend_version("dimacs:broken") is None
    assert place.backend_version(None) is None


@pytest.mark.parametrize("text", [None, "", "processor : 0\n", "model name\t: A B\n"])
def test_a_processor_has_some_name(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cpuinfo"
    if text is not None:
        file.write_text(text)
    monkeypatch.setattr(place, "Path", lambda _: file)
    found = place._processor()
    assert found == "A B" if text == "model name\t: A B\n" else found
