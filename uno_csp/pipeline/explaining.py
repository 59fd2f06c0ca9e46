"""Why an answer is what it is, in plain words."""

from uno_csp.formats import Answer, Status
from uno_csp.questions import Instance
from uno_csp.reductions import known_bound

_BY_SEARCH = "this was proved by search; no reason that can be told in a few words is known"


def explain(instance: Instance, answer: Answer) -> list[str]:
    """Lines for people: the answer, and the reason for it where there is one that can be read.

    For a no: groups of cards with nothing in common, dead ends, too little help, a matching. For an
    optimum: the bound that meets it, where that is one of these. Where none is known, that is said.
    """
    if answer.status is Status.OPTIMAL:
        return _optimum(instance, answer)
    headline = {
        Status.SATISFIABLE: "yes",
        Status.UNSATISFIABLE: "no",
        Status.OPTIMAL: "optimal",
        Status.UNKNOWN: "unknown",
    }[answer.status]
    if answer.reason:
        return [f"{headline}: {answer.reason}"]
    if answer.status is Status.UNSATISFIABLE:
        return [f"{headline}: {_BY_SEARCH}"]
    if answer.status is Status.SATISFIABLE:
        chief = instance.shows[0]
        if getattr(answer.witness, chief) is None:
            return [f"{headline}: {_BY_SEARCH}"]
        return [f"{headline}: the {chief} that solve prints shows it"]
    return [headline]


def _optimum(instance: Instance, answer: Answer) -> list[str]:
    value = answer.objective or 0
    found = f"optimal: the sequence that solve prints has the value {value}"
    if value == known_bound(instance):
        return [f"{found}, {instance.why_best(value)}"]
    return [f"{found}; that there is no better one was proved by search"]
