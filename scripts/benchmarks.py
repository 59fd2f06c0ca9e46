"""Measure the CPU seconds that external solvers take on the files of the benchmark set.

``confirm`` fills in the list: the hash of each file, and its answer, which this package finds from
the question. ``measure`` runs the solvers one after the other, checks every solution, and appends a
record of each run to ``results/benchmarks.jsonl``; it can be interrupted and resumed, and repeats
runs that reached a lower limit. ``report`` writes ``results/benchmarks.md`` from the records.
"""

import argparse
import json
import os
import platform
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scripts.reporting import lines_of
from uno_csp import Answer, FillIn, Instance, Longest, Options, Status, Uno1, solve
from uno_csp.benchmarks import ENDINGS, Benchmark, benchmarks, read_list
from uno_csp.exports import decode, export

ROOT = Path(__file__).parents[1]
LIST = ROOT / "uno_csp/benchmarks/list.jsonl"
RECORDS = ROOT / "results/benchmarks.jsonl"
TABLE = ROOT / "results/benchmarks.md"
WRONG = 70
CUT_OFF = (-signal.SIGXCPU, -signal.SIGKILL)
"""Exit codes of runs ended by the limit; the CPU time counted later may be seconds lower."""

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Solver:
    """A measured solver."""

    name: str
    command: tuple[str, ...]  # program and arguments, before the file
    ask: tuple[str, ...] = ("--version",)  # makes it print its version; empty if it cannot
    target: tuple[str, ...] = ()  # arguments after the file
    most_s: int | None = None  # limit in seconds that is never exceeded

    def version(self) -> str:
        """Return the version that the solver prints."""
        if self.name == "rc2":
            return f"python-sat {version('python-sat')}"
        if self.name == "ace":
            return Path(ACE).stem.removeprefix("ACE-")
        if not self.ask:
            return "of unknown version"
        asked = [self.command[0], *self.ask]
        run = subprocess.run(asked, capture_output=True, text=True, check=False)
        said = run.stdout or run.stderr  # minisat+ prints to standard error
        found = re.search(r"\d+(\.\d+)+", said)
        return found[0] if found else said.split("\n")[0] or "unknown"


PYCSP3 = find_spec("pycsp3")
ACE = (
    str(next(Path(PYCSP3.origin or "").parent.glob("solvers/ace/ACE-*.jar"), "")) if PYCSP3 else ""
)
MINISAT_S = 60
"""Seconds for MiniSat: SAT competitions ask for files that it does not solve in a minute."""

RC2 = (sys.executable, str(Path(sys.executable).with_name("rc2.py")), "-vv")
SOLVERS: Mapping[str, tuple[Solver, ...]] = {
    "dimacs": (
        Solver("kissat", ("kissat", "-q")),
        Solver("cadical", ("cadical", "-q")),
        Solver("minisat", ("minisat", "-verb=0"), (), ("/dev/stdout",), MINISAT_S),
    ),
    "wcnf": (Solver("rc2", RC2),),
    "xcsp": (Solver("ace", ("java", "-jar", ACE), (), ("-npc",)),),
    "opb": (
        Solver("clasp", ("clasp", "--outf=1", "--quiet=1")),
        Solver("minisat+", ("minisat+", "-v0"), ("--help",)),
    ),
}


def confirm(arguments: argparse.Namespace) -> int:
    """Fill in missing hashes and answers; the list is rewritten after each file."""
    whole = read_list(LIST.read_text(encoding="utf-8"))
    for place, each in enumerate(whole):
        found = each
        if not each.sha256:
            with TemporaryDirectory() as folder:
                found = replace(found, sha256=each.write(Path(folder)))
        if not each.confirmed:
            found = _confirmed(found, arguments.limit)
            print(found.name, found.status, found.objective, found.confirmed, flush=True)
        whole[place] = found
        _write_list(whole)
    return 0


def _write_list(whole: Sequence[Benchmark]) -> None:
    lines = [json.dumps(_fields(entry)) + "\n" for entry in whole]
    LIST.write_text("".join(lines), encoding="utf-8")


def _fields(each: Benchmark) -> Record:
    return {name: value for name, value in asdict(each).items() if value not in (None, "", {})}


def _confirmed(each: Benchmark, limit_s: float) -> Benchmark:
    """Find the answer by this package, from the question and not from the file.

    Decisions are solved by ``hub-trail`` with reductions, lazy cuts and a solver that is not
    measured; optima by the default method of ``solve``. Answers are checked. If none is found in
    time, the answer that the family proves is used.
    """
    instance = each.instance()
    answer = _answer(instance, limit_s)
    status, objective = answer.status, None
    if isinstance(instance, FillIn | Longest) and status is Status.OPTIMAL:
        objective = answer.objective
        if each.bound is not None and objective is not None:
            sign = 1 if isinstance(instance, FillIn) else -1
            possible = sign * objective <= sign * each.bound
            status = Status.SATISFIABLE if possible else Status.UNSATISFIABLE
            objective = None
    known = instance.expected
    if status is Status.UNKNOWN and known is not None and each.bound is None:
        status, objective = known.status, known.objective
        return replace(each, status=status, objective=objective, confirmed=known.why)
    if status is Status.UNKNOWN:
        return each
    how = " + ".join(part for part in (answer.method, answer.backend) if part) or "reductions"
    return replace(each, status=status, objective=objective, confirmed=how)


