"""Count hands that can be discarded in one sequence, and the cards that others lack.

It solves a hundred thousand hands of the official deck per size, and random hands of growing size
around the phase transition. Counts are saved row by row, so that an interrupted run can be resumed.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from scripts.odds_phase import HANDS, VALUES, count_point, sizes
from scripts.odds_report import Counted, draw, report
from scripts.reporting import write_whole
from uno_csp.odds import Odds, missing
from uno_csp.odds.table import TABLE, WITH_WILD, WITHOUT_WILD
from uno_csp.pipeline import solve
from uno_csp.questions import FillIn, Uno1
from uno_csp.questions.answers import Status
from uno_csp.questions.cards import WILD, Hand
from uno_csp.questions.codes import DECK, rest_of_deck

SIZES = range(2, 21)
DEALS, AGREE = 100_000, 60
RESULTS = Path("results")


def deal(cards: int, wild: bool, seed: int) -> Hand:
    """Return the hand that the family ``deck`` deals for a seed, without a pile."""
    return tuple(random.Random(seed).sample(_DECKS[wild], cards))


_DECKS = {True: DECK, False: tuple(card for card in DECK if WILD not in card)}


def count_deals(cards: int, wild: bool, deals: int) -> list[int]:
    """Count the deals that lack 0, 1, 2 and 3 cards; seeds from 0 on."""
    found = Counter(missing(deal(cards, wild, seed)) for seed in range(deals))
    return [found[lacking] for lacking in range(4)]


def compare(cards: int, wild: bool, seeds: Sequence[int]) -> int:
    """Compare with ``solve`` on some deals, with free and supplied cards; return their number."""
    for seed in seeds:
        hand = deal(cards, wild, seed)
        rest = tuple(card for card in rest_of_deck(hand) if wild or WILD not in card)
        expected = missing(hand)
        decided = solve(Uno1(hand)).status
        free = solve(FillIn(hand))
        supplied = solve(FillIn(hand, supply=rest))
        data = (decided.name, free.objective, supplied.objective, free.status, supplied.status)
        yes = "SATISFIABLE" if expected == 0 else "UNSATISFIABLE"
        best = Status.OPTIMAL
        if data != (yes, expected, expected, best, best):
            raise AssertionError(f"{cards} cards, {wild=}, {seed=}: {expected} missing, not {data}")
    return len(seeds)


class Record:
    """Counts in a JSON file, written after every row, and reused if the settings are the same."""

    def __init__(self, path: Path, **settings: int) -> None:
        self.path = path
        kept = json.loads(path.read_text()) if path.exists() else {}
        same = all(kept.get(name) == value for name, value in settings.items())
        self.content: dict[str, Any] = kept if same else dict(settings)

    def row(self, group: str, name: int, count: Callable[[], list[int]]) -> list[int]:
        """Return a row, counting it first if it is missing."""
        rows: dict[str, list[int]] = self.content.setdefault(group, {})
        if str(name) not in rows:
            rows[str(name)] = count()
            write_whole(self.path, self.content)
            click.echo(f"{group} {name} {rows[str(name)]}")
        return rows[str(name)]


def count(deals: int, hands: int, table: Path, phase: Path) -> Counted:
    """Return all rows of both records, counting what is missing."""
    dealt, drawn = Record(table, deals=deals), Record(phase, hands=hands)
    found = []
    for wild, deck in ((True, WITH_WILD), (False, WITHOUT_WILD)):
        for size in SIZES:
            row = dealt.row(deck, size, partial(count_deals, size, wild, deals))
            found.append(Odds(size, wild, tuple(row)))
    points = {
        values: {
            size: drawn.row(f"{values} values", size, partial(count_point, values, size, hands))
            for size in sizes(values)
        }
        for values in VALUES
    }
    return Counted(found, points, hands)


def main() -> None:
    """Count, compare with ``solve``, and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=DEALS, help="deals per size and deck")
    parser.add_argument("--hands", type=int, default=HANDS, help="random hands per point")
    parser.add_argument("--agree", type=int, default=AGREE, help="deals per size checked by solve")
    parser.add_argument("--out", type=Path, help="folder for all files of a trial run")
    given = parser.parse_args()
    if given.out is None and (given.deals, given.hands) != (DEALS, HANDS):
        parser.error("a trial run needs --out, so that it does not overwrite the results")
    if min(given.deals, given.hands) < 1 or not 0 <= given.agree <= given.deals:
        parser.error("--deals and --hands must be at least 1, --agree from 0 to --deals")
    out = given.out or RESULTS
    table = TABLE if given.out is None else out / "odds/table.json"
    found = count(given.deals, given.hands, table, out / "odds/phase.json")
    drawing = random.Random(0)
    compared = sum(
        compare(size, wild, drawing.sample(range(given.deals), given.agree))
        for wild in (True, False)
        for size in SIZES
    )
    draw(found, out / "odds")
    (out / "odds.md").write_text(report(found, given.deals, compared))


if __name__ == "__main__":
    main()
