"""Picture of the hub graph: cards are edges, and the sequence is a trail.

Hubs are drawn in columns, one for each choice of attributes. Walked edges are bold, run from light
to dark, and are numbered in small hands; a wild card between two edges is a dotted line. Added
cards are dashed.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from uno_csp.formats.pictures.lattice import FEW_CARDS, INK, WALK
from uno_csp.formats.pictures.steps import FEW_LABELS, Step, order, visits, walks
from uno_csp.questions import Instance
from uno_csp.questions.cards import Hub, hubs, is_wild
from uno_csp.questions.wording import describe

_PALE = "#b8c0c8"

_Place = tuple[float, float]


def draw_hubs(axes: Any, instance: Instance, steps: Sequence[Step]) -> None:
    """Draw hubs, cards and the trail."""
    at_least = instance.at_least
    plain = [step for step in steps if not is_wild(step.card)]
    place = place_hubs([hub for step in plain for hub in hubs(step.card, at_least)])
    for step in plain:
        points = [place[hub] for hub in hubs(step.card, at_least)]
        dash = "--" if step.owner == "added" else "-"
        axes.plot(*zip(*points, strict=True), color=_PALE, linewidth=0.9, linestyle=dash, zorder=1)
    _draw_trail(axes, [visits(walk, at_least) for walk in walks(steps)], place)
    if place:
        axes.scatter(*zip(*place.values(), strict=True), s=60, color=INK, zorder=3)
    if len(place) <= 2 * FEW_LABELS:
        _name_hubs(axes, place)
    axes.margins(x=0.25)
    axes.set_axis_off()
    axes.set_title("cards as edges between hubs; walked ones are strong")


def _draw_trail(axes: Any, trail: Sequence[Sequence[Hub]], place: dict[Hub, _Place]) -> None:
    """Draw the walked edges, numbered in small hands, and dotted lines for wild cards."""
    import matplotlib as mpl

    shades = mpl.colormaps[WALK]
    count = sum(len(walk) - 1 for walk in trail)
    number = 0
    for walk in trail:
        for first, second in pairwise(walk):
            number += 1
            shade = shades(0.2 + 0.8 * number / max(count, 1))
            ends = (place[first], place[second])
            axes.plot(*zip(*ends, strict=True), color=shade, linewidth=2.2, zorder=2)
            if count <= FEW_CARDS // 2:
                _number(axes, ends, number, shade)
    for before, after in pairwise(trail):
        ends = (place[before[-1]], place[after[0]])
        axes.plot(*zip(*ends, strict=True), color=INK, linewidth=1.4, linestyle=":", zorder=2)


def _number(axes: Any, ends: tuple[_Place, _Place], number: int, shade: Any) -> None:
    """Draw the number of a walked edge at one of four positions, so that few numbers overlap."""
    share = (0.25, 0.6, 0.4, 0.75)[number % 4]
    (x, y), (u, v) = ends
    axes.annotate(
        str(number),
        (x + share * (u - x), y + share * (v - y)),
        ha="center",
        va="center",
        fontsize=7.5,
        color=INK,
        bbox={"boxstyle": "circle,pad=0.18", "facecolor": "white", "edgecolor": shade},
        zorder=3,
    )


def _name_hubs(axes: Any, place: dict[Hub, _Place]) -> None:
    for hub, (x, y) in place.items():
        left = x == 0
        axes.annotate(
            describe(hub[1]),
            (x, y),
            textcoords="offset points",
            xytext=(-10 if left else 10, 0),
            va="center",
            ha="right" if left else "left",
            color=INK,
        )


def place_hubs(all_hubs: Sequence[Hub]) -> dict[Hub, _Place]:
    """Return the position of each hub: a column per choice of attributes, evenly spaced."""
    columns: dict[tuple[int, ...], list[Hub]] = {}
    for hub in dict.fromkeys(all_hubs):
        columns.setdefault(hub[0], []).append(hub)
    place: dict[Hub, _Place] = {}
    for number, members in enumerate(columns.values()):
        if len(members) <= FEW_LABELS:
            members.sort(key=lambda hub: [order(value) for value in hub[1]])
        for index, hub in enumerate(members):
            place[hub] = (float(number), (index + 0.5) / len(members))
    return place
