"""Change the code on purpose and count which changes the tests catch (mutation testing).

Writes results/mutation.md. A seed fixes a sample of changes in each package that must be right: one
change of each function in random order, then a second one, and so on. Each is tried in a copy of
the tree, by quick tests that reach it, until one fails. Results are kept, so a run that was
interrupted goes on, and a larger sample adds to a smaller one.

This is a program of its own because mutmut 3 leaves out decorated functions (properties, cached and
compiled functions), draws no sample, and finds out in one process which tests reach a function;
cosmic-ray runs the same tests for all changes.
"""

import argparse
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

import coverage
import pytest

from scripts.mutations import Change, drawn, mutant
from scripts.reporting import lines_of

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build/mutation"
REPORT = ROOT / "results/mutation.md"
ROOMS = {
    "checker": "uno_csp/checker/*.py",
    "verifiers": "uno_csp/verifier/*.py",
    "reductions": "uno_csp/reductions/*.py",
    "modeling": "uno_csp/modeling/*.py",
    "hub_graph": "uno_csp/hub_graph/*.py",
    "formats": "uno_csp/formats/*.py",
    "questions": "uno_csp/questions/*.py",
    "open_game": "uno_csp/open_game/*.py",
    "encodings": "encodings/*.py",
    "counting": "uno_csp/counting/*.py",
}
PRELOADED = (
    *("hypothesis", "networkx", "numpy", "pydantic", "pysat.solvers", "schemathesis"),
    "scipy.sparse",
)
"""Packages that every test process inherits instead of importing them."""

MOST = 100  # tests that are run for one change at most
SWITCHES = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=1", "-W"]
IMPORTED = "ignore::pytest.PytestAssertRewriteWarning"
HEADING = """# Which changes of the code the tests catch

By `scripts/mutate`: a change is caught if a quick test that reaches it fails, or runs into the time
limit. The tests: {tests}. *Functions* are those that the sample changed; *before* is the share
caught in an earlier state of the tests, of those changes that were tried then; *branches* is the
share of branches that the tests take in their own process. Tests see what they reach in their own
process only, so machine code and what runs in other processes counts as not reached.

| room | functions | changes | caught | limit | survived | not reached | share | before | branches |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""
LEFT = """
## What survived

| change | why |
|---|---|
"""


def copied(to: Path) -> Path:
    """Copy the files of the tree to a folder, in which tests may be run."""
    shutil.rmtree(to, ignore_errors=True)
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name, follow_symlinks=False)
    (to / ".venv").symlink_to(ROOT / ".venv")
    return to


class Reach:
    """The tests that reach each line, and their times, from a covered run."""

    def __init__(self, data: Path) -> None:
        self._data = coverage.CoverageData(str(data))
        self._data.read()
        said = data.with_suffix(".txt").read_text()
        spent = re.findall(r"^([\d.]+)s call +(.*)$", said, re.MULTILINE)
        self._seconds = {test: float(seconds) for seconds, test in spent}

    def _file(self, path: Path) -> str:
        measured = self._data.measured_files()
        return next((name for name in measured if name.endswith(f"/{path}")), "")

    @cache  # noqa: B019  # lives as long as the program
    def _tests_by_line(self, path: Path) -> dict[int, list[str]]:
        return self._data.contexts_by_lineno(self._file(path))

    def tests_of(self, change: Change, seconds: float) -> list[str]:
        """Return tests that reach a change: one case of each, quick ones first, then more cases."""
        by_line, (first, last) = self._tests_by_line(change.path), change.lines
        found = {
            test.rpartition("|")[0] for n in range(first, last + 1) for test in by_line.get(n, ())
        }
        turns = Counter[str]()
        order: list[tuple[int, int, str]] = []
        for test in sorted(found - {""}, key=lambda test: (self._seconds.get(test, 0.0), test)):
            function = test.split("[")[0]
            order.append((turns[function], len(order), test))
            turns[function] += 1
        tests, total = [test for *_, test in sorted(order)], 0.0
        chosen: list[str] = []
        for test in tests:
            spent = self._seconds.get(test, 0.0)
            if total + spent <= seconds and len(chosen) < MOST:
                total += spent
                chosen.append(test)
        return chosen or tests[:1]

    def branches(self, files: str) -> float:
        """Return the share of the branches of some files that the covered run took."""
        counter = coverage.Coverage(str(self._data.data_filename()), branch=True, config_file=False)
        counter.load()
        places = [self._file(path.relative_to(ROOT)) for path in ROOT.glob(files)]
        report = WORK / "coverage.json"
        counter.json_report([*filter(None, places)], outfile=str(report), ignore_errors=True)
        total = json.loads(report.read_text())["totals"]
        return float(total["covered_branches"] / total["num_branches"])


def reach(tests: Sequence[str]) -> Reach:
    """Return what the quick tests reach; the covered run is made once, and then kept."""
    data = WORK / "reach.coverage"
    if not data.exists():
        base = copied(WORK / "base")
        command = [sys.executable, "-m", "pytest", "--quick", "-n", str(os.cpu_count())]
        command += ["--dist=worksteal", "--cov=uno_csp", "--cov=encodings", "--cov-branch"]
        command += ["--cov-config=/dev/null"]  # that of the project covers some rooms only
        command += ["--cov-context=test", "--cov-report=", "--durations=0", "-vv", *tests]
        environ = os.environ | {"PYTHONPATH": str(base), "COVERAGE_FILE": str(data)}
        with data.with_suffix(".txt").open("w") as said:
            subprocess.run(command, cwd=base, env=environ, check=False, stdout=said)
    return Reach(data)


class _Chosen:
    """A pytest plug-in that leaves only the chosen tests, in the order in which they are given."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._places = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self._places]
        items.sort(key=lambda item: self._places[item.nodeid])


