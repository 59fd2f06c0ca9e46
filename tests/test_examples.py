"""Every theorem of the paper as a program: what it prints is what is written beside it."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples/theorems").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.stem))
def test_the_output_is_as_it_stands_beside_the_program(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == path.with_suffix(".txt").read_text()


def test_no_theorem_is_left_out() -> None:
    names = {path.stem for path in EXAMPLES}
    assert {f"theorem_{number}" for number in ("3_1", "3_3", "3_4", "4_1", "4_2")} <= names
    assert {"observation_1", "corollary_1", "fill_in"} <= names
