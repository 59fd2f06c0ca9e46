"""Programs of the tests."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.running import Patch


@pytest.fixture
def program(tmp_path: Path, monkeypatch: Patch) -> Callable[..., str]:
    """Return a function that writes a script, the first on the PATH, and returns its name."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    def written(text: str, name: str = "scripted", head: str = "#!/bin/sh\n") -> str:
        (tmp_path / name).write_text(f"{head}{text}", newline="")
        (tmp_path / name).chmod(0o755)
        return name

    return written
