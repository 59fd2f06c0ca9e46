"""BenchExec calls uno-csp, understands what it says, and reads our tables of results."""

import bz2
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

pytest.importorskip("benchexec")

from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

from tests.support import ROOT
from tests.support.running import run, shell
from tests.support.suites import CADICAL, suite_of
from tests.support.tables import table
from uno_csp.experiments.benchexec_tool import Tool

EXAMPLE = ROOT / "examples/benchexec/uno-csp.xml"


def verdict(said: str, code: int = 0, ended: str | None = None) -> str:
    """The verdict on what a run said that ended with a code, or that was ended for a reason."""
    exit_code = ProcessExitCode.create(value=None if ended else code, signal=9 if ended else None)
    output = BaseTool2.RunOutput([line + "\n" for line in said.splitlines()])
    return Tool().determine_result(BaseTool2.Run(["uno-csp"], exit_code, output, ended))


@pytest.mark.parametrize(("said", "ended", "status"), table("experiments", "benchexec"))
def test_what_is_said_is_understood(said: str, ended: int | str, status: str) -> None:
    found = verdict(said, ended) if isinstance(ended, int) else verdict(said, ended=ended)
    assert found == status


@pytest.mark.parametrize(
    ("cards", "status"), [("R5 R7", "true"), ("R5 B7", "false"), ("purple", "ERROR (bad input)")]
)
def test_what_the_command_writes_is_understood(
    cards: str, status: str, capsys: pytest.CaptureFixture[str]
) -> None:
    task = BaseTool2.Task.with_files([cards.split(maxsplit=1)[0]])
    command = Tool().cmdline("uno-csp", ["--time-limit", "9"], task, BaseTool2.ResourceLimits())
    assert command[:2] == ["uno-csp", "solve"]
    code = run("solve", *cards.split(), *command[3:])
    assert verdict(capsys.readouterr().out, code) == status


def test_columns_are_taken_from_the_output() -> None:
    output = BaseTool2.RunOutput(["c encoding hub-trail backend x\n", "c wall_s 0.125\n", "o 7\n"])
    found = [Tool().get_value_from_output(output, name) for name in ("wall_s", "o", "bound")]
    assert found == ["0.125", "7", None]


@pytest.mark.slow
def test_benchexec_runs_the_example_and_makes_a_table_of_it(tmp_path: Path) -> None:
    done = shell(f"benchexec --no-container -o ./ -r default {EXAMPLE}", tmp_path)
    assert done.returncode == 0, done.stderr
    (results,) = tmp_path.glob("*.xml.bz2")
    runs = Xml.fromstring(bz2.decompress(results.read_bytes())).findall("run")
    columns = [{each.get("title"): each.get("value") for each in one} for one in runs]
    assert [each["category"] for each in columns] == ["correct"] * 3
    assert {each["status"] for each in columns} == {"true", "false"}
    assert all(float(each["wall_s"] or -1) >= 0 for each in columns)


ASKED = """family = "diamond"
parameters = [{ base = "k4" }]
[[instances]]
family = "planted"
parameters = [{ cards = 12 }]
"""


@pytest.mark.slow
def test_table_generator_reads_the_tables_of_a_report(tmp_path: Path) -> None:
    suite_of(f'name = "tiny"\n[[instances]]\n{ASKED}\n[[combinations]]\n{CADICAL}', tmp_path)
    out = str(tmp_path / "out")
    assert run("bench", "run", str(tmp_path / "suite.toml"), "--out", out, "--report") == 0
    done = shell("table-generator -o . -n table out/report/benchexec/*.xml", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = (tmp_path / "table.csv").read_text().splitlines()
    cells = {line.split("\t")[0]: line.split("\t")[1:3] for line in rows[3:]}
    assert list(cells.values()) == [["UNSATISFIABLE", "correct"], ["SATISFIABLE", "correct"]]
