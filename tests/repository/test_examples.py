"""What stands in examples: theorems that print what is beside them, and the suite of a campaign."""

import json
import runpy
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.running import Capture
from uno_csp.experiments.suites import read_suite

EXAMPLES = sorted((ROOT / "examples/theorems").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.stem))
def test_the_output_is_as_it_stands_beside_the_program(path: Path, capsys: Capture) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr() == (path.with_suffix(".txt").read_text(), "")


def test_no_theorem_is_left_out() -> None:
    names = {path.stem for path in EXAMPLES}
    assert {f"theorem_{number}" for number in ("3_1", "3_3", "3_4", "4_1", "4_2")} <= names
    assert {"observation_1", "corollary_1", "fill_in"} <= names


def test_the_committed_campaign_can_be_resumed() -> None:
    """A run keeps its number from one version to the next, or its record is lost."""
    plan = json.loads((ROOT / "results/campaign/plan.json").read_text())
    suite = read_suite(ROOT / "examples/suites/campaign.toml")
    assert [run.id for run in suite.runs] == plan["runs"]