@cache
def _answer(instance: Instance, limit_s: float) -> Answer:
    """Solve a question once for all files that share it."""
    if isinstance(instance, Uno1):
        options = Options("hub-trail", "glucose4", "lazy", time_limit_s=limit_s)
        return solve(instance, options)
    return solve(instance, time_limit_s=limit_s)


def measure(arguments: argparse.Namespace) -> int:
    """Run every solver on every file without a decided run, or one at this limit or higher."""
    wrong = 0
    for each in benchmarks(arguments.only):
        for solver in SOLVERS[each.to]:
            if arguments.solver not in (None, solver.name):
                continue
            if shutil.which(solver.command[0]) is None:
                print(f"{solver.name} is not installed", file=sys.stderr)
                continue
            limit_s = min(arguments.limit, solver.most_s or arguments.limit)
            if _is_done(lines_of(RECORDS), each, solver, limit_s):
                continue
            record = _measured(each, solver, limit_s)
            with RECORDS.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(record) + "\n")
            wrong += _contradicts(each, record)
            print(each.name, solver.name, record["status"], record["cpu_s"], flush=True)
    return WRONG if wrong else 0


def _is_done(records: Sequence[Record], each: Benchmark, solver: Solver, limit_s: int) -> bool:
    return any(
        record["sha256"] == each.sha256
        and record["solver"] == solver.name
        and (record["status"] != Status.UNKNOWN or record["limit_s"] >= limit_s)
        for record in records
    )


def _measured(each: Benchmark, solver: Solver, limit_s: int) -> Record:
    """Measure one run on the uncompressed file; CPU seconds are those of the solver alone."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))

    with TemporaryDirectory() as folder:
        path = Path(folder, f"{each.name}.{ENDINGS[each.to]}")
        sizes = export(each.instance(), each.to, path, **each.options)
        before, began = _spent_s(), time.perf_counter()
        run = subprocess.run(
            [*solver.command, str(path), *solver.target],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=limited,
        )
        wall_s = time.perf_counter() - began
    cpu_s = round(_spent_s() - before, 2)
    said = _as_in_competitions(run.stdout)
    status = _status(said)
    if each.bound is None and each.instance().optimises and status == Status.SATISFIABLE:
        status = str(Status.UNKNOWN)  # an incumbent when the limit ended the run
    return {
        "name": each.name,
        "sha256": each.sha256,
        "solver": solver.name,
        "version": solver.version(),
        "status": status,
        "objective": _objective(each, status, said),
        "exit": run.returncode,
        "cpu_s": cpu_s,
        "wall_s": round(wall_s, 2),
        "limit_s": limit_s,
        "variables": sizes.variables,
        "constraints": sizes.constraints,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - wall_s)),
    }


def _spent_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _as_in_competitions(said: str) -> str:
    """Return MiniSat's result with the ``s`` and ``v`` lines of other solvers."""
    said = re.sub(r"^SAT\n", "s SATISFIABLE\nv ", said, flags=re.MULTILINE)
    return re.sub(r"^UNSAT$", "s UNSATISFIABLE", said, flags=re.MULTILINE)


def _status(said: str) -> str:
    """Return the status of the last ``s`` line."""
    statuses = re.findall(r"^ ?s ([A-Z ]+)$", said, re.MULTILINE)
    status = (
        statuses[-1].replace("OPTIMUM FOUND", Status.OPTIMAL) if statuses else str(Status.UNKNOWN)
    )
    return status if status in list(Status) else str(Status.UNKNOWN)


def _objective(each: Benchmark, status: str, said: str) -> int | None:
    """Decode and check a solution; return the objective of an optimum, else None.

    Raises InstanceError if the solution is not valid.
    """
    if status not in (Status.SATISFIABLE, Status.OPTIMAL):
        return None
    answer = decode(each.instance(), said, **each.options)
    return answer.objective if status == Status.OPTIMAL else None


def _contradicts(each: Benchmark, record: Record) -> bool:
    """Print and return True if a solver contradicts the list."""
    if Status.UNKNOWN in (each.status, record["status"]):
        return False
    known = (each.status, each.objective)
    if known == (record["status"], record["objective"]):
        return False
    said = f"{record['status']} {record['objective']}"
    print(f"contradiction: {each.name}: {known[0]} {known[1]}, but {record['solver']}: {said}")
    return True


