"""Base of the searches for a sequence of the whole hand, and what a sequence found tells."""

from collections.abc import Mapping
from typing import Any

from uno_csp.modeling import Algorithm, Finding, Proof
from uno_csp.questions import FillIn, HandQuestion, Longest, Uno1
from uno_csp.questions.answers import Status, Witness


class SequenceSearch(Algorithm[HandQuestion]):
    """A quick search that proves only a yes, for hands without a supply."""

    takes = (Uno1, Longest, FillIn)
    proves = Proof.YES_ONLY
    gives_up = True
    gains_by_reductions = False


def finding_of(
    instance: HandQuestion, witness: Witness, reason: str, stats: Mapping[str, Any] | None = None
) -> Finding:
    """Return a yes, an optimum if no value can be better, or UNKNOWN with the reason."""
    known = stats or {}
    if not instance.optimises:
        return Finding(Status.SATISFIABLE, witness, stats=known)
    best = 0 if instance.whole else len(instance.cards)
    if witness.objective == best:
        return Finding(Status.OPTIMAL, witness, stats=known, bound=best)
    return Finding(Status.UNKNOWN, witness, reason, known, best)
