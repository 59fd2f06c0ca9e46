"""The plots of a report as self-contained SVG."""

import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from operator import attrgetter
from typing import Any

from uno_csp.experiments.reports.tables import (
    Group,
    MeasuredRun,
    by_combination,
    grouped_by,
    median_s,
)
from uno_csp.formats.pictures.style import own_style

MOST_NAMED = 9  # maximum number of lines labelled at their ends; more lines get a legend
SMALLEST_S = 1e-3  # shortest time plotted, in seconds: shorter ones are mostly noise
_STYLE = {
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "figure.dpi": 100,
}
_COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"),
    *("#56b4e9", "#000000", "#8c6d31", "#7b4173", "#637939"),
)
_MARKERS = "osD^vP*Xph"
_DASHES = ("-", "--", ":")

Look = Mapping[str, Any]


def looks(combinations: Sequence[str]) -> dict[str, Look]:
    """Assign each combination a colour, marker and dash for all plots of a report."""
    found: dict[str, Look] = {}
    styles = zip(cycle(_COLOURS), cycle(_MARKERS), strict=False)
    for index, (name, (colour, marker)) in enumerate(zip(combinations, styles, strict=False)):
        dash = _DASHES[index // len(_COLOURS) % len(_DASHES)]
        found[name] = {"color": colour, "marker": marker, "linestyle": dash, "label": name}
    return found


def cactus(runs: Sequence[MeasuredRun], styles: Mapping[str, Look], title: str) -> str:
    """Plot how many instances each combination solves within a time (cactus plot)."""
    with _figure(title) as (axes, out):
        for combination, own in by_combination(runs).items():
            times = sorted(max(run.cost_s, SMALLEST_S) for run in own if run.solved)
            if times:
                axes.plot(range(1, len(times) + 1), times, markersize=4, **styles[combination])
        axes.set(yscale="log", xlabel="instances solved", ylabel="seconds per instance")
        axes.locator_params("x", integer=True, min_n_ticks=1)
        _name_lines(axes)
    return out.getvalue()


def scaling(runs: Sequence[MeasuredRun], styles: Mapping[str, Look], title: str) -> str:
    """Plot the median time against size for each combination; crosses are unsolved runs."""
    with _figure(title) as (axes, out):
        for combination, own in by_combination([run for run in runs if run.started]).items():
            by_size = sorted(grouped_by(own, attrgetter("cards")).items())
            times = [max(median_s(some), SMALLEST_S) for _, some in by_size]
            axes.plot([size for size, _ in by_size], times, markersize=4, **styles[combination])
            late = [run for run in own if not run.solved]
            axes.plot(
                [run.cards for run in late],
                [run.limit_s for run in late],
                "x",
                color=styles[combination]["color"],
                markersize=8,
            )
        axes.set(xscale="log", yscale="log", xlabel="cards", ylabel="median seconds")
        _name_lines(axes)
    return out.getvalue()


Points = Mapping[Group, Sequence[tuple[float, float]]]


def in_common(runs: Sequence[MeasuredRun], first: str, second: str) -> Points:
    """Return the times of two combinations on what both ran, by group; unsolved at the limit."""
    sides = [
        {
            (run.record["instance"]["id"], run.record["asked"]["seed"]): run
            for run in runs
            if run.combination == name and run.started and "asked" in run.record
        }
        for name in (first, second)
    ]
    points: defaultdict[Group, list[tuple[float, float]]] = defaultdict(list)
    for key in sides[0].keys() & sides[1].keys():
        pair = [side[key] for side in sides]
        x, y = (max(SMALLEST_S, run.cost_s if run.solved else run.limit_s) for run in pair)
        points[pair[0].group].append((x, y))
    return {group: sorted(own) for group, own in sorted(points.items())}


def scatter(points: Points, first: str, second: str, limit: float, title: str) -> str:
    """Plot each instance as a point: the times of one combination against another's."""
    with _figure(title) as (axes, out):
        for (group, found), colour, marker in zip(
            points.items(), cycle(_COLOURS), cycle(_MARKERS), strict=False
        ):
            axes.plot(
                [x for x, _ in found],
                [y for _, y in found],
                marker,
                color=colour,
                label=group.title,
                alpha=0.7,
                markersize=5,
            )
        ends = (SMALLEST_S, limit)
        axes.plot(ends, ends, color="grey", linewidth=0.8)
        for line in (axes.axhline, axes.axvline):
            line(limit, color="grey", linestyle=":", linewidth=0.8)
        axes.set(xscale="log", yscale="log")
        axes.set(xlabel=f"seconds, {first}", ylabel=f"seconds, {second}")
        _legend(axes)
    return out.getvalue()


def proofs(runs: Sequence[MeasuredRun], title: str) -> str:
    """Plot two points per certificate: the seconds to make and to check it, against its size."""
    with _figure(title) as (axes, out):
        kinds = sorted({str(run.certificate["kind"]) for run in runs})
        for kind, colour in zip(kinds, cycle(_COLOURS), strict=False):
            own = [run.certificate for run in runs if run.certificate["kind"] == kind]
            sizes = [max(each["bytes"], 1) for each in own]
            for name, marker, fill in (("made_s", "o", colour), ("checked_s", "v", "none")):
                seconds = [max(SMALLEST_S, each[name]) for each in own]
                label = f"{kind}, {name.removesuffix('_s')}"
                axes.plot(sizes, seconds, marker, color=colour, mfc=fill, markersize=5, label=label)
        axes.set(xscale="log", yscale="log")
        axes.set(xlabel="bytes of the certificate", ylabel="seconds")
        _legend(axes)
    return out.getvalue()


@contextmanager
def _figure(title: str) -> Iterator[tuple[Any, io.StringIO]]:
    """Yield axes to draw on and the stream that holds the SVG on exit."""
    out = io.StringIO()
    with own_style(**_STYLE):
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 5.2), layout="constrained")
        canvas = FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        axes.set_title(title)
        yield axes, out
        _plain_numbers(axes)
        canvas.print_svg(out, metadata={"Date": None})


