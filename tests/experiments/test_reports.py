"""Reports: what is told of the runs of a suite, and what contradicts what."""

import csv
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.support.names import CONTROLS, NAMES
from tests.support.running import run
from tests.support.suites import TINY, record, results, suite_of
from tests.support.tables import table
from uno_csp import InstanceError, UnknownName
from uno_csp.experiments.records import read_records
from uno_csp.experiments.reports import contradictions, write_report
from uno_csp.experiments.reports.file_names import FileNames
from uno_csp.experiments.reports.merging import merge
from uno_csp.experiments.reports.plots import cactus, looks, scaling
from uno_csp.experiments.reports.tables import Group, by_group, grouped, par2_s, solved_rows
from uno_csp.experiments.reports.writing import _as_markdown, _cell
from uno_csp.experiments.scheduling import run_suite


def test_yes_and_no_are_never_mixed() -> None:
    records = [
        record("a", "x", "SATISFIABLE", 1.0),
        record("a", "y", "UNKNOWN", 10.2),
        record("b", "x", "UNSATISFIABLE", 3.0),
        record("b", "y", "UNSATISFIABLE", 5.0),
        record("c", "x", "UNKNOWN", 10.0, reason="time limit of 10 s reached"),
        record("c", "y", "UNKNOWN", 4.0, category="unavailable") | {"status": None},
    ]
    groups = by_group(grouped(records))
    assert list(groups) == [Group("uno-1", "random", answer) for answer in ("no", "open", "yes")]
    best, *yes = solved_rows(groups[Group("uno-1", "random", "yes")])
    assert (best["combination"], best["solved"], best["par2_s"]) == ("virtual best", 1, 1.0)
    assert [(row["combination"], row["solved"], row["par2_s"]) for row in yes] == [
        ("x", 1, 1.0),
        ("y", 0, 20.0),
    ]
    no = solved_rows(groups[Group("uno-1", "random", "no")])[1:]
    assert [row["median_s"] for row in no] == [3.0, 5.0]
    assert [(row["common"], round(row["common_s"], 9)) for row in no] == [(1, 3.0), (1, 5.0)]
    unsolved = solved_rows(groups[Group("uno-1", "random", "open")])
    assert [row["unsolved"] for row in unsolved] == ["1 time limit", "1 unavailable"]
    assert unsolved[1]["par2_s"] is None
    assert par2_s([]) is None
    (late,) = solved_rows(grouped([record("d", "x", "SATISFIABLE", 10.1)]))
    assert (late["solved"], late["par2_s"]) == (0, 20.0)
    assert late["unsolved"] == "1 answered after the time limit"


def test_means_intervals_and_the_virtual_best() -> None:
    times = {"x": [1.0, 2.0, 9.0, 0.0], "y": [3.0, 1.0, 1.0, 0.0], "z": [1.0, 1.0, 10.0, 10.0]}
    records = [
        record(str(place), name, "SATISFIABLE" if wall < 10 else "UNKNOWN", wall)
        for name, walls in times.items()
        for place, wall in enumerate(walls)
    ]
    runs = [replace(run, group=Group("uno-1", "random", "yes")) for run in grouped(records)]
    rows = {row["combination"]: row for row in solved_rows(runs)}
    assert list(rows) == ["virtual best", "y", "x", "z"]
    assert (rows["virtual best"]["solved"], rows["virtual best"]["par2_s"]) == (4, 0.75)
    assert {row["common"] for row in rows.values()} == {2}
    assert rows["x"]["common_s"] == pytest.approx((2 * 3) ** 0.5 - 1)
    assert rows["x"]["mean_s"] == pytest.approx((2 * 3 * 10 * 1) ** 0.25 - 1)
    for row in rows.values():
        assert row["par2_low_s"] <= row["par2_s"] <= row["par2_high_s"]
    assert rows["z"]["par2_low_s"] < 5 < 15 < rows["z"]["par2_high_s"]


@pytest.mark.parametrize("seconds", [(0.02,), (0.021, 0.023), (0.001, 0.4), (0.5, 3.0, 40.0)])
def test_times_on_axes_are_plain_numbers(seconds: tuple[float, ...]) -> None:
    drawn = grouped([record(str(s), "x", "SATISFIABLE", s) for s in seconds])
    for plot in (cactus, scaling):
        texts = re.findall(r">([^<>]+)</text>", plot(drawn, looks(["x"]), "title"))
        numbers = [float(each.replace(",", "")) for each in texts if each[0].isdigit()]
        assert not any("$" in each for each in texts)
        assert len({*numbers}) >= 2, texts


@pytest.mark.parametrize(("records", "said"), table("experiments", "contradictions"))
def test_contradictions_between_combinations(records: list[Any], said: list[str]) -> None:
    found = [record("a", name, status, 1, **more) for name, status, more in records]
    assert list(contradictions(found)) == said


