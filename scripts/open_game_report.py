"""Tables and plots of the report on the real game with open cards."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

from scripts.reporting import figure, of_mean
from uno_csp.odds.intervals import wilson

SIZES = tuple(range(3, 11))
WHOLE, NUMBERS = "whole deck", "numbers only"
TABLES = (
    ("nobody-skips", WHOLE),
    ("nobody-skips", NUMBERS),
    ("stacking", WHOLE),
    ("rlcard", WHOLE),
)
"""The rules and decks of the report."""

FOR_NUMBERS = ("any card, at random", "keep the most cards of the colour", "the most points first")
"""Rules for the first card that make sense without action and wild cards."""


@dataclass(frozen=True, slots=True)
class Table:
    """Deals of one kind: rules, deck, and cards for each player."""

    rules: str
    deck: str
    size: int


@dataclass(frozen=True, slots=True)
class Block:
    """Deals with consecutive seeds; see ``Solved`` for outcomes and kept wins."""

    table: Table
    first: int
    outcomes: Sequence[str]
    positions: Sequence[int]
    kept: Sequence[Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of the deals of one kind.

    ``share`` is player 1's share of the wins, and ``low`` and ``high`` hold however the unsolved
    deals end. ``late`` is the 95 % quantile of the positions. ``pairs`` counts the deals solved
    from both seats by their outcomes, and ``values`` has what it is worth to move first in each of
    them.
    """

    deals: int
    share: float
    low: float
    high: float
    second: int
    nobody: int
    unsolved: int
    median: float
    late: float
    pairs: Mapping[str, int]
    values: Sequence[float]
    kept: Sequence[Mapping[str, float]]


def summary(blocks: Sequence[Block]) -> Summary:
    """Compute the statistics of deals of one kind."""
    outcomes = [each for block in blocks for each in block.outcomes]
    counts = Counter(outcome[0] for outcome in outcomes)
    wins, unsolved = counts["1"], counts["?"]
    low, _ = wilson(wins, len(outcomes))
    _, high = wilson(wins + unsolved, len(outcomes))
    cuts = quantiles((number for block in blocks for number in block.positions), n=20)
    solved = [outcome for outcome in outcomes if "?" not in outcome]
    return Summary(
        deals=len(outcomes),
        share=wins / max(len(outcomes) - unsolved, 1),
        low=low,
        high=high,
        second=counts["2"],
        nobody=counts["0"],
        unsolved=unsolved,
        median=cuts[9],
        late=cuts[18],
        pairs=Counter(solved),
        values=[value_of(outcome) for outcome in solved],
        kept=[kept for block in blocks for kept in block.kept],
    )


def value_of(outcome: str) -> float:
    """Return what it is worth to move first: the wins of those who do, less those of the others.

    The result is divided by four, so that it is the gain in the probability of a win, from 1/2.

    >>> value_of("11"), value_of("12"), value_of("22")
    (0.5, 0.0, -0.5)
    """
    return (outcome.count("1") - outcome.count("2")) / 4


def write_report(blocks: Sequence[Block], rules: Sequence[str], most: int, folder: Path) -> None:
    """Write the tables as Markdown, and the plots."""
    tables = sorted({block.table for block in blocks}, key=_place)
    found = {
        table: summary([block for block in blocks if block.table == table]) for table in tables
    }
    (folder / "open_game").mkdir(parents=True, exist_ok=True)
    (folder / "open_game.md").write_text(report(found, rules, most))
    draw_shares(found, folder / "open_game" / "shares.svg")
    draw_positions(found, folder / "open_game" / "positions.svg")


def _place(table: Table) -> tuple[int, int]:
    return TABLES.index((table.rules, table.deck)), table.size


Summaries = Mapping[Table, Summary]


def report(found: Summaries, rules: Sequence[str], most: int) -> str:
    """Return the report as Markdown."""
    return TEXT.format(
        most=f"{most:,}",
        shares="\n".join(_share_row(table, each) for table, each in found.items()),
        values="\n".join(_value_row(table, each) for table, each in found.items()),
        pooled="\n".join(_pooled(found)),
        sizes=" | ".join(f"{size}" for size in SIZES),
        line="|---" * (2 + len(SIZES)) + "|",
        rules="\n".join(_rule_rows(found, rules)),
    )


def _named(rules: str, cards: str) -> str:
    return f"{rules}, {cards}"


def _share_row(table: Table, row: Summary) -> str:
    return (
        f"| {_named(table.rules, table.deck)} | {table.size} | {row.deals:,} | {row.share:.1%} | "
        f"{row.low:.1%} to {row.high:.1%} | {row.second:,} | {row.nobody} | {row.unsolved} | "
        f"{row.median:,.0f} | {row.late:,.0f} |"
    )


def _value_row(table: Table, row: Summary) -> str:
    pairs = len(row.values)
    share = {outcome: row.pairs.get(outcome, 0) / max(pairs, 1) for outcome in ("11", "22")}
    hand = (row.pairs.get("12", 0) + row.pairs.get("21", 0)) / max(pairs, 1)
    return (
        f"| {_named(table.rules, table.deck)} | {table.size} | {pairs:,} of {row.deals:,} | "
        f"{hand:.1%} | {share['11']:.1%} | {share['22']:.1%} | {_with_spread(row.values)} |"
    )


