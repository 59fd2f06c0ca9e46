"""Cooperative play without time steps: a directed trail on (hub, player to move).

A play in which nobody is skipped is an Eulerian walk on a graph whose nodes are pairs of a hub and
the player to move, so there is one if the chosen arcs are balanced and connected. This takes O(n)
variables and no time index, where the model of ``turns`` takes n^2.

Skips known in advance are covered: if the players between q and q' hold no card that matches card e
from the start, then q' is next after e. A skip that becomes possible only because cards have been
played is not, so a no of this model proves nothing. With two hands and no skips, player 1 plays all
her cards and the other exactly one fewer, which follows from the balance.
"""

from uno_csp.encodings._turn_graph import TurnGraph, TurnGraphEncoder, TurnGraphWriter
from uno_csp.graph_tools.trails import Edge, eulerian_walk
from uno_csp.modeling import Assignment, Encoded, Proof
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Witness


class HubTurnsEncoder(TurnGraphEncoder):
    """Balanced directed trails without skips, for ``cooperative``; proves only a yes.

    Variables
    ---------
    p[e]
        Card e is played.
    i[e, v], o[e, v]
        Card e picks up the turn at node v = (hub, its player), and hands it on at node v = (hub,
        the next player).
    f[e], l[e]
        Card e is the first, or the last.
    y[v]
        Node v is passed.

    Constraints
    -----------
    Player 1 plays all her cards, every other player keeps one; a played card is entered or first,
    and left or last; one card is first and one, of player 1, is last; every node is left as often
    as it is entered; all is connected. Copies in one hand are ordered by their ways in.
    """

    name = "hub-turns"
    proves = Proof.YES_ONLY

    def encode(self, instance: Cooperative) -> Encoded[TurnGraph]:
        """Write the model."""
        writer = TurnGraphWriter(instance, free=False)
        return Encoded(writer.write(), writer.graph)

    def decode(self, encoded: Encoded[TurnGraph], assignment: Assignment) -> Witness:
        """Walk along the arcs from the first card to the last."""
        graph = encoded.data
        coming, going, first, _ = graph.ways(assignment)
        arcs: list[Edge] = [(node, card, card) for card, node in coming.items()]
        arcs += [(card, node, -1) for card, node in going.items()]
        order = [first, *(label for label, _ in eulerian_walk(arcs, first) if label >= 0)]
        return graph.witness(order)


ENCODER = HubTurnsEncoder()
