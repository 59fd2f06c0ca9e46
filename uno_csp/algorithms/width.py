"""Dynamic programming over a tree decomposition of the kernel.

Whether a graph has an edge Hamiltonian path, that is, whether a hand can be discarded, is decided
in linear time when its treewidth is bounded (Lampis, Makino, Mitsou and Uno). This is that result
as a program, for the best number of sequences and of cards too: hubs are forgotten in the order of
fewest neighbours until none is left, with the tables of :mod:`uno_csp.hub_graph.tables`. The number
of rows grows like w^w, so it is for small widths; many large hands with few cards to a hub have
one, and ``colour-dp`` has another parameter.
"""

from collections.abc import Sequence

from uno_csp.answers import Status
from uno_csp.cards import hub_count
from uno_csp.hub_graph import Chosen, Kernel, Row, draw, prepare, read_witness, undrawable
from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import FillIn, HandQuestion, Instance, Longest, Uno1

LARGEST_WIDTH = 10
"""Up to this width it is tried."""

WORK, WORK_PER_HUB = 1_000_000, 100
"""So many pairs of rows are joined until it gives up."""


class Width(Algorithm[HandQuestion]):
    """Forget the hubs of the kernel one by one, with a table of all that the rest can offer."""

    name = "width"
    takes = (Uno1, Longest, FillIn)
    gives_up = True

    def preferred_for(self, kind: type[Instance]) -> int | None:
        """First where something is optimised; ``uno-1`` is decided by the kernel as it is."""
        return 0 if kind.sense.optimises else None

    def declines(self, instance: HandQuestion) -> str | None:
        """Where there is no hub graph; a card on more than two hubs; a supply."""
        if instance.offers:
            return "it knows no supply"
        count = hub_count(instance.dimension, instance.at_least)
        if count > 2:
            return f"it is for cards on two hubs, and here are {count} on each"
        return undrawable(instance)

    def run(self, instance: HandQuestion) -> Finding:
        """The optimum with a witness, or UNKNOWN with the width that was found."""
        prepared = prepare(draw(instance))
        width = prepared.width(LARGEST_WIDTH)
        if width > LARGEST_WIDTH:
            reason = f"the width is more than {LARGEST_WIDTH}: with hubs of fewest neighbours first"
            return Finding(Status.UNKNOWN, reason=f"{reason}, one has {width} or more")
        work = WORK + WORK_PER_HUB * prepared.shrunk.count
        kernel = prepared.condensed(LARGEST_WIDTH, work)
        stats = {**kernel.sizes, "width": width}
        if kernel.core.hubs:
            reason = f"more than {work} pairs of rows for width {width}"
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        rows = _best_rows(kernel)
        if rows is None:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        witness = read_witness(kernel.core.graph, kernel.lift(Chosen((), (), rows)))
        if not instance.optimises:
            return Finding(Status.SATISFIABLE, witness, stats=stats)
        assert witness.objective == _value(kernel, rows)  # noqa: S101
        return Finding(Status.OPTIMAL, witness, stats=stats)


def _best_rows(kernel: Kernel) -> list[Row] | None:
    """The best row of the table that is left, if there is one; None if no row will do."""
    core, graph = kernel.core, kernel.core.graph
    most = core.ends
    if not core.feasible or (graph.most_ends is not None and most < 0):
        return None
    if not core.parts:
        return []
    (_, part), *_ = core.parts
    if graph.most_ends is None:
        return [min(part.table.rows, key=lambda row: row[1])]
    rows = [row for row in part.table.rows if row[1][0] <= most]

    def left_out(row: Row) -> tuple[int, int]:
        """Cards that are not played; where wild cards join sequences, lonely ones are some."""
        ends, price = row[1]
        joined = min(graph.lonely, (most - ends) // 2) if graph.wilds else 0
        return price - joined, ends

    return [min(rows, key=left_out)] if rows else None


def _value(kernel: Kernel, rows: Sequence[Row]) -> int:
    """What the best row is worth: the cards that join trails, or those that are played."""
    core, graph = kernel.core, kernel.core.graph
    ends, price = rows[0][1] if rows else (0, 0)
    if graph.instance.whole:
        return max(0, -((core.ends - ends) // 2))
    if not graph.hubs and not graph.wilds and graph.after_hubs is None:
        return min(1, len(graph.cards))
    joined = min(graph.lonely, (core.ends - ends) // 2) if graph.wilds else 0
    played = len(graph.cards) - graph.lonely - core.price - price
    return played + joined + len(graph.wilds)


ALGORITHM = Width()
