"""Benchmark the default beside each single method of the portfolio; write results/portfolio.md.

Regret is the time of the default over that of the best single method on the same questions. The
default runs first, then each method until it has used a tenth more. All limits and times are
CPU seconds of all processes together, which a busy machine does not change: a race on several cores
takes less time by the clock. Every answer is checked, and all answers have to agree. Runs are
recorded one by one; those that the file of records has are not repeated.
"""

import argparse
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import inf, isfinite
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import networkx as nx
import psutil

from scripts.bench_hamilton import LKH_VERTICES, by_lkh, limited
from scripts.portfolio_rows import Question, Row, rows
from uno_csp import Options, Status, Uno1, solve
from uno_csp.hamilton import HamiltonProblem, solve_problem
from uno_csp.hamilton.hands import hand_of, too_large
from uno_csp.methods import DEFAULT_BACKEND, algorithm_names, find_method
from uno_csp.portfolio import ROWS
from uno_csp.processes.stop import Stop

DEFAULT, LKH = "default", "LKH"

FLOOR_S = 0.02
"""CPU seconds as which shorter runs count: that of two messages to a worker, and more."""

SMALL_S = 0.3
"""CPU seconds of the default up to which a row does not count for the worst regret."""

LOOK_S = 0.05
"""Seconds between two looks at the CPU time."""

LOADING_S = 3.0
"""CPU seconds of a first run of each row, which is not recorded."""

SLOWDOWN = 12
"""Seconds by the clock for a CPU second, after which a run is ended in any case."""

LKH_S = 5.0
"""Seconds by the clock after which LKH is ended."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: ``answer`` is None if it was ended without one."""

    row: str
    seed: int
    way: str
    cpu_s: float
    wall_s: float
    answer: str | None


def used_s() -> float:
    """Return the CPU seconds of this process and of all below it, with those that have ended."""
    this = psutil.Process()
    total = 0.0
    for process in (this, *this.children(recursive=True)):
        with suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])
    return total


class _Watch(threading.Thread):
    """Sets ``stop`` once so many CPU seconds have been used."""

    def __init__(self, limit_s: float, stop: Stop) -> None:
        super().__init__(daemon=True)
        self._limit_s, self._stop_run, self._over = used_s() + limit_s, stop, threading.Event()
        self.own_s = 0.0

    def run(self) -> None:
        while not self._over.wait(LOOK_S):
            if used_s() > self._limit_s:
                self._stop_run.set()
            self.own_s = time.thread_time()

    def end(self) -> None:
        self._over.set()
        self.join()


def asked(question: Question, options: Options, stop: Stop | None = None) -> Any:
    """Return the answer of a question about a hand or a graph."""
    ask: Any = solve_problem if isinstance(question, HamiltonProblem) else solve
    return ask(question, options, stop=stop)


def measured(question: Question, way: str, limit_s: float) -> tuple[float, float, str | None]:
    """Return the CPU seconds, the seconds, and the answer of the default or a single method."""
    method, _, backend = ("", "", "") if way == DEFAULT else way.partition(" ")
    options = Options(
        method=method or None, backend=backend or None, time_limit_s=SLOWDOWN * limit_s
    )
    warm()
    stop = Stop()
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
    hand = question
    if isinstance(question, HamiltonProblem):
        yield "rotations"
        if too_large(question) is not None:
            return
        hand = hand_of(question).question
    for way in dict.fromkeys(way for row in ROWS for way in row.ways):
        names = (name for name in way.methods if find_method(name).refusal(hand) is None)
        if (name := next(names, None)) is not None:
            algorithm = name in algorithm_names()
            yield name if algorithm else f"{name} {way.backend or DEFAULT_BACKEND}"