def _run_tests(site: Path, tests: Sequence[str]) -> None:
    """Run tests in a copy of the tree, in a forked process, which then ends with their code."""
    os.setsid()
    os.chdir(site)
    sys.path = [str(site), *(place for place in sys.path if Path(place).resolve() != ROOT)]
    os.environ["PYTHONPATH"] = str(site)
    out = os.open(site / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    files = dict.fromkeys(test.split("::")[0] for test in tests)
    os._exit(pytest.main([*SWITCHES, IMPORTED, *files], plugins=[_Chosen(tests)]))


def tried(change: Change, tests: Sequence[str], limit_s: float) -> str:
    """Return what becomes of a change: caught, time limit, survived or not reached."""
    if not tests:
        return "not reached"
    site = WORK / f"site-{os.getpid()}"
    if not site.exists():
        copied(site)
        for package in PRELOADED:
            import_module(package)
    file = site / change.path
    original, stamp = file.read_text(), file.stat().st_mtime
    os.environ.pop("NUMBA_CACHE_DIR", None)
    if file.stem.startswith("compiled"):  # what Numba keeps does not see changes of other files
        shutil.rmtree(site / "machine-code", ignore_errors=True)
        os.environ["NUMBA_CACHE_DIR"] = str(site / "machine-code")
    file.write_text(mutant(original, change.index))
    os.utime(file, (change.index, change.index))  # no bytecode of another change has this stamp
    child = multiprocessing.get_context("fork").Process(target=_run_tests, args=(site, tests))
    try:
        child.start()
        child.join(limit_s)
        code = child.exitcode
    finally:
        if child.pid is not None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        child.join()
        file.write_text(original)
        os.utime(file, (stamp, stamp))
    return {None: "time limit", 0: "survived", 5: "not reached"}.get(code, "caught")


def records_of(path: Path) -> dict[str, str]:
    """Return the results that a file has, by the keys of the changes."""
    return {record["key"]: record["result"] for record in lines_of(path)}


def run(changes: Sequence[Change], found: Reach, given: argparse.Namespace) -> None:
    """Try the changes that have no result yet, and keep the result of each."""
    known = records_of(given.records)
    new = [change for change in changes if change.key not in known]
    with ProcessPoolExecutor(given.jobs) as pool, given.records.open("a") as out:
        waiting = {
            pool.submit(tried, change, found.tests_of(change, given.seconds), given.limit): change
            for change in new
        }
        for done in as_completed(waiting):
            key, result = waiting[done].key, done.result()
            out.write(json.dumps({"key": key, "result": result}) + "\n")
            out.flush()
            print(f"{result:12}{key}", flush=True)


def _share(results: Counter[str]) -> str:
    caught = results["caught"] + results["time limit"]
    return f"{caught / results.total():.0%}" if results else ""


def _reasons() -> defaultdict[str, str]:
    """Return why changes survived, as the present report says."""
    lines = REPORT.read_text().splitlines() if REPORT.exists() else []
    rows = (line.strip("| ").rsplit(" | ", 1) for line in lines if "` to `" in line)
    return defaultdict(str, ((row[0], row[1]) for row in rows))


def write(found: Reach, given: argparse.Namespace) -> None:
    """Write the report on all changes that were tried; reasons in the present one are kept."""
    records, reasons = records_of(given.records), _reasons()
    earlier = records_of(given.before) if given.before else {}
    rows, left = [], []
    for room, files in ROOMS.items():
        own = [each for each in drawn(ROOT, files, f"{given.seed} {room}") if each.key in records]
        keys = [change.key for change in own]
        results = Counter(records[key] for key in keys)
        counts = [results[each] for each in ("caught", "time limit", "survived", "not reached")]
        functions = len({(change.path, change.function) for change in own})
        before = _share(Counter(earlier[key] for key in keys if key in earlier))
        shares = [_share(results), before, f"{found.branches(files):.0%}"]
        rows.append(f"| {' | '.join(map(str, [room, functions, len(own), *counts, *shares]))} |\n")
        for result in ("survived", "not reached"):
            kept = sorted(key for key in keys if records[key] == result)
            left += [f"| {key} | {reasons[key] or result} |\n" for key in kept]
    heading = HEADING.format(tests=", ".join(given.tests) or "all")
    REPORT.write_text("".join([heading, *rows, LEFT, *left]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--rooms", default=",".join(ROOMS), help="rooms, separated by commas (all)")
    add("--changes", type=int, default=20, help="changes of each room (20)")
    add("--seed", type=int, default=1, help="random seed of the sample (1)")
    add("--jobs", type=int, default=os.cpu_count(), help="changes tried at a time (all cores)")
    add("--seconds", type=float, default=60, help="seconds of the tests of one change (60)")
    add("--limit", type=float, default=300, help="seconds after which tests are stopped (300)")
    add("--tests", nargs="*", default=[], help="folders of the tests that are run (all)")
    add("--records", type=Path, default=WORK / "records.jsonl", help="results, one a line")
    add("--before", type=Path, help="results of an earlier state, for comparison")
    given = parser.parse_args(arguments)
    WORK.mkdir(parents=True, exist_ok=True)
    found = reach(given.tests)
    names = given.rooms.split(",")
    rooms = [drawn(ROOT, ROOMS[name], f"{given.seed} {name}")[: given.changes] for name in names]
    turns = range(given.changes)
    run([own[turn] for turn in turns for own in rooms if turn < len(own)], found, given)
    write(found, given)


if __name__ == "__main__":
    main()
