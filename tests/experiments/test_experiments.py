"""Suites, runs under limits, records that survive, and reports that tell what they hold."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree as Xml

import psutil
import pytest

from tests.support import ROOT
from tests.support.clusters import cluster, is_listening
from tests.support.processes import RUNS, SOLVERS, named_below
from tests.support.running import run, shell
from tests.support.serving import wait_until
from tests.support.suites import TINY, one_run, outcomes, record, results, suite_of
from tests.support.tables import table
from uno_csp import InstanceError, NotAccepted, UnoCspError
from uno_csp.experiments import read, worker
from uno_csp.experiments.cgroups import AS_JSON
from uno_csp.experiments.executing import contradiction, execute
from uno_csp.experiments.records import open_records, read_records
from uno_csp.experiments.reports import write_report
from uno_csp.experiments.scheduling import run_suite
from uno_csp.experiments.suites import read_suite

Capture = pytest.CaptureFixture[str]


def test_a_suite_is_spelt_out(tmp_path: Path) -> None:
    suite = suite_of(TINY, tmp_path)
    assert len(suite.runs) == 2 * (4 + 1)
    assert len({each.id for each in suite.runs}) == 10
    again = suite_of(TINY.replace("cards = 12 }", "cards = 12, colours = 10 }"), tmp_path)
    assert [each.id for each in again.runs] == [each.id for each in suite.runs]
    for each in suite.runs:
        assert AS_JSON.validate_json(AS_JSON.dump_json(each)) == each
    assert {each.source.question for each in suite.runs} == {"uno-1", "fill-in"}
    named = suite_of(TINY.replace('"tiny"', '"Größe 2.1-b"', 1), tmp_path)
    assert named.name == "Größe 2.1-b"


def test_files_in_suites(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text('{"question": "uno-1", "cards": ["R5"]}')
    line = '{"question": "longest", "cards": ["R5"], "name": "third"}\n'
    (tmp_path / "more.jsonl").write_text(line * 2)
    text = """
name = "files"
[[instances]]
files = ["*.json", "more.jsonl"]
[[combinations]]
methods = ["hub-trail", "colour-dp"]
questions = ["longest", "uno-1"]
presolve = true
"""
    suite = suite_of(text, tmp_path)
    assert [each.source.name for each in suite.runs] == [
        *("a.json", "a.json", "b.json", "b.json"),
        *("third",) * 4,
    ]
    assert suite.runs[1].combination.label == "colour-dp + presolve"
    assert suite.runs[0].command() == "uno-csp solve a.json --method hub-trail --time-limit 60"
    assert suite.runs[-1].command().startswith("sed -n 2p more.jsonl | uno-csp solve - ")


@pytest.mark.parametrize(
    "pattern",
    [
        "hand[1].json",
        "{}/hand[[]1].json",
        "{}/hand[1].json",
        "../{0.name}/hand?1?.json",
        "**/hand*",
        *("-h", "--help", "-", "-v.json", "[-]h", "./-h"),
    ],
)
def test_patterns_of_files(pattern: str, tmp_path: Path) -> None:
    for name in ("hand[1].json", "-h", "--help", "-", "-v.json"):
        (tmp_path / name).write_text('{"question": "uno-1", "cards": ["R5"]}')
    files = f'files = ["{pattern.format(tmp_path)}"]'
    (only,) = suite_of(f'name = "x"\n[[instances]]\n{files}\n[[combinations]]', tmp_path).runs
    assert only.source.instance().cards == (("red", 5),)
    if "-" in pattern:
        name = pattern.removeprefix("./").replace("[-]", "-")
        assert only.command().startswith(f"uno-csp solve ./{name} ")


def test_a_file_name_that_is_no_text_is_escaped_in_all_files(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xfc")
    folder.mkdir()
    (folder / os.fsdecode(b"gr\xfcn.json")).write_text('{"question": "uno-1", "cards": ["R5"]}')
    suite = suite_of(
        'name = "x"\n[[instances]]\nfiles = ["*.json"]\n[[combinations]]\n'
        'methods = ["hub-trail"]\nbackends = ["cadical195"]',
        folder,
    )
    assert run_suite(suite, folder / "out") == 1
    write_report(folder / "out")
    assert "gr\\xfcn.json" in (folder / "out/report/runs.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(("old", "new", "message"), table("experiments", "suites"))
def test_bad_suites_name_the_place(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InstanceError) as caught:
        suite_of(TINY.replace(old, new, 1), tmp_path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "suite.toml"))


def test_a_record_says_everything(tmp_path: Path) -> None:
    found = execute(one_run(tmp_path, 'family = "spider"', 'backends = ["cadical195"]'))
    assert (found["category"], found["status"]) == ("answered", "UNSATISFIABLE")
    assert found["expected"]["status"] == "UNSATISFIABLE"
    assert found["stats"]["variables"] > 10
    assert found["used"]["method"] == "hub-trail"
    assert found["wall_s"] > 0
    assert 20 < found["peak_memory_mb"] < 2000
    assert found["cpu_s"] >= 0
    assert found["packages"]["python-sat"]
    assert found["machine"]["cores"] >= 1
    assert found["backend_version"].startswith("python-sat ")
    assert len(found["commit"].removesuffix("-changed")) == 40


def test_the_command_of_a_record_does_the_same(tmp_path: Path) -> None:
    instances = 'family = "planted"\nparameters = [{ cards = 9, distinct = false }]\nshuffles = [4]'
    only = one_run(tmp_path, f'{instances}\nquestion = "longest"', 'backends = ["highs"]')
    answer, found = (
        json.loads(shell(f"{only.command()} --format json", tmp_path).stdout),
        execute(only),
    )
    for each in (answer, found):
        assert (each["status"], each["objective"]) == ("OPTIMAL", 9)


HARD = 'family = "random"\nparameters = [{ colours = 300, numbers = 300, cards = 2000 }]'


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ("wall_s = 1", "time limit of 1 s reached"),
        ("cpu_s = 1", "CPU limit of 1 s reached"),
        ("memory_mb = 300", "memory limit of 300 MB reached"),
    ],
)
def test_limits_end_a_run_with_all_its_processes(
    limits: str, reason: str, tmp_path: Path, mark: str
) -> None:
    found = execute(one_run(tmp_path, HARD, 'methods = ["position"]', limits))
    assert (found["category"], found["status"], found["reason"]) == ("unknown", "UNKNOWN", reason)
    if "memory" in reason:
        assert 300 <= found["peak_memory_mb"] < 900
    wait_until(lambda: not workers(mark))


MARK = "UNO_CSP_TEST_MARK"


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A mark in the environment that whatever this test starts inherits, and passes on."""
    monkeypatch.setenv(MARK, str(tmp_path))
    return str(tmp_path)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The file of a small suite."""
    (tmp_path / "suite.toml").write_text(TINY)
    return tmp_path / "suite.toml"


def workers(mark: str) -> list[int]:
    """The processes that do runs for the test with that mark."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            alive = process.status() != psutil.STATUS_ZOMBIE
            if process.name() in (RUNS, SOLVERS) and alive and process.environ().get(MARK) == mark:
                found.append(process.pid)
    return found


