"""The successor viewpoint: which card is played right after which.

A playing sequence is a Hamiltonian circuit through the cards and one extra node, which stands for
the discard pile before the first and after the last card.
"""

from dataclasses import dataclass

from uno_csp.cards import Card, matches, neighbours
from uno_csp.instances import Instance
from uno_csp.modeling import Assignment, Circuit, Encoded, Model


@dataclass(frozen=True, slots=True)
class Arcs:
    """The cards, and the arcs by variable number minus one; node 0 is the pile, i is card i - 1."""

    cards: tuple[Card, ...]
    tails: tuple[int, ...]
    heads: tuple[int, ...]


class SuccessorEncoder:
    """One circuit over the ordered matching pairs, for ``uno-1``.

    Variables
    ---------
    s[u, v]
        Card v is played right after card u, for every ordered pair of matching cards; the pile is
        a node that every card may precede, and follow if it matches ``after``. With M matching
        pairs among n cards these are 2M + 2n variables, fewer with ``after``.

    Constraints
    -----------
    The chosen arcs are one circuit. Hands with every kind of wild card are accepted, because only
    the relation of matching is looked at.
    """

    name = "successor"

    def accepts(self, instance: Instance) -> str | None:
        """Every hand is accepted."""
        del instance
        return None

    def encode(self, instance: Instance) -> Encoded[Arcs]:
        """Write the model; a hand without cards gives an empty one.

        Examples
        --------
        >>> from uno_csp.instances import Uno1
        >>> encoded = SuccessorEncoder().encode(Uno1((("red", 5), ("red", 7))))
        >>> list(zip(encoded.data.tails, encoded.data.heads))
        [(0, 1), (1, 0), (1, 2), (0, 2), (2, 0), (2, 1)]
        """
        cards = instance.cards
        tails: list[int] = []
        heads: list[int] = []
        for card, others in enumerate(neighbours(cards, instance.at_least), start=1):
            opens = instance.after is None or matches(
                instance.after, cards[card - 1], instance.at_least
            )
            if opens:
                tails.append(0)
                heads.append(card)
            tails += [card] * (len(others) + 1)
            heads += [0, *(other + 1 for other in others)]
        model = Model()
        if cards:
            model.add_global(Circuit(len(cards) + 1, tails, heads, model.new_vars(len(tails))))
        return Encoded(model, Arcs(cards, tuple(tails), tuple(heads)))

    def decode(self, encoded: Encoded[Arcs], assignment: Assignment) -> tuple[Card, ...]:
        """Follow the chosen arcs from the pile back to it."""
        arcs = encoded.data
        following = {
            tail: head
            for var, (tail, head) in enumerate(zip(arcs.tails, arcs.heads, strict=True), start=1)
            if assignment[var]
        }
        sequence = []
        node = following.get(0, 0)
        while node != 0:
            sequence.append(arcs.cards[node - 1])
            node = following[node]
        return tuple(sequence)


ENCODER = SuccessorEncoder()
