"""Fill-in where joining two cards may take several: the fewest trails, and a chain of them.

Each added card joins at most two sequences, so the least number of feasible sequences, less one, is
a bound on the number of added cards. The model is that of ``hub-trail``. The sequences that it
finds are ordered such that few cards join them, often as few as the bound says
(:mod:`uno_csp.hub_graph.chains`); where more are needed, ``priced-trail`` decides.
"""

from uno_csp.encodings.hub_trail import HubTrailEncoder
from uno_csp.hub_graph.graph import hub_graph_refusal
from uno_csp.modeling import Proof
from uno_csp.questions import FillIn, HandQuestion


class JoinedTrailsEncoder(HubTrailEncoder):
    """The fewest trails on the hubs, for ``fill-in`` without a supply; proves only a bound.

    Variables and constraints are those of ``hub-trail``.
    """

    name = "joined-trails"
    takes = (FillIn,)
    proves = Proof.NO_ONLY
    sees_dead_ends = False

    def declines(self, instance: HandQuestion) -> str | None:
        """Return a reason if 'hub-trail' is exact, if nothing can be joined, or no hub graph."""
        if instance.supply is not None or 2 * instance.at_least <= instance.dimension:
            return "one added card joins any two sequences, or none does; 'hub-trail' is exact"
        if instance.at_least == instance.dimension:
            return "no added card joins different cards; 'successor' takes it"
        return hub_graph_refusal(instance)


ENCODER = JoinedTrailsEncoder()
