"""What a sequence tells about a question, if a search that proves only a yes has found it."""

from collections.abc import Mapping
from typing import Any

from uno_csp.modeling import Finding
from uno_csp.questions import HandQuestion
from uno_csp.questions.answers import Status, Witness


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
