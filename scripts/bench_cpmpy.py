"""Run the suite small.toml with CPMpy's solvers beside its own, and compare what they say.

Each run of the suite is made again with the solvers of CPMpy that are installed, in the same
encoding. Writes results/cpmpy.md.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from uno_csp.experiments.records import read_records
from uno_csp.experiments.reports import contradictions
from uno_csp.experiments.scheduling import run_suite
from uno_csp.experiments.suites import Suite, read_suite
from uno_csp.methods import find_backend

ROOT = Path(__file__).parents[1]
SUITE = ROOT / "examples" / "suites" / "small.toml"
REPORT = ROOT / "results" / "cpmpy.md"
SOLVERS = ("cpmpy:ortools", "cpmpy:pumpkin", "cpmpy:pindakaas", "cpmpy:choco", "cpmpy:exact")
WORDS = {"SATISFIABLE": "yes", "UNSATISFIABLE": "no", "OPTIMAL": "optimum", "UNKNOWN": "unknown"}
HEADING = """# CPMpy's solvers beside ours

Made by `scripts/bench_cpmpy`: {runs} runs of [small.toml](../examples/suites/small.toml) and the
same runs with the solvers that CPMpy drives, without presolve, at most {cpu_s:g} s of processor
time each. A cell has the answer and the seconds of processor time from question to checked answer;
a dash is a combination that a solver does not take. It was one core of a shared machine. Answers
that contradict one another or a proved result: {contradictions}.

Versions: {versions}.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cpu", type=float, default=3, help="limit in seconds of CPU time (3)")
    parser.add_argument("--records", type=Path, help="folder of the records, to resume a run")
    given = parser.parse_args(arguments)
    suite = _suite(given.cpu)
    with TemporaryDirectory() as temporary:
        folder = given.records or Path(temporary)
        run_suite(suite, folder, listener=_tell)
        records = read_records(folder)
    REPORT.write_text("\n".join(_report(records, given.cpu)) + "\n", encoding="utf-8")
    print(REPORT)


def _tell(record: Mapping[str, Any], done: int, runs: int) -> None:
    print(f"{done} of {runs}: {record['instance']['name']}, {record['combination']}", flush=True)


def _suite(cpu_s: float) -> Suite:
    """Return the suite with its runs and those of CPMpy's solvers, limited in CPU time."""
    read = read_suite(SUITE)
    solvers = [name for name in SOLVERS if find_backend(name).available()]
    limits = replace(read.runs[0].limits, cpu_s=cpu_s, wall_s=20 * cpu_s)
    runs = [
        replace(run, limits=limits, combination=replace(run.combination, backend=backend))
        for run in read.runs
        for backend in (run.combination.backend, *solvers)
    ]
    return replace(read, runs=tuple({run.id: run for run in runs}.values()))


def _report(records: Sequence[Mapping[str, Any]], cpu_s: float) -> Iterator[str]:
    versions = {each["asked"]["backend"]: each.get("backend_version") for each in records}
    yield HEADING.format(
        runs=len(records),
        cpu_s=cpu_s,
        contradictions=len(contradictions(records)),
        versions=", ".join(sorted({str(each) for each in versions.values() if each})),
    )
    backends = list(versions)
    cells: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for each in records:
        asked = each["asked"]
        way = " + ".join(filter(None, (asked["method"], asked["connectivity"])))
        cells[each["instance"]["name"], way][asked["backend"]] = _cell(each)
    yield "| instance | encoding | " + " | ".join(backends) + " |"
    yield "|---|---|" + "---|" * len(backends)
    for (name, way), found in sorted(cells.items()):
        row = (found.get(backend, "") for backend in backends)
        yield f"| {name} | {way} | " + " | ".join(row) + " |"


def _cell(record: Mapping[str, Any]) -> str:
    """Return the answer of a run and its CPU seconds."""
    status = record.get("status")
    if status is None:
        return "-" if record["category"] == "not accepted" else str(record["category"])
    return f"{WORDS[status]} {record['cpu_s']:.2f}"


if __name__ == "__main__":
    main()
