"""One-hand UNO by closed trails only: large sparse hands that can be played are found soon.

A trail that ends where it began leaves no hub odd. Asked for such a trail only, a solver is rid of
the choice where the two ends are, and of the hubs it could visit without walking on: on the hands
of random cubic graphs an answer comes several times sooner, and with few components that are left
to join. Where only open trails will do, as on a path, this finds nothing, and so it runs beside
``hub-trail`` and not in its place.
"""

from collections.abc import Iterator
from operator import itemgetter

from uno_csp.answers import Witness
from uno_csp.cards import is_universal
from uno_csp.encodings._trail_model import TrailModel
from uno_csp.encodings._trail_words import meanings
from uno_csp.encodings._trails import Trails
from uno_csp.hub_graph import Kernel, condense, draw, undrawable, whole
from uno_csp.modeling import Assignment, Encoded, Encoder, Proof
from uno_csp.questions import Uno1

MANY_CARDS, FEW_CARDS_A_VALUE = 5000, 2
"""From so many cards on it runs beside the exact encoding, if the hand is so sparse: in a dense
one trails are found at once."""


class ClosedTrailEncoder(Encoder[Uno1, Trails]):
    """Closed dominating trails on the hubs, for ``uno-1``; proves a yes only.

    Variables and constraints are those of ``hub-trail``, but no hub is odd, and something is
    walked at every visited hub. What a kernel has settled may hold the ends of an open trail.
    """

    name = "closed-trail"
    takes = (Uno1,)
    proves = Proof.YES_ONLY

    def declines(self, instance: Uno1) -> str | None:
        """Where sequences are joined or begin with a given card, other trails are the rule."""
        if instance.after is not None:
            return "a sequence that follows a card is an open trail; 'hub-trail' takes it"
        if any(is_universal(card, instance.at_least) for card in instance.cards):
            return "wild cards join open trails; 'hub-trail' takes them"
        return undrawable(instance)

    def accompanies(self, instance: Uno1) -> bool:
        """Beside others where the hand is large and sparse."""
        if len(instance.cards) < MANY_CARDS:
            return False
        places = range(instance.dimension)
        values = sum(len(set(map(itemgetter(place), instance.cards))) for place in places)
        return len(instance.cards) < FEW_CARDS_A_VALUE * values

    def encode(self, instance: Uno1) -> Encoded[Trails]:
        """Write the model.

        Examples
        --------
        Four cards around a square are a closed trail; three of them are none.

        >>> from uno_csp.backends.pysat import BACKENDS
        >>> from uno_csp.modeling import relax
        >>> square = (("red", 1), ("red", 2), ("blue", 2), ("blue", 1))
        >>> for hand in (square, square[:3]):
        ...     model = ClosedTrailEncoder().encode(Uno1(hand)).model
        ...     print(BACKENDS[0].open(relax(model)).solve().status)
        SATISFIABLE
        UNSATISFIABLE
        """
        return _write(whole(draw(instance)))

    def condensed(self, instance: Uno1, *, bounding: bool) -> Encoded[Trails]:
        """Write the model of the kernel."""
        return _write(condense(draw(instance), bounding=bounding))

    def decode(self, encoded: Encoded[Trails], assignment: Assignment) -> Witness:
        """Read the trail as a sequence of cards."""
        return encoded.data.read(assignment)

    def meanings(self, encoded: Encoded[Trails]) -> Iterator[tuple[int, str]]:
        """Every variable but what says that one of some rows is taken."""
        return meanings(encoded.data.kernel.core, encoded.data.trail)


def _write(kernel: Kernel) -> Encoded[Trails]:
    write = TrailModel(kernel.core)
    write.cover_cards()
    trail = write.trails()
    write.model.add_clauses((-odd,) for odd in trail.odd.values())
    odd = set(trail.odd.values())
    in_parts = [term for term in write.ends_of(trail) if term[1] not in odd]
    write.at_most(in_parts, write.free_ends)
    write.leave_none_alone()
    write.connect()
    if not kernel.core.feasible:
        write.model.add_clause()
    return Encoded(write.model, Trails(kernel, trail), kernel.sizes)


ENCODER = ClosedTrailEncoder()
