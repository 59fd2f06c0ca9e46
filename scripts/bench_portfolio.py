"""Benchmark the default beside each single method of the portfolio; write results/portfolio.md.

Regret is the time of the default over that of the best single method on the same questions. The
default runs first, then each method until it has used a tenth more. All limits and times are
CPU seconds of all processes together, which a busy machine does not change: a race on several cores
takes less time by the clock. Every answer is checked, and all answers have to agree. Runs are
recorded one by one; those that the file of records has are not repeated.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import inf, isfinite
from operator import attrgetter
from pathlib import Path
from statistics import geometric_mean, median
from threading import Event, Thread
from typing import Any, TypeAlias

import networkx as nx
import psutil

from scripts.bench_hamilton import LKH_VERTICES, by_lkh, limited
from scripts.portfolio_rows import Question, Row, rows
from scripts.reporting import lines_of
from uno_csp import Options, Status, Uno1, solve
from uno_csp.hamilton import HamiltonProblem, solve_problem
from uno_csp.hamilton.hands import hand_of, too_large
from uno_csp.methods import DEFAULT_BACKEND, algorithm_names, find_backend, find_method
from uno_csp.portfolio import ROWS

DEFAULT, LKH = "default", "LKH"

FLOOR_S = 0.02
"""CPU seconds as which shorter runs count: that of two messages to a worker, and more."""

SMALL_S = 0.3
"""Seconds of the default, by the same clock, up to which a row does not count as the worst."""

LOOK_S = 0.05  # seconds between two looks at the CPU time
LOADING_S = 3.0  # CPU seconds of a first run of each row, which is not recorded
SLOWDOWN = 12  # seconds by the clock for a CPU second, after which a run is ended in any case
PROCESSORS = os.cpu_count() or 1
ONE_IN = 6  # number of rows of which one is asked with several threads
LKH_S = 5.0  # seconds by the clock after which LKH is ended

Measured: TypeAlias = tuple[float, float, str | None]
"""CPU seconds, seconds by the clock, and the answer of a run."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: ``answer`` is None if it was ended without one."""

    row: str
    seed: int
    way: str
    cpu_s: float
    wall_s: float
    answer: str | None
    workers: int = 1


def used_s() -> float:
    """Return the CPU seconds of this process and of all below it, with those that have ended.

    A process that is reaped during one reading may be missing from it.
    """
    return max(_reading_s(), _reading_s())


def _reading_s() -> float:
    this = psutil.Process()
    total = 0.0
    for process in (this, *this.children(recursive=True)):
        with suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])
    return total


class _Watch(Thread):
    """Sets ``stop`` once a number of CPU seconds have been used.

    A look takes this process some milliseconds, so there are few: the processors that there are
    cannot use up what is left before the next one.
    """

    def __init__(self, limit_s: float, stop: Event) -> None:
        super().__init__(daemon=True)
        self._limit_s, self._stop_run, self._over = used_s() + limit_s, stop, Event()
        self._left_s = limit_s
        self.own_s = 0.0

    def run(self) -> None:
        while not self._over.wait(max(LOOK_S, self._left_s / PROCESSORS)):
            self._left_s = self._limit_s - _reading_s()
            if self._left_s < 0:
                self._stop_run.set()
            self.own_s = time.thread_time()

    def end(self) -> None:
        self._over.set()
        self.join()


def asked(question: Question, options: Options, stop: Event | None = None) -> Any:
    """Return the answer of a question about a hand or a graph."""
    ask: Any = solve_problem if isinstance(question, HamiltonProblem) else solve
    return ask(question, options, stop=stop)


