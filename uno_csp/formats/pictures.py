"""Pictures of a hand and its playing sequence.

Left the geometric view of the paper: cards as lattice points, the sequence as a walk that moves
parallel to an axis. Right the bipartite graph of colours and numbers, cards being its edges, the
walked ones drawn strong. For hands of other than two attributes only the hub graph is drawn, one
column of hubs for each choice of coordinates. Added cards are drawn as diamonds; with several
players each has a shape and a number. Where there are too many values to be labelled, they
stand in the order in which the sequence first comes to them, which keeps neighbours close.
"""

import math
from collections.abc import Sequence
from itertools import cycle, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uno_csp.answers import Answer
from uno_csp.cards import Card, Hub, Value, hub_count, hubs, is_universal, is_wild
from uno_csp.errors import NotAccepted
from uno_csp.formats.files import require_folder, written
from uno_csp.questions import Instance
from uno_csp.wording import describe, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILE_TYPES = (".svg", ".png", ".pdf")
FEW_LABELS = 40
MAX_COLUMNS = 8

_SHAPES = ("o", "s", "^", "v", "P", "X")
_STRONG, _PALE, _INK = "#c0392b", "#b8c0c8", "#2c3e50"
_PAINT = {"red": "#d6281e", "yellow": "#ecb511", "green": "#2e9e44", "blue": "#1f6fd0"}


def require_file_type(path: str) -> str:
    """The path itself, if its ending is one pictures can be written as.

    Raises
    ------
    NotAccepted
        With the endings there are; or when there is no folder for it.
    """
    if Path(path).suffix.lower() not in FILE_TYPES:
        raise NotAccepted(f"--plot {path}: the file must end in {', '.join(FILE_TYPES)}")
    require_folder(path)
    return path


def draw(instance: Instance, answer: Answer, path: str) -> None:
    """Write the picture of a question and its answer to a file.

    Raises
    ------
    NotAccepted
        If the ending of the file is unknown, the file cannot be written, or the cards have too
        many hubs to be drawn.
    """
    require_file_type(path)
    if hub_count(max(instance.dimension, 1), min(instance.at_least, instance.dimension or 1)) > (
        MAX_COLUMNS
    ):
        raise NotAccepted(f"--plot draws cards on at most {MAX_COLUMNS} hubs")
    import matplotlib as mpl

    # A dollar sign in a name is no mathematics.
    with mpl.rc_context({"svg.hashsalt": "uno-csp", "text.parse_math": False}):
        _save(_drawn(instance, answer), path)


def _save(figure: "Figure", path: str) -> None:
    """Write a figure, the same bytes each time."""
    svg = path.lower().endswith(".svg")
    repeatable: dict[str, Any] = {"metadata": {"Date": None}} if svg else {}
    with written(path) as stream:
        figure.savefig(stream, format=Path(path).suffix[1:].lower(), **repeatable)


def _drawn(instance: Instance, answer: Answer) -> "Figure":
    from matplotlib.figure import Figure

    flat = instance.dimension == 2
    sequence = _laid(answer)
    figure = Figure(figsize=(12, 6) if flat else (8, 6), layout="constrained")
    axes = figure.subplots(1, 2) if flat else [figure.subplots()]
    if flat:
        _draw_lattice(axes[0], instance, answer)
    _draw_hubs(axes[-1], instance, sequence)
    title = printable(instance.name or instance.question)
    figure.suptitle(f"{title}: {answer.status}", color=_INK)
    return figure


def _laid(answer: Answer) -> tuple[Card, ...]:
    """The cards in order of play, whoever laid them."""
    if answer.plays is not None:
        return tuple(play.card for play in answer.plays)
    return answer.sequence or ()


def _owners(instance: Instance, answer: Answer) -> dict[str, list[Card]]:
    """The plain cards by what they are drawn as: whose they are, or that they were added."""
    owned: dict[str, list[Card]] = {}
    if len(instance.hands) > 1:
        for player, hand in enumerate(instance.hands, start=1):
            owned[f"player {player}"] = list(hand)
    else:
        owned["hand"] = list(instance.cards)
    owned["added"] = list(answer.added or ())
    plain = {name: [card for card in own if not is_wild(card)] for name, own in owned.items()}
    return {name: own for name, own in plain.items() if own}


