"""Run the studies of examples/suites, and write their reports to results/studies.

The records are kept, compressed; ``--report`` only writes the reports. To make the runs of a study
again, remove its records.
"""

import argparse
import gzip
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from uno_csp import Status, generate
from uno_csp.experiments.flat_records import flat
from uno_csp.experiments.records import read_records

ROOT = Path(__file__).parents[1]
SUITES = ROOT / "examples" / "suites"
RESULTS = ROOT / "results" / "studies"
RECORDS = "records.jsonl"
COPIES = SUITES / "copies.jsonl"
APART = ", told apart"
"""End of the name of a hand whose equal cards are told apart by another attribute."""

TOO_QUICK_S = 0.02  # two runs that both take less are not compared

INTRODUCTION = """# {title}

By `scripts/studies {name}`: {runs} runs of [the suite](../../examples/suites/{name}.toml), without
presolve, at most {limit_s:g} s each, on one of {cores} cores of a shared machine. PAR-2 is the mean
of the seconds, where a run without an answer counts twice the limit.
"""
COPIES_EXPLAINED = f"""Decided runs, with PAR-2; the geometric mean of the ratios of seconds, told
apart over order fixed, where both are decided; and the numbers of pairs in which fixing the order
takes at most half as long, or at least twice. Pairs that both take less than {TOO_QUICK_S:g} s are
not compared.
"""

Row = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("studies", nargs="*", help=f"by default {', '.join(REPORTS)}")
    parser.add_argument("--report", action="store_true", help="only write the reports")
    given = parser.parse_args(arguments)
    for name in given.studies or REPORTS:
        if not given.report:
            _run(name)
        report = RESULTS / f"{name}.md"
        report.write_text("\n".join(_report(name)) + "\n", encoding="utf-8")
        print(report)


def write_hands() -> None:
    """Write the hands of the study of copies: each as it is, and with equal cards told apart."""
    drawn: list[tuple[str, dict[str, Any]]] = [
        ("random", {"colours": 12, "numbers": 12, "cards": 16, "seed": seed})
        for seed in range(1, 7)
    ]
    built: list[tuple[str, dict[str, Any]]] = [
        ("diamond", {"base": "k4"}),
        ("spider", {"legs": 5}),
        ("petersen-fragments", {"base": "k4", "fragments": 3, "seed": 1}),
    ]
    lines = []
    for question, families in (("uno-1", drawn + built), ("longest", drawn)):
        for family, parameters in families:
            for times in (2, 3):
                cards = [list(card) for card in generate(family, **parameters).cards] * times
                name = f"{family} {parameters.get('seed', '')} x{times}".replace("  ", " ")
                marked = [[*card, index] for index, card in enumerate(cards)]
                for each, title in ((cards, name), (marked, name + APART)):
                    lines.append(json.dumps({"question": question, "name": title, "cards": each}))
    COPIES.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _run(name: str) -> None:
    if name == "copies":
        write_hands()
    suite, folder = SUITES / f"{name}.toml", RESULTS / name
    _unpack(folder)
    program = Path(sys.executable).with_name("uno-csp")
    subprocess.run([program, "bench", "run", suite, "--out", folder], check=True)
    packed = gzip.compress((folder / RECORDS).read_bytes(), mtime=0)
    (folder / f"{RECORDS}.gz").write_bytes(packed)


def _unpack(folder: Path) -> None:
    packed = folder / f"{RECORDS}.gz"
    if packed.exists() and not (folder / RECORDS).exists():
        (folder / RECORDS).write_bytes(gzip.decompress(packed.read_bytes()))


def _report(name: str) -> Iterator[str]:
    folder = RESULTS / name
    _unpack(folder)
    rows = [flat(record) for record in read_records(folder)]
    title, tables = REPORTS[name]
    limit_s, cores = rows[0]["limit_wall_s"], rows[0]["cores"]
    yield INTRODUCTION.format(title=title, name=name, runs=len(rows), limit_s=limit_s, cores=cores)
    yield from tables(rows)


