"""The command line, called in this process."""

import io
import os
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tests.support import ROOT
from uno_csp import cli

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def run(*arguments: str) -> int:
    """The exit code of a command, which is given as a line or word by word."""
    words = shlex.split(arguments[0]) if len(arguments) == 1 else arguments
    with pytest.raises(SystemExit) as left:
        cli.main(words)
    assert isinstance(left.value.code, int)
    return left.value.code


def outcome(*arguments: str) -> tuple[int, str, str]:
    """The exit code of a command, what it prints, and what it complains about."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = run(*arguments)
    said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))
    return code, said, complained


def answered(code: int, *arguments: str) -> str:
    """Return what a command prints that ends with an exit code."""
    found, said, complained = outcome(*arguments)
    assert found == code, complained
    return said


def refused(*arguments: str) -> str:
    """The complaint about a command that is refused."""
    code, _, complained = outcome(*arguments)
    assert code == 2
    return complained


def printed(code: str, *arguments: str, **environment: str) -> str:
    """Return what Python code prints in a process of its own, in which it must not fail."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=300,
    ).stdout


def shell(line: str, folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a line of bash, with the programs of this environment on the PATH."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
        env={**os.environ, "PATH": path, **environment},
    )


def put_program(folder: Path, name: str, script: str, monkeypatch: Patch) -> None:
    """Put a program that runs a script of the shell into a folder, first on the PATH."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
