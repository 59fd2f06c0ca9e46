"""Solve many deals of the real game with open cards; write tables and plots of who wins."""

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
from uno_csp.odds.intervals import wilson
from uno_csp.open_game.deck import POINTS, SKIP, WILD, deck, kind_of
from uno_csp.questions.open_game import OpenGame, card_of, dealt

MOST_POSITIONS = 200_000
"""Position limit per deal; a time limit would make the results depend on the machine."""

SIZES = (3, 4, 5, 6, 7)
WHOLE, NUMBERS = "whole deck", "numbers only"

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
}
"""Simple rules for the first card: play a card of maximum score, ties broken at random."""

FOR_NUMBERS = ("any card, at random", "keep the most cards of the colour", "the most points first")
"""Rules that make sense without action and wild cards."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Result of one deal.

    ``winner`` is 1, 2, None for nobody, or "unknown". ``kept`` has for each rule the probability
    that it keeps player 1's win; it is empty unless some first moves win and others do not.
    """

    winner: int | str | None
    positions: int
    kept: Mapping[str, float] = field(default_factory=dict)


def game(size: int, which: str, seed: int) -> OpenGame:
    """Deal two hands from the whole deck, or from its number cards."""
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
    """Return the probability that a rule chooses a winning move."""
    values = [rule(move, hand) for move in moves]
    chosen = [move for move, each in zip(moves, values, strict=True) if each == max(values)]
    return len([move for move in chosen if move["leads_to"] == 1]) / len(chosen)


def main() -> None:
    """Solve the deals and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000, help="deals per deck and hand size")
    parser.add_argument("--most", type=int, default=MOST_POSITIONS, help="position limit per deal")
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
    """Statistics of the deals of one kind: player 1's share of wins, counts, positions searched.

    ``low`` and ``high`` hold however the unsolved deals end; ``late`` is the 95 % quantile.
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
    """Compute the statistics of the deals of one kind."""
    counts = Counter(deal.winner for deal in deals)
    wins, unsolved = counts[1], counts["unknown"]
    low, _ = wilson(wins, len(deals))
    _, high = wilson(wins + unsolved, len(deals))
    cuts = quantiles((deal.positions for deal in deals), n=20)
    share = wins / max(len(deals) - unsolved, 1)
    return Summary(share, low, high, counts[2], counts[None], unsolved, cuts[9], cuts[18])


def _row(which: str, size: int, deals: Sequence[Deal]) -> str:
    row = summary(deals)
    return (
        f"| {which} | {size} | {row.share:.1%} | {row.low:.1%} to {row.high:.1%} | {row.second} | "
        f"{row.nobody} | {row.unsolved} | {row.median:,.0f} | {row.late:,.0f} |"
    )


def report(found: Mapping[tuple[str, int], Sequence[Deal]], deals: int, most: int) -> str:
    """Return the tables as Markdown."""
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
    """Format how often a rule keeps the win, and in how many deals it matters."""
    kept = [deal.kept[name] for deal in deals if deal.kept]
    return f"{sum(kept) / len(kept):.0%} of {len(kept)}" if kept else "-"


TEXT = """\
# Who wins UNO if everybody sees all cards?

Two players, rules `nobody-skips`, the whole draw pile known: {deals} deals per row, seeds from 0,
solved exactly by `scripts/open_game`. Player 1 moves first. "Numbers only" is the deck without
action and wild cards. A deal that takes more than {most} positions counts as not solved; the
interval (Wilson, 95 %) holds however these deals end.

{shares}

![The share that player 1 wins, by cards each](open_game/shares.svg)

![Positions searched, by cards each](open_game/positions.svg)

## Do simple rules find the right first card?

In the deals that player 1 wins, but not with every first move: how often the card chosen by a rule
keeps the win, with ties broken at random.

| deck | rule | {sizes} |
{line}
{rules}
"""


Summaries = Mapping[tuple[str, int], Summary]
LINES = ((WHOLE, "#0072b2", -0.05), (NUMBERS, "#d55e00", 0.05))
"""The decks, their colours in plots, and horizontal offsets, in cards."""


def draw_shares(found: Summaries, path: Path) -> None:
    """Plot the share that player 1 wins, with intervals."""
    with _figure(path, "share of deals that player 1 wins") as axes:
        for which, colour, aside in LINES:
            summaries = [found[which, size] for size in SIZES]
            shares = [each.share for each in summaries]
            below = [max(each.share - each.low, 0.0) for each in summaries]
            above = [max(each.high - each.share, 0.0) for each in summaries]
            places = [size + aside for size in SIZES]
            axes.errorbar(places, shares, (below, above), color=colour, marker="o", capsize=4)
            axes.annotate(which, (places[-1], shares[-1]), (10, -3), color=colour, **_BESIDE)
        axes.axhline(0.5, color="#888888", linewidth=0.8, linestyle=":")


def draw_positions(found: Summaries, path: Path) -> None:
    """Plot the number of positions searched: median and 95 % quantile."""
    with _figure(path, "positions looked at") as axes:
        for which, colour, _ in LINES:
            summaries = [found[which, size] for size in SIZES]
            for name, dash, values, above in (
                ("median", "-", [each.median for each in summaries], -11),
                ("95 %", "--", [each.late for each in summaries], 4),
            ):
                axes.plot(SIZES, values, dash, color=colour, marker="o", markersize=4)
                end = (SIZES[-1], values[-1])
                axes.annotate(f"{which}, {name}", end, (8, above), color=colour, **_BESIDE)
        axes.set_yscale("log")


_BESIDE: Mapping[str, Any] = {"textcoords": "offset points", "fontsize": 9}


@contextmanager
def _figure(path: Path, what: str) -> Iterator[Any]:
    """Yield axes over the number of cards, with room for labels at the ends of lines."""
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
