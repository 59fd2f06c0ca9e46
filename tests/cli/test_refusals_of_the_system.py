"""The command line where the system gives no process, thread or memory."""

import errno

import pytest

from tests.support.running import Capture, Patch, run
from uno_csp.cli import cli

REFUSALS = (
    (OSError(errno.EAGAIN, "Resource temporarily unavailable"), "temporarily unavailable"),
    (OSError(errno.ENOMEM, "Cannot allocate memory"), "cannot allocate memory"),
    (RuntimeError("can't start new thread"), "can't start new thread"),
    (MemoryError(), "out of memory"),
    (ImportError("Help!\n\nlib.so: failed to map segment from shared object\n"), "failed to map"),
)


@pytest.mark.parametrize(("error", "said"), REFUSALS)
def test_a_refusal_of_the_system_is_one_line_and_code_3(
    error: Exception, said: str, monkeypatch: Patch, capsys: Capture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(cli, "main", refuse)
    assert run("list", "backends") == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("uno-csp: the system gives no more processes, threads or memory: ")
    assert said in line


@pytest.mark.parametrize("error", [RuntimeError("a bug"), ImportError("no module named x")])
def test_a_bug_is_no_refusal(error: Exception, monkeypatch: Patch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(cli, "main", fail)
    with pytest.raises(type(error)):
        run("list", "backends")
