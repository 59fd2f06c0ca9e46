"""Pictures of large hands: numbers of cards, and when they are played."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from uno_csp.formats.pictures.lattice import INK, WALK
from uno_csp.formats.pictures.steps import Step, positions
from uno_csp.questions import Instance
from uno_csp.questions.cards import hubs, is_wild

MOST_CELLS = 60  # maximum number of cells along an axis


def draw_density(axes: Sequence[Any], instance: Instance, steps: Sequence[Step]) -> None:
    """Draw two maps of the lattice: cards per cell, and the mean step of their plays."""
    import numpy as np

    plain = [step for step in steps if not is_wild(step.card)]
    column = positions(step.card[0] for step in plain)
    row = positions(step.card[1] for step in plain)
    x = np.array([column[step.card[0]] for step in plain])
    y = np.array([row[step.card[1]] for step in plain])
    edges = [np.linspace(-0.5, len(p) - 0.5, min(len(p), MOST_CELLS) + 1) for p in (column, row)]
    count, *_ = np.histogram2d(x, y, bins=edges)
    number = np.array([step.number or 0 for step in plain])
    played = number > 0
    total, *_ = np.histogram2d(x[played], y[played], bins=edges, weights=number[played])
    steps_in, *_ = np.histogram2d(x[played], y[played], bins=edges)
    mean = np.divide(total, steps_in, out=np.full_like(total, np.nan), where=steps_in > 0)
    _map(axes[0], edges, np.where(count > 0, count, np.nan), "Blues", "cards in a cell")
    axes[0].set_title(f"{len(instance.cards)} cards as lattice points")
    if played.any():
        _map(axes[1], edges, mean, WALK, "mean step at which cards are played")
        axes[1].set_title("the sequence, early steps light and late ones dark")
    else:
        axes[1].set_axis_off()
        axes[1].set_title("no sequence")


def _map(axes: Any, edges: Sequence[Any], values: Any, shades: str, what: str) -> None:
    import numpy as np

    if np.isnan(values).all():
        return
    low = 0 if shades == "Blues" else None
    mesh = axes.pcolormesh(*edges, values.T, cmap=shades, vmin=low, rasterized=True)
    axes.figure.colorbar(mesh, ax=axes, label=what, shrink=0.8)
    axes.set_xlabel("colour (first attribute), by first step")
    axes.set_ylabel("number (second attribute), by first step")


def draw_occupation(axes: Any, instance: Instance, steps: Sequence[Step]) -> None:
    """Draw the number of cards on each hub, fullest first, a line per choice of attributes."""
    plain = [step.card for step in steps if not is_wild(step.card)]
    on_hub = Counter(hub for card in plain for hub in hubs(card, instance.at_least))
    columns: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for (place, _), count in on_hub.items():
        columns[place].append(count)
    for place, counts in columns.items():
        axes.step(
            range(1, len(counts) + 1),
            sorted(counts, reverse=True),
            where="mid",
            label=f"attribute {' and '.join(str(i + 1) for i in place)}",
        )
    axes.set_ylim(bottom=0)
    axes.set_xlabel("hubs, the fullest first")
    axes.set_ylabel("cards on the hub")
    axes.set_title(f"{len(instance.cards)} cards on their hubs", color=INK)
    axes.legend(frameon=False)