def measured(question: Question, way: str, limit_s: float, workers: int) -> Measured:
    """Return the CPU seconds, the seconds, and the answer of the default or a single method."""
    method, _, backend = ("", "", "") if way == DEFAULT else way.partition(" ")
    single = bool(method) and not (backend and find_backend(backend).parallel)
    options = Options(
        method=method or None,
        backend=backend or None,
        time_limit_s=SLOWDOWN * limit_s,
        workers=1 if single else workers,
    )
    warm()
    stop = Event()
    watch = _Watch(limit_s, stop)
    before_s, began = used_s(), time.perf_counter()
    watch.start()
    answer = asked(question, options, stop)
    wall_s, cpu_s = time.perf_counter() - began, used_s() - before_s
    watch.end()
    decided = answer.status is not Status.UNKNOWN
    said = f"{answer.status.word} {answer.objective}" if decided else None
    return max(cpu_s - watch.own_s, 0.0), wall_s, said


def warm() -> None:
    """Have a worker with each solver of the table, and wait until all are idle."""
    for backend in {DEFAULT_BACKEND, *(way.backend for row in ROWS for way in row.ways)}:
        if backend is not None:
            solve(Uno1(((1, 1), (1, 2))), method="successor", backend=backend, presolve=False)
    before_s = -inf
    while (now_s := used_s()) - before_s > LOOK_S / 5:
        before_s = now_s
        time.sleep(LOOK_S)


def single_ways(question: Question) -> Iterator[str]:
    """Yield the ways of all rows of the table that take a question."""
    if isinstance(question, HamiltonProblem):
        yield "rotations"
        if too_large(question) is not None:
            return
        question = hand_of(question).question
    for way in dict.fromkeys(way for row in ROWS for way in row.ways):
        names = (name for name in way.methods if find_method(name).refusal(question) is None)
        if (name := next(names, None)) is not None:
            algorithm = name in algorithm_names()
            yield name if algorithm else f"{name} {way.backend or DEFAULT_BACKEND}"


