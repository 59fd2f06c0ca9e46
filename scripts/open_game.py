"""Solve many deals of the real game with open cards; write tables and plots of who wins.

Deals are solved in blocks, and each block is appended to a file, so the program goes on where it
was stopped. The report has all blocks of the file.
"""

import argparse
import json
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from scripts.open_game_report import SIZES, TABLES, WHOLE, Block, Table, write_report
from scripts.reporting import lines_of
from uno_csp.open_game import PRESETS
from uno_csp.open_game.deck import POINTS, SKIP, WILD, deck, kind_of
from uno_csp.open_game.positions import Outcome
from uno_csp.open_game.search import Unfinished, WinSearch
from uno_csp.open_game.telling import move_to_dict
from uno_csp.questions.open_game import OpenGame, card_of, dealt, start_of

MOST_POSITIONS = 200_000
"""Position limit per search; a time limit would make the results depend on the machine."""

BLOCK = 100  # number of deals that are solved and recorded together
Move = Mapping[str, Any]
Judgement = Callable[[Move, Sequence[int]], float]


def left_of_colour(move: Move, hand: Sequence[int]) -> int:
    """Count the cards left in the hand of the colour in force after the move."""
    kind = _kind(move)
    colours = ("red", "yellow", "green", "blue")
    colour = colours.index(move["names"]) if kind >= WILD else kind // 13
    return sum(other // 13 == colour for other in hand if other < WILD) - (kind < WILD)


def _kind(move: Move) -> int:
    kind = kind_of(move["lays"])
    assert kind is not None  # noqa: S101
    return kind


def _acts(move: Move) -> bool:
    kind = _kind(move)
    return kind >= WILD or kind % 13 >= SKIP


RULES: Mapping[str, Judgement] = {
    "any card, at random": lambda _move, _hand: 0,
    "keep the most cards of the colour": left_of_colour,
    "action and wild cards first": lambda move, _hand: _acts(move),
    "numbers first": lambda move, _hand: not _acts(move),
    "wild cards last": lambda move, _hand: _kind(move) < WILD,
    "the most points first": lambda move, _hand: POINTS[_kind(move)],
    "actions first, then the most of the colour": lambda move, hand: (
        100 * (_acts(move) and _kind(move) < WILD) + left_of_colour(move, hand)
    ),
    "numbers first, then the most of the colour": lambda move, hand: (
        100 * (not _acts(move)) + 50 * (_kind(move) < WILD) + left_of_colour(move, hand)
    ),
}
"""Simple rules for the first card: play a card of maximum score, ties broken at random."""


@dataclass(frozen=True, slots=True)
class Solved:
    """Result of one deal.

    ``outcomes`` has a character for each player who may move first: "1" if that player wins, "2" if
    the other one does, "0" for nobody, "?" if it is not known. ``kept`` has for each rule the
    probability that it keeps player 1's win; it is empty unless some first moves win and others do
    not.
    """

    outcomes: str
    positions: int
    kept: Mapping[str, float]


def game(table: Table, seed: int) -> OpenGame:
    """Deal two hands from the whole deck, or from its number cards."""
    size, rules = table.size, PRESETS[table.rules]
    if table.deck == WHOLE:
        return dealt((size, size), seed, rules)
    kinds = [kind for kind in deck() if kind < WILD and kind % 13 < SKIP]
    random.Random(seed).shuffle(kinds)
    cards = tuple(map(card_of, kinds))
    hands, rest = (cards[:size], cards[size : 2 * size]), cards[2 * size :]
    return OpenGame(hands, after=rest[0], draw=rest[1:], rules=rules)


class Solving:
    """The two searches of a game of two players, one for the win of each."""

    def __init__(self, instance: OpenGame) -> None:
        self.game, self.start = start_of(instance)
        self._searches = [WinSearch(self.game, {player}, self.start) for player in (0, 1)]

    @property
    def positions(self) -> int:
        """Number of positions searched."""
        return sum(search.positions for search in self._searches)

    def outcome(self) -> str:
        """Return who wins: see :class:`Solved`."""
        first, second = self._searches
        wins = _wins(first, self.start)
        if wins:
            return "1"
        loses = first.known_to_lose(self.start) or _wins(second, self.start)
        if loses:
            return "2"
        return "0" if wins is False and loses is False else "?"

    def kept(self, hand: Sequence[int]) -> Mapping[str, float]:
        """Return the probability that each rule chooses a winning first move; see `Solved`."""
        found = [(move, _wins(self._searches[0], to)) for move, to in self.game.moves(self.start)]
        values = {value for _, value in found}
        if values != {True, False}:
            return {}
        moves = [(move_to_dict(move), bool(value)) for move, value in found]
        return {name: _kept(rule, moves, hand) for name, rule in RULES.items()}


def _wins(search: WinSearch, position: Outcome) -> bool | None:
    search.most = search.positions + MOST_POSITIONS
    try:
        return search.wins(position)
    except Unfinished:
        return None


def _kept(rule: Judgement, moves: Sequence[tuple[Move, bool]], hand: Sequence[int]) -> float:
    """Return the probability that a rule chooses a winning move."""
    scores = [rule(move, hand) for move, _ in moves]
    chosen = [wins for (_, wins), score in zip(moves, scores, strict=True) if score == max(scores)]
    return sum(chosen) / len(chosen)


def solved(table: Table, seed: int) -> Solved:
    """Solve one deal from both seats."""
    instance = game(table, seed)
    hand = [kind for kind in range(54) for card in instance.hands[0] if card_of(kind) == card]
    as_dealt = Solving(instance)
    outcome = as_dealt.outcome()
    positions = as_dealt.positions
    kept = as_dealt.kept(hand) if outcome == "1" else {}
    swapped = Solving(replace(instance, hands=instance.hands[::-1]))
    return Solved(outcome + swapped.outcome(), positions, kept)


def block(table: Table, first: int) -> Block:
    """Solve the deals of one block."""
    deals = [solved(table, seed) for seed in range(first, first + BLOCK)]
    return Block(
        table,
        first,
        [deal.outcomes for deal in deals],
        [deal.positions for deal in deals],
        [deal.kept for deal in deals if deal.kept],
    )


def known(data: Path) -> Iterator[Block]:
    """Read the blocks that have been solved."""
    for values in lines_of(data):
        yield Block(**{**values, "table": Table(**values["table"])})


def main() -> None:
    """Solve the blocks that are missing, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000, help="deals for each hand size")
    parser.add_argument("--data", type=Path, default=Path("build/open_game.jsonl"))
    parser.add_argument("--out", type=Path, default=Path("results"))
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="number of processes")
    parser.add_argument("--rules", nargs="+", default=sorted({rules for rules, _ in TABLES}))
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    given = parser.parse_args()
    given.data.parent.mkdir(parents=True, exist_ok=True)
    done = {(each.table, each.first) for each in known(given.data)}
    wanted = [
        (Table(rules, cards, size), first)
        for first in range(0, given.deals, BLOCK)
        for rules, cards in TABLES
        for size in given.sizes
        if rules in given.rules
    ]
    missing = [each for each in wanted if each not in done]
    with ProcessPoolExecutor(given.workers) as pool, given.data.open("a") as file:
        for solved_block in pool.map(block, *zip(*missing, strict=True)) if missing else ():
            file.write(json.dumps(asdict(solved_block)) + "\n")
            file.flush()
    write_report(list(known(given.data)), list(RULES), MOST_POSITIONS, given.out)


if __name__ == "__main__":
    main()