def test_comparing_combinations_that_are_not_there(tmp_path: Path) -> None:
    folder = results(tmp_path / "a", record("a", "x", "SATISFIABLE", 1))
    (folder / "plan.json").write_text('{"suite": "s", "runs": ["a/x", "b/x"]}')
    with pytest.raises(UnknownName, match='no combination is called "z"; there are: x'):
        write_report(folder, scatter=[("x", "z")])
    written = write_report(folder)
    assert written.missing == 1
    assert "Not complete" in written.page.read_text()
    with pytest.raises(InstanceError, match="no such file"):
        write_report(tmp_path / "nothing")


@pytest.mark.parametrize(
    "plan",
    [
        *("", "{}", "[]", "nope", "{", '{"suite": "s"}', '{"runs": []}'),
        *('{"suite": "s", "runs": 5}', '{"suite": "s", "runs": "a/x"}'),
        *('{"suite": "s", "runs": [["a/x"]]}', '{"suite": 5, "runs": ["a/x"]}'),
    ],
)
def test_a_damaged_plan_is_named(plan: str, tmp_path: Path) -> None:
    folder = results(tmp_path, record("a", "x", "SATISFIABLE", 1))
    (folder / "plan.json").write_text(plan)
    with pytest.raises(InstanceError, match=r"plan\.json: it is no plan of a suite$"):
        write_report(folder)


OLD = {"processor": "A", "cores": 2, "system": "Linux 6"}
NEW = {**OLD, "processor": "B"}


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ({"machine": OLD}, {"machine": OLD}, {"x"}),
        ({"machine": OLD}, {"machine": NEW}, {"x (A)", "x (B)"}),
        ({"python": "3.11"}, {"python": "3.12"}, {"x (Python 3.11)", "x (Python 3.12)"}),
        ({"commit": "1" * 40}, {}, {"x (commit 111111111111)", "x (commit unknown)"}),
        ({"backend_version": "s 1"}, {"backend_version": "s 2"}, {"x (s 1)", "x (s 2)"}),
        (
            {"machine": OLD, "packages": {"uno-csp": "1"}},
            {"machine": {**OLD, "cores": 4}, "packages": {"uno-csp": "2"}},
            {"x (2 cores, uno-csp 1)", "x (4 cores, uno-csp 2)"},
        ),
    ],
)
def test_machines_and_versions_are_never_averaged(
    first: dict[str, Any], second: dict[str, Any], names: set[str], tmp_path: Path
) -> None:
    """Neither those of several folders nor those of one."""
    made = [
        record(name, "x", "SATISFIABLE", 1, **more)
        for name, more in zip("ab", (first, second), strict=True)
    ]
    folders = results(tmp_path / "a", made[0]), results(tmp_path / "b", made[1])
    for given in (folders, (results(tmp_path / "c", *made),)):
        plan, records = merge(given)
        assert plan == {"suite": "s", "runs": ["a/x", "b/x"]}
        assert {each["combination"] for each in records} == names


def test_results_of_several_folders_are_merged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    versions = {"python": "3.11", "commit": None, "packages": {"uno-csp": "1"}}
    old, new = ({"machine": {**each, "memory_mb": 9}, **versions} for each in (OLD, NEW))
    one = record("a", "x", "SATISFIABLE", 1, **old)
    again = record("a", "x", "UNSATISFIABLE", 2, **new)
    here, there = results(tmp_path / "a", one), results(tmp_path / "b", again)
    out = tmp_path / "out"
    assert run("bench", "report", str(here), str(there), "--out", str(out)) == 70
    assert "a: SATISFIABLE by x (A); UNSATISFIABLE by x (B)" in capsys.readouterr().out
    assert len((out / "runs.csv").read_text().splitlines()) == 3
    roots = [ElementTree.parse(each).getroot() for each in (out / "benchexec").glob("*.xml")]
    machines = [each.find("systeminfo/cpu") for each in roots]
    assert {each.get("model") for each in machines if each is not None} == {"A", "B"}
    assert len(merge([here, results(tmp_path / "copy", one)])[1]) == 1
    assert run("bench", "report", str(here), str(there)) == 2
    assert "several folders need --out" in capsys.readouterr().err
    with pytest.raises(InstanceError, match="results of 'other' are not merged with those of 's'"):
        merge([here, results(tmp_path / "c", one, suite="other")])
    with pytest.raises(InstanceError, match="run a/x is in another folder as well"):
        merge([here, results(tmp_path / "d", {**one, "wall_s": 2})])


