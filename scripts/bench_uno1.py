"""Compare hub-trail with its rivals on uno-1, as ratios of times.

Each hand is solved by hub-trail (median of three runs) and once by every rival, within a time
limit. For a rival that reaches the limit, the ratio is a lower bound (>=). Solvers are loaded
before anything is measured. The second table shows how hub-trail's time grows with the hand.
"""

import argparse
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable

import networkx as nx

from uno_csp import Answer, Instance, Status, Uno1, generate, solve
from uno_csp.families.structured_hands import diamond_hand, petersen_fragments_hand

HERO = ("hub-trail", "cadical195", "lazy")
RIVALS = (
    ("successor", "cp-sat", "native"),
    ("successor", "cadical195", "lazy"),
    ("successor", "cadical195", "order"),
    ("position", "cadical195", None),
    ("position", "cp-sat", None),
)
HANDS: dict[str, tuple[Callable[[], Instance], Status]] = {
    "random 300x300": (
        lambda: generate("random", colours=300, numbers=300, cards=2000, seed=0),
        Status.SATISFIABLE,
    ),
    "cubic 400": (lambda: generate("random-cubic", vertices=400, seed=1), Status.SATISFIABLE),
    "cubic 1000": (lambda: generate("random-cubic", vertices=1000, seed=1), Status.SATISFIABLE),
    "GP(401,2)": (lambda: generate("generalized-petersen", n=401, k=2), Status.SATISFIABLE),
    "diamond(K3,3)": (
        lambda: diamond_hand(nx.complete_bipartite_graph(3, 3)),
        Status.UNSATISFIABLE,
    ),
    "Petersen[10 fragments]": (
        lambda: petersen_fragments_hand(nx.petersen_graph(), range(10)),
        Status.UNSATISFIABLE,
    ),
}
SIZES = (2000, 5000, 10000, 20000)
MEASURE_MEMORY = """
import resource
from uno_csp import generate, solve
from uno_csp.processes.pool import end_idle_workers
answer = solve(generate("random", colours=3000, numbers=3000, cards=20000, seed=0))
assert answer.checked
end_idle_workers()  # and so the child is counted
both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
peak = sum(resource.getrusage(who).ru_maxrss for who in both)
print(answer.wall_s, peak / 1024)
"""


def ask(hand: Instance, how: tuple[str, str, str | None], limit_s: float) -> Answer:
    """Solve one hand; one measured run."""
    encoding, backend, connectivity = how
    return solve(
        hand, method=encoding, backend=backend, connectivity=connectivity, time_limit_s=limit_s
    )


def warm_up() -> None:
    """Load every solver that will be measured."""
    hand = Uno1(((1, 1), (1, 2), (2, 2), (2, 3), (3, 3)))
    for how in (HERO, *RIVALS):
        ask(hand, how, 60)


def compare(name: str, limit_s: float) -> bool:
    """Measure one hand and print a line per rival; return False if an answer is wrong."""
    make, truth = HANDS[name]
    hand = make()
    runs = [ask(hand, HERO, limit_s) for _ in range(3)]
    base_s = statistics.median(run.wall_s for run in runs)
    right = all(run.status is truth for run in runs)
    stats = runs[0].stats
    print(
        f"\n{name}: {len(hand.cards)} cards, {truth}, hub-trail {base_s:.3f} s, "
        f"{stats['rounds']} rounds, {stats['cuts']} cuts"
    )
    for rival in RIVALS:
        answer = ask(hand, rival, limit_s)
        solved = answer.status is not Status.UNKNOWN
        right &= not solved or answer.status is truth
        sign, end = ("=", "") if solved else (">=", f" ({answer.reason})")
        shown = " + ".join(part for part in rival if part)
        print(
            f"  {shown:32} ratio {sign:>2} {answer.wall_s / base_s:8.1f}   "
            f"{answer.wall_s:7.2f} s{end}",
            flush=True,
        )
    return right


def scale() -> bool:
    """Measure hub-trail on growing random hands with the density of 2000 cards on 300x300."""
    print("\nrandom hands of growing size, hub-trail")
    right = True
    first_s = 0.0
    for count in SIZES:
        side = 3 * count // 20
        runs = [
            ask(generate("random", colours=side, numbers=side, cards=count, seed=s), HERO, 60)
            for s in range(3)
        ]
        right &= all(run.status is Status.SATISFIABLE and run.checked for run in runs)
        wall_s = statistics.median(run.wall_s for run in runs)
        first_s = first_s or wall_s
        print(
            f"  {count:6} cards  {wall_s:6.3f} s   size x {count / SIZES[0]:4.1f}, "
            f"time x {wall_s / first_s:4.1f}",
            flush=True,
        )
    completed = subprocess.run(
        [sys.executable, "-c", MEASURE_MEMORY], capture_output=True, text=True, check=True
    )
    wall_s, peak_mb = map(float, completed.stdout.split())
    print(
        f"  20000 cards on 3000x3000 in a fresh process: {wall_s:.2f} s, "
        f"peak of both processes together {peak_mb:.0f} MiB"
    )
    return right


def main() -> int:
    """Run the benchmark; return 1 if any answer was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--limit", type=float, default=60, help="seconds for each rival (60)")
    parser.add_argument("--only", choices=[*HANDS, "scaling"], help="one part only")
    options = parser.parse_args()
    warm_up()
    right = all(
        [compare(name, options.limit) for name in HANDS if options.only in (None, name)]
        + [scale() for _ in range(options.only in (None, "scaling"))]
    )
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"\nall answers right: {right}; CPU seconds in solvers: {spent.ru_utime:.0f}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
