"""One-trees: fill-in as a shortest Hamiltonian path, bounded by spanning trees.

Without a supply, the fewest added cards are the least length of a path through the hand, where two
cards are as far apart as the number of cards that must be added between them. A path is a spanning
tree, so a minimum spanning tree is a lower bound. A price on each card, added to the lengths of its
edges and taken off for its two ends on a path, leaves the order of the paths but changes the tree;
subgradient steps look for prices with which the tree is nearly a path (Held and Karp 1970, 1971;
with a node that joins the two ends, the tree is a 1-tree). Prices are integers, and so are all
sums: no bound is rounded.

Paths are found by rotations among cards that match, then by 2-opt moves and exchanged segments on
the order of these pieces and on that of single cards (:mod:`uno_csp.hub_graph.chain_search`).
"""

from collections.abc import Sequence

from uno_csp.algorithms.walks import ALGORITHM as WALKS
from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.hub_graph.chains import filled
from uno_csp.hub_graph.incidence import incidence
from uno_csp.hub_graph.levels import MOST_HUBS, fixed_coordinates, hubs_on_all_levels
from uno_csp.modeling import Algorithm, Finding
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import FillIn
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import Card, piled, some_wild

MOST_COMPARED = 2000  # largest hand of which all pairs of cards are compared


class OneTrees(Algorithm[FillIn]):
    """Short paths through the hand, bounded by spanning trees."""

    name = "one-trees"
    takes = (FillIn,)
    gives_up = True
    gains_by_reductions = False

    def declines(self, instance: FillIn) -> str | None:
        """Return a reason if there is a supply, if no card can be added, or if pairs are many."""
        if instance.supply is not None:
            return "it does not support a supply"
        if instance.at_least == instance.dimension:
            return "no card can be added between two that differ"
        if len(instance.cards) > MOST_COMPARED and not _has_hubs(instance.cards, instance):
            return f"it compares all pairs of up to {MOST_COMPARED} cards"
        return None

    def run_until(self, instance: FillIn, deadline: Deadline) -> Finding:
        """Return the fewest added cards, or UNKNOWN with those that were found and a bound."""
        nodes = (*instance.cards, *piled(instance.after, instance.at_least))
        bound = _tree_by_hubs(nodes, instance.at_least) if _has_hubs(nodes, instance) else 0
        if len(nodes) > MOST_COMPARED:
            witness = WALKS.run(instance).witness
        elif len(nodes) < 2:
            witness = Witness(instance.cards, added=(), objective=0)
        else:
            witness, bound = _compare(instance, nodes, bound, deadline)
        if witness is not None and witness.objective == bound:
            return Finding(Status.OPTIMAL, witness, bound=bound)
        reason = "the shortest path found is longer than the best tree"
        return Finding(Status.UNKNOWN, witness, reason, bound=bound)


def _has_hubs(cards: Sequence[Card], instance: FillIn) -> bool:
    """Return True if a spanning tree can be found by the hubs of the cards."""
    hubs = hubs_on_all_levels(instance.dimension, instance.at_least)
    return hubs <= MOST_HUBS and not some_wild(cards)


def _tree_by_hubs(cards: Sequence[Card], at_least: int) -> int:
    """Return the length of a minimum spanning tree, in time linear in the hubs (Kruskal 1956).

    Cards whose distance is at most j are joined by the hubs of the levels up to j; the tree has an
    edge longer than that for each component but one.
    """
    total, sets = 0, DisjointSets(len(cards))
    levels = fixed_coordinates(len(cards[0]), at_least)[:-1] if cards else ()
    for fixed in levels:
        for column in incidence(tuple(cards), fixed).columns:
            first: dict[int, int] = {}
            sets.unite_all((first.setdefault(hub, card), card) for card, hub in enumerate(column))
        longer = len(set(map(sets.find, range(len(cards))))) - 1
        if longer == 0:
            break
        total += longer
    return total


def _compare(
    instance: FillIn, nodes: Sequence[Card], bound: int, deadline: Deadline
) -> tuple[Witness, int]:
    """Return a short path by the distances of all pairs, as a witness, and a bound."""
    from uno_csp.algorithms._priced_trees import short_path  # numpy loads slowly
    from uno_csp.hub_graph.chain_search import joining_costs

    k, size = instance.at_least, len(instance.cards)
    first = None if len(nodes) == size else size
    path, bound = short_path(joining_costs(nodes, k), first, bound, deadline)
    return filled([nodes[at] for at in path if at < size], k, instance.after), bound


ALGORITHM = OneTrees()