def _plain_numbers(axes: Any) -> None:
    """Set ticks of logarithmic axes at 1, 2 and 5 times powers of ten, as plain numbers.

    Matplotlib writes powers of ten as formulas, which are not parsed in this style.
    """
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))
            axis.set_minor_formatter(NullFormatter())


def _legend(axes: Any) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.figure.legend(
            loc="outside lower center",
            ncols=2,
            fontsize=7,
            frameon=False,
            handlelength=4,  # long enough to show dashes
        )


def _name_lines(axes: Any) -> None:
    """Label each line at its end, beside the axes; use a legend if there are too many lines."""
    lines, names = axes.get_legend_handles_labels()
    if not 0 < len(names) <= MOST_NAMED:
        _legend(axes)
        return
    to_axes = axes.transScale + axes.transLimits
    ends = {
        name: to_axes.transform((line.get_xdata()[-1], line.get_ydata()[-1]))
        for line, name in zip(lines, names, strict=True)
    }
    colours = {name: line.get_color() for line, name in zip(lines, names, strict=True)}
    heights = spread([float(ends[name][1]) for name in names], 1 / (MOST_NAMED + 1))
    for name, height in zip(names, heights, strict=True):
        axes.annotate(
            name,
            xy=ends[name],
            xycoords="axes fraction",
            xytext=(1.04, height),
            textcoords="axes fraction",
            fontsize=7,
            va="center",
            color=colours[name],
            arrowprops={"arrowstyle": "-", "color": colours[name], "lw": 0.5, "alpha": 0.6},
            annotation_clip=False,
        )


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights at least ``gap`` apart within 0 and 1, keeping their order.

    >>> spread([0.5, 0.5, 1.0], 0.25)
    [0.25, 0.5, 1.0]
    """
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    placed = [0.0] * len(heights)
    ceiling = 1.0
    for index in reversed(order):
        placed[index] = min(heights[index], ceiling)
        ceiling = placed[index] - gap
    floor = 0.0
    for index in order:
        placed[index] = max(placed[index], floor)
        floor = placed[index] + gap
    return placed
