"""Small suites for the tests of experiments."""

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


def suite_of(text: str, folder: Path) -> Suite:
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
