"""Find answers that contradict one another, a proved answer or the checker."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from uno_csp.experiments.records import Record
from uno_csp.experiments.runs import WRONG
from uno_csp.questions import question_types
from uno_csp.questions.answers import Status
from uno_csp.questions.wording import printable

_DECIDED = (Status.SATISFIABLE, Status.UNSATISFIABLE, Status.OPTIMAL)


def contradictions(records: Sequence[Record]) -> list[str]:
    """Return all contradictions, one printable line each."""
    found = [
        f"{record['instance']['name']}: {record['combination']}: {record['reason']}"
        for record in records
        if record["category"] == WRONG
    ]
    by_instance: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_instance[record["instance"]["id"]].append(record)
    for group in by_instance.values():
        found += _between(group)
    return list(map(printable, found))


def _between(records: Sequence[Record]) -> Iterator[str]:
    name = records[0]["instance"]["name"]
    answers: dict[tuple[str, int | None], str] = {}
    for record in records:
        if record.get("status") in _DECIDED:
            key = (record["status"], record.get("objective"))
            answers.setdefault(key, record["combination"])
    if len(answers) > 1:
        listed = "; ".join(
            f"{status} {'' if value is None else value} by {who}".replace("  ", " ")
            for (status, value), who in answers.items()
        )
        yield f"{name}: {listed}"
    sign = question_types()[records[0]["instance"]["question"]].sense.sign
    values = [(sign * r["objective"], r) for r in records if r.get("objective") is not None]
    bounds = [(sign * r["bound"], r) for r in records if r.get("bound") is not None]
    if not values or not bounds:
        return
    value, finder = min(values, key=_first)
    bound, prover = max(bounds, key=_first)
    if value < bound:
        yield (
            f"{name}: {finder['combination']} found {sign * value}, and {prover['combination']} "
            f"proved that {sign * bound} is a bound"
        )


def _first(pair: tuple[int, Record]) -> int:
    return pair[0]