def test_certificates_are_recorded_and_told(tmp_path: Path) -> None:
    text = TINY.replace('name = "tiny"', 'name = "tiny"\ncertify = true')
    suite = suite_of(text, tmp_path)
    assert {each.id for each in suite.runs}.isdisjoint(
        each.id for each in suite_of(TINY, tmp_path).runs
    )
    assert suite.runs[0].command().endswith("--proof certificate")
    folder = tmp_path / "out"
    run_suite(suite, folder, jobs=2)
    records = read_records(folder)
    proved = [each for each in records if each["status"] in ("UNSATISFIABLE", "OPTIMAL")]
    assert proved
    for each in proved:
        expected = each["certificate"]
        assert expected["certified"]
        assert "path" not in expected
        assert expected["bytes"] >= 0 < expected["made_s"]
    written = write_report(folder)
    page = written.page.read_text()
    assert "<h2>Certificates</h2>" in page
    assert "certificates: seconds against size" in page
    with (written.page.parent / "certificates.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert sum(int(row["certified"]) for row in rows) == len(proved)
    assert {row["kinds"].split()[1] for row in rows} <= {"witness", "groups", "bound", "refutation"}


def test_names_are_harmless_in_a_report(tmp_path: Path) -> None:
    records = []
    for odd in NAMES:
        records += [
            record(odd, "x", "SATISFIABLE", 1.0, reason=odd),
            record(odd, f"z {odd}", "UNSATISFIABLE", 2.0),
            record(f"{odd}e", "x", "UNKNOWN", 3.0, category="error", reason=odd),
        ]
        for each in records[-3:]:
            each["instance"]["family"] = odd
    written = write_report(results(tmp_path, *records))
    assert all(line.isprintable() for line in written.contradictions)
    folder = written.page.parent
    for file in folder.glob("*.csv"):
        rows = csv.reader(StringIO(file.read_text()))
        assert not any(cell.startswith(("=", "@")) for row in rows for cell in row)
    text = (folder / "report.md").read_text()
    assert not re.search(r"(?<!\\)<script|\n(proved|s )|(?<!\\)\[red", text)
    for marked in re.findall(r"\n\n((?:\|.*\n)+)", text):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in marked.splitlines()}) == 1
    for file in (*(folder / "plots").glob("*.svg"), *(folder / "benchexec").glob("*.xml")):
        tags = {each.tag.partition("}")[2] for each in ElementTree.parse(file).iter()}
        assert "script" not in tags
    for file in folder.rglob("*"):
        if file.is_file():
            assert not CONTROLS.search(file.read_text()), file
    page = written.page.read_text()
    assert "<script>alert" not in page
    assert page.count("<script") == 2


@pytest.mark.parametrize("mark", [*"=+-@\t\r\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_a_cell_is_no_formula(mark: str) -> None:
    for text in (mark, f"{mark}1+1", f"{mark}cmd|' /C calc'!A0"):
        assert _cell(text) == f"'{text}"
        assert _cell(f"a{text}") == f"a{text}"
    for value in (-1, -0.5, None, True, "", "a=1", " =1", "5"):
        assert _cell(value) is value


@pytest.mark.parametrize(
    "names",
    [
        ("SAT", "sat", "Sat"),
        ("a+b", "a b", "a/b", "a-b", "../a-b"),
        ("grün", "gr\xfcn", "gr-n"),
        ("", "-", "手", "..", "."),
        ("x" * 300, "x" * 301, "X" * 300),
        ("con", "CON", "nul."),
        ("a", "a-2", "a", "a"),
    ],
)
def test_no_file_overwrites_another(names: tuple[str, ...]) -> None:
    files = FileNames()
    taken = [files.take(name) for name in names]
    assert len({name.casefold() for name in taken}) == len(names)
    assert all(re.fullmatch("[a-z0-9][a-z0-9-]{0,110}", name) for name in taken)


@pytest.mark.parametrize("name", NAMES)
def test_marks_of_markdown_are_escaped(name: str) -> None:
    text = _as_markdown(name)
    assert re.sub(r"\\(.)", r"\1", text) == name
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]<>|#~&]", text)


def test_runs_of_equal_names_have_names_of_their_own(tmp_path: Path) -> None:
    names = ("a", "a", "a (2)", "A", "a (2)", '<a> & "b"')
    runs = [record(str(number), "x", "SATISFIABLE", 1.0) for number in range(len(names))]
    for each, name in zip(runs, names, strict=True):
        each["instance"]["name"] = name
    write_report(results(tmp_path / "a", *runs))
    (file,) = (tmp_path / "a/report/benchexec").glob("*.xml")
    written = [each.get("name") for each in ElementTree.parse(file).getroot().iter("run")]
    assert len({*written}) == len(names)
    assert written[-1] == 'uno-1/<a> & "b"'
