"""Write the tables and plots of the odds of hands."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.odds_phase import FEWER, find_change
from scripts.reporting import SURE, figure, of_mean
from uno_csp.families.random_hands import threshold
from uno_csp.odds import Odds
from uno_csp.odds.intervals import wilson
from uno_csp.odds.table import WITH_WILD, WITHOUT_WILD

Points = Mapping[int, Mapping[int, Sequence[int]]]
"""By values and cards: the numbers of YES, NO and unanswered hands."""


@dataclass(frozen=True, slots=True)
class Counted:
    """All counts: hands of the deck, and ``hands`` random hands per point."""

    dealt: Sequence[Odds]
    points: Points
    hands: int

    def of(self, *, wild: bool) -> list[Odds]:
        """Return the odds of one deck, smallest hands first."""
        return [each for each in self.dealt if each.wild is wild]


TEXT = """\
# How lucky is a hand?

Counted by `scripts/odds`: {deals} deals per size and deck, seeds from 0 on. The deal of a seed is
that of the family `deck`: `uno-csp generate deck --cards 7 --no-pile --seed 5`, or with `--no-wild`
the same without wild cards. Deals of one seed share their first cards, so the rows of one deck are
not independent of each other; the interval of each single row is valid.

A hand is a *yes* of `uno-1` if all its cards can be discarded in one sequence. *Missing* is the
optimum of `fill-in` if any cards may be added; `uno_csp/odds/forms.py` has the fast algorithm that
solved all hands here. {compared} hands, sampled from all rows, were also solved by the general
`solve`: as `uno-1`, as `fill-in` with free cards, and with the rest of the deck as supply. All
answers agree; so the rest of the deck was always enough, which is not proved. Intervals are 95 %:
Wilson intervals for shares, normal ones for means.

| cards | yes, with wild cards | 95 % interval | missing | 95 % interval | yes, without | \
95 % interval | missing | 95 % interval |
|---|---|---|---|---|---|---|---|---|
{rows}

![The share of hands that can be discarded in one go, by cards](odds/shares.svg)

![The cards missing on average, by cards](odds/missing.svg)

{lowest}

The counts of hands that lack 0, 1, 2 and 3 cards are in `uno_csp/odds/table.json`, which
`uno_csp.odds.odds_of` reads.

## Where random hands turn from no to yes

Equal numbers of colours and numbers, cards drawn uniformly with repetition (family `random`),
{hands} hands per point ({fewer}), seeds from 0 on. They were solved by the reductions and
`hub-trail` with `cadical195`, and the checker accepted the sequence of every yes. Not answered:
{unknown} of {asked} hands.

*Half* is where the logistic curve fitted to the shares is at one half; *width* is the distance, in
cards a value, between shares of 10 % and 90 %. *Expected* is where a hand has two dead ends on
average; see the family `threshold`.

| values | half, cards a value | 95 % interval | expected | width, cards a value | width / half |
|---|---|---|---|---|---|
{changes}

![The share of yes, by cards a value](odds/phase.svg)