class Records:
    """The runs so far, in a file with one object on each line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_text().splitlines() if path.exists() else []
        runs = (Run(**json.loads(line)) for line in lines)
        self.runs = {(run.row, run.seed, run.way): run for run in runs}

    def run(self, row: str, seed: int, way: str, measure: Callable[[], tuple[Any, ...]]) -> Run:
        """Return the run of that name, measured unless it is recorded."""
        key = (row, seed, way)
        if key not in self.runs:
            self.runs[key] = Run(*key, *measure())
            with self._path.open("a") as file:
                print(json.dumps(asdict(self.runs[key])), file=file)
        return self.runs[key]


def measure_row(row: Row, seeds: int, limit_s: float, records: Records) -> list[Run]:
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
                lambda: lkh(question) if way == LKH else measured(question, way, most_s),
            )

        if ways is None and (row.name, seed, DEFAULT) not in records.runs:
            measured(question, DEFAULT, LOADING_S)  # its workers load what they need
        default = run(DEFAULT, limit_s)
        ways = list(dict.fromkeys(single_ways(question))) if ways is None else ways
        most_s = min(1.1 * default.cpu_s + 0.05, limit_s) if default.answer else limit_s
        found = [run(way, most_s) for way in ways]
        if seed in (0, 100) and _suits_lkh(question):
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


def lkh(question: HamiltonProblem) -> tuple[float, float, str | None]:
    """Return what LKH takes for a cycle; it runs in a process of its own."""
    graph: nx.Graph[int] = nx.empty_graph(len(question.vertices))
    graph.add_edges_from(question.edges)
    spent_s, found = limited(by_lkh, graph, LKH_S)
    return spent_s, spent_s, "YES None" if found else None


@dataclass(frozen=True, slots=True)
class Regret:
    """The line of a row in the table."""

    row: Row
    answer: str
    default_s: float
    wall_s: float
    best: str
    best_s: float
    lkh_s: float

    @property
    def ratio(self) -> float:
        """The time of the default over the best single one; infinite if it alone has none."""
        return max(self.default_s, FLOOR_S) / max(self.best_s, FLOOR_S)

    @property
    def counts(self) -> bool:
        """True if some single method, or the default, has the answer."""
        return isfinite(min(self.default_s, self.best_s))

    def cells(self) -> list[str]:
        """Return the cells of its line."""
        shown = [f"{s:.2f}" if isfinite(s) else "-" for s in (self.default_s, self.wall_s)]
        best = [self.best, f"{self.best_s:.2f}"] if isfinite(self.best_s) else ["none", "-"]
        ratio = f"{self.ratio:.2f}" if isfinite(self.best_s) else "-"
        rival = f"{self.lkh_s:.2f}" if isfinite(self.lkh_s) else "-"
        return [self.row.name, self.answer, *shown, *best, ratio, rival]


def regret(row: Row, runs: list[Run]) -> Regret:
    """Return the line of a row: medians, of the best method that answered each of its runs."""

    def middle(way: str, time_of: Callable[[Run], float]) -> float:
        times = [time_of(run) if run.answer else inf for run in runs if run.way == way]
        return median(times) if len(times) == asked_times or way == LKH else inf

    asked_times = sum(run.way == DEFAULT for run in runs)
    cpu = {way: middle(way, lambda run: run.cpu_s) for way in {run.way for run in runs}}
    default_s, lkh_s = cpu.pop(DEFAULT), cpu.pop(LKH, inf)
    best = min(cpu, key=lambda way: cpu[way], default="none")
    answers = sorted({run.answer.removesuffix(" None") for run in runs if run.answer})
    answer = answers[0] if len(answers) == 1 else "several" if answers else "unknown"
    wall_s = middle(DEFAULT, lambda run: run.wall_s)
    return Regret(row, answer, default_s, wall_s, best, cpu.get(best, inf), lkh_s)


HEAD = """# Regret of the portfolio

Made by `scripts/bench_portfolio`. Times are CPU seconds of all processes together, medians of
{seeds} questions of each row, under a limit of {limit:g}; the seconds of the default by the clock
are those of a shared machine. Regret is the time of the default over that of the best single method
of [the table](../docs/methods.md#the-portfolio), with times below {floor:g} s taken as that; a
single method ran until it had used a tenth more than the default. LKH (elkai) was asked for cycles
of up to {vertices} vertices, and proves no NO. A dash is a run without an answer.
"""


def report(found: list[Regret], seeds: int, limit_s: float) -> str:
    """Return the text of the report."""
    text = [
        HEAD.format(seeds=seeds, limit=limit_s, floor=FLOOR_S, vertices=LKH_VERTICES),
        "| rows | number | geometric mean | worst above "
        f"{SMALL_S:g} s | only the default answers | only a single method | nobody |",
        "|---|---:|---:|---|---:|---:|---:|",
    ]
    halves = {
        "train": [r for r in found if r.row.trains],
        "test": [r for r in found if not r.row.trains],
    }
    text += [summary(name, half) for name, half in halves.items()]
    heads = ["question", "answer", "default", "by the clock", "best single", "s", "regret", "LKH"]
    for name, half in halves.items():
        text += [f"\n## The half to {name}\n", f"| {' | '.join(heads)} |"]
        text.append("|---|---|---:|---:|---|---:|---:|---:|")
        text += [f"| {' | '.join(each.cells())} |" for each in half]
    return "\n".join(text) + "\n"


def summary(name: str, half: list[Regret]) -> str:
    """Return the line of the summary of one half."""
    both = [r for r in half if isfinite(r.default_s) and isfinite(r.best_s)]
    mean = geometric_mean([r.ratio for r in both]) if both else 1.0
    large = [r for r in both if r.default_s > SMALL_S]
    worst = max(large, key=lambda r: r.ratio, default=None)
    alone = sum(isfinite(r.default_s) and not isfinite(r.best_s) for r in half)
    lost = [r.row.name for r in half if not isfinite(r.default_s) and isfinite(r.best_s)]
    shown = f"{worst.ratio:.2f} ({worst.row.name})" if worst else "-"
    nobody = sum(not r.counts for r in half)
    cells = [name, len(half), f"{mean:.2f}", shown, alone, "; ".join(lost) or 0, nobody]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", help="parts of the names of rows; default: all")
    parser.add_argument("--half", choices=("train", "test"), help="only one half of the rows")
    parser.add_argument("--seeds", type=int, default=3, help="number of questions for each row")
    parser.add_argument("--limit", type=float, default=10.0, help="CPU seconds of a run")
    parser.add_argument("--records", type=Path, default=Path("build/portfolio.jsonl"))
    parser.add_argument("--out", type=Path, default=Path("results/portfolio.md"))
    chosen = parser.parse_args()
    chosen.records.parent.mkdir(exist_ok=True)
    records, found = Records(chosen.records), []
    for row in rows():
        part = chosen.half is None or row.trains == (chosen.half == "train")
        if part and (not chosen.rows or any(name in row.name for name in chosen.rows)):
            found.append(regret(row, measure_row(row, chosen.seeds, chosen.limit, records)))
            print(*found[-1].cells(), sep=" | ", flush=True)
    text = report(found, chosen.seeds, chosen.limit)
    chosen.out.write_text(text, encoding="utf-8")
    print(text[:1500])


if __name__ == "__main__":
    main()
