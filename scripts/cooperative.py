"""Solve random cooperative deals of growing density, and write the shares of YES.

Counts are saved row by row, so that an interrupted run can be resumed.
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from scripts.odds import Record
from scripts.odds_phase import by_answer
from uno_csp import generate, solve
from uno_csp.odds.intervals import wilson

RESULTS = Path(__file__).parents[1] / "results" / "studies"
PLAYERS = (2, 3, 4)
CARDS = (48, 96, 192, 384)  # cards in all hands together
PER_COLOUR = (2, 3, 4, 5, 6)
"""Cards in all hands together for each colour; there are as many numbers as colours."""

HANDS, LIMIT_S = 8, 10

HEADING = f"""# Where cooperative play turns from no to yes

By `scripts/cooperative`: uniform deals (family `cooperative-band`), seeds from 0 on, {HANDS} for
each cell, solved by the default portfolio within {LIMIT_S} s each on two cores of a shared machine.
A cell has the number of YES, of NO and of deals not answered, and the range of the share of YES:
the 95 % interval (Wilson) where all were answered; else from the lower end if all those not
answered are a NO to the upper end if all are a YES.
"""


def count(players: int, cards: int, per_colour: float) -> list[int]:
    """Count YES, NO and unanswered deals."""
    drawn: dict[str, Any] = {
        "values": round(cards / per_colour),
        "per_colour": per_colour,
        "players": players,
    }
    samples = (generate("cooperative-band", **drawn, seed=seed) for seed in range(HANDS))
    return by_answer(solve(sample, time_limit_s=LIMIT_S).status for sample in samples)


def cell(counts: list[int]) -> str:
    """Return the counts of a cell, and the range of the share of YES."""
    yes, _, unknown = counts
    low, high = wilson(yes, sum(counts))[0], wilson(yes + unknown, sum(counts))[1]
    return f"{' / '.join(map(str, counts))} ({low:.0%} to {high:.0%})"


def main() -> None:
    """Count what is missing, and write the report."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    record = Record(RESULTS / "cooperative" / "counts.json", hands=HANDS, limit_s=LIMIT_S)
    lines = [HEADING]
    for players in PLAYERS:
        lines += [f"## {players} players", ""]
        lines.append(f"| cards of a colour | {' | '.join(f'{cards} cards' for cards in CARDS)} |")
        lines.append(f"|---|{'---|' * len(CARDS)}")
        for per_colour in PER_COLOUR:
            rows = [
                record.row(
                    f"{players} players, {per_colour} cards of a colour",
                    cards,
                    partial(count, players, cards, per_colour),
                )
                for cards in CARDS
            ]
            lines.append(f"| {per_colour} | {' | '.join(map(cell, rows))} |")
        lines.append("")
    report = RESULTS / "cooperative.md"
    report.write_text("\n".join(lines), encoding="utf-8")
    print(report)


if __name__ == "__main__":
    main()
