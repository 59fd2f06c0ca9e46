"""Count the plays of dealt hands: mean, median, largest, and the share with a single play.

Writes results/counts.md.
"""

import argparse
import random
import statistics
from collections.abc import Sequence
from pathlib import Path

import uno_csp
from uno_csp import Status, Uno1
from uno_csp.questions.cards import Hand
from uno_csp.questions.codes import DECK
from uno_csp.questions.wording import describe

SIZES = range(5, 16)
REPORT = Path(__file__).parents[1] / "results" / "counts.md"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=10_000, help="deals of each size (10000)")
    parser.add_argument("--seed", type=int, default=2026, help="random seed (2026)")
    parser.add_argument("--out", type=Path, default=REPORT, help="the report")
    given = parser.parse_args(arguments)
    lines = [*_heading(given.deals, given.seed), *_dealt(given.deals, given.seed)]
    given.out.write_text("\n".join(lines) + "\n")
    print(given.out)


def _heading(deals: int, seed: int) -> list[str]:
    return [
        "# How many ways are there to play a hand?",
        "",
        f"Made by `scripts/counts --deals {deals} --seed {seed}`. Hands of the official deck, with",
        "all cards open and no card on the pile; equal cards are indistinguishable, and both kinds",
        "of wild cards are one. A play and its reverse are two, so a hand has one play up to",
        "reversal if it has two, or one that is its own reverse.",
        "",
        "| cards | playable | mean | median of the playable | most | one play up to reversal |",
        "|---:|---:|---:|---:|---:|---:|",
    ]


def _dealt(deals: int, seed: int) -> list[str]:
    rows, best = [], []
    for size in SIZES:
        rng = random.Random(f"{seed} {size}")
        counts: list[int] = []
        most: tuple[int, Hand] = (0, ())
        for _ in range(deals):
            cards = tuple(rng.sample(DECK, size))
            answer = uno_csp.count(Uno1(cards))
            if answer.status is not Status.OPTIMAL or answer.objective is None:
                raise SystemExit(f"not counted: {cards}: {answer.reason}")
            counts.append(answer.objective)
            most = max(most, (answer.objective, cards), key=lambda pair: pair[0])
        playable = [count for count in counts if count]
        single = sum(count in (1, 2) for count in counts)
        rows.append(
            f"| {size} | {len(playable) / deals:.1%} | {statistics.fmean(counts):,.1f} | "
            f"{statistics.median(playable):,.0f} | {most[0]:,} | {single / deals:.2%} |"
        )
        named = ", ".join(map(describe, most[1]))
        best.append(f"- {size} cards, {most[0]:,} plays: {named}")
        print(rows[-1], flush=True)
    return [*rows, "", "The dealt hands with the most plays:", "", *best]


if __name__ == "__main__":
    main()
