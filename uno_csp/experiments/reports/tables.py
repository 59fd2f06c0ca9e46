"""The tables of a report.

Runs are aggregated only within groups: the same question, instances of the same origin (random or
structured), and the same answer. Instances with an unknown answer form their own groups (``open``).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import median
from typing import Any, TypeVar

from uno_csp.experiments.flat_records import SIZES
from uno_csp.experiments.records import Record
from uno_csp.experiments.reports.statistics import bootstrap_interval, shifted_geometric_mean
from uno_csp.experiments.runs import ANSWERED, UNAVAILABLE
from uno_csp.questions.answers import Status

ANSWERS = {
    Status.SATISFIABLE: "yes",
    Status.UNSATISFIABLE: "no",
    Status.OPTIMAL: "optimum",
    Status.UNKNOWN: "open",
}
_PROVED = (Status.UNSATISFIABLE, Status.OPTIMAL)  # statuses that need a certificate
KeyT = TypeVar("KeyT")
VIRTUAL_BEST = "virtual best"  # name of the row of the best combination of each instance
PENALTY = 2  # factor of the time limit that an unsolved run counts (PAR-2)


@dataclass(frozen=True, slots=True, order=True)
class Group:
    """A class of runs that may be aggregated in a table row or a curve."""

    question: str
    origin: str
    answer: str

    @property
    def title(self) -> str:
        """Title of the group."""
        return f"{self.question}, {self.origin}, {self.answer}"


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """A record with its group."""

    record: Record
    group: Group

    @property
    def combination(self) -> str:
        """Label of the combination."""
        return str(self.record["combination"])

    @property
    def family(self) -> str:
        """Family of the instance."""
        return str(self.record["instance"]["family"])

    @property
    def cards(self) -> int:
        """Size of the instance in cards."""
        return int(self.record.get("cards", 0))

    @property
    def started(self) -> bool:
        """False if the backend was unavailable; a declined instance counts as started, unsolved."""
        return bool(self.record["category"] != UNAVAILABLE)

    @property
    def solved(self) -> bool:
        """True if the run has an answer that was found within the time limit."""
        in_time = not self.limit_s or float(self.record.get("wall_s", 0.0)) <= self.limit_s
        return bool(self.record["category"] == ANSWERED) and in_time

    @property
    def stats(self) -> Mapping[str, Any]:
        """Sizes and counts of the run; empty if it has none."""
        return self.record.get("stats") or {}

    @property
    def certificate(self) -> Mapping[str, Any]:
        """Recorded facts about the certificate; empty if none is needed or none was requested."""
        certificate: Mapping[str, Any] = self.record.get("certificate") or {}
        return certificate if self.record.get("status") in _PROVED else {}

    @property
    def limit_s(self) -> float:
        """Wall-clock time limit in seconds."""
        return float((self.record.get("limits") or {}).get("wall_s") or 0.0)

    @property
    def cost_s(self) -> float:
        """PAR-2 cost: the seconds if solved, else the penalty."""
        return float(self.record["wall_s"]) if self.solved else PENALTY * self.limit_s


def grouped(records: Sequence[Record]) -> list[MeasuredRun]:
    """Assign each run to its group; the instance's answer is the proved or the found one."""
    answers: dict[str, str] = {}
    for record in records:
        known = (record.get("expected") or {}).get("status", Status.UNKNOWN)
        status = record.get("status") if record["category"] == ANSWERED else None
        name = ANSWERS[Status(known if status is None else status)]
        if name != ANSWERS[Status.UNKNOWN]:
            answers[record["instance"]["id"]] = name
    found = []
    for record in records:
        instance = record["instance"]
        answer = answers.get(instance["id"], ANSWERS[Status.UNKNOWN])
        found.append(MeasuredRun(record, Group(instance["question"], instance["origin"], answer)))
    return found


def grouped_by(
    runs: Iterable[MeasuredRun], key: Callable[[MeasuredRun], KeyT]
) -> dict[KeyT, list[MeasuredRun]]:
    """Return the runs of each key, in order of first occurrence."""
    found: defaultdict[KeyT, list[MeasuredRun]] = defaultdict(list)
    for run in runs:
        found[key(run)].append(run)
    return dict(found)


def by_group(runs: Sequence[MeasuredRun]) -> dict[Group, list[MeasuredRun]]:
    """Return the runs of each group, in order of the groups."""
    return dict(sorted(grouped_by(runs, attrgetter("group")).items()))


def by_combination(runs: Sequence[MeasuredRun]) -> dict[str, list[MeasuredRun]]:
    """Return the runs of each combination, in order of first occurrence."""
    return grouped_by(runs, attrgetter("combination"))


def median_s(runs: Sequence[MeasuredRun]) -> float:
    """Return the median of the seconds, of which those beyond the limit count as that."""
    return median(min(run.cost_s, run.limit_s) for run in runs)


def par2_s(runs: Sequence[MeasuredRun]) -> float | None:
    """Return the mean cost of the started runs; None if there are none."""
    started = [run.cost_s for run in runs if run.started]
    return sum(started) / len(started) if started else None


Row = dict[str, Any]