def _where(rows: Sequence[Row], **wanted: object) -> list[Row]:
    """Return the rows with these values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def _decided(row: Row) -> bool:
    return bool(row["status"] != Status.UNKNOWN)


def _cost_s(row: Row) -> float:
    """Return the seconds of a run, twice the limit if it has no answer."""
    return float(row["wall_s"] if _decided(row) else 2 * row["limit_wall_s"])


def _seconds(row: Row) -> str:
    return f"{row['wall_s']:.2f}" if _decided(row) else f"> {row['limit_wall_s']:g}"


def _summary(rows: Sequence[Row]) -> str:
    """Return a cell with the number of runs that were decided, and PAR-2."""
    return f"{sum(map(_decided, rows))}, {statistics.mean(map(_cost_s, rows)):.2g} s"


def _table(header: Sequence[str], lines: Iterable[Sequence[object]], words: int) -> Iterator[str]:
    """Yield a table in Markdown whose first columns are ``words``, and the others numbers."""
    yield f"| {' | '.join(header)} |"
    yield "|" + "---|" * words + "---:|" * (len(header) - words)
    for line in lines:
        yield f"| {' | '.join(map(str, line))} |"


def _copies(rows: Sequence[Row]) -> Iterator[str]:
    """Compare each hand with equal cards to the one in which they are told apart."""
    yield COPIES_EXPLAINED
    lines: list[Sequence[object]] = []
    notable: list[Sequence[object]] = []
    for question, way in sorted({(row["question"], row["combination"]) for row in rows}):
        by_name = {row["instance"]: row for row in _where(rows, question=question, combination=way)}
        pairs = [(row, by_name[name + APART]) for name, row in by_name.items() if APART not in name]
        sides = [_summary([pair[side] for pair in pairs]) for side in (0, 1)]
        compared = [pair for pair in pairs if max(map(_cost_s, pair)) >= TOO_QUICK_S]
        ratios = [
            max(apart["wall_s"], 1e-3) / max(fixed["wall_s"], 1e-3)
            for fixed, apart in compared
            if _decided(fixed) and _decided(apart)
        ]
        ratio = f"{statistics.geometric_mean(ratios):.1f}" if ratios else "-"
        faster = sum(2 * _cost_s(fixed) <= _cost_s(apart) for fixed, apart in compared)
        slower = [pair for pair in compared if _cost_s(pair[0]) >= 2 * _cost_s(pair[1])]
        lines.append([question, way, len(pairs), *sides, ratio, faster, len(slower)])
        notable += [
            (question, fixed["instance"], way, _seconds(fixed), _seconds(apart))
            for fixed, apart in slower
        ]
    header = ["question", "way", "pairs", "order fixed", "told apart", "ratio", "half", "twice"]
    yield from _table(header, lines, 2)
    yield "\nThe pairs in which fixing the order takes at least twice as long:\n"
    yield from _table(["question", "hand", "way", "order fixed", "told apart"], notable, 3)


def _solvers(rows: Sequence[Row]) -> Iterator[str]:
    """Compare SAT solvers on hands that are a no, and on optima."""
    for question in dict.fromkeys(row["question"] for row in rows):
        yield f"## {question}\n"
        yield from _solvers_of(_where(rows, question=question))
        yield ""


def _solvers_of(rows: Sequence[Row]) -> Iterator[str]:
    ways = sorted({(row["method"], row["connectivity"]) for row in rows})
    titles = [f"{method}, {connectivity}" for method, connectivity in ways]
    hands = list(dict.fromkeys(row["instance"] for row in rows))

    def runs(way: tuple[str, str], **wanted: object) -> list[Row]:
        """Return the runs of a method and a connectivity."""
        return _where(rows, method=way[0], connectivity=way[1], **wanted)

    yield f"Decided of {len(hands)} hands, and PAR-2:\n"
    solvers = sorted({row["backend"] for row in rows})
    yield from _table(
        ["solver", *titles],
        [[solver, *(_summary(runs(way, backend=solver)) for way in ways)] for solver in solvers],
        1,
    )
    yield "\nSeconds of the quickest and the slowest solver for each hand:\n"
    lines = []
    for hand in hands:
        own = [sorted(runs(way, instance=hand), key=_cost_s) for way in ways]
        lines.append([hand, *(f"{_seconds(each[0])} to {_seconds(each[-1])}" for each in own)])
    yield from _table(["hand", *titles], lines, 1)


def _connectedness(rows: Sequence[Row]) -> Iterator[str]:
    """Compare lazy cuts with the two decompositions, by size."""
    ways = sorted({(row["method"], row["connectivity"]) for row in rows})
    limit_s = rows[0]["limit_wall_s"]
    lines = []
    for family, cards in dict.fromkeys((row["family"], row["cards"]) for row in rows):
        line = [family, cards]
        for method, connectivity in ways:
            wanted = {"family": family, "cards": cards}
            own = _where(rows, method=method, connectivity=connectivity, **wanted)
            middle = statistics.median(map(_cost_s, own))
            line.append(f"{middle:.3f}" if middle < limit_s else f"> {limit_s:g}")
        lines.append(line)
    yield "Median seconds by family and size of the hand:\n"
    titles = [f"{method}, {connectivity}" for method, connectivity in ways]
    yield from _table(["family", "cards", *titles], lines, 1)


REPORTS: Mapping[str, tuple[str, Callable[[Sequence[Row]], Iterator[str]]]] = {
    "copies": ("Does it help to fix the order of equal cards?", _copies),
    "solvers": ("Which SAT solver for hands that are a no?", _solvers),
    "connectedness": ("Should connectedness be written out?", _connectedness),
}


if __name__ == "__main__":
    main()
