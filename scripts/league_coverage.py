"""Count how often the intervals of advice hold: of shares, and of differences to the best move.

The truth of a position is its share in many more deals of another seed. Positions are those of
games played by the simple rule, in which the player to move has a choice.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from uno_csp.agents.arrays import Arranged
from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import play_turn
from uno_csp.agents.views import View, view_of
from uno_csp.algorithms.stepping import GameState
from uno_csp.odds.intervals import wilson
from uno_csp.open_game import PRESETS
from uno_csp.questions.open_game import dealt

POSITIONS, DEALS, TRUTH = 400, 2_000, 40_000
RULES = ("nobody-skips", "classic", "unocard", "stacking")
MOST_TURNS = 25


def positions(count: int) -> Iterator[View]:
    """Yield views of players who have a choice, after a random number of turns of random deals."""
    rng, rule = random.Random(7), AGENTS["rule"](seed=7)
    while count:
        sizes = [rng.randint(2, 7)] * rng.choice((2, 2, 3, 4))
        state = GameState(dealt(sizes, rng.randrange(10**6), PRESETS[rng.choice(RULES)]))
        for _ in range(rng.randrange(MOST_TURNS)):
            if not state.over:
                state, _ = play_turn(state, rule)
        if not state.over and len(view_of(state).choices) > 1:
            yield view_of(state)
            count -= 1


def shares(view: View, deals: int) -> list[float]:
    """Return the share that each choice wins, in many deals."""
    found = Arranged(view, 999)
    rows = found.deal(deals)
    own = view.position.player
    return [float((found.play(rows, at)[0] == own).mean()) for at in range(len(view.choices))]


def count(positions_: int, deals: int, truth: int) -> dict[str, tuple[int, int]]:
    """Return how many intervals hold, and how many there are, by what they are of."""
    found = {"the share of the best move": [0, 0], "the share of any move": [0, 0]}
    found |= {"the difference of the second to the best": [0, 0]}
    found |= {"the difference of any move to the best": [0, 0]}

    def note(name: str, low: float | None, true: float, high: float | None) -> None:
        if low is not None and high is not None:
            found[name][0] += low <= true <= high
            found[name][1] += 1

    for number, view in enumerate(positions(positions_)):
        advice = AGENTS["play-outs"](seed=number, work=deals).advise(view)
        if advice.exact:
            continue
        true = shares(view, truth)
        best = true[view.choices.index(advice.moves[0].move)]
        for rank, each in enumerate(advice.moves):
            own = true[view.choices.index(each.move)]
            note("the share of any move", each.low, own, each.high)
            if rank == 0:
                note("the share of the best move", each.low, own, each.high)
                continue
            note(
                "the difference of any move to the best",
                each.behind_low,
                best - own,
                each.behind_high,
            )
            if rank == 1:
                name = "the difference of the second to the best"
                note(name, each.behind_low, best - own, each.behind_high)
    return {name: (hits, tries) for name, (hits, tries) in found.items()}


HEAD = """\
# Do the intervals of advice hold?

By `scripts/league_coverage`: advice of `play-outs` from {deals:,} deals in {positions} positions of
games of two to four players by several rules, after up to {turns} turns, compared with the shares
in {truth:,} other deals. The intervals are of 95 %.

| interval of | intervals | hold | 95 % interval |
|---|---:|---:|---|
"""


def main() -> None:
    """Count, and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--truth", type=int, default=TRUTH)
    parser.add_argument("--out", type=Path, default=Path("results/league_coverage.md"))
    given = parser.parse_args()
    text = HEAD.format(
        deals=given.deals, positions=given.positions, turns=MOST_TURNS, truth=given.truth
    )
    for name, (hits, tries) in count(given.positions, given.deals, given.truth).items():
        low, high = wilson(hits, tries)
        text += f"| {name} | {tries} | {hits / tries:.1%} | {low:.1%} to {high:.1%} |\n"
    given.out.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
