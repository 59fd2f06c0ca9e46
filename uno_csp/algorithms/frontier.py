"""Dynamic programming along the frontier of the graph of matching cards.

The cards leave one by one, in an order in which few others have neighbours that have left: these
are the *frontier*, and :mod:`~uno_csp.graph_tools.mate_tables` has the states of it. So graphs of
small pathwidth, such as flower snarks, generalised Petersen graphs and narrow grids, are decided in
time linear in their size, where solvers enumerate partitions into cycles.
"""

from uno_csp.graph_tools.mate_tables import Effort, cover_along, narrow_order, width_along
from uno_csp.graph_tools.pieces import paths_of
from uno_csp.hub_graph.choices import join_pieces
from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import apart, neighbours

LARGEST_WIDTH = 16  # maximum number of cards on the frontier

MOST_STATES = 200_000_000
"""Maximum number of pairs of states that are joined; a state is joined with the two of an edge."""

KEPT_STATES = 2_000_000
"""Number of such pairs after which the states are not kept to read a sequence."""


class Frontier(Algorithm[Uno1]):
    """Fewest paths that cover the graph of matching cards, by states of its frontier."""

    name = "frontier"
    takes = (Uno1,)
    gives_up = True

    def declines(self, instance: Uno1) -> str | None:
        """Return a reason if the sequence has to follow a card."""
        return None if instance.after is None else "it does not support a card on the pile"

    def run(self, instance: Uno1) -> Finding:
        """Return the answer, or UNKNOWN with the width or the number of states."""
        cards, wilds = apart(instance.cards, instance.at_least)
        near = neighbours(cards, instance.at_least)
        order = narrow_order(near)
        stats = {"width": width_along(near, order)}
        if stats["width"] > LARGEST_WIDTH:
            reason = f"{stats['width']} cards are on the frontier, more than {LARGEST_WIDTH}"
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        effort = Effort(pairs=MOST_STATES, kept=KEPT_STATES)
        covered, edges = cover_along(near, order, 2 * (len(wilds) + 1), effort)
        stats["states"] = MOST_STATES - effort.pairs
        if covered is None:
            reason = f"the frontier has more than {MOST_STATES} states"
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        if not covered:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        if edges is None:
            reason = (
                f"there is a sequence, but more than {KEPT_STATES} states are not kept to read it"
            )
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        paths = paths_of(range(len(cards)), edges)
        sequence = join_pieces([[cards[index] for index in path] for path in paths], wilds)
        return Finding(Status.SATISFIABLE, Witness(sequence), stats=stats)


ALGORITHM = Frontier()
