"""How many hands can be discarded in one go, and how many cards the others lack.

Hands of the official deck, by the hundred thousand, and random hands of growing size around where
the answer turns. What was counted is kept row by row, so a run that was interrupted goes on where
it stopped.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import uno_csp
from scripts.odds_phase import HANDS, VALUES, count_point, sizes
from scripts.odds_report import Counted, draw, report
from uno_csp.cards import WILD, Hand
from uno_csp.odds import Odds, missing
from uno_csp.odds.table import WITH_WILD, WITHOUT_WILD
from uno_csp.questions import FillIn, Uno1
from uno_csp.questions.codes import DECK, rest_of_deck

SIZES = range(2, 21)
DEALS, AGREE = 100_000, 6
ROOT = Path(__file__).parents[1]
TABLE = ROOT / "uno_csp/odds/table.json"


def deal(cards: int, wild: bool, seed: int) -> Hand:
    """The hand that the family ``deck`` deals, without a pile."""
    return tuple(random.Random(seed).sample(_DECKS[wild], cards))


_DECKS = {True: DECK, False: tuple(card for card in DECK if WILD not in card)}


def count_deals(cards: int, wild: bool, deals: int) -> list[int]:
    """How many deals lack 0, 1, 2 and 3 cards; seeds from 0 on."""
    found = Counter(missing(deal(cards, wild, seed)) for seed in range(deals))
    return [found[lacking] for lacking in range(4)]


def compare(cards: int, wild: bool, seeds: Sequence[int]) -> int:
    """Ask ``solve`` for some deals, with free cards and with the rest of the deck; how many.

    Raises
    ------
    AssertionError
        If it says anything else.
    """
    for seed in seeds:
        hand = deal(cards, wild, seed)
        rest = tuple(card for card in rest_of_deck(hand) if wild or WILD not in card)
        expected = missing(hand)
        decided = uno_csp.solve(Uno1(hand)).status
        free = uno_csp.solve(FillIn(hand))
        supplied = uno_csp.solve(FillIn(hand, supply=rest))
        told = (decided.name, free.objective, supplied.objective, free.status, supplied.status)
        yes = "SATISFIABLE" if expected == 0 else "UNSATISFIABLE"
        best = uno_csp.Status.OPTIMAL
        if told != (yes, expected, expected, best, best):
            raise AssertionError(f"{cards} cards, {wild=}, {seed=}: {expected} missing, not {told}")
    return len(seeds)


class Record:
    """What was counted, in a file that is written after every row.

    Parameters
    ----------
    path
        The file. What it has is kept if it was counted with the same settings.
    settings
        What all rows have in common.
    """

    def __init__(self, path: Path, **settings: int) -> None:
        self.path = path
        kept = json.loads(path.read_text()) if path.exists() else {}
        same = all(kept.get(name) == value for name, value in settings.items())
        self.content: dict[str, Any] = kept if same else dict(settings)

    def row(self, group: str, name: int, count: Callable[[], list[int]]) -> list[int]:
        """A row, counted if it is not there."""
        rows: dict[str, list[int]] = self.content.setdefault(group, {})
        if str(name) not in rows:
            rows[str(name)] = count()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside = self.path.with_suffix(".part")
            beside.write_text(json.dumps(self.content) + "\n")
            beside.replace(self.path)
            print(group, name, rows[str(name)], flush=True)
        return rows[str(name)]


def count(deals: int, hands: int, table: Path, phase: Path) -> Counted:
    """All rows of both records."""
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
    """Count, compare with ``solve``, and write what came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=DEALS, help="so many of each size")
    parser.add_argument("--hands", type=int, default=HANDS, help="so many for each other point")
    parser.add_argument("--agree", type=int, default=AGREE, help="of each size, also by solve")
    parser.add_argument("--out", type=Path, help="a folder for all files, for a small try")
    given = parser.parse_args()
    if given.out is None and (given.deals, given.hands) != (DEALS, HANDS):
        parser.error("--out: a small try needs a folder of its own, so that the results stay")
    if min(given.deals, given.hands) < 1 or not 0 <= given.agree <= given.deals:
        parser.error("--deals and --hands are 1 at least, --agree 0 to --deals")
    out = given.out or ROOT / "results"
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
