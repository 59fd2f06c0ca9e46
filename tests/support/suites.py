"""Small suites for the tests of experiments."""

import json
from pathlib import Path
from typing import Any

from uno_csp.experiments.records import read_records
from uno_csp.experiments.runs import Run
from uno_csp.experiments.suites import Suite, read_suite

TINY = """
name = "tiny"
limits = { wall_s = 20 }

[[instances]]
family = "random"
parameters = [{ cards = 12 }, { cards = 25 }]
seeds = [1, 2]

[[instances]]
family = "spider"
question = "fill-in"

[[combinations]]
methods = ["hub-trail"]
connectivity = ["lazy"]
backends = ["cadical195", "glucose4"]
"""


SMALL = 'family = "random"\nparameters = [{ cards = 12 }]\nseeds = [1]'
CADICAL = 'methods = ["hub-trail"]\nbackends = ["cadical195"]'
POSITION = 'methods = ["position"]\nbackends = ["cadical195"]'
"""Instances and combinations of suites with one run."""


def suite_of(text: str, folder: Path) -> Suite:
    folder.mkdir(exist_ok=True)
    path = folder / "suite.toml"
    path.write_text(text)
    return read_suite(path)


def one_run(folder: Path, instances: str, combination: str, limits: str = "wall_s = 20") -> Run:
    """The only run of a suite with one instance and one combination."""
    text = f"""
name = "one"
limits = {{ {limits} }}
[[instances]]
{instances}
[[combinations]]
{combination}
"""
    (only,) = suite_of(text, folder).runs
    return only


def outcomes(folder: Path) -> set[tuple[Any, ...]]:
    """Return the content of a set of records, without seconds."""
    records = read_records(folder)
    assert len({record["run"] for record in records}) == len(records)
    return {(r["run"], r["category"], r["status"], r.get("objective")) for r in records}


def record(name: str, combination: str, status: str, wall_s: float, **more: Any) -> dict[str, Any]:
    """A record of a run, as short as it may be."""
    instance = {"id": name, "name": name, "family": "f", "origin": "random", "question": "uno-1"}
    return {
        "run": f"{name}/{combination}",
        "suite": "s",
        "instance": {**instance, "source": "{}"},
        "cards": 5,
        "combination": combination,
        "asked": {"seed": 0},
        "category": "unknown" if status == "UNKNOWN" else "answered",
        "status": status,
        "wall_s": wall_s,
        "limits": {"wall_s": 10},
        **more,
    }


def results(folder: Path, *records: dict[str, Any], suite: str = "s") -> Path:
    """Write a folder of results with these records, of a plan that has no other runs."""
    folder.mkdir(exist_ok=True)
    (folder / "records.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in records))
    plan = {"suite": suite, "runs": [each["run"] for each in records]}
    (folder / "plan.json").write_text(json.dumps(plan))
    return folder
