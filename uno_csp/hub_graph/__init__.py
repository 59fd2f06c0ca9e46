"""The hub graph of a hand, its kernel, and the sequences that trails on it represent.

A question about one hand is a question about trails on a small graph (see ``hub-trail``). This
package builds the graph, reduces it exactly to a kernel, and reads trails as sequences.
"""

from uno_csp.hub_graph.choices import Choice as Choice
from uno_csp.hub_graph.choices import read_witness as read_witness
from uno_csp.hub_graph.elimination import Part as Part
from uno_csp.hub_graph.graph import HubGraph as HubGraph
from uno_csp.hub_graph.graph import build_hub_graph as build_hub_graph
from uno_csp.hub_graph.graph import hub_graph_refusal as hub_graph_refusal
from uno_csp.hub_graph.graph import trail_refusal as trail_refusal
from uno_csp.hub_graph.kernel import Core as Core
from uno_csp.hub_graph.kernel import Kernel as Kernel
from uno_csp.hub_graph.kernel import identity_kernel as identity_kernel
from uno_csp.hub_graph.kernel import kernelize as kernelize
from uno_csp.hub_graph.kernel import prepare as prepare
from uno_csp.hub_graph.long_paths import cards_along_a_path as cards_along_a_path
from uno_csp.hub_graph.pairs import pairs_of_cards as pairs_of_cards
from uno_csp.hub_graph.tables import ABSENT as ABSENT
from uno_csp.hub_graph.tables import ANCHORED as ANCHORED
from uno_csp.hub_graph.tables import BLOCK as BLOCK
from uno_csp.hub_graph.tables import ODD as ODD
from uno_csp.hub_graph.tables import State as State
