"""Rotations of a sequence of cards: finds one in many hands at once, and never proves a no."""

from uno_csp.graph_tools.rotations import Sought, rotated
from uno_csp.modeling import Algorithm, Finding, Proof
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import neighbours

STEPS, STEPS_PER_MATCH = 1_000_000, 100
"""Maximum number of steps: a constant, and per pair of matching cards."""

MANY_CARDS = 10_000
"""Maximum number of cards, of which all pairs may match."""


class Rotations(Algorithm[Uno1]):
    """A sequence of all cards by rotations and extensions in the graph of matching cards.

    The sequence grows at its end, by the card with the fewest matches left. Where none matches, a
    card of the sequence that matches the last one turns round what lies behind it (Pósa 1976;
    Angluin and Valiant 1979).
    """

    name = "rotations"
    takes = (Uno1,)
    gives_up = True
    proves = Proof.YES_ONLY

    def declines(self, instance: Uno1) -> str | None:
        """Return a reason if the sequence has to follow a card, or there are too many cards."""
        if instance.after is not None:
            return "it does not support a card on the pile"
        if instance.size > MANY_CARDS:
            return f"it takes up to {MANY_CARDS:,} cards; here are {instance.size:,}"
        return None

    def run(self, instance: Uno1) -> Finding:
        """Return a sequence, or UNKNOWN."""
        return self.run_until(instance, NEVER)

    def run_until(self, instance: Uno1, deadline: Deadline) -> Finding:
        """Return a sequence, or UNKNOWN at the deadline or after a number of steps."""
        cards = instance.cards
        if not cards:
            return Finding(Status.SATISFIABLE, Witness(()))
        near = neighbours(cards, instance.at_least)
        most = STEPS + STEPS_PER_MATCH * sum(map(len, near))
        found, path = rotated(near, Sought(), 0, most, lambda: deadline.expired)
        if not found:
            return Finding(Status.UNKNOWN, reason="rotations found no sequence, and prove nothing")
        return Finding(Status.SATISFIABLE, Witness(tuple(cards[index] for index in path)))


ALGORITHM = Rotations()
