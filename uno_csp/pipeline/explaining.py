"""Explanations of answers in plain words."""

from collections.abc import Mapping
from typing import Any

from uno_csp.pipeline.options import Options
from uno_csp.pipeline.planning import make_plan, prepare
from uno_csp.processes.deadline import NEVER
from uno_csp.questions import Instance, require_question
from uno_csp.questions.answers import Answer, Status, require_answer
from uno_csp.reductions import known_bound

_NO_WORDS = "no short reason is known"


def explain(instance: Instance, answer: Answer) -> list[str]:
    """Return lines of text for people: the answer, and a short reason for it if one is known.

    For a no, the reason is groups of cards that do not match, dead ends, lack of help from
    the other players, or a matching. For an optimum, it is a simple bound, if the optimum meets
    it. Further lines state what the certificate shows, if there is one, and the sizes of the hub
    graph and of the kernel that was searched.
    """
    require_question(instance)
    require_answer(answer)
    return [*_reason(instance, answer), *_show(answer), *_tell_search(answer)]


def explain_plan(instance: Instance, options: Options | None = None) -> list[str]:
    """Return lines of text for people: the row of the portfolio that applies, why, and its ways.

    Raises what :func:`uno_csp.solve` raises.
    """
    require_question(instance)
    chosen = options or Options()
    plan = make_plan(instance, chosen)
    if not plan.row.at_once:
        prepared = prepare(instance, chosen, NEVER)
        if prepared.decided is not None:
            return [f"plan: no search; decided by: {', '.join(prepared.decided.reductions)}"]
        plan = make_plan(prepared.presolved.instance, chosen)
    starts = ["at once", *(f"after {after_s:g} s of CPU time" for after_s in plan.after_s[1:])]
    ways = [
        f"{number}. {way.method}{_with(way.backend)}, {start}"
        for number, (way, start) in enumerate(zip(plan.ways, starts, strict=True), start=1)
    ]
    declined = [f"not {name}: {refusal}" for name, refusal in plan.declined.items()]
    row = plan.row
    return [f"plan: row {row.name!r}, {row.shape}", f"why: {row.why}", *ways, *declined]


def _with(backend: str | None) -> str:
    return "" if backend is None else f" with {backend}"


def _show(answer: Answer) -> list[str]:
    """Return a line on what the certificate shows, unless the reason already says it."""
    certificate = answer.certificate or {}
    stated = answer.reason and certificate.get("kind") in ("groups", "pairs")
    if "reason" not in certificate or stated:
        return []
    checked = certificate.get("checked_by")
    return [f"proof: {certificate['reason']}" + (f"; checked by {checked}" if checked else "")]


def _tell_search(answer: Answer) -> list[str]:
    """Return a line on the sizes of the hub graph and its kernel, if the method counted them."""
    stats = answer.stats
    if "pieces" in stats:
        return [f"the hand falls into {_count(stats, 'pieces')}, which were solved one by one"]
    if "kernel_hubs" not in stats:
        return []
    sizes = f"{_count(stats, 'hubs')} and {_count(stats, 'cards')}"
    graph = f"without hubs that no trail needs, the graph of the hand has {sizes}"
    if stats["kernel_hubs"] == stats["hubs"]:
        return [f"{graph}, all of which were searched"]
    if not stats["kernel_hubs"]:
        return [f"{graph}, all of which tables summed up without a search"]
    left = f"{_count(stats, 'kernel_hubs')} and {_count(stats, 'kernel_cards')}"
    tables = ""
    if stats["kernel_parts"]:
        parts, states = _count(stats, "kernel_parts"), _count(stats, "kernel_states")
        tables = f", and {parts} summed up in {states}"
    return [f"{graph}; the kernel that was searched has {left}{tables}"]


def _means(answer: Answer) -> str:
    if "sets" in answer.stats and "pieces" not in answer.stats:
        return f"a table of {_count(answer.stats, 'sets')} of cards"
    return "tables of its parts" if answer.stats.get("kernel_hubs") == 0 else "search"


def _count(stats: Mapping[str, Any], name: str) -> str:
    count, what = stats[name], name.removeprefix("kernel_")
    return f"{count:,} {what.removesuffix('s') if count == 1 else what}"


def _reason(instance: Instance, answer: Answer) -> list[str]:
    """Return a line with the answer, and a short reason for it if one is known."""
    if answer.status is Status.OPTIMAL:
        return _optimum(instance, answer)
    headline = answer.status.word.lower()
    if answer.reason:
        return [f"{headline}: {answer.reason}"]
    unexplained = f"{headline}: proved by {_means(answer)}; {_NO_WORDS}"
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
    return [f"{found}, proved optimal by {_means(answer)}"]
