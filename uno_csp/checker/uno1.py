"""``uno-1``: the whole hand in one feasible sequence."""

from uno_csp.checker.claims import Violation, witness_violations
from uno_csp.checker.sequences import sequence_violations
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Answer

question = "uno-1"
PARTS = {"sequence"}


def violations(instance: Uno1, answer: Answer) -> list[Violation]:
    """Check that the sequence is feasible and has every card of the hand once."""
    found = witness_violations(answer, "sequence")
    if found or answer.sequence is None:
        return found
    return sequence_violations(instance, answer)
