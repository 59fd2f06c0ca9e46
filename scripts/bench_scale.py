"""Measure the solving time against the number of cards for each family, up to large hands.

Every run is a separate process that generates a hand and solves it; the table has the median and
the worst time over the seeds. With ``--old`` each run is followed by the same run in another
working tree, so that both see the same machine noise. "k > limit" counts runs at the limit.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"


@dataclass(frozen=True, slots=True)
class Case:
    """A family of questions at one size, with ``family`` and ``parameters`` of ``generate``."""

    question: str
    family: str
    parameters: Mapping[str, Any]
    seeded: bool = True

    @property
    def series(self) -> str:
        """Name of the curve in the plot."""
        density = ""
        if self.family == "random":
            values = self.parameters["colours"] + self.parameters["numbers"]
            density = f", {self.parameters['cards'] / values:.2g} cards a value"
        return f"{self.question}, {self.family}{density}"

    @property
    def size(self) -> str:
        """The parameters as text."""
        return " ".join(f"{name}={value}" for name, value in self.parameters.items())


def random_hand(question: str, values: int, cards: int) -> Case:
    """Return a case of cards drawn uniformly from ``values`` colours and numbers."""
    return Case(question, "random", {"colours": values, "numbers": values, "cards": cards})


CASES = (
    *(random_hand("uno-1", cards // 10, cards) for cards in (1000, 10_000, 100_000, 1_000_000)),
    *(Case("uno-1", "random-cubic", {"vertices": n}) for n in (300, 1000, 3000, 10_000, 30_000)),
    *(
        Case("uno-1", "generalized-petersen", {"n": n, "k": 2}, seeded=False)
        for n in (203, 503, 1001, 2003)
    ),
    *(Case("uno-1", "flower-snark", {"n": n}, seeded=False) for n in (501, 1501, 5003)),
    *(Case("uno-1", "diamond", {"vertices": n}) for n in (100, 300, 1000, 3000)),
    *(
        Case("uno-1", "petersen-fragments", {"base": "random", "vertices": n, "fragments": s})
        for n, s in ((100, 100), (300, 300), (300, 150), (1000, 500))
    ),
    *(
        random_hand("fill-in", values, cards)
        for values, cards in (
            (300, 450),
            (1000, 1500),
            (3000, 4500),
            (10_000, 15_000),
            (1000, 2500),
            (3000, 7500),
            (10_000, 25_000),
            (3000, 5000),
            (3000, 20_000),
        )
    ),
    *(Case("fill-in", "diamond", {"vertices": n}) for n in (10, 20, 40)),
    *(
        random_hand("longest", values, cards)
        for values, cards in (
            (100, 130),
            (300, 400),
            (1000, 1333),
            (3000, 4000),
            (300, 600),
            (300, 1000),
            (1000, 1500),
        )
    ),
    *(
        Case("cooperative", "cooperative", {"players": 2, "cards": 60, "values": values})
        for values in (20, 25, 30)
    ),
)


def answer_one(case: Case, seed: int, limit_s: float) -> dict[str, Any]:
    """Generate and solve a case in this process, and return the times."""
    import uno_csp
    from uno_csp.formats import question_to_dict

    drawn = uno_csp.generate(
        case.family,
        question=case.question,
        seed=seed if case.seeded else None,
        **case.parameters,
    )
    text = json.dumps(question_to_dict(drawn))
    began = time.perf_counter()
    question = uno_csp.parse(text)
    started = time.perf_counter()
    answer = uno_csp.solve(question, time_limit_s=limit_s)
    solved = time.perf_counter()
    uno_csp.check(question, answer)
    checked = time.perf_counter()
    hands = getattr(question, "hands", None) or (question.cards,)
    return {
        "cards": sum(map(len, hands)),
        "read_and_check": round(started - began + checked - solved, 2),
        "seconds": round(solved - started, 2),
        "status": str(answer.status),
        "objective": answer.objective,
        "bound": answer.bound,
    }


def run(tree: Path, case: Case, seed: int, limit_s: float) -> dict[str, Any]:
    """Run :func:`answer_one` in a new process with the package of a working tree."""
    task = json.dumps([asdict(case), seed, limit_s])
    finished = subprocess.run(
        [sys.executable, __file__, "--one", task],
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=True,
    )
    data: dict[str, Any] = json.loads(finished.stdout)
    return data


def cell(runs: list[dict[str, Any]]) -> str:
    """Format median and worst time, and the bounds of the last run that reached the limit."""
    times = [each["seconds"] for each in runs]
    late = [each for each in runs if each["status"] == "UNKNOWN"]
    text = f"{median(times):.1f} / {max(times):.1f}"
    if not late:
        return text
    found, proved = late[-1]["objective"], late[-1]["bound"]
    return f"{text}, {len(late)} > limit" + (f" ({found}, {proved})" if found is not None else "")


def draw(points: Mapping[str, list[tuple[int, float]]], path: Path) -> None:
    """Plot seconds against cards on logarithmic axes."""
    from scripts.reporting import figure  # which another working tree may not have

    with figure(path, "cards", "seconds", figsize=(9, 6)) as axes:
        for number, (series, found) in enumerate(points.items()):
            style = ("-", "--", ":")[number // 10]
            axes.loglog(*zip(*sorted(found), strict=True), f"o{style}", label=series, markersize=3)
        axes.legend(fontsize=7)


def main() -> None:
    """Run the cases and write results/bench_scale.md with its plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=120, help="seconds for each run")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="only cases whose name contains this text")
    parser.add_argument("--old", type=Path, help="another working tree to compare with")
    parser.add_argument("--old-limit", type=float, default=30, help="seconds for each run of --old")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        case, seed, limit_s = json.loads(asked.one)
        print(json.dumps(answer_one(Case(**case), seed, limit_s)))
        return
    lines = [
        "| question | size | cards | read and check | solve, median / worst |",
        "|---|---|---:|---:|---|",
    ]
    if asked.old:
        lines = [f"{lines[0]} before |", f"{lines[1]}---|"]
    for case in CASES:
        if asked.only not in f"{case.series} {case.size}":
            continue
        seeds = range(1, 1 + (asked.seeds if case.seeded else 1))
        runs: dict[Path, list[dict[str, Any]]] = defaultdict(list)
        trees = [ROOT, *([asked.old] if asked.old else [])]
        for seed in seeds:
            for tree in trees:
                limit_s = asked.limit if tree == ROOT else asked.old_limit
                runs[tree].append(run(tree, case, seed, limit_s))
        cards = runs[ROOT][0]["cards"]
        aside = median(each["read_and_check"] for each in runs[ROOT])
        cells = [f"{case.question}, {case.family}", case.size, str(cards), f"{aside:.2f}"]
        lines.append(f"| {' | '.join([*cells, *(cell(runs[tree]) for tree in trees)])} |")
        print(lines[-1], flush=True)
    write_results(
        lines,
        f"All in seconds. Limit {asked.limit:g} s, {asked.old_limit:g} s before; "
        f"{asked.seeds} seeds for random families.",
        whole=not asked.only,
    )


