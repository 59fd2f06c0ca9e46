"""The command line, called in this process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from uno_csp import cli


def run(*arguments: str) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as left:
        cli.main(arguments)
    assert isinstance(left.value.code, int)
    return left.value.code


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
