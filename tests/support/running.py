"""The command line, called in this process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from uno_csp import cli


def run(*arguments: str) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as left:
        cli.main(arguments)
    assert isinstance(left.value.code, int)
    return left.value.code


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


def shell(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a line of a shell, with the programs of this environment on the PATH."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PATH": path},
    )