def test_an_optimisation_stopped_at_its_limit_keeps_what_it_found(tmp_path: Path) -> None:
    fragments = '{ base = "random", vertices = 30, fragments = 15 }'
    asked = f'family = "petersen-fragments"\nparameters = [{fragments}]\nquestion = "fill-in"'
    found = execute(one_run(tmp_path, asked, 'backends = ["cadical195"]', "wall_s = 4"))
    assert found["category"] == "unknown"
    assert found["objective"] >= found["bound"] >= 0
    assert found["stats"]["variables"] > 100


@pytest.mark.parametrize(
    ("combination", "category", "reason"),
    [
        ('backends = ["dimacs:no-such-solver"]', "unavailable", "is not installed"),
        ('methods = ["turns"]', "not accepted", "does not take this question"),
        ('connectivity = ["native"]', "not accepted", "no native constraint"),
        ('backends = ["dimacs:false"]\nmethods = ["position"]', "error", "false gave no answer"),
    ],
)
def test_what_could_not_be_run_says_so(
    combination: str, category: str, reason: str, tmp_path: Path
) -> None:
    if "backends" not in combination:
        combination += '\nbackends = ["cadical195"]'
    found = execute(one_run(tmp_path, 'family = "planted"', combination))
    assert found["category"] == category
    assert reason in found["reason"]


def test_a_process_that_dies_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uno_csp.experiments.executing.WORKER", "tests.support.dying")
    found = execute(one_run(tmp_path, 'family = "planted"', ""))
    assert found["category"] == "error"
    assert found["reason"] == "the process exited with code 1: no room"


