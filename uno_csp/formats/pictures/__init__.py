"""Pictures of a hand and its playing sequence.

Left: the geometric view of the paper, with cards as lattice points and the sequence as a walk
parallel to the axes. Right: the graph of colours and numbers, with cards as edges and walked edges
in bold. If cards do not have two attributes, or must agree in both, only the hub graph is drawn,
with a column of hubs for each choice of attributes.

In hands of up to :data:`~uno_csp.formats.pictures.lattice.FEW_CARDS` cards the steps are numbered.
Hands of more than :data:`MANY_CARDS` cards are shown as densities, because lines would overlap.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from uno_csp.errors import NotAccepted
from uno_csp.formats.files import require_target, written
from uno_csp.formats.pictures.density import draw_density, draw_occupation
from uno_csp.formats.pictures.hub_graph import draw_hubs
from uno_csp.formats.pictures.lattice import INK, draw_lattice
from uno_csp.formats.pictures.steps import steps_of
from uno_csp.formats.pictures.style import own_style
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer
from uno_csp.questions.cards import hub_count
from uno_csp.questions.wording import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILE_TYPES = (".svg", ".png", ".pdf")
MAX_COLUMNS = 8
MANY_CARDS = 400  # maximum number of cards drawn one by one; larger hands are drawn as densities


def require_file_type(path: str) -> str:
    """Return the path; raise NotAccepted unless a picture can be written there."""
    if Path(path).suffix.lower() not in FILE_TYPES:
        raise NotAccepted(f"--plot {path}: the file must end in {', '.join(FILE_TYPES)}")
    require_target(path)
    return path


def draw(instance: Instance, answer: Answer, path: str) -> None:
    """Write the picture of a question and its answer; raise NotAccepted if it cannot be."""
    require_file_type(path)
    if hub_count(max(instance.dimension, 1), min(instance.at_least, instance.dimension or 1)) > (
        MAX_COLUMNS
    ):
        raise NotAccepted(f"--plot draws cards on at most {MAX_COLUMNS} hubs")
    with own_style():
        _save(_draw_figure(instance, answer), path)


def _save(figure: "Figure", path: str) -> None:
    """Write a figure reproducibly: the same figure gives the same bytes."""
    svg = path.lower().endswith(".svg")
    repeatable: dict[str, Any] = {"metadata": {"Date": None}} if svg else {}
    with written(path) as stream:
        figure.savefig(stream, format=Path(path).suffix[1:].lower(), **repeatable)


def _draw_figure(instance: Instance, answer: Answer) -> "Figure":
    from matplotlib.figure import Figure

    flat = instance.dimension == 2 and instance.at_least == 1
    many = len(instance.cards) > MANY_CARDS
    steps = steps_of(instance, answer)
    figure = Figure(figsize=(12, 6) if flat else (8, 6), layout="constrained")
    axes = figure.subplots(1, 2) if flat else [figure.subplots()]
    if many and flat:
        draw_density(axes, instance, steps)
    elif many:
        draw_occupation(axes[0], instance, steps)
    else:
        draw_hubs(axes[-1], instance, steps)
        if flat:
            draw_lattice(axes[0], instance, steps)
    title = printable(instance.name or instance.question)
    figure.suptitle(f"{title}: {answer.status}", color=INK)
    return figure
