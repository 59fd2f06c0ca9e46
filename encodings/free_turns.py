"""Cooperative play as a directed trail on which players may be skipped: a relaxation.

After every card any player may be next, on a condition that every play fulfils: each player skipped
in between plays, at some time, all their cards that match it. The model leaves out that these must
be played *before*. So a no of this model is a no. A yes is a set of ways into and out of cards; if
they can be walked in an order in which every skip is legal, this is a play.

If cards wait for one another there is no such order. Cuts exclude such assignments, and are added
one after another (:mod:`~uno_csp.encodings._waiting_order`); they do not exclude every assignment
that cannot be walked.

Few skips are easier to order than many, so the number of skips guides the search: first none,
which is ``hub-turns``, then few, then more.
"""

import random
from collections import Counter, defaultdict

from uno_csp.encodings._turn_graph import TurnGraph, TurnGraphEncoder, TurnGraphWriter
from uno_csp.encodings._waiting_order import OrderCuts
from uno_csp.modeling import Assignment, Encoded, Objective, Proof, Separator
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Witness

TRIES = 20  # number of random walks tried on the ways of one assignment


class FreeTurnsEncoder(TurnGraphEncoder):
    """Balanced directed trails with conditional skips, for ``cooperative``; proves only a no.

    Variables
    ---------
    p, i, o, f, l, y
        As in ``hub-turns``, with ways out to every player who holds a match at the start.
    n[e, q]
        Player q is not skipped after card e.
    a[h, q, z]
        Player z is skipped after some card of player q on hub h.

    Constraints
    -----------
    As in ``hub-turns``; who is skipped plays all their cards that match; two players are not both
    skipped after each other's cards on one hub. The number of skips is the search objective: it
    is no part of the question, but says where to look first.
    """

    name = "free-turns"
    proves = Proof.NO_ONLY

    def encode(self, instance: Cooperative) -> Encoded[TurnGraph]:
        """Write the model."""
        writer = TurnGraphWriter(instance, free=True)
        model = writer.write()
        skips = [-waiting for waiting, _ in writer.graph.waits.values()]
        model.search_objective = Objective([1] * len(skips), skips)
        return Encoded(model, writer.graph)

    def decode(self, encoded: Encoded[TurnGraph], assignment: Assignment) -> Witness | None:
        """Return a play along the ways, or None if no order was found that makes skips legal."""
        graph = encoded.data
        walks = _Walks(graph, assignment)
        order = walks.in_order(random.Random(0))
        return None if order is None else graph.witness(order)

    def separator(self, encoded: Encoded[TurnGraph]) -> Separator:
        """Return the finder of cuts against cards that wait for one another."""
        return OrderCuts(encoded.data)


class _Walks:
    """Random walks along the ways of one assignment; a card comes after all those it needs."""

    def __init__(self, graph: TurnGraph, assignment: Assignment) -> None:
        self.coming, self.going, self.first, self.last = graph.ways(assignment)
        self.played = {card for card, var in enumerate(graph.played) if assignment[var]}
        self.needed: defaultdict[int, set[int]] = defaultdict(set)
        for (card, _), (waiting, held) in graph.waits.items():
            if card in self.played and card != self.last and not assignment[waiting]:
                self.needed[card].update(held)
        self.awaited = Counter(card for held in self.needed.values() for card in held)

    def in_order(self, order: random.Random) -> list[int] | None:
        """Return an order in which every card comes after those it needs, or None."""
        if self.needed[self.first]:
            return None
        for _ in range(TRIES):
            walk = self._walk(order)
            if len(walk) == len(self.played):
                return walk
        return None

    def _walk(self, order: random.Random) -> list[int]:
        """Return one walk: awaited cards early, waiting cards late, no card cut off."""
        waiting: defaultdict[int, set[int]] = defaultdict(set)
        for card, node in self.coming.items():
            waiting[node].add(card)
        done = {self.first}
        walk = [self.first]
        while walk[-1] != self.last:
            here = waiting[self.going[walk[-1]]]
            ready = [
                card
                for card in here
                if self.needed[card] <= done
                and (card != self.last or len(walk) == len(self.played) - 1)
            ]
            rank = {
                card: (bool(self.needed[card]), 3 * order.random() - self.awaited[card])
                for card in ready
            }
            ready.sort(key=rank.__getitem__)
            left = len(self.played) - len(walk) - 1
            chosen = next((card for card in ready if self._reaches(card, left, waiting)), None)
            if chosen is None:
                break
            here.discard(chosen)
            done.add(chosen)
            walk.append(chosen)
        return walk

    def _reaches(self, card: int, left: int, waiting: dict[int, set[int]]) -> bool:
        """Return True if all cards that are left stay reachable once this one is played."""
        if left == 0:
            return True
        start = self.going[card]
        seen, stack, count = {start}, [start], 0
        while stack:
            for other in waiting[stack.pop()]:
                if other != card:
                    count += 1
                    following = self.going.get(other, start)
                    if following not in seen:
                        seen.add(following)
                        stack.append(following)
        return count == left


ENCODER = FreeTurnsEncoder()
