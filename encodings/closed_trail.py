"""One-hand UNO by closed trails only, which solves large sparse playable hands quickly.

A closed trail leaves no hub odd. If only closed trails are allowed, the solver need not choose the
two ends, nor consider visiting a hub without walking on: on the hands of random cubic graphs it
answers several times sooner, with few components left to join. Where only open trails exist, as on
a path, it finds nothing, so it runs beside ``hub-trail`` and does not replace it.
"""

from uno_csp.encodings._trail_model import TrailModel
from uno_csp.encodings._trails import TrailData, TrailEncoder
from uno_csp.hub_graph.graph import hub_graph_refusal
from uno_csp.hub_graph.kernel import Kernel
from uno_csp.modeling import Encoded, Proof
from uno_csp.questions import Uno1
from uno_csp.questions.cards import is_universal


class ClosedTrailEncoder(TrailEncoder[Uno1]):
    """Closed dominating trails on the hubs, for ``uno-1``; proves only a yes.

    Variables and constraints are those of ``hub-trail``, but no hub is odd, and every visited hub
    has a trail edge. The parts that a kernel has reduced may contain the ends of an open trail.

    Examples
    --------
    Four cards around a square form a closed trail; three of them do not.

    >>> from uno_csp.backends.pysat import BACKENDS
    >>> from uno_csp.modeling import relax
    >>> square = (("red", 1), ("red", 2), ("blue", 2), ("blue", 1))
    >>> for hand in (square, square[:3]):
    ...     model = ClosedTrailEncoder().encode(Uno1(hand)).model
    ...     print(BACKENDS[0].open(relax(model)).solve().status)
    SATISFIABLE
    UNSATISFIABLE
    """

    name = "closed-trail"
    takes = (Uno1,)
    proves = Proof.YES_ONLY

    def declines(self, instance: Uno1) -> str | None:
        """Return a reason if there is a card ``after``, a wild card, or no hub graph."""
        if instance.after is not None:
            return "a sequence that follows a card is an open trail; 'hub-trail' takes it"
        if any(is_universal(card, instance.at_least) for card in instance.cards):
            return "wild cards join open trails; 'hub-trail' takes them"
        return hub_graph_refusal(instance)

    def write(self, kernel: Kernel, *, minimising: bool = False) -> Encoded[TrailData]:
        """Write the model of a kernel."""
        del minimising
        write = TrailModel(kernel.core)
        write.cover_cards()
        write.write_trails()
        trail = write.trail
        odd = {*trail.odd.values(), *trail.single.values()}
        write.model.add_clauses((-literal,) for literal in odd)
        in_parts = [term for term in write.ends() if term[1] not in odd]
        write.at_most(in_parts, write.free_ends)
        write.leave_none_alone()
        write.connect()
        if not kernel.core.feasible:
            write.model.add_clause()
        return Encoded(write.model, TrailData(kernel, trail), kernel.sizes)


ENCODER = ClosedTrailEncoder()
