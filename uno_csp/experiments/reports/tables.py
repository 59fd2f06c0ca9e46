"""The figures of a report.

Runs are put together only if they are alike: the same question, instances of the same origin
(random or structured), and the same answer. What nobody solved is a group of its own.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from uno_csp.answers import Status
from uno_csp.experiments.executing import ANSWERED, UNAVAILABLE
from uno_csp.experiments.flat_records import flat
from uno_csp.experiments.records import Record

ANSWERS = {
    Status.SATISFIABLE: "yes",
    Status.UNSATISFIABLE: "no",
    Status.OPTIMAL: "optimum",
    Status.UNKNOWN: "open",
}
_PROVED = (Status.UNSATISFIABLE, Status.OPTIMAL)
"""What takes a certificate."""

PENALTY = 2
"""A run that solved nothing counts as so many times its time limit (PAR-2)."""


@dataclass(frozen=True, slots=True, order=True)
class Group:
    """What a line of a table or a curve may put together."""

    question: str
    origin: str
    answer: str

    @property
    def title(self) -> str:
        """In words."""
        return f"{self.question}, {self.origin}, {self.answer}"


@dataclass(frozen=True, slots=True)
class Run:
    """A record with its group; ``cost_s`` is what PAR-2 counts."""

    record: Record
    group: Group

    @property
    def combination(self) -> str:
        """The way it was solved."""
        return str(self.record["combination"])

    @property
    def family(self) -> str:
        """The family of its instance."""
        return str(self.record["instance"]["family"])

    @property
    def cards(self) -> int:
        """The size of its instance."""
        return int(self.record.get("cards", 0))

    @property
    def started(self) -> bool:
        """Whether there was anything to measure; an instance that is declined is one not solved."""
        return bool(self.record["category"] != UNAVAILABLE)

    @property
    def solved(self) -> bool:
        """Whether it has an answer, and had it within its limit."""
        in_time = not self.limit_s or float(self.record.get("wall_s", 0.0)) <= self.limit_s
        return bool(self.record["category"] == ANSWERED) and in_time

    @property
    def certificate(self) -> Mapping[str, Any]:
        """What is recorded of its certificate; nothing if it needs none, or none was asked for."""
        told: Mapping[str, Any] = self.record.get("certificate") or {}
        return told if self.record.get("status") in _PROVED else {}

    @property
    def limit_s(self) -> float:
        """Its limit of wall-clock time."""
        return float((self.record.get("limits") or {}).get("wall_s") or 0.0)

    @property
    def cost_s(self) -> float:
        """Its seconds, or the penalty."""
        return float(self.record["wall_s"]) if self.solved else PENALTY * self.limit_s


def grouped(records: Sequence[Record]) -> list[Run]:
    """Every run with its group; the answer of an instance is what is proved or what was found."""
    answers: dict[str, str] = {}
    for record in records:
        known = (record.get("expected") or {}).get("status", Status.UNKNOWN)
        status = record.get("status") if record["category"] == ANSWERED else known
        name = ANSWERS[Status(status or known)]
        if name != ANSWERS[Status.UNKNOWN]:
            answers[record["instance"]["id"]] = name
    return [
        Run(
            record,
            Group(
                record["instance"]["question"],
                record["instance"]["origin"],
                answers.get(record["instance"]["id"], ANSWERS[Status.UNKNOWN]),
            ),
        )
        for record in records
    ]


def by_group(runs: Sequence[Run]) -> dict[Group, list[Run]]:
    """The runs of each group, groups in order."""
    found: defaultdict[Group, list[Run]] = defaultdict(list)
    for run in runs:
        found[run.group].append(run)
    return {group: found[group] for group in sorted(found)}


def by_combination(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """The runs of each combination, in the order in which they come up."""
    found: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        found[run.combination].append(run)
    return dict(found)


def par2_s(runs: Sequence[Run]) -> float | None:
    """The mean cost of the runs that were started; None if none was."""
    started = [run.cost_s for run in runs if run.started]
    return sum(started) / len(started) if started else None


Row = dict[str, Any]


def solved_rows(runs: Sequence[Run]) -> list[Row]:
    """A line for each combination of a group, the best PAR-2 first.

    ``unsolved`` says why: reasons with their counts.
    """
    rows = []
    for combination, own in by_combination(runs).items():
        solved = [run for run in own if run.solved]
        started = [run for run in own if run.started]
        par2 = par2_s(own)
        rows.append(
            {
                "combination": combination,
                "runs": len(own),
                "solved": len(solved),
                "par2_s": par2,
                "median_s": median(run.cost_s for run in solved) if solved else None,
                "peak_memory_mb": max(
                    (run.record.get("peak_memory_mb", 0.0) for run in started), default=None
                ),
                "unsolved": _why_not([run for run in own if not run.solved]),
            }
        )
    return sorted(rows, key=lambda row: (row["par2_s"] is None, row["par2_s"]))


def _why_not(runs: Sequence[Run]) -> str:
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


BEST = 3
"""So many combinations are named for a family."""


def family_rows(runs: Sequence[Run]) -> list[Row]:
    """For each family of a group the best combinations by PAR-2, with how many they solved."""
    rows = []
    for group, alike in by_group(runs).items():
        for family in sorted({run.family for run in alike}):
            own = [run for run in alike if run.family == family]
            best = solved_rows(own)[:BEST]
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


def scaling_rows(runs: Sequence[Run]) -> list[Row]:
    """For each family, combination and size of a group the median cost and how many were solved."""
    found: defaultdict[tuple[str, str, int], list[Run]] = defaultdict(list)
    for run in runs:
        if run.started:
            found[run.family, run.combination, run.cards].append(run)
    return [
        {
            "family": family,
            "combination": combination,
            "cards": cards,
            "runs": len(own),
            "solved": sum(run.solved for run in own),
            "median_s": median(min(run.cost_s, run.limit_s) for run in own),
        }
        for (family, combination, cards), own in sorted(found.items())
    ]


CERTIFICATE_SIZES = ("bytes", "made_s", "checked_s")
_SIZES = ("variables", "clauses", "linear_constraints", "parities", "rounds", "cuts")


def size_rows(runs: Sequence[Run]) -> list[Row]:
    """The median sizes of models and of the work done, by question, family, size, combination."""
    found: defaultdict[tuple[str, str, int, str], list[Mapping[str, Any]]] = defaultdict(list)
    for run in runs:
        stats = run.record.get("stats") or {}
        if "variables" in stats:
            key = (run.group.question, run.family, run.cards, run.combination)
            found[key].append(stats)
    return [
        {
            "question": question,
            "family": family,
            "cards": cards,
            "combination": combination,
            **{name: round(median(stats.get(name, 0) for stats in own)) for name in _SIZES},
        }
        for (question, family, cards, combination), own in sorted(found.items())
    ]


def certificate_rows(runs: Sequence[Run]) -> list[Row]:
    """By question, family, size, and answer: how many were certified, of what kind, at what cost.

    Seconds and bytes are medians over those that were.
    """
    found: defaultdict[tuple[str, str, int, str], list[Run]] = defaultdict(list)
    for run in runs:
        if run.certificate:
            found[run.group.question, run.family, run.cards, run.group.answer].append(run)
    rows = []
    for (question, family, cards, answer), own in sorted(found.items()):
        good = [run.certificate for run in own if run.certificate["certified"]]
        kinds = Counter(str(told["kind"]) for told in good)
        rows.append(
            {
                "question": question,
                "family": family,
                "cards": cards,
                "answer": answer,
                "runs": len(own),
                "certified": len(good),
                "kinds": ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()),
                "solved_s": median(run.record["wall_s"] for run in own),
                **{
                    name: median(told[name] for told in good) if good else None
                    for name in CERTIFICATE_SIZES
                },
            }
        )
    return rows


def run_rows(runs: Sequence[Run]) -> list[Row]:
    """One flat line for each run, with the answer of its instance as far as it is known."""
    return [{**flat(run.record), "answer": run.group.answer} for run in runs]