def _draw_lattice(axes: Any, instance: Instance, answer: Answer) -> None:
    sequence = _laid(answer)
    owned = _owners(instance, answer)
    plain = [card for own in owned.values() for card in own]
    walked = [*(card for card in sequence if not is_wild(card)), *plain]
    column = _positions([card[0] for card in walked])
    row = _positions([card[1] for card in walked])
    place = {card: (column[card[0]], row[card[1]]) for card in plain}
    thin = _thinness(len(plain))
    for walk in _walks(sequence):
        points = [place[card] for card in walk]
        axes.plot(*zip(*points, strict=True), color=_STRONG, linewidth=1.2 * thin, zorder=1)
    ends = [card for card in (*sequence[:1], *sequence[-1:]) if card in place]
    for shape, (name, own) in zip(cycle(_SHAPES), owned.items(), strict=False):
        paint = [_PAINT.get(str(card[0]), _INK) for card in own]
        marker = "D" if name == "added" else shape
        at = [place[card] for card in own]
        axes.scatter(
            *zip(*at, strict=True), s=90 * thin**2, c=paint, marker=marker, zorder=2, label=name
        )
    if len(owned) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(0, -0.1), ncols=4, frameon=False)
    for label, card in zip(("first", "last"), ends, strict=False):
        axes.annotate(label, place[card], textcoords="offset points", xytext=(6, 8), color=_STRONG)
    axes.margins(0.12)
    _label(axes.set_xticks, column)
    _label(axes.set_yticks, row)
    axes.set_xlabel("colour (first attribute)")
    axes.set_ylabel("number (second attribute)")
    axes.set_title("cards as lattice points, the sequence as a walk")


def _draw_hubs(axes: Any, instance: Instance, sequence: Sequence[Card]) -> None:
    plain = [card for card in (*sequence, *instance.cards) if not is_wild(card)]
    thin = _thinness(len(instance.cards))
    on_hubs = {card: hubs(card, instance.at_least) for card in plain}
    place = _place_hubs([hub for own in on_hubs.values() for hub in own])
    for own in on_hubs.values():
        points = [place[hub] for hub in own]
        axes.plot(*zip(*points, strict=True), color=_PALE, linewidth=0.8 * thin, zorder=1)
    for first, second in _walked(sequence, instance.at_least):
        points = [place[first], place[second]]
        axes.plot(*zip(*points, strict=True), color=_STRONG, linewidth=1.6 * thin, zorder=2)
    if place:
        axes.scatter(*zip(*place.values(), strict=True), s=60 * thin**2, color=_INK, zorder=3)
    if len(place) <= 2 * FEW_LABELS:
        for hub, (x, y) in place.items():
            side = -10 if x == 0 else 10
            axes.annotate(
                describe(hub[1]),
                (x, y),
                textcoords="offset points",
                xytext=(side, 0),
                va="center",
                ha="right" if x == 0 else "left",
                color=_INK,
            )
    axes.margins(x=0.25)
    axes.set_axis_off()
    axes.set_title("cards as edges between hubs; walked ones are strong")


def _place_hubs(all_hubs: Sequence[Hub]) -> dict[Hub, tuple[float, float]]:
    """A column for each choice of coordinates, the hubs in it at equal distances."""
    columns: dict[tuple[int, ...], list[Hub]] = {}
    for hub in dict.fromkeys(all_hubs):
        columns.setdefault(hub[0], []).append(hub)
    place: dict[Hub, tuple[float, float]] = {}
    for number, members in enumerate(columns.values()):
        if len(members) <= FEW_LABELS:
            members.sort(key=lambda hub: [_order(value) for value in hub[1]])
        for index, hub in enumerate(members):
            place[hub] = (float(number), (index + 0.5) / len(members))
    return place


def _walks(sequence: Sequence[Card]) -> list[list[Card]]:
    """The sequence cut at its wild cards."""
    walks: list[list[Card]] = [[]]
    for card in sequence:
        if is_wild(card):
            walks.append([])
        else:
            walks[-1].append(card)
    return [walk for walk in walks if walk]


def _walked(sequence: Sequence[Card], at_least: int) -> list[tuple[Hub, Hub]]:
    """The cards entered by one hub and left by another."""
    found = []
    entered: Hub | None = None
    for here, after in pairwise(sequence):
        if is_universal(here, at_least) or is_wild(here) or is_wild(after):
            entered = None
            continue
        shared = set(hubs(here, at_least)) & set(hubs(after, at_least))
        left = entered if entered in shared else min(shared, key=str)
        if entered is not None and left != entered:
            found.append((entered, left))
        entered = left
    return found


def _order(value: Value) -> tuple[bool, Value]:
    return (isinstance(value, str), value)


def _positions(values: Sequence[Value]) -> dict[Value, int]:
    distinct = list(dict.fromkeys(values))
    if len(distinct) <= FEW_LABELS:
        distinct.sort(key=_order)
    return {value: index for index, value in enumerate(distinct)}


def _thinness(count: int) -> float:
    """By how much lines and dots shrink when there are many cards."""
    return min(1.0, max(0.15, math.sqrt(FEW_LABELS / max(count, 1))))


def _label(set_ticks: Any, positions: dict[Value, int]) -> None:
    shown = positions if len(positions) <= FEW_LABELS else {}
    set_ticks(list(shown.values()), [printable(str(value)) for value in shown])
