"""Count the plays of a hand of every card once, of 4 colours and some numbers, in two ways.

One is ``count`` by Eulerian trails. The other counts by symmetry: numbers of which the same colours
are left can be exchanged, so a state has how many numbers there are for each set of colours.
"""

import argparse
import math
import time
from collections.abc import Sequence
from functools import cache

from uno_csp import Uno1, count

COLOURS = 4
SETS = 1 << COLOURS


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--most", type=int, default=6, help="largest number of numbers (6)")
    most = parser.parse_args(arguments).most
    for numbers in range(1, most + 1):
        began = time.process_time()
        found = by_symmetry(numbers)
        between = time.process_time()
        hand = Uno1(tuple((c, n) for c in range(COLOURS) for n in range(numbers)))
        other = count(hand, "eulerian").objective
        if other != found:
            raise SystemExit(f"{numbers} numbers: {found} by symmetry, {other} by trails")
        print(
            f"| {numbers} | {found:,} | {math.comb(numbers + SETS - 1, numbers):,} | "
            f"{between - began:.1f} | {time.process_time() - between:.1f} |",
            flush=True,
        )


def by_symmetry(numbers: int) -> int:
    """Return the number of plays of a hand of each card once, counted by symmetry."""
    everything = SETS - 1

    @cache
    def after(left: tuple[int, ...], own: int, colour: int) -> int:
        """Return the plays of the other numbers and the set ``own`` of the last card's number."""
        if not own and not any(left[1:]):
            return 1
        total = sum(after(left, own ^ 1 << c, c) for c in range(COLOURS) if own >> c & 1)
        others = list(left)
        others[own] += 1
        for colours in range(1, SETS):
            if left[colours] and colours >> colour & 1:
                others[colours] -= 1
                total += left[colours] * after(tuple(others), colours ^ 1 << colour, colour)
                others[colours] += 1
        return total

    rest = (0,) * everything + (numbers - 1,)
    return numbers * COLOURS * after(rest, everything ^ 1, 0)


if __name__ == "__main__":
    main()
