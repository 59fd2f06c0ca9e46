"""Theorem 3.4: for a fixed number of colours solitaire UNO takes polynomial time."""

import random

from uno_csp import Uno1, solve

rng = random.Random(1)
for colours in (2, 3):
    for count in (8, 16, 24):
        cards = tuple((rng.randrange(colours), rng.randrange(count)) for _ in range(count))
        hand = Uno1(cards)
        table, trail = solve(hand, method="colour-dp"), solve(hand)
        print(
            f"{count} cards of {colours} colours: {table.status}, "
            f"by hub-trail the same: {trail.status is table.status}"
        )