def solved_rows(runs: Sequence[MeasuredRun]) -> list[Row]:
    """Return a row for each combination of a group, best PAR-2 first, and why runs failed.

    Of several combinations the first row is the virtual best: of each run of an instance the
    combination with the least cost. ``common_s`` is over the runs that all started ones solved.
    """
    found = by_combination(runs)
    costs = {name: {_asked(run): run for run in own if run.started} for name, own in found.items()}
    started = [own for own in costs.values() if own]
    common = {
        key
        for key in (started[0] if started else ())
        if all(key in own and own[key].solved for own in started)
    }
    rows = [_solved_row(name, own, common) for name, own in found.items()]
    rows.sort(key=lambda row: (row["par2_s"] is None, row["par2_s"]))
    if len(started) < 2:
        return rows
    best: dict[Asked, MeasuredRun] = {}
    for own in started:
        for key, run in own.items():
            best[key] = min(best.get(key, run), run, key=lambda each: each.cost_s)
    return [_solved_row(VIRTUAL_BEST, list(best.values()), common), *rows]


Asked = tuple[str, Any]
"""An instance and the seed of a run, which are the same for all combinations."""


def _asked(run: MeasuredRun) -> Asked:
    return str(run.record["instance"]["id"]), run.record["asked"].get("seed")


def _solved_row(combination: str, runs: Sequence[MeasuredRun], common: set[Asked]) -> Row:
    solved = [run for run in runs if run.solved]
    started = [run for run in runs if run.started]
    costs = [run.cost_s for run in started]
    interval = bootstrap_interval(costs)
    return {
        "combination": combination,
        "runs": len(runs),
        "solved": len(solved),
        "par2_s": par2_s(runs),
        "par2_low_s": interval and interval[0],
        "par2_high_s": interval and interval[1],
        "mean_s": shifted_geometric_mean(costs),
        "common": len(common),
        "common_s": shifted_geometric_mean(
            [run.cost_s for run in started if _asked(run) in common]
        ),
        "median_s": median(run.cost_s for run in solved) if solved else None,
        "peak_memory_mb": max(
            (run.record.get("peak_memory_mb", 0.0) for run in started), default=None
        ),
        "unsolved": _why_not([run for run in runs if not run.solved]),
    }


def _why_not(runs: Sequence[MeasuredRun]) -> str:
    counts = Counter(_short_reason(run.record) for run in runs)
    return ", ".join(f"{count} {reason}" for reason, count in counts.most_common())


def _short_reason(record: Record) -> str:
    reason = str(record.get("reason", ""))
    if record["category"] == ANSWERED:
        return "answered after the time limit"
    for word in ("time limit", "memory", "CPU limit"):
        if word in reason:
            return word
    return str(record["category"]) if record["category"] != "unknown" else reason or "unknown"


BEST = 3  # number of combinations listed for each family


def family_rows(runs: Sequence[MeasuredRun]) -> list[Row]:
    """Return the best combinations by PAR-2 for each family of each group."""
    rows = []
    for group, alike in by_group(runs).items():
        for family in sorted({run.family for run in alike}):
            own = [run for run in alike if run.family == family]
            rows_of_all = solved_rows(own)
            best = [row for row in rows_of_all if row["combination"] != VIRTUAL_BEST][:BEST]
            rows.append(
                {
                    "question": group.question,
                    "family": family,
                    "answer": group.answer,
                    "instances": len({run.record["instance"]["id"] for run in own}),
                    "best": best,
                }
            )
    return rows


def scaling_rows(runs: Sequence[MeasuredRun]) -> list[Row]:
    """Return the median time and number of solved runs by family, combination and size."""

    def row(own: Sequence[MeasuredRun]) -> Row:
        solved = sum(run.solved for run in own)
        return {"runs": len(own), "solved": solved, "median_s": median_s(own)}

    started = [run for run in runs if run.started]
    return _rows_by(("family", "combination", "cards"), started, row)


def _rows_by(
    attributes: Sequence[str],
    runs: Iterable[MeasuredRun],
    row_of: Callable[[Sequence[MeasuredRun]], Row],
) -> list[Row]:
    """Return the rows of the runs with the same attributes, with these in front."""
    names = [name.rpartition(".")[2] for name in attributes]
    found = sorted(grouped_by(runs, attrgetter(*attributes)).items())
    return [{**dict(zip(names, key, strict=True)), **row_of(own)} for key, own in found]


CERTIFICATE_SIZES = ("bytes", "made_s", "checked_s")


def size_rows(runs: Sequence[MeasuredRun]) -> list[Row]:
    """Return median model sizes, rounds and cuts by question, family, size and combination."""

    def row(own: Sequence[MeasuredRun]) -> Row:
        return {name: round(median(run.stats.get(name, 0) for run in own)) for name in SIZES}

    sized = [run for run in runs if "variables" in run.stats]
    return _rows_by(("group.question", "family", "cards", "combination"), sized, row)


def certificate_rows(runs: Sequence[MeasuredRun]) -> list[Row]:
    """Count certified runs by question, family, size and answer; medians of s and bytes."""

    def row(own: Sequence[MeasuredRun]) -> Row:
        good = [run.certificate for run in own if run.certificate["certified"]]
        kinds = Counter(str(certificate["kind"]) for certificate in good)
        return {
            "runs": len(own),
            "certified": len(good),
            "kinds": ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()),
            "solved_s": median(run.record["wall_s"] for run in own),
            **{
                name: median(certificate[name] for certificate in good) if good else None
                for name in CERTIFICATE_SIZES
            },
        }

    certified = [run for run in runs if run.certificate]
    return _rows_by(("group.question", "family", "cards", "group.answer"), certified, row)
