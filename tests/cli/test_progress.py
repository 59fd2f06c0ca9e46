"""The live line on standard error, which only a terminal gets."""

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT
from uno_csp import Longest, generate
from uno_csp.formats import question_to_dict

EFFORT = re.compile(rb"proving: [0-9]+ cases?, 0 conflicts")


def on_a_terminal(*arguments: str) -> tuple[int, str, bytes]:
    """Run the program: its code, its output, and what its standard error, a terminal, shows."""
    ours, theirs = pty.openpty()
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": theirs, "text": True}
    terminal = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-m", "uno_csp", *arguments]
    asked = subprocess.Popen(command, **streams, cwd=ROOT, env=terminal)
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # once the other side is closed
        while True:
            shown += os.read(ours, 4096)
    out, _ = asked.communicate(timeout=200)
    os.close(ours)
    return asked.returncode, out, shown


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal() -> None:
    options = ("--method", "successor", "--connectivity", "lazy", "--time-limit", "8")
    code, out, shown = on_a_terminal("solve", str(ROOT / "examples/hard-3000.json"), *options)
    assert code in (0, 10)
    assert out.startswith(("UNKNOWN", "YES"))
    assert re.search(rb"round [0-9]+, [0-9]+ cuts", shown)
    assert b"0:00:0" in shown


def test_the_effort_of_a_proof_is_shown_on_a_terminal(tmp_path: Path) -> None:
    drawn = generate("random", colours=60, numbers=60, cards=80, seed=1)
    asked = tmp_path / "longest.json"
    asked.write_text(json.dumps(question_to_dict(Longest(drawn.cards))))
    code, out, shown = on_a_terminal("solve", str(asked), "--proof", str(tmp_path / "proof"))
    assert (code, bool(EFFORT.search(shown))) == (30, True)
    assert "proved by inequalities" in out


@pytest.mark.slow
def test_the_effort_of_a_proof_about_a_graph_is_shown(tmp_path: Path) -> None:
    proof = str(tmp_path / "proof")
    code, _, shown = on_a_terminal("hamilton", "examples/petersen.g6", "--proof", proof)
    assert (code, bool(EFFORT.search(shown))) == (20, True)
