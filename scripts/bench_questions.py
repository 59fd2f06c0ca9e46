"""Benchmark fill-in, games of cards, small hands, and the dynamic program colour-dp.

``solve`` checks every answer. A value after > is a run that reached the limit; for fill-in the
bound and the incumbent at that time follow.
"""

import argparse
import random
import time
from functools import partial
from statistics import median

import networkx as nx

from scripts.bench_portfolio import used_s
from scripts.portfolio_rows import dealt, duel
from uno_csp import Answer, FillIn, Instance, Longest, Status, Uno1, generate, solve, solve_many
from uno_csp import count as count_plays
from uno_csp.families.structured_hands import diamond_hand, petersen_fragments_hand

SEEDS = range(12)


def timed(instance: Instance, limit_s: float, **options: str | None) -> tuple[str, float, Answer]:
    """Solve and return the seconds as text and as a number, and the answer."""
    started = time.perf_counter()
    answer = solve(instance, time_limit_s=limit_s, **options)  # type: ignore[arg-type]
    taken = time.perf_counter() - started
    late = answer.status is Status.UNKNOWN
    return (f">{taken:.1f}" if late else f"{taken:.2f}"), taken, answer


def fill_in(limit_s: float) -> None:
    """Compare one backend of each kind with the default, a race."""
    cases: list[tuple[str, Instance]] = [
        ("diamond(K4)", diamond_hand(nx.complete_graph(4))),
        ("diamond(K3,3)", diamond_hand(nx.complete_bipartite_graph(3, 3))),
        ("diamond(Petersen)", diamond_hand(nx.petersen_graph())),
        ("ten Petersen fragments", petersen_fragments_hand(nx.petersen_graph(), range(10))),
    ]
    for values, count, seed in ((1000, 1500, 1), (300, 450, 2)):
        hand = generate("random", colours=values, numbers=values, cards=count, seed=seed)
        cases.append((f"random {values}x{values}, {count}", hand))
    names = ("cadical195", "cp-sat", "highs", "default")
    print(f"{'fill-in, seconds':28} cards   optimum", *(f"{name:>12}" for name in names))
    for name, hand in cases:
        cells, optimum = [], ""
        for backend in ("cadical195", "cp-sat", "highs", None):
            text, _, answer = timed(FillIn(hand.cards), limit_s, backend=backend)
            if answer.status is Status.OPTIMAL:
                optimum = str(answer.objective)
            else:
                text += f" [{answer.bound},{answer.objective}]"
            cells.append(f"{text:>12}")
        print(f"{name:28} {len(hand.cards):5} {optimum:>9} {' '.join(cells)}", flush=True)


def cooperative(limit_s: float) -> None:
    """Measure the staged default over all seeds, and the method turns on the first three."""
    print(
        "\ncooperative, two hands   values answered  yes   median      worst  turns alone (3 seeds)"
    )
    for count, values in ((30, 6), (30, 10), (30, 15), (30, 20), (60, 10), (60, 20), (60, 30)):
        runs = [timed(dealt((count, count), values, seed), limit_s) for seed in SEEDS]
        solved = [run for run in runs if run[2].status is not Status.UNKNOWN]
        yes = sum(run[2].status is Status.SATISFIABLE for run in solved)
        alone = median(
            timed(dealt((count, count), values, seed), limit_s, method="turns")[1]
            for seed in range(3)
        )
        times = [run[1] for run in runs]
        print(
            f"{count} + {count} cards {values:18}x{values:<3} {len(solved):4}/{len(runs)} {yes:4} "
            f"{median(times):8.2f} {max(times):10.2f} {alone:12.2f}",
            flush=True,
        )


def uncooperative(limit_s: float) -> None:
    """Measure matching through hubs on hands far too large for an explicit graph of pairs."""
    print("\nuncooperative, two hands, by matching")
    for count, values in ((1000, 30), (10_000, 100), (100_000, 300), (100_000, 30_000)):
        text, _, answer = timed(duel((count, count), values, 1), limit_s)
        print(
            f"{count} + {count} cards of {values}x{values}: {text} s, {answer.status}", flush=True
        )


def few_colours(limit_s: float) -> None:
    """Compare the dynamic program of Theorem 3.4 with hub-trail on hands of n cards."""
    print("\ncolour-dp, seconds           cards    states    seconds   hub-trail")
    for colours, counts in ((2, (10, 20, 40, 80)), (3, (10, 20, 30, 40)), (4, (10, 15, 20, 25))):
        for count in counts:
            rng = random.Random(count)
            hand = Uno1(tuple((rng.randrange(colours), rng.randrange(count)) for _ in range(count)))
            text, _, answer = timed(hand, limit_s, method="colour-dp")
            trail = timed(hand, limit_s)[0]
            states = answer.stats.get("states", "")
            print(f"{colours} colours {count:24} {states:>9} {text:>10} {trail:>11}", flush=True)


def small(limit_s: float) -> None:
    """Compare the default on hands of seven cards with a solver, and with many at a time."""
    rng = random.Random(7)
    hands = [tuple((rng.randrange(4), rng.randrange(10)) for _ in range(7)) for _ in range(1000)]
    print("\nseven cards, CPU microseconds each  hub-trail  default  solve_many, 2 workers")
    for kind in (Uno1, Longest, FillIn):
        questions = [kind(hand) for hand in hands]
        solver = partial(solve, method="hub-trail", time_limit_s=limit_s)
        times = []
        for answers in (map(solver, questions), map(solve, questions), solve_many(questions * 4)):
            next(answers)  # the workers are there, and their solvers loaded
            began_s, answered = used_s(), sum(1 for _ in answers)
            times.append(1e6 * (used_s() - began_s) / answered)
        print(f"{kind.question:35}" + "".join(f"{each:10.0f}" for each in times), flush=True)
    began_s = used_s()
    for hand in hands:
        count_plays(Uno1(hand))
    print(f"{'count':45}{1e6 * (used_s() - began_s) / len(hands):10.0f}", flush=True)


PARTS = {
    "small": small,
    "fill-in": fill_in,
    "cooperative": cooperative,
    "uncooperative": uncooperative,
    "few-colours": few_colours,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"parts, of {', '.join(PARTS)}; default: all")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds for each run")
    options = parser.parse_args()
    solve(dealt((3, 3), 3, 0))  # starts the worker processes
    for part in options.parts or PARTS:
        PARTS[part](options.limit)


if __name__ == "__main__":
    main()