def test_a_run_that_raises_is_an_error_of_that_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other runs of its suite go on."""
    monkeypatch.setattr("uno_csp.experiments.worker.instance_facts", lambda _: 1 / 0)
    found = worker.handle(one_run(tmp_path, 'family = "planted"', ""), Mock())
    assert found == {"category": "error", "reason": "ZeroDivisionError: division by zero"}


@pytest.mark.parametrize(
    ("question", "proved", "status", "objective", "said"), table("experiments", "proved")
)
def test_contradictions_to_what_is_proved(
    question: str, proved: Any, status: str, objective: int | None, said: str
) -> None:
    expected = {"expected": {**proved, "why": "theorem"}} if proved else {}
    found = contradiction(question, {"status": status, "objective": objective, **expected})
    assert said in found
    assert bool(found) == bool(said) == ("contradicts the proved" in found) == ("theorem" in found)


def test_a_wrong_expectation_is_a_contradiction_that_is_shouted(
    tmp_path: Path, capsys: Capture
) -> None:
    wrong = {"status": "UNSATISFIABLE", "why": "somebody said so"}
    asked = {"question": "uno-1", "cards": ["R5", "R7"], "expected": wrong}
    (tmp_path / "q.json").write_text(json.dumps(asked))
    text = 'name = "wrong"\n[[instances]]\nfiles = ["q.json"]\n[[combinations]]\n'
    (tmp_path / "suite.toml").write_text(text)
    suite, out = str(tmp_path / "suite.toml"), str(tmp_path / "out")
    assert run("bench", "run", suite, "--out", out) == 70
    assert "contradiction: q.json: default: the answer SATISFIABLE" in capsys.readouterr().out
    assert run("bench", "report", out) == 70
    page = (tmp_path / "out/report/index.html").read_text()
    assert "Not clean" in page
    assert "No two answers contradict" not in page
    assert "NOT CLEAN" in (tmp_path / "out/report/report.md").read_text()


@pytest.mark.slow
def test_one_command_from_generation_to_the_page(
    tiny: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    assert run("bench", "run", str(tiny), "--out", str(out), "--report") == 0
    said = capsys.readouterr()
    assert said.out.startswith("10 runs done, 10 of 10 recorded")
    assert "10/10 " in said.err
    page = (out / "report/index.html").read_text()
    assert page.count("<svg") == len(list((out / "report/plots").glob("*.svg"))) >= 4
    assert not [part for part in ('src="http', "<script src", '<link rel="style') if part in page]
    with (out / "report/runs.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 10
    assert {row["category"] for row in rows} == {"answered"}
    frame = read(out)
    assert list(frame["run"]) == [row["run"] for row in rows]
    assert [*frame.columns, "answer"] == list(rows[0])
    assert set(frame["backend"]) == {row["backend"] for row in rows}
    parameters = [name for name in frame.columns if name.startswith("parameter_")]
    assert frame[parameters].notna().any(axis=1).all()
    assert frame["wall_s"].between(0, frame["limit_wall_s"] + 1).all()
    assert frame["clauses"].min() >= 0
    assert {row["answer"] for row in rows} >= {"optimum"}
    results = list((out / "report/benchexec").glob("*.xml"))
    assert len(results) == 2
    root = Xml.parse(results[0]).getroot()
    assert len(root.findall("run")) == 5
    assert run("bench", "run", str(tiny), "--out", str(out), "--jobs", "2") == 0
    assert capsys.readouterr().out.startswith("0 runs done, 10 of 10 recorded")


def bench(suite: Path, out: Path, *options: str, stderr: int = subprocess.DEVNULL) -> Any:
    command = [sys.executable, "-m", "uno_csp", "bench", "run", str(suite), "--out", str(out)]
    streams: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": stderr}
    return subprocess.Popen([*command, *options], **streams, cwd=ROOT)


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.slow
def test_killed_and_resumed_is_as_good_as_undisturbed(
    tiny: Path, tmp_path: Path, mark: str
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    run_suite(read_suite(tiny), whole, jobs=2)
    for count in (2, 5):
        running = bench(tiny, broken, "--jobs", "2")
        wait_until(lambda count=count: lines(broken / "records.jsonl") >= count)  # type: ignore[misc]
        running.send_signal(signal.SIGKILL)
        running.wait()
        wait_until(lambda: not workers(mark))
    with (broken / "records.jsonl").open("ab") as stream:
        stream.write(b'{"run": "torn')  # as if killed in the midst of a line
    kept = (broken / "records.jsonl").read_bytes().splitlines()[:2]
    assert bench(tiny, broken).wait() == 0
    assert outcomes(broken) == outcomes(whole)
    assert (broken / "records.jsonl").read_bytes().splitlines()[:2] == kept


@pytest.mark.slow
def test_interrupted_it_ends_at_once_and_loses_nothing(tmp_path: Path, mark: str) -> None:
    suite, out = tmp_path / "suite.toml", tmp_path / "out"
    suite.write_text(
        TINY.replace('"hub-trail"', '"hub-trail", "position"').replace("cards = 25", "cards = 400")
    )
    running = bench(suite, out)
    wait_until(lambda: lines(out / "records.jsonl") >= 9)
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    assert running.wait(200) == 130
    assert not workers(mark)
    assert 9 <= lines(out / "records.jsonl") < len(read_suite(suite).runs)


def test_a_folder_is_for_one_suite_and_one_process(tmp_path: Path) -> None:
    suite = suite_of(TINY, tmp_path)
    busy = pytest.raises(NotAccepted, match="another process is running")
    with open_records(tmp_path / "out", suite), busy:
        run_suite(suite, tmp_path / "out")
    other = suite_of(TINY.replace("cards = 12", "cards = 13"), tmp_path)
    with pytest.raises(NotAccepted, match="records of another suite"):
        run_suite(other, tmp_path / "out")
    with pytest.raises(NotAccepted, match="jobs must be 1 or more"):
        run_suite(suite, tmp_path / "out", jobs=0)


@pytest.mark.slow
def test_a_scheduler_that_goes_is_one_line(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with cluster(tmp_path) as there:
        running = bench(tiny, out, "--dask", there.address, stderr=subprocess.PIPE)
        wait_until(lambda: lines(out / "records.jsonl") >= 2)
        there.scheduler.kill()
        there.scheduler.wait()
        _, said = running.communicate(timeout=200)
        own = [line for line in said.decode().splitlines() if line.startswith("uno-csp")]
        lost = f"uno-csp: lost the scheduler at {there.address}; run the same command again"
        assert (running.returncode, own) == (3, [f"{lost} to resume"])
        assert "Traceback" not in said.decode()
        there.start_scheduler()
        wait_until(lambda: is_listening(there.address))
        there.start_worker()
        assert bench(tiny, out, "--dask", there.address).wait(200) == 0
    assert len(outcomes(out)) == 10


@pytest.mark.slow
def test_two_suites_of_equal_runs_lose_a_worker_of_their_cluster_and_no_record(
    tiny: Path, tmp_path: Path, mark: str
) -> None:
    names, whole = ("one", "two"), tmp_path / "whole"
    with cluster(tmp_path) as there:
        running = []
        for name in names:
            suite_of(TINY.replace('"tiny"', f'"{name}"'), tmp_path / name)
            file = tmp_path / name / "suite.toml"
            running.append(bench(file, tmp_path / name, "--dask", there.address))
        wait_until(lambda: lines(tmp_path / "one/records.jsonl") >= 2)
        wait_until(lambda: bool(named_below(there.workers[0].pid, RUNS)))
        there.workers[0].kill()
        assert [each.wait(280) for each in running] == [0, 0]
        assert there.workers[1].poll() is None
    run_suite(read_suite(tiny), whole, jobs=2)
    assert outcomes(tmp_path / "one") == outcomes(tmp_path / "two") == outcomes(whole)
    first, second = (read_records(tmp_path / name) for name in names)
    assert ({r["suite"] for r in first}, {r["suite"] for r in second}) == ({"one"}, {"two"})
    assert not {r["started"] for r in first} & {r["started"] for r in second}
    assert not workers(mark)


def test_the_suites_of_the_examples_are_read() -> None:
    small = ROOT / "examples/suites/small.toml"
    assert len(read_suite(small).runs) == 47
    assert small.read_text() in (ROOT / "docs/experiments.md").read_text()
    campaign = read_suite(ROOT / "examples/suites/campaign.toml").runs
    # A run keeps its number from one version to the next, or its record is lost.
    plan = json.loads((ROOT / "results/campaign/plan.json").read_text())
    assert [each.id for each in campaign] == plan["runs"]
    ways = {each.combination.label for each in campaign if each.source.question == "uno-1"}
    sizes: dict[str, set[str]] = {}
    for each in campaign:
        sizes.setdefault(each.source.family, set()).add(each.source.described)
    assert len(ways) >= 8
    assert sum(len(found) >= 4 for found in sizes.values()) >= 8


@pytest.mark.parametrize("name", ["records.jsonl", "plan.json", ""])
def test_a_results_folder_of_other_things_is_told(name: str, tmp_path: Path) -> None:
    """Reading a pipe would never end."""
    suite, out = suite_of(TINY, tmp_path), tmp_path / "out"
    if name:
        out.mkdir()
    os.mkfifo(out / name)
    with pytest.raises(UnoCspError, match="no file" if name else "no folder"):
        run_suite(suite, out)


def test_a_line_that_is_no_record_is_told(tmp_path: Path) -> None:
    suite = suite_of(TINY, tmp_path)
    records = [record("a", "x", "SATISFIABLE", 1, run=each.id) for each in suite.runs]
    out = results(tmp_path / "out", *records, suite=suite.name)
    file = out / "records.jsonl"
    first, *rest = file.read_bytes().splitlines(keepends=True)
    newer = first.replace(b'"question": "uno-1"', b'"question": "uno-9"')
    odd = first.replace(b'"category": "answered"', b'"category": 3')
    lines = (b"{}\n", b"[]\n", b"not json\n", b"\0" * 9 + b"\n", first[50:], newer, odd, first)
    for line in lines:
        file.write_bytes(first + line + b"".join(rest))
        said = "line 2 repeats the run" if line == first else "line 2 is not a record"
        with pytest.raises(InstanceError, match=said):
            read_records(out)
        with pytest.raises(InstanceError, match=said):
            run_suite(suite, out)
