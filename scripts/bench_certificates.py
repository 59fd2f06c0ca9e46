"""Benchmark certificates: seconds to solve, to make and to check them, and their size."""

import argparse
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx

from uno_csp import FillIn, Instance, Longest, Status, certify, generate, solve
from uno_csp.certificates import proved
from uno_csp.families.structured_hands import diamond_hand, petersen_fragments_hand


def cases() -> Iterator[tuple[str, Instance]]:
    """Yield hands with the answer NO, and optimisation questions on these and on random hands."""
    structured = {
        "diamond(K4)": diamond_hand(nx.complete_graph(4)),
        "diamond(K3,3)": diamond_hand(nx.complete_bipartite_graph(3, 3)),
        "diamond(Petersen)": diamond_hand(nx.petersen_graph()),
        "ten Petersen fragments": petersen_fragments_hand(nx.petersen_graph(), range(10)),
        "diamond(cubic 100)": diamond_hand(nx.random_regular_graph(3, 100, seed=1)),
    }
    for name, hand in structured.items():
        yield f"uno-1, {name}", hand
    for name, hand in structured.items():
        yield f"fill-in, {name}", FillIn(hand.cards)
    for values, count in ((30, 40), (60, 80), (100, 150), (300, 450), (1000, 1500)):
        drawn = generate("random", colours=values, numbers=values, cards=count, seed=1)
        yield f"fill-in, random {values}x{values}", FillIn(drawn.cards)
    for values, count in ((30, 40), (60, 80)):
        drawn = generate("random", colours=values, numbers=values, cards=count, seed=1)
        yield f"longest, random {values}x{values}", Longest(drawn.cards)
    yield "cooperative, 6 + 6 of 4x4", _first_no("cooperative", 4, 6)
    yield "uncooperative, 60 + 60 of 9x9", _first_no("uncooperative", 9, 60)


def _first_no(family: str, values: int, count: int) -> Instance:
    """Return the first game, by seed, with the answer NO."""
    games = (generate(family, values=values, cards=count, seed=seed) for seed in itertools.count())
    return next(game for game in games if solve(game).status is Status.UNSATISFIABLE)


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60, help="seconds for each proof")
    limit_s = parser.parse_args().limit
    columns = "question | cards | answer | solved | certificate | made | checked | by Coq | size"
    print(f"| {columns} |\n|---|---|---|---|---|---|---|---|---|")
    for name, instance in cases():
        began = time.perf_counter()
        answer = solve(instance, time_limit_s=limit_s)
        solved_s = time.perf_counter() - began
        with TemporaryDirectory() as folder:
            summary = certify(instance, answer, folder, time_limit_s=limit_s).certificate or {}
            by_coq = _by_coq(Path(folder))
        value = "NO" if answer.objective is None else str(answer.objective)
        row = f"| {name} | {len(instance.cards)} | {value} | {solved_s:.2f} s |"
        if summary["certified"]:
            made, checked = summary["made_s"], summary["checked_s"]
            size = f"{summary['bytes'] / 1000:.0f} kB"
            print(
                f"{row} {summary['kind']} | {made:.2f} s | {checked:.2f} s | {by_coq} | {size} |",
                flush=True,
            )
        else:
            print(f"{row} {summary['summary']} | | | | |", flush=True)


def _by_coq(folder: Path) -> str:
    """Return the seconds of the checker that Coq has proved; "-" if it does not handle the kind."""
    if proved.program() is None:
        return "-"
    began = time.perf_counter()
    code, line = proved.verdict(folder)
    if code == proved.NOT_HANDLED:
        return "-"
    return f"{time.perf_counter() - began:.2f} s" if code == 0 else line


if __name__ == "__main__":
    main()