class Records:
    """The runs so far, in a file with one object on each line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        runs = (Run(**each) for each in lines_of(path))
        self.runs = {(run.row, run.seed, run.way, run.workers): run for run in runs}

    def run(
        self, row: str, seed: int, way: str, workers: int, measure: Callable[[], Measured]
    ) -> Run:
        """Return the run of that name, measured unless it is recorded."""
        key = (row, seed, way, workers)
        if key not in self.runs:
            self.runs[key] = Run(row, seed, way, *measure(), workers)
            with self._path.open("a") as file:
                print(json.dumps(asdict(self.runs[key])), file=file)
        return self.runs[key]


def measure_row(row: Row, seeds: int, limit_s: float, workers: int, records: Records) -> list[Run]:
    """Return the runs of a row; a method that answers no first question is not asked the next."""
    runs: list[Run] = []
    ways: list[str] | None = None
    for seed in range(seeds) if row.trains else range(100, 100 + seeds):
        question = row.make(seed)

        def run(way: str, most_s: float, seed: int = seed, question: Question = question) -> Run:
            return records.run(
                row.name,
                seed,
                way,
                workers,
                lambda: lkh(question) if way == LKH else measured(question, way, most_s, workers),
            )

        if ways is None and (row.name, seed, DEFAULT, workers) not in records.runs:
            measured(question, DEFAULT, LOADING_S, workers)  # its workers load what they need
        default = run(DEFAULT, limit_s)
        ways = list(dict.fromkeys(single_ways(question))) if ways is None else ways
        most_s = min(1.1 * default.cpu_s + 0.05, limit_s) if default.answer else limit_s
        found = [run(way, most_s) for way in ways]
        if seed in (0, 100) and workers == 1 and _suits_lkh(question):
            found.append(run(LKH, LKH_S))
        answers = {each.answer for each in (default, *found) if each.answer}
        assert len(answers) < 2, f"{row.name}, seed {seed}: {answers}"  # noqa: S101
        ways = [each.way for each in found if each.answer and each.way != LKH]
        runs += [default, *found]
    return runs


def _suits_lkh(question: Question) -> bool:
    if not isinstance(question, HamiltonProblem) or len(question.vertices) > LKH_VERTICES:
        return False
    return question.goal.value == "cycle"


def lkh(question: Question) -> Measured:
    """Return what LKH takes for a cycle; it runs in a process of its own."""
    assert isinstance(question, HamiltonProblem)  # noqa: S101
    graph: nx.Graph[int] = nx.empty_graph(len(question.vertices))
    graph.add_edges_from(question.edges)
    spent_s, found = limited(by_lkh, graph, LKH_S)
    return spent_s, spent_s, "YES None" if found else None


@dataclass(frozen=True, slots=True)
class Clock:
    """Times of a row by one clock: medians of the default, of the best single way, and of LKH.

    A way counts if it answered all that it was asked; without one its time is infinite.
    """

    default_s: float
    best: str
    best_s: float
    lkh_s: float

    @property
    def ratio(self) -> float:
        """The time of the default over the best single one; infinite if one has no answer."""
        if not self.compared:
            return inf
        return max(self.default_s, FLOOR_S) / max(self.best_s, FLOOR_S)

    @property
    def compared(self) -> bool:
        """True if the default and a single way have the answer."""
        return isfinite(self.default_s) and isfinite(self.best_s)


def clock(runs: list[Run], time_of: Callable[[Run], float]) -> Clock:
    """Return the times of the runs of a row."""
    asked_times = sum(run.way == DEFAULT for run in runs)
    times: dict[str, float] = {}
    for way in {run.way for run in runs}:
        own = [time_of(run) if run.answer else inf for run in runs if run.way == way]
        times[way] = median(own) if len(own) == asked_times or way == LKH else inf
    default_s, lkh_s = times.pop(DEFAULT), times.pop(LKH, inf)
    best = min(times, key=lambda way: times[way], default="none")
    return Clock(default_s, best, times.get(best, inf), lkh_s)


@dataclass(frozen=True, slots=True)
class Regret:
    """A row with its times: in CPU seconds, and by the clock on the wall."""

    row: Row
    answer: str
    cpu: Clock
    wall: Clock

    def cells(self) -> list[str]:
        """Return the cells of its line."""
        numbers = [self.cpu.default_s, self.cpu.best_s, self.cpu.ratio, self.wall.ratio]
        shown = [f"{s:.2f}" if isfinite(s) else "-" for s in (*numbers, self.wall.lkh_s)]
        best = self.cpu.best if isfinite(self.cpu.best_s) else "none"
        return [self.row.name, self.answer, best, *shown]


def regret(row: Row, runs: list[Run]) -> Regret:
    """Return a row with its times."""
    answers = sorted({run.answer.removesuffix(" None") for run in runs if run.answer})
    answer = answers[0] if len(answers) == 1 else "several" if answers else "unknown"
    return Regret(
        row, answer, clock(runs, lambda run: run.cpu_s), clock(runs, lambda run: run.wall_s)
    )


HEAD = """# Regret of the portfolio

