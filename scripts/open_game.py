"""Who wins the real game with open cards, over many deals; writes tables and plots."""

import argparse
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

from uno_csp.algorithms.proof_number import ProofNumber
from uno_csp.intervals import wilson
from uno_csp.open_game.deck import POINTS, SKIP, WILD, deck, kind_of
from uno_csp.questions.open_game import OpenGame, card_of, dealt

MOST_POSITIONS = 200_000
"""Beyond so many a deal is not solved; a bound on seconds would depend on the machine."""

SIZES = (3, 4, 5, 6, 7)
WHOLE, NUMBERS = "whole deck", "numbers only"

Move = Mapping[str, Any]
Judgement = Callable[[Move, Sequence[int]], float]


def left_of_colour(move: Move, hand: Sequence[int]) -> int:
    """How many cards of the colour then in force are left."""
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
}
"""Simple rules for the first card: that with the largest number is laid, ties at random."""

FOR_NUMBERS = ("any card, at random", "keep the most cards of the colour", "the most points first")
"""Those that say something without action and wild cards."""


@dataclass(frozen=True, slots=True)
class Deal:
    """What became of one deal.

    ``winner`` is 1, 2, None for nobody, or "unknown"; ``kept`` says for each rule how likely it
    keeps a win that a wrong card loses, and is empty where no card is wrong.
    """

    winner: int | str | None
    positions: int
    kept: Mapping[str, float] = field(default_factory=dict)


def game(size: int, which: str, seed: int) -> OpenGame:
    """Two hands from the whole deck, or from its number cards."""
    if which == WHOLE:
        return dealt((size, size), seed)
    kinds = [kind for kind in deck() if kind < WILD and kind % 13 < SKIP]
    random.Random(seed).shuffle(kinds)
    cards = tuple(map(card_of, kinds))
    hands, rest = (cards[:size], cards[size : 2 * size]), cards[2 * size :]
    return OpenGame(hands, after=rest[0], draw=rest[1:])


def solved(size: int, which: str, most: int, seed: int) -> Deal:
    """Solve one deal."""
    instance = game(size, which, seed)
    finding = ProofNumber(most).run(instance)
    positions = finding.stats["positions"]
    if finding.witness is None:
        return Deal("unknown", positions)
    strategy = finding.witness.strategy or {}
    moves = strategy["moves"]
    ends = {move["leads_to"] for move in moves}
    matters = 1 in ends and len(ends) > 1 and "unknown" not in ends
    hand = [kind for kind in range(54) for card in instance.hands[0] if card_of(kind) == card]
    kept = {name: _kept(rule, moves, hand) for name, rule in RULES.items()} if matters else {}
    return Deal(strategy["winner"], positions, kept)


def _kept(rule: Judgement, moves: Sequence[Move], hand: Sequence[int]) -> float:
    """How likely a rule chooses a move that wins."""
    values = [rule(move, hand) for move in moves]
    chosen = [move for move, each in zip(moves, values, strict=True) if each == max(values)]
    return len([move for move in chosen if move["leads_to"] == 1]) / len(chosen)


def main() -> None:
    """Solve the deals and write what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000, help="so many of each kind")
    parser.add_argument("--most", type=int, default=MOST_POSITIONS, help="positions for a deal")
    parser.add_argument("--out", type=Path, default=Path("results"))
    given = parser.parse_args()
    found: dict[tuple[str, int], list[Deal]] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for which in (WHOLE, NUMBERS):
            for size in SIZES:
                task = partial(solved, size, which, given.most)
                found[which, size] = list(pool.map(task, range(given.deals), chunksize=5))
                print(_row(which, size, found[which, size]), flush=True)
    folder = given.out / "open_game"
    folder.mkdir(parents=True, exist_ok=True)
    (given.out / "open_game.md").write_text(report(found, given.deals, given.most))
    summaries = {kind: summary(deals) for kind, deals in found.items()}
    draw_shares(summaries, folder / "shares.svg")
    draw_positions(summaries, folder / "positions.svg")


HEAD = """\
| deck | cards each | player 1 wins | 95 % interval | player 2 wins | nobody | not solved | \
positions, median | 95 % |
|---|---|---|---|---|---|---|---|---|"""


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of the deals of one kind: shares, counts, and positions looked at.

    The interval of the share is made wider by what was not solved.
    """

    share: float
    low: float
    high: float
    second: int
    nobody: int
    unsolved: int
    median: float
    late: float


