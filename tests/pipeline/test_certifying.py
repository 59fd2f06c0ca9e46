"""Certificates that are not made: stopped, interrupted, out of time, or without a worker."""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import psutil
import pytest

from tests.support import proving
from tests.support.running import Patch, outcome
from tests.support.serving import wait_until
from uno_csp import Status, solve
from uno_csp.errors import BackendError
from uno_csp.hamilton import hamiltonian_cycle
from uno_csp.pipeline import certifying

NO = "R5 B7"
STOPPED = {"certified": False, "summary": "it was stopped"}
LATE = {"certified": False, "summary": "no proof was found within the time limit"}


def certificates(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


@pytest.fixture
def older(tmp_path: Path) -> Iterator[Path]:
    """A folder with an older certificate, which stays as it is."""
    folder = tmp_path / "proof"
    assert (solve("R5 R7 B9 G9", proof=folder).certificate or {})["certified"]
    kept = certificates(folder)
    yield folder
    assert certificates(folder) == kept


ENDING = (signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def hanging(older: Path, monkeypatch: Patch, tmp_path: Path) -> Iterator[None]:
    """New certificates are never finished; of searches, programs and files nothing is left."""
    certifying.WORKERS.clear()
    scratch, file = tmp_path / "scratch", tmp_path / "pid"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    monkeypatch.setenv("UNO_CSP_TEST_PID_FILE", str(file))
    monkeypatch.setattr(certifying, "_certify", proving.hang)
    monkeypatch.setattr("uno_csp.hamilton.certificates.certify_graph", proving.hang)
    ignored = [signal.signal(number, signal.SIG_DFL) for number in ENDING]  # perhaps, as by nohup
    yield
    for number, before in zip(ENDING, ignored, strict=True):
        signal.signal(number, before)
    wait_until(lambda: not psutil.pid_exists(int(file.read_text())))
    certifying.WORKERS.clear()
    wait_until(lambda: not [*scratch.iterdir()])


@pytest.mark.usefixtures("hanging")
@pytest.mark.parametrize(
    ("number", "command"),
    [
        (signal.SIGINT, "solve R5 B7"),
        (signal.SIGINT, "hamilton GRAPH"),
        (signal.SIGTERM, "hamilton GRAPH"),
        (signal.SIGHUP, "solve R5 B7"),
    ],
)
def test_a_signal_ends_a_command_that_makes_a_certificate(
    number: signal.Signals, command: str, older: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "star.edges").write_text("a b\na c\na d\n")
    words = command.replace("GRAPH", str(tmp_path / "star.edges")).split()
    monkeypatch.setenv("UNO_CSP_TEST_SIGNAL", f"{number.value} {os.getpid()}")
    monkeypatch.setattr(signal, "raise_signal", lambda again: sys.exit(128 + again))
    handler = signal.getsignal(number)
    code, said, complained = outcome(*words, "--proof", str(older))
    assert (code, complained) == (128 + number, "")
    if number is signal.SIGINT:
        assert said.startswith(("NO", "UNSATISFIABLE"))
        assert said.endswith("not certified: it was stopped\n")
    else:
        assert said == ""
    assert signal.getsignal(number) == handler


@pytest.mark.usefixtures("hanging")
def test_a_library_call_is_stopped_or_ends_at_its_limit(older: Path) -> None:
    star = [("a", "b"), ("a", "c"), ("a", "d")]
    stop = Event()
    answer = solve(NO, proof=older, stop=stop, on_progress=lambda _: stop.set())
    assert (answer.status, answer.certificate) == (Status.UNSATISFIABLE, STOPPED)
    for found in (
        solve(NO, proof=older, time_limit_s=0.1),
        hamiltonian_cycle(star, proof=older, time_limit_s=0.1),
    ):
        assert (found.status, found.certificate) == (Status.UNSATISFIABLE, LATE)

    def refuse(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        solve(NO, proof=older, on_progress=refuse)


def test_a_search_that_dies_leaves_the_answer(older: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(certifying, "_certify", proving.die)
    answer = solve(NO, proof=older)
    assert answer.certificate == {
        "certified": False,
        "summary": "the proof search exited with code 3: the end",
    }


@pytest.mark.parametrize("error", [BackendError("no worker"), OSError(24, "Too many open files")])
def test_an_answer_stays_where_no_worker_can_be_started(
    error: Exception, older: Path, monkeypatch: Patch
) -> None:
    def refuse(*_: Any) -> None:
        raise error

    monkeypatch.setattr(certifying.WORKERS, "take", refuse)
    assert solve(NO, proof=older).certificate == {"certified": False, "summary": str(error)}


def test_what_needs_no_certificate_starts_no_worker(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(certifying.WORKERS, "take", lambda *_: pytest.fail("a worker was started"))
    answer = solve("R5 R7", proof=tmp_path / "proof")
    assert (answer.certificate or {})["summary"] == "the witness shows the answer"
    assert not (tmp_path / "proof").exists()