def _with_spread(values: Sequence[float]) -> str:
    """Format a mean with half its 95 % interval, in percentage points."""
    if len(values) < 2:
        return "-"
    middle, low, _ = of_mean(values)
    return f"{100 * middle:+.2f} ± {100 * (middle - low):.2f}"


def _pooled(found: Summaries) -> Iterator[str]:
    """Format what it is worth to move first, over all hand sizes."""
    for rules, cards in TABLES:
        values = [
            value
            for table, each in found.items()
            if (table.rules, table.deck) == (rules, cards)
            for value in each.values
        ]
        if values:
            name = _named(rules, cards)
            yield f"| {name} | all | {len(values):,} | | | | {_with_spread(values)} |"


def _rule_rows(found: Summaries, rules: Sequence[str]) -> Iterator[str]:
    """Format how often each rule keeps the win, with the number of deals in which it matters."""
    for kind, cards in TABLES:
        own = [found.get(Table(kind, cards, size)) for size in SIZES]
        counts = " | ".join(f"{len(each.kept):,}" if each else "-" for each in own)
        yield f"| {_named(kind, cards)} | *deals in which it matters* | {counts} |"
        for rule in rules if cards == WHOLE else FOR_NUMBERS:
            cells = [
                f"{mean(kept[rule] for kept in each.kept):.1%}" if each and each.kept else "-"
                for each in own
            ]
            yield f"| {_named(kind, cards)} | {rule} | {' | '.join(cells)} |"


TEXT = """\
# Who wins UNO if everybody sees all cards?

Two players with equally many cards, the whole draw pile known, seeds from 0; each deal is solved
exactly, once with each player moving first, by `scripts/open_game`. "Numbers only" is the deck
without action and wild cards. A game that takes more than {most} positions for each player's win
counts as not solved; the interval (Wilson, 95 %) holds however these games end. Only positions in
which a player has a choice are counted.

| rules and deck | cards each | deals | player 1 wins | 95 % interval | player 2 wins | nobody | \
not solved | positions, median | 95 % |
|---|---|---|---|---|---|---|---|---|---|
{shares}

![The share that player 1 wins, by cards each](open_game/shares.svg)

![Positions searched, by cards each](open_game/positions.svg)

## What is it worth to move first?

Each deal is played from both seats: the same player wins both times (the hand decides), or whoever
moves first wins, or whoever moves second does. The last column is what moving first adds to the
probability to win, in percentage points, with its 95 % interval, over the deals that were solved
from both seats.

| rules and deck | cards each | deals | the hand decides | the first to move wins | the second one \
wins | first move worth |
|---|---|---|---|---|---|---|
{values}
{pooled}

## Do simple rules find the right first card?

In the deals that player 1 wins, but not with every first move: how often the card chosen by a rule
keeps the win, by cards each, with ties broken at random.

| rules and deck | rule for the first card | {sizes} |
{line}
{rules}
"""

LINES = (
    (("nobody-skips", WHOLE), "#0072b2", -0.06),
    (("nobody-skips", NUMBERS), "#d55e00", 0.06),
    (("stacking", WHOLE), "#009e73", -0.12),
    (("rlcard", WHOLE), "#cc79a7", 0.12),
)
"""The tables, their colours in plots, and horizontal offsets, in cards."""


def _lines(found: Summaries) -> Iterator[tuple[str, str, Sequence[float], Sequence[Summary]]]:
    """Yield for each rules and deck: the name, the colour, the places, and the statistics."""
    for (rules, cards), colour, aside in LINES:
        own = [
            (table.size, each)
            for table, each in found.items()
            if (table.rules, table.deck) == (rules, cards)
        ]
        if own:
            places = [size + aside for size, _ in own]
            yield _named(rules, cards), colour, places, [each for _, each in own]


def draw_shares(found: Summaries, path: Path) -> None:
    """Plot the share that player 1 wins, with intervals."""
    with figure(path, "cards each", "share of deals that player 1 wins") as axes:
        for name, colour, places, own in _lines(found):
            shares = [each.share for each in own]
            below = [max(each.share - each.low, 0.0) for each in own]
            above = [max(each.high - each.share, 0.0) for each in own]
            axes.errorbar(
                places, shares, (below, above), color=colour, marker="o", capsize=4, label=name
            )
        axes.axhline(0.5, color="#888888", linewidth=0.8, linestyle=":")
        _name_lines(axes)


def draw_positions(found: Summaries, path: Path) -> None:
    """Plot the number of positions searched: median and 95 % quantile."""
    with figure(path, "cards each", "positions searched: median, 95 % (dashed)") as axes:
        for name, colour, places, own in _lines(found):
            median, late = [each.median for each in own], [each.late for each in own]
            axes.plot(places, median, "-", color=colour, marker="o", markersize=4, label=name)
            axes.plot(places, late, "--", color=colour, marker="o", markersize=4)
        axes.set_yscale("log")
        _name_lines(axes)


def _name_lines(axes: Any) -> None:
    axes.set_xticks(SIZES)
    axes.legend(frameon=False, fontsize=9)
