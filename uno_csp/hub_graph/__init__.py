"""The hub graph of a hand, its kernel, and the sequences that trails on it represent.

A question about one hand is a question about trails on a small graph (see ``hub-trail``). This
package builds the graph, reduces it exactly to a kernel, and reads trails as sequences.
"""

from uno_csp.hub_graph.choices import Choice, read_witness
from uno_csp.hub_graph.elimination import Part
from uno_csp.hub_graph.graph import HubGraph, build_hub_graph, hub_graph_refusal, trail_refusal
from uno_csp.hub_graph.kernel import Chosen, Core, Kernel, identity_kernel, kernelize, prepare
from uno_csp.hub_graph.long_paths import cards_along_a_path
from uno_csp.hub_graph.pairs import pairs_of_cards
from uno_csp.hub_graph.tables import ABSENT, ANCHORED, BLOCK, ODD, Row

__all__ = [
    "ABSENT",
    "ANCHORED",
    "BLOCK",
    "ODD",
    "Choice",
    "Chosen",
    "Core",
    "HubGraph",
    "Kernel",
    "Part",
    "Row",
    "build_hub_graph",
    "cards_along_a_path",
    "hub_graph_refusal",
    "identity_kernel",
    "kernelize",
    "pairs_of_cards",
    "prepare",
    "read_witness",
    "trail_refusal",
]