Made by `scripts/bench_portfolio`. Number of times that each row was asked, with other seeds:
{seeds}. Limit: {limit:g} CPU seconds of all processes together. *default* and *single* are CPU
seconds of the default and of the best single way of [the table](../docs/methods.md#the-portfolio),
medians. *regret* is the default's time over the best single one: in CPU seconds, as on one core,
and by the clock on two cores. Times below {floor:g} s count as that. A single
way ran until it had used a tenth more than the default, so a dash in its place means that none is
quicker. LKH (elkai) was asked for cycles of up to {vertices} vertices: seconds by the clock; it
proves no NO. The table was tuned by the half to train, but for large cooperative play, by other
seeds of both halves. A control group kept other programs off the two cores as far as it could;
processes of a race that wait for each other may share one all the same, so a regret by the clock
is rather too large than too small.
"""


def report(found: list[Regret], seeds: int, limit_s: float) -> str:
    """Return the text of the report."""
    text = [
        HEAD.format(seeds=seeds, limit=limit_s, floor=FLOOR_S, vertices=LKH_VERTICES),
        "| rows | number | only the default answers | only a single way | nobody | "
        f"regret, geometric mean | worst above {SMALL_S:g} s | by the clock, mean | "
        f"worst above {SMALL_S:g} s |",
        "|---|---:|---:|---|---:|---:|---|---:|---|",
    ]
    heads = ["question", "answer", "best way", "default", "single", "regret", "clock", "LKH"]
    tables = []
    for name in ("train", "test"):
        half = [each for each in found if each.row.half == name]
        text.append(summary(name, half))
        tables += [f"\n## The half to {name}\n", f"| {' | '.join(heads)} |"]
        tables.append("|---|---|---|---:|---:|---:|---:|---:|")
        tables += [f"| {' | '.join(each.cells())} |" for each in half]
    return "\n".join([*text, *tables]) + "\n"


def summary(name: str, half: list[Regret]) -> str:
    """Return the line of the summary of one half."""
    alone = sum(isfinite(r.cpu.default_s) and not isfinite(r.cpu.best_s) for r in half)
    lost = [r.row.name for r in half if not isfinite(r.cpu.default_s) and isfinite(r.cpu.best_s)]
    nobody = len(half) - alone - len(lost) - sum(r.cpu.compared for r in half)
    cells = [name, len(half), alone, "; ".join(lost) or 0, nobody]
    for by in (attrgetter("cpu"), attrgetter("wall")):
        both = [r for r in half if r.cpu.compared]
        ratios = [by(r).ratio for r in both]
        large = [(by(r).ratio, r.row.name) for r in both if by(r).default_s > SMALL_S]
        ratio, name = max(large, default=(0.0, ""))
        cells.append(f"{geometric_mean(ratios):.2f}" if both else "-")
        cells.append(f"{ratio:.2f} ({name})" if large else "-")
    return f"| {' | '.join(map(str, cells))} |"


def threads(by_workers: dict[int, list[Regret]]) -> str:
    """Return the table of defaults with several threads."""
    heads = [f"{workers} | regret" for workers in by_workers]
    lines = [
        "\n## Several threads\n",
        f"One row in {ONE_IN} was asked with several threads for each solver that has them (option",
        "`workers`): seconds of the default by the clock, and their regret.\n",
        f"| question | {' | '.join(heads)} |",
        f"|---|{2 * len(heads) * '---:|'}",
    ]
    for rows_ in zip(*by_workers.values(), strict=True):
        cells = [f"{each.wall.default_s:.2f} | {each.wall.ratio:.2f}" for each in rows_]
        lines.append(f"| {rows_[0].row.name} | {' | '.join(cells)} |")
    means = []
    for own in by_workers.values():
        ratios = [each.wall.ratio for each in own if each.wall.compared]
        means.append(f" | {geometric_mean(ratios):.2f}" if ratios else " | -")
    return "\n".join([*lines, f"| geometric mean | {' | '.join(means)} |"]) + "\n"


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", help="parts of the names of rows; default: all")
    parser.add_argument("--half", choices=("train", "test"), help="only one half of the rows")
    parser.add_argument("--seeds", type=int, default=3, help="number of questions for each row")
    parser.add_argument(
        "--workers", type=int, nargs="*", default=[], help="numbers of threads, for some rows"
    )
    parser.add_argument("--limit", type=float, default=10.0, help="CPU seconds of a run")
    parser.add_argument("--records", type=Path, default=Path("build/portfolio.jsonl"))
    parser.add_argument("--out", type=Path, default=Path("results/portfolio.md"))
    chosen = parser.parse_args()
    chosen.records.parent.mkdir(exist_ok=True)
    records, found = Records(chosen.records), []
    named = [row for row in rows() if not chosen.rows or any(n in row.name for n in chosen.rows)]
    asked_rows = [row for row in named if chosen.half in (None, row.half)]
    for row in asked_rows:
        found.append(regret(row, measure_row(row, chosen.seeds, chosen.limit, 1, records)))
        print(*found[-1].cells(), sep=" | ", flush=True)
    text = report(found, chosen.seeds, chosen.limit)
    if chosen.workers:
        by_workers = {
            workers: [
                regret(row, measure_row(row, chosen.seeds, chosen.limit, workers, records))
                for row in asked_rows[::ONE_IN]
            ]
            for workers in chosen.workers
        }
        text += threads(by_workers)
    chosen.out.write_text(text, encoding="utf-8")
    print(text[:1500])


if __name__ == "__main__":
    main()
