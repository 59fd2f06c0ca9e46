"""Picture of cards as lattice points, and of the sequence as a walk over them.

Each step is an arc that bends to its right, so that a step and its reverse are two lines. Steps run
from light to dark, and the cards of a small hand carry their step numbers. Wild cards have a row of
their own. Each player has a shape; added cards are diamonds with a dashed edge, and cards that are
not played are hollow.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import cycle, pairwise
from typing import Any

from uno_csp.formats.pictures.steps import Step, label, owner_of, positions
from uno_csp.questions import Instance
from uno_csp.questions.cards import WILD, Value
from uno_csp.questions.wording.markup import PAINT

FEW_CARDS = 60  # maximum number of cards with step numbers and arrowheads

INK, WALK = "#2c3e50", "viridis_r"
_SHAPES = ("o", "s", "^", "v", "P", "X", "h", "p", "8", "<")
_ADDED = "D"

_Place = tuple[float, float]


def draw_lattice(axes: Any, instance: Instance, steps: Sequence[Step]) -> None:
    """Draw the cards and the walk."""
    column = positions(step.card[0] for step in steps if step.card[0] != WILD)
    row = positions(step.card[1] for step in steps if step.card[1] != WILD)
    place = _places(steps, column, row)
    size = 190 if len(steps) <= FEW_CARDS else 190 * FEW_CARDS / len(steps)
    _draw_walk(axes, [place[id(step)] for step in steps if step.number], size)
    shapes = _shapes(instance)
    for owner, shape in shapes.items():
        own = [step for step in steps if step.owner == owner]
        _draw_cards(axes, own, [place[id(step)] for step in own], shape, size)
    if len(steps) <= FEW_CARDS:
        _number(axes, steps, place)
    shown = [owner for owner in shapes if any(step.owner == owner for step in steps)]
    if len(shown) > 1:
        _name(axes, {owner: shapes[owner] for owner in shown})
    axes.margins(0.12)
    label(axes.set_xticks, column)
    above: dict[Value, int] = (
        {"wild": len(row)} if any(step.card[1] == WILD for step in steps) else {}
    )
    label(axes.set_yticks, {**row, **above})
    axes.set_xlabel("colour (first attribute)")
    axes.set_ylabel("number (second attribute)")
    axes.set_title("cards as lattice points, the sequence as a walk")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _places(
    steps: Sequence[Step], column: Mapping[Value, int], row: Mapping[Value, int]
) -> dict[int, _Place]:
    """Return the position of each card; cards wild in both attributes are spread over their row."""
    universal = [step for step in steps if step.card == (WILD, WILD)]
    width = max(len(column), 1)
    found = {}
    for step in steps:
        first, second = step.card
        x: float = column.get(first, width)
        if first == WILD == second:
            x = (universal.index(step) + 0.5) * width / len(universal) - 0.5
        found[id(step)] = (x, float(row.get(second, len(row))))
    return found


def _shapes(instance: Instance) -> dict[str, str]:
    owners = (owner_of(instance, player + 1) for player in range(len(instance.hands)))
    return {**dict(zip(owners, cycle(_SHAPES), strict=False)), "added": _ADDED}


def _draw_walk(axes: Any, walk: Sequence[_Place], size: float) -> None:
    """Draw curved arrows from card to card; later ones are darker."""
    import matplotlib as mpl
    from matplotlib.patches import FancyArrowPatch

    few = len(walk) <= FEW_CARDS
    shades = mpl.colormaps[WALK]
    radius = size**0.5 / 2
    for index, (here, after) in enumerate(pairwise(walk)):
        if here == after:
            continue  # copies of a card
        axes.add_patch(
            FancyArrowPatch(
                here,
                after,
                connectionstyle="arc3,rad=0.16",
                arrowstyle="-|>" if few else "-",
                mutation_scale=11,
                shrinkA=radius,
                shrinkB=radius,
                color=shades(0.2 + 0.8 * index / max(len(walk) - 1, 1)),
                linewidth=1.5 if few else 1.0,
                zorder=1,
            )
        )


def _draw_cards(
    axes: Any, steps: Sequence[Step], places: Sequence[_Place], shape: str, size: float
) -> None:
    if not steps:
        return
    paint = [PAINT.get(str(step.card[0]), (INK, INK))[0] for step in steps]
    axes.scatter(
        [x for x, _ in places],
        [y for _, y in places],
        s=size,
        marker=shape,
        facecolors=[
            own if step.number else "white" for own, step in zip(paint, steps, strict=True)
        ],
        edgecolors=INK if shape == _ADDED else paint,
        linestyles="--" if shape == _ADDED else "-",
        linewidths=1.4,
        zorder=2,
    )


def _number(axes: Any, steps: Sequence[Step], place: Mapping[int, _Place]) -> None:
    """Draw the step numbers on the cards; copies of a card share one label."""
    numbers: defaultdict[_Place, list[Step]] = defaultdict(list)
    for step in steps:
        if step.number is not None:
            numbers[place[id(step)]].append(step)
    for at, own in numbers.items():
        text = "·".join(str(step.number) for step in own)
        inside = len(text) <= 2
        light = own[0].card[0] == "yellow" or not inside
        axes.annotate(
            text,
            at,
            textcoords="offset points",
            xytext=(0, -0.5) if inside else (0, 9),
            ha="center",
            va="center" if inside else "bottom",
            fontsize=7.5,
            fontweight="bold",
            color=INK if light else "white",
            zorder=3,
        )


def _name(axes: Any, shapes: Mapping[str, str]) -> None:
    """Draw a legend of the shapes; the colours are those of the cards."""
    from matplotlib.lines import Line2D

    look: dict[str, Any] = {"linestyle": "none", "markersize": 9, "markerfacecolor": "#d5dae0"}
    handles = [
        Line2D([], [], marker=shape, markeredgecolor=INK, label=owner, **look)
        for owner, shape in shapes.items()
    ]
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(0, -0.1), ncols=4, frameon=False)