def summary(deals: Sequence[Deal]) -> Summary:
    """The deals of one kind, counted."""
    counts = Counter(deal.winner for deal in deals)
    wins, unsolved = counts[1], counts["unknown"]
    low, _ = wilson(wins, len(deals))
    _, high = wilson(wins + unsolved, len(deals))
    cuts = quantiles((deal.positions for deal in deals), n=20)
    share = wins / max(len(deals) - unsolved, 1)
    return Summary(share, low, high, counts[2], counts[None], unsolved, cuts[9], cuts[18])


def _row(which: str, size: int, deals: Sequence[Deal]) -> str:
    told = summary(deals)
    return (
        f"| {which} | {size} | {told.share:.1%} | {told.low:.1%} to {told.high:.1%} | "
        f"{told.second} | {told.nobody} | {told.unsolved} | {told.median:,.0f} | {told.late:,.0f} |"
    )


def report(found: Mapping[tuple[str, int], Sequence[Deal]], deals: int, most: int) -> str:
    """The tables as Markdown."""
    rows = "\n".join(_row(which, size, own) for (which, size), own in found.items())
    rules = []
    for which in (WHOLE, NUMBERS):
        for name in RULES if which == WHOLE else FOR_NUMBERS:
            cells = " | ".join(_rule(found[which, size], name) for size in SIZES)
            rules.append(f"| {which} | {name} | {cells} |")
    return TEXT.format(
        deals=f"{deals:,}",
        most=f"{most:,}",
        shares=f"{HEAD}\n{rows}",
        sizes=" | ".join(f"{size} each" for size in SIZES),
        line="|---" * (2 + len(SIZES)) + "|",
        rules="\n".join(rules),
    )


def _rule(deals: Sequence[Deal], name: str) -> str:
    """How often a rule keeps the win, and of how many deals."""
    kept = [deal.kept[name] for deal in deals if deal.kept]
    return f"{sum(kept) / len(kept):.0%} of {len(kept)}" if kept else "-"


TEXT = """\
# Who wins UNO if everybody sees all cards?

Two players, the rules `nobody-skips`, the whole draw pile known: {deals} deals for each row, seeds
from 0 on, solved exactly by `scripts/open_game`. Player 1 moves first. "Numbers only" is the deck
without action and wild cards. A deal that takes more than {most} positions counts as not solved;
the interval (Wilson, 95 %) holds whichever way those end.

{shares}

![The share that player 1 wins, by cards each](open_game/shares.svg)

![Positions looked at, by cards each](open_game/positions.svg)

## Do simple rules find the right first card?

Of the deals that player 1 wins, but not with every first move: how often the card that a rule
chooses keeps the win, ties being broken at random.

| deck | rule | {sizes} |
{line}
{rules}
"""


Summaries = Mapping[tuple[str, int], Summary]
LINES = ((WHOLE, "#0072b2", -0.05), (NUMBERS, "#d55e00", 0.05))
"""The decks, their colours, and how far aside they are drawn."""


def draw_shares(found: Summaries, path: Path) -> None:
    """The share that player 1 wins, with intervals."""
    with _figure(path, "share of deals that player 1 wins") as axes:
        for which, colour, aside in LINES:
            told = [found[which, size] for size in SIZES]
            shares = [each.share for each in told]
            below = [max(each.share - each.low, 0.0) for each in told]
            above = [max(each.high - each.share, 0.0) for each in told]
            places = [size + aside for size in SIZES]
            axes.errorbar(places, shares, (below, above), color=colour, marker="o", capsize=4)
            axes.annotate(which, (places[-1], shares[-1]), (10, -3), color=colour, **_BESIDE)
        axes.axhline(0.5, color="#888888", linewidth=0.8, linestyle=":")


def draw_positions(found: Summaries, path: Path) -> None:
    """How many positions were looked at: the median, and what 95 % stay below."""
    with _figure(path, "positions looked at") as axes:
        for which, colour, _ in LINES:
            told = [found[which, size] for size in SIZES]
            for name, dash, values, above in (
                ("median", "-", [each.median for each in told], -11),
                ("95 %", "--", [each.late for each in told], 4),
            ):
                axes.plot(SIZES, values, dash, color=colour, marker="o", markersize=4)
                end = (SIZES[-1], values[-1])
                axes.annotate(f"{which}, {name}", end, (8, above), color=colour, **_BESIDE)
        axes.set_yscale("log")


_BESIDE: Mapping[str, Any] = {"textcoords": "offset points", "fontsize": 9}


@contextmanager
def _figure(path: Path, what: str) -> Iterator[Any]:
    """A plot over the number of cards, with room for names at the ends of its lines."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "uno-csp", "svg.fonttype": "none"}
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.5, 4.2))
    yield axes
    axes.set_xticks(SIZES)
    axes.set_xlim(SIZES[0] - 0.2, SIZES[-1] + 1.4)
    axes.set_xlabel("cards each")
    axes.set_ylabel(what)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
