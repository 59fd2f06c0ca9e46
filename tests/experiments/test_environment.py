"""Notes of a record about its surroundings: each is known or left out, and none is an error."""

import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.running import put_program
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
        put_program(tmp_path, "git", git, monkeypatch)
    assert place._commit() == expected


@pytest.mark.parametrize(
    "text",
    [PackageNotFoundError, None, "", "{}", "no JSON", '{"dir_info": {"editable": true}}'],
)
def test_an_unknown_commit_is_left_out(text: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "note", lambda _: None)
    missing = Mock(side_effect=PackageNotFoundError)
    given = missing if text is PackageNotFoundError else installed(text)
    monkeypatch.setattr(place, "distribution", given)
    assert place._commit() is None


@pytest.mark.parametrize("error", [BackendError("no"), OSError("no"), PermissionError("no")])
def test_a_version_that_cannot_be_had_is_left_out(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, "find_backend", Mock(side_effect=error))
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