def write_results(lines: list[str], how: str, *, whole: bool) -> None:
    """Write the table and its plot; with ``--only``, replace the measured rows of the old table."""
    path = RESULTS / "bench_scale.md"
    if whole:
        table = lines
    else:
        measured = {name_of(line): line for line in lines[2:]}
        table = [line for line in path.read_text().splitlines() if line.startswith("|")]
        table = [measured.get(name_of(line), line) for line in table]
        how = next(line for line in path.read_text().splitlines() if line.startswith("All in"))
    figure = "![seconds against cards](bench_scale.svg)"
    parts = ("# Seconds against cards", str(__doc__).strip(), how, "\n".join(table), figure)
    path.write_text("\n\n".join(parts) + "\n")
    series = {(f"{case.question}, {case.family}", case.size): case.series for case in CASES}
    points: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for line in table[2:]:
        _, kind, size, cards, _, solved, *_ = (cell.strip() for cell in line.split("|"))
        points[series[kind, size]].append((int(cards), float(solved.split()[0])))
    draw(points, RESULTS / "bench_scale.svg")


def name_of(line: str) -> tuple[str, ...]:
    """Return the key of a table row: question and family, size."""
    return tuple(cell.strip() for cell in line.split("|")[1:3])


if __name__ == "__main__":
    main()