![The share of yes, by cards as a multiple of where one half is](odds/phase_scaled.svg)
"""


def report(found: Counted, deals: int, compared: int) -> str:
    """Return the tables as Markdown."""
    pairs = zip(found.of(wild=True), found.of(wild=False), strict=True)
    lost = sum(row[2] for points in found.points.values() for row in points.values())
    asked = sum(sum(row) for points in found.points.values() for row in points.values())
    return TEXT.format(
        deals=f"{deals:,}",
        compared=f"{compared:,}",
        rows="\n".join(
            f"| {one.cards} | {_cells(one)} | {_cells(other)} |" for one, other in pairs
        ),
        lowest="\n".join(_lowest(found.of(wild=wild)) for wild in (True, False)),
        hands=found.hands,
        fewer=_fewer(found),
        unknown=lost,
        asked=f"{asked:,}",
        changes="\n".join(_change_row(values, found.points[values]) for values in found.points),
    )


def _fewer(found: Counted) -> str:
    expected = {values: sum(next(iter(rows.values()))) for values, rows in found.points.items()}
    parts = [f"{expected[values]} with {values:,} values" for values in FEWER if values in expected]
    return " and ".join(parts) or "no fewer anywhere"


def _of_missing(odds: Odds) -> tuple[float, float]:
    """Return the 95 % interval of the mean of missing cards."""
    _, low, high = of_mean([*Counter(dict(enumerate(odds.missing))).elements()])
    return low, high


def _cells(odds: Odds) -> str:
    low, high = odds.interval
    least, most = _of_missing(odds)
    return (
        f"{odds.share:.2%} | {low:.2%} to {high:.2%} | "
        f"{odds.mean:.4f} | {max(least, 0.0):.4f} to {most:.4f}"
    )


def _lowest(odds: Sequence[Odds]) -> str:
    worst = min(odds, key=lambda each: each.share)
    deck = WITH_WILD if worst.wild else WITHOUT_WILD
    return f"The least lucky size {deck} is {worst.cards}: {worst.share:.1%} are a yes."


def _change_row(values: int, points: Mapping[int, Sequence[int]]) -> str:
    change = find_change(values, points)
    aside = SURE * change.error
    return (
        f"| {values} | {change.middle:.2f} | {change.middle - aside:.2f} to "
        f"{change.middle + aside:.2f} | {threshold(2 * values) / values:.2f} | "
        f"{change.width:.2f} | {change.width / change.middle:.2f} |"
    )


def draw(found: Counted, folder: Path) -> None:
    """Draw all plots."""
    folder.mkdir(parents=True, exist_ok=True)
    along = "cards in the hand"
    with figure(folder / "shares.svg", along, "share of yes") as axes:
        _draw_dealt(axes, found, lambda odds: odds.share, lambda odds: odds.interval)
        axes.set_ylim(0, 1.02)
    with figure(folder / "missing.svg", along, "cards missing on average") as axes:
        _draw_dealt(axes, found, lambda odds: odds.mean, _of_missing)
        axes.set_ylim(bottom=0)
    with figure(folder / "phase.svg", "cards a value", "share of yes") as axes:
        _draw_points(axes, found.points, scaled=False)
    label = "cards, as a multiple of where one half is a yes"
    with figure(folder / "phase_scaled.svg", label, "share of yes") as axes:
        _draw_points(axes, found.points, scaled=True)
        axes.axvline(1, color="#888888", linewidth=0.8, linestyle=":")


_DECKS = ((True, WITH_WILD, "#0072b2", "o"), (False, WITHOUT_WILD, "#d55e00", "s"))


def _draw_dealt(
    axes: Any,
    found: Counted,
    height: Callable[[Odds], float],
    interval: Callable[[Odds], tuple[float, float]],
) -> None:
    """Plot a line for each deck, named beside its middle, on the side away from the other line.

    Most intervals are smaller than the markers.
    """
    for wild, name, colour, mark in _DECKS:
        odds = found.of(wild=wild)
        sizes, heights = [each.cards for each in odds], [*map(height, odds)]
        bars = _bars(heights, [*map(interval, odds)])
        axes.errorbar(sizes, heights, bars, color=colour, marker=mark, markersize=4, capsize=2)
        axes.set_xticks(sizes)
        middle = min(len(odds) // 2 + 2, len(odds) - 1)
        axes.annotate(
            name,
            (sizes[middle], heights[middle]),
            (-10 if wild else 10, 2),
            color=colour,
            ha="right" if wild else "left",
            textcoords="offset points",
            fontsize=9,
        )


def _bars(
    heights: Sequence[float], intervals: Sequence[tuple[float, float]]
) -> tuple[list[float], list[float]]:
    pairs = list(zip(heights, intervals, strict=True))
    below = [max(height - low, 0.0) for height, (low, _) in pairs]
    return below, [max(high - height, 0.0) for height, (_, high) in pairs]


_LOOKS = (("#e69f00", "o"), ("#56b4e9", "s"), ("#009e73", "^"), ("#d55e00", "D"), ("#332288", "v"))


def _draw_points(axes: Any, points: Points, *, scaled: bool) -> None:
    """Plot the shares among answered hands; unanswered hands widen the error bars."""
    for (values, rows), (colour, mark) in zip(points.items(), _LOOKS, strict=False):
        scale = values * (find_change(values, rows).middle if scaled else 1)
        shares, intervals = [], []
        for yes, no, unknown in rows.values():
            asked = yes + no + unknown
            shares.append(yes / max(yes + no, 1))
            intervals.append((wilson(yes, asked)[0], wilson(yes + unknown, asked)[1]))
        axes.errorbar(
            [cards / scale for cards in rows],
            shares,
            _bars(shares, intervals),
            color=colour,
            marker=mark,
            markersize=4,
            linewidth=1.2,
            elinewidth=0.7,
            label=f"{values:,}",
        )
    axes.legend(title="values", frameon=False, loc="lower right")
    axes.set_ylim(-0.02, 1.02)
