"""Why an answer is what it is, in plain words."""

from collections.abc import Mapping
from typing import Any

from uno_csp.answers import Answer, Status, require_answer
from uno_csp.questions import Instance, require_question
from uno_csp.reductions import known_bound

_NO_WORDS = "no reason that can be told in a few words is known"


def explain(instance: Instance, answer: Answer) -> list[str]:
    """Lines for people: the answer, and the reason for it where there is one that can be read.

    For a no: groups of cards with nothing in common, dead ends, too little help, a matching. For an
    optimum: the bound that meets it, where that is one of these. Where none is known, that is said.
    Then what its certificate shows, if it has one; and how large the graph of the hand is, and the
    kernel of it that had to be searched.
    """
    require_question(instance)
    require_answer(answer)
    return [*_reason(instance, answer), *_shown(answer), *_searched(answer)]


def _shown(answer: Answer) -> list[str]:
    """What its certificate says, if it has one."""
    certificate = answer.certificate or {}
    told = answer.reason and certificate.get("kind") in ("groups", "pairs")
    if "reason" not in certificate or told:
        return []
    checked = certificate.get("checked_by")
    return [f"proof: {certificate['reason']}" + (f"; checked by {checked}" if checked else "")]


def _searched(answer: Answer) -> list[str]:
    """What was settled before the search, if the method tells."""
    stats = answer.stats
    if "kernel_hubs" not in stats:
        return []
    graph = f"the graph of the hand has {_count(stats, 'hubs')} and {_count(stats, 'cards')}"
    if stats["kernel_hubs"] == stats["hubs"]:
        return [f"{graph}, all of which were searched"]
    if not stats["kernel_hubs"]:
        return [f"{graph}, all of which tables sum up"]
    left = f"{_count(stats, 'kernel_hubs')} and {_count(stats, 'kernel_cards')}"
    tables = ""
    if stats["kernel_parts"]:
        parts, rows = _count(stats, "kernel_parts"), _count(stats, "kernel_rows")
        tables = f" beside {parts} that are summed up in {rows}"
    return [f"{graph}; searched was a kernel of {left}{tables}"]


def _means(answer: Answer) -> str:
    """What proved it."""
    return "tables of its parts" if answer.stats.get("kernel_hubs") == 0 else "search"


def _count(stats: Mapping[str, Any], name: str) -> str:
    """A number and what it counts."""
    count, what = stats[name], name.removeprefix("kernel_")
    return f"{count:,} {what.removesuffix('s') if count == 1 else what}"


def _reason(instance: Instance, answer: Answer) -> list[str]:
    """The answer, and the reason for it where there is one that can be read."""
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
    unexplained = f"{headline}: this was proved by {_means(answer)}; {_NO_WORDS}"
    if answer.status is Status.UNSATISFIABLE:
        return [unexplained]
    if answer.status is Status.SATISFIABLE:
        chief = instance.shows[0]
        if getattr(answer.witness, chief) is None:
            return [unexplained]
        return [f"{headline}: the {chief} that solve prints shows it"]
    return [headline]


def _optimum(instance: Instance, answer: Answer) -> list[str]:
    value = answer.objective or 0
    found = f"optimal: the sequence that solve prints has the value {value}"
    if value == known_bound(instance):
        return [f"{found}, {instance.why_best(value)}"]
    return [f"{found}; that there is no better one was proved by {_means(answer)}"]