def report(_arguments: argparse.Namespace) -> int:
    """Write the tables of the recorded runs; the list gets the CPU seconds of each solver."""
    records = lines_of(RECORDS)
    whole = read_list(LIST.read_text(encoding="utf-8"))
    timed = [replace(each, cpu_s=dict(_cpu_s(records, each))) for each in whole]
    _write_list(timed)
    TABLE.write_text("\n".join(_lines(records)) + "\n", encoding="utf-8")
    return 0


def _cpu_s(records: Sequence[Record], each: Benchmark) -> Iterator[tuple[str, float | None]]:
    """Yield the name of each solver that was run on a file, and its CPU seconds if it decided."""
    for solver in SOLVERS[each.to]:
        record = _best(records, each, solver.name)
        if record is not None:
            decided = record["status"] != Status.UNKNOWN
            yield solver.name, record["cpu_s"] if decided else None


INTRODUCTION = """# The benchmark set

Files for other solvers, written by `uno-csp benchmarks make`, and the CPU seconds that solvers took
on them, by `scripts/benchmarks measure` on one core of a shared machine, each run once. A time
after > is the time at which the limit ended the run, a lower bound; a dash is a run that was not
made. `measure` with a higher `--limit` repeats the runs that reached a lower one.

*confirmed* is the method by which this package found the answer from the question, not the file. If
it is empty, the only answers are those of the solvers in the table."""


def _lines(records: Sequence[Record]) -> Iterator[str]:
    yield INTRODUCTION
    used = sorted({f"{each['solver']} {each['version']}" for each in records})
    machines = sorted({each["machine"] for each in records})
    yield f"\nSolvers: {', '.join(used)}. Machine: {', '.join(machines)}."
    for to, solvers in SOLVERS.items():
        names = [solver.name for solver in solvers]
        chosen = benchmarks(to=to)
        yield f"\n## {to}: {len(chosen)} files\n"
        yield from _spread(chosen, names, records)
        yield f"| file | answer | confirmed | variables | constraints | {' | '.join(names)} |"
        yield "|---|---|---|---:|---:|" + "---:|" * len(names)
        for each in chosen:
            own = {name: _best(records, each, name) for name in names}
            sizes = next((record for record in own.values() if record), None)
            size = f"{sizes['variables']} | {sizes['constraints']}" if sizes else "- | -"
            answer = each.status if each.objective is None else f"{each.status} {each.objective}"
            times = " | ".join(_time(record) for record in own.values())
            yield f"| {each.name} | {answer} | {each.confirmed} | {size} | {times} |"


def _spread(
    chosen: Sequence[Benchmark], names: Sequence[str], records: Sequence[Record]
) -> Iterator[str]:
    """Yield a table of the number of files per solver and range of CPU time."""
    steps = (1, 10, 100, 1000)
    yield "| solver | " + " | ".join(f"< {step} s" for step in steps) + " | not decided | not run |"
    yield "|---|" + "---:|" * (len(steps) + 2)
    for name in names:
        found = [_best(records, each, name) for each in chosen]
        times = [each["cpu_s"] for each in found if each and each["status"] != Status.UNKNOWN]
        bounds = zip((0, *steps), steps, strict=False)
        counts = [sum(low <= time_s < high for time_s in times) for low, high in bounds]
        open_ones = sum(each is not None for each in found) - len(times)
        cells = [*counts, open_ones, found.count(None)]
        yield f"| {name} | " + " | ".join(map(str, cells)) + " |"
    yield ""


def _best(records: Sequence[Record], each: Benchmark, solver: str) -> Record | None:
    """Return the run with the highest limit, and the last of several."""
    own = [
        record
        for record in records
        if record["sha256"] == each.sha256 and record["solver"] == solver
    ]
    return max(reversed(own), key=lambda record: int(record["limit_s"]), default=None)


def _time(record: Record | None) -> str:
    if record is None:
        return "-"
    if record["status"] != Status.UNKNOWN:
        return f"{record['cpu_s']:.2f}"
    if record["exit"] in CUT_OFF or record["cpu_s"] >= record["limit_s"] - 1:
        return f"> {record['cpu_s']:.2f}"
    return f"no answer, exit {record['exit']}"


def main() -> int:
    """Parse the arguments and run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    for action, limit_s in ((confirm, 60), (measure, 20), (report, 0)):
        command = commands.add_parser(action.__name__, help=(action.__doc__ or "").split(";")[0])
        command.set_defaults(action=action)
        if limit_s:
            command.add_argument("--limit", type=int, default=limit_s, help="seconds for each run")
        if action is measure:
            command.add_argument("--only", default="*", help="shell pattern of file names")
            names = [solver.name for solvers in SOLVERS.values() for solver in solvers]
            command.add_argument("--solver", choices=names, help="only this solver")
    arguments = parser.parse_args()
    carrier = find_spec("sage_wheels")  # this package contains kissat
    for folder in (carrier.submodule_search_locations or ()) if carrier else ():
        os.environ["PATH"] += os.pathsep + str(Path(folder, "bin"))
    return int(arguments.action(arguments))


if __name__ == "__main__":
    sys.exit(main())
