"""Cooperative play without a timetable: a directed trail on (hub, player to move).

A play in which nobody is skipped is an Eulerian walk on a graph whose nodes are a hub and the
player to move there, so there is one if the chosen arcs are balanced and connected. That needs O(n)
variables and no index of time, where the model of ``turns`` has n^2.

Skips that are known in advance fit in: when the players between q and q' hold, from the very start,
no card that matches card e, then q' is next after e. A skip that becomes possible only because
cards have been played does not fit, so a no of this model proves nothing. For two hands without
skips player 1 plays all her cards and the other exactly one fewer, which follows from the balance.
"""

from collections.abc import Iterator

from uno_csp.answers import Play, Witness
from uno_csp.encodings._turn_graph import TurnGraph, TurnGraphWriter, meanings, refusal
from uno_csp.modeling import Assignment, Encoded, Encoder, Proof
from uno_csp.questions import Cooperative
from uno_csp.trails import Edge, eulerian_walk


class HubTurnsEncoder(Encoder[Cooperative, TurnGraph]):
    """Balanced directed trails without skips, for ``cooperative``; proves a yes only.

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
    as it is entered; all is connected. Copies in one hand are in the order of their ways in.
    """

    name = "hub-turns"
    takes = (Cooperative,)
    proves = Proof.YES_ONLY

    def declines(self, instance: Cooperative) -> str | None:
        """Cards that are wild in some coordinates and yet do not match every card."""
        return refusal(instance)

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
        return Witness(plays=tuple(Play(graph.owners[i] + 1, graph.cards[i]) for i in order))

    def meanings(self, encoded: Encoded[TurnGraph]) -> Iterator[tuple[int, str]]:
        """Every variable."""
        return meanings(encoded)


ENCODER = HubTurnsEncoder()
