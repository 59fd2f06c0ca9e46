"""Dynamic programming over a tree decomposition of the kernel.

On graphs of bounded treewidth, edge Hamiltonian path, that is, whether a hand can be discarded, is
decided in linear time (Lampis, Makino, Mitsou and Uno). This module implements that result, also
for the optimal number of sequences and of cards: hubs are forgotten in min-degree order until none
is left, with the tables of :mod:`uno_csp.hub_graph.tables`. The number of states grows like w^w for
width w, so it suits small widths; many large hands with few cards per hub have one. ``colour-dp``
has another parameter.
"""

from collections.abc import Sequence

from uno_csp.hub_graph.choices import Choice, read_witness
from uno_csp.hub_graph.graph import build_hub_graph, trail_refusal
from uno_csp.hub_graph.kernel import Kernel, prepare
from uno_csp.hub_graph.tables import State
from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import FillIn, HandQuestion, Longest, Uno1
from uno_csp.questions.answers import Status
from uno_csp.questions.cards import hub_count, is_universal, is_wild

LARGEST_WIDTH = 10  # maximum width for which the dynamic program is tried

WORK, WORK_PER_HUB = 1_000_000, 100
"""Maximum number of pairs of states joined: a constant, and an amount per hub."""


class Width(Algorithm[HandQuestion]):
    """Forget the hubs of the kernel one by one, with tables of what the parts can offer."""

    name = "width"
    takes = (Uno1, Longest, FillIn)
    gives_up = True

    def declines(self, instance: HandQuestion) -> str | None:
        """Return a reason if there is a supply, a card on more than two hubs, or no hub graph."""
        if instance.offers:
            return "it does not support a supply"
        count = hub_count(instance.dimension, instance.at_least)
        if count > 2:
            return f"it takes only cards on at most two hubs; here each card is on {count}"
        pile = () if instance.after is None else (instance.after,)
        for card in (*instance.cards, *pile):
            if is_wild(card) and not is_universal(card, instance.at_least):
                return "it takes no cards that are wild in fewer coordinates than must agree"
        return trail_refusal(instance)

    def run(self, instance: HandQuestion) -> Finding:
        """Return the optimum with a witness, or UNKNOWN with the width that was found."""
        prepared = prepare(build_hub_graph(instance))
        width = prepared.width(LARGEST_WIDTH)
        if width > LARGEST_WIDTH:
            reason = f"the width is more than {LARGEST_WIDTH}: in min-degree order"
            return Finding(Status.UNKNOWN, reason=f"{reason} a hub has {width} or more neighbours")
        work = WORK + WORK_PER_HUB * prepared.shrunk.count
        kernel = prepared.kernelize(LARGEST_WIDTH, work)
        stats = {**kernel.sizes, "width": width}
        if kernel.core.hubs:
            reason = f"more than {work} pairs of states for width {width}"
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        states = _best_states(kernel)
        if states is None:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        witness = read_witness(kernel.core.graph, kernel.lift(Choice((), (), states=states)))
        if not instance.optimises:
            return Finding(Status.SATISFIABLE, witness, stats=stats)
        assert witness.objective == _value(kernel, states)  # noqa: S101
        return Finding(Status.OPTIMAL, witness, stats=stats)


def _best_states(kernel: Kernel) -> list[State] | None:
    """Return the best state of the table that is left, if any; None if no state is feasible."""
    core, graph = kernel.core, kernel.core.graph
    most = core.ends
    if not core.feasible or (graph.most_ends is not None and most < 0):
        return None
    if not core.parts:
        return []
    (_, part), *_ = core.parts
    if graph.most_ends is None:
        return [min(part.table.states, key=lambda state: state[1])]
    states = [state for state in part.table.states if state[1][0] <= most]

    def left_out(state: State) -> tuple[int, int]:
        """Return the cards not played, less the lonely ones that wild cards join, and the ends."""
        ends, left_out = state[1]
        joined = min(graph.lonely, (most - ends) // 2) if graph.wilds else 0
        return left_out - joined, ends

    return [min(states, key=left_out)] if states else None


def _value(kernel: Kernel, states: Sequence[State]) -> int:
    """Return the objective of the best state: the number of cards added, or of cards played."""
    core, graph = kernel.core, kernel.core.graph
    ends, left_out = states[0][1] if states else (0, 0)
    if graph.instance.whole:
        return max(0, -((core.ends - ends) // 2))
    if not graph.hubs and not graph.wilds and graph.after_hubs is None:
        return min(1, len(graph.cards))
    joined = min(graph.lonely, (core.ends - ends) // 2) if graph.wilds else 0
    played = len(graph.cards) - graph.lonely - core.left_out - left_out
    return played + joined + len(graph.wilds)


ALGORITHM = Width()
