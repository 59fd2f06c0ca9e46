"""The textbook viewpoint: which card is played at which position.

Easy to read and to trust, but the slowest: n^2 variables and much symmetry. It is the baseline
against which the others are measured and verified.
"""

from collections.abc import Iterator, Sequence
from itertools import compress, product
from typing import TYPE_CHECKING

from uno_csp.modeling import Assignment, Block, Encoded, Encoder, Model
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card, matches, neighbours, previous_copies
from uno_csp.questions.wording import describe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PositionEncoder(Encoder[Uno1, tuple[Card, ...]]):
    """Card x position, for ``uno-1``; only the cards are needed to decode an assignment.

    Variables
    ---------
    x[e, p]
        Card e is played at position p: for n cards n^2 variables, with the numbers n e + p + 1.

    Constraints
    -----------
    Every card has one position and every position one card (2n equations); the card at p matches
    the next one and the previous one (2n(n - 1) clauses); cards that do not match ``after`` are not
    first (a unit clause each); copies are played in order (n clauses for each further copy).
    """

    name = "position"
    takes = (Uno1,)

    def encode(self, instance: Uno1) -> Encoded[tuple[Card, ...]]:
        """Write the model.

        Examples
        --------
        >>> from uno_csp.questions import Uno1
        >>> model = PositionEncoder().encode(Uno1((("red", 5), ("red", 7)))).model
        >>> model.num_vars, len(model.linears), model.clauses
        (4, 4, [[-1, 4], [-2, 3], [-3, 2], [-4, 1]])
        """
        cards = instance.cards
        n = len(cards)
        model = Model()
        x = model.new_vars(n * n)
        for i in range(n):
            model.exactly(x[i * n : (i + 1) * n], 1)
            model.exactly(x[i::n], 1)
        near = neighbours(cards, instance.at_least)
        model.add_block(Block(2 * n * (n - 1), _between_neighbours, (near,)))
        if instance.after is not None:
            for card, value in enumerate(cards):
                if not matches(instance.after, value, instance.at_least):
                    model.add_clause(-(card * n + 1))
        previous = previous_copies(cards)
        further = n - previous.count(None)
        model.add_block(Block(n * further, _copies_in_order, (previous,)))
        return Encoded(model, cards)

    def decode(self, encoded: Encoded[tuple[Card, ...]], assignment: Assignment) -> Witness:
        """Return the cards in the order of their positions."""
        cards = encoded.data
        places = range(1, len(cards) + 1)
        at_each = (compress(cards, assignment[place :: len(cards)]) for place in places)
        return Witness(tuple(map(next, at_each)))

    def meanings(self, encoded: Encoded[tuple[Card, ...]]) -> Iterator[tuple[int, str]]:
        """Yield every variable with its meaning."""
        cards = encoded.data
        numbers = range(1, len(cards) + 1)
        for variable, (card, position) in enumerate(product(numbers, numbers), start=1):
            meaning = f"card {card} ({describe(cards[card - 1])}) is played at position {position}"
            yield variable, f"x[{card},{position}] {meaning}"


def _between_neighbours(near: Sequence[Sequence[int]]) -> Iterator["NDArray[np.int32]"]:
    """Yield the clauses of each card: after it comes a neighbour, and before it."""
    import numpy as np

    n = len(near)
    positions = np.arange(1, n + 1, dtype=np.int32)[:, None]
    for card, others in enumerate(near):
        here = -(card * n + positions)
        there = np.asarray(others, dtype=np.int32) * n + positions
        both = np.concatenate((here, there + 1, here, there - 1), axis=1)
        # there is no position after the last one, and none before the first
        yield np.delete(both.reshape(2 * n, -1), (1, 2 * n - 2), axis=0)


def _copies_in_order(previous: Sequence[int | None]) -> Iterator["NDArray[np.int32]"]:
    """Yield the clauses of each further copy of a card: another one is played before it."""
    import numpy as np

    n = len(previous)
    places = np.arange(n, dtype=np.int32)
    earlier = np.tri(n, k=-1, dtype=np.int32)
    for card, before in enumerate(previous):
        if before is not None:
            yield np.column_stack((-(card * n + 1 + places), (before * n + 1 + places) * earlier))


ENCODER = PositionEncoder()
