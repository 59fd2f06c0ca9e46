"""Common parts of the reports of these programs: plots, intervals of means, and records."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

SURE = 1.959964  # standard errors on each side of a 95 % interval


@contextmanager
def figure(path: Path, along: str, up: str, **size: Any) -> Iterator[Any]:
    """Yield the axes of a plot, which is written as SVG at the end of a block."""
    from uno_csp.formats.pictures.style import own_style

    with own_style(**{"svg.fonttype": "none"}):
        from matplotlib.figure import Figure

        made = Figure(layout="constrained", **{"figsize": (7.5, 4.2), **size})
        axes = made.subplots()
        yield axes
        axes.set(xlabel=along, ylabel=up)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        made.savefig(path, metadata={"Date": None})


def of_mean(values: Sequence[float]) -> tuple[float, float, float]:
    """Return a mean, and the ends of its 95 % interval.

    >>> mean, low, high = of_mean([0] * 900 + [1] * 100)
    >>> round(mean, 2), round(low, 2), round(high, 2)
    (0.1, 0.08, 0.12)
    """
    mean = fmean(values)
    spread = SURE * stdev(values) / len(values) ** 0.5
    return mean, mean - spread, mean + spread


def write_whole(path: Path, content: object) -> None:
    """Write a file of JSON that is whole at any moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(content) + "\n")
    beside.replace(path)


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file with one on each line; none if there is no file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
