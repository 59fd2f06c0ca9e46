"""Make puzzles of each level and size, check them by brute force, and time them.

Writes results/puzzles.md.
"""

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

from uno_csp.puzzles import Puzzle, puzzle
from uno_csp.puzzles.making import FEWEST_CARDS, MOST_MISSING, SIZES
from uno_csp.questions import FillIn
from uno_csp.questions.cards import Card, Hand

REPORT = Path(__file__).parents[1] / "results" / "puzzles.md"
HEADING = """# Puzzles of each level and size

Made by `scripts/puzzles --seeds {seeds}`: for each row {seeds} puzzles without missing cards, and
{seeds} with 1, 2 and 3 missing in turn, of the same number of cards with the missing ones. Of every
puzzle the plays were counted again by trying all cards at every step, and for missing cards with
all choices of up to that many: each has one solution. *By the rule* are those that are solved by
always playing a card with the fewest matches, if ties are broken in the best way. Times are seconds
of processor time for one puzzle.

| level | cards | made | by the rule | mean | longest | with missing cards | mean | longest |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20, help="puzzles of each row (20)")
    parser.add_argument("--out", type=Path, default=REPORT, help="the report")
    given = parser.parse_args(arguments)
    lines = []
    for level, (fewest, most) in SIZES.items():
        for cards in range(fewest, most + 1):
            whole, times = _made(cards, level, [0] * given.seeds)
            by_rule = sum(_ruled(each.question.after or (), each.solution) for each in whole)
            turns = [1 + seed % MOST_MISSING for seed in range(given.seeds)]
            turns = [min(missing, cards - FEWEST_CARDS) for missing in turns]
            gaps, longer = _made(cards, level, turns) if cards > FEWEST_CARDS else ([], [0.0])
            lines.append(
                f"| {level or 'any'} | {cards} | {len(whole)} | {by_rule} | {_times(times)} | "
                f"{len(gaps)} | {_times(longer)} |"
            )
            print(lines[-1], flush=True)
    given.out.write_text(HEADING.format(seeds=given.seeds) + "\n".join(lines) + "\n")


def _made(
    cards: int, level: str | None, missing: Sequence[int]
) -> tuple[list[Puzzle], list[float]]:
    """Return a puzzle for each number of missing cards, each checked, and the seconds it took."""
    made, times = [], []
    for seed, number in enumerate(missing):
        began = time.process_time()
        made.append(puzzle(cards - number, level=level, missing=number, seed=seed))
        times.append(time.process_time() - began)
        if list(_solutions(made[-1])) != [sorted(made[-1].solution, key=str)]:
            raise SystemExit(f"not one solution: {made[-1]}")
    return made, times


def _times(seconds: Sequence[float]) -> str:
    return f"{statistics.fmean(seconds):.2f} | {max(seconds):.2f}"


def _solutions(made: Puzzle) -> Iterator[list[Card]]:
    """Yield the cards of each play, one for each play, by all choices of missing cards."""
    question, after = made.question, made.question.after or ()
    supply = (question.supply or ()) if isinstance(question, FillIn) else ()
    for size in range(len(made.missing) + 1):
        for added in {tuple(sorted(some, key=str)) for some in combinations(supply, size)}:
            hand = tuple(sorted((*question.cards, *added), key=str))
            yield from [list(hand)] * _plays(after, hand)


@cache
def _plays(last: Card, left: Hand) -> int:
    """Return the number of plays after a card; equal cards are played in order."""
    return not left or sum(
        _plays(card, left[:at] + left[at + 1 :])
        for at, card in enumerate(left)
        if any(one == other for one, other in zip(last, card, strict=True))
        and card not in left[:at]
    )


def _ruled(last: Card, play: Hand) -> bool:
    """Return True if each card of a play has the fewest matches of those that could be played."""
    for at, card in enumerate(play):
        left = play[at:]
        matches = {
            one: sum(one[0] == other[0] or one[1] == other[1] for other in left) for one in left
        }
        options = [one for one in left if one[0] == last[0] or one[1] == last[1]]
        if any(matches[one] < matches[card] for one in options):
            return False
        last = card
    return True


if __name__ == "__main__":
    main()
