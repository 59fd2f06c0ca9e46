"""Write a report: a self-contained ``index.html``, ``report.md``, CSV and SVG files."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uno_csp.errors import BackendUnavailable, UnknownName
from uno_csp.experiments.flat_records import columns, flat
from uno_csp.experiments.records import Record
from uno_csp.experiments.reports import benchexec, plots, tables
from uno_csp.experiments.reports.contradictions import contradictions
from uno_csp.experiments.reports.file_names import FileNames
from uno_csp.experiments.reports.merging import merge
from uno_csp.experiments.reports.runs_table import runs_table
from uno_csp.experiments.reports.tables import Group, MeasuredRun, Row
from uno_csp.experiments.runs import ANSWERED
from uno_csp.questions.wording import printable

Pair = tuple[str, str]

_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # the last ones are of full width
_MARKS = re.compile(r"[\\`*_\[\]<>|#~&]")


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as SVG, with the file name that its kind and title give."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class Written:
    """Summary of a written report."""

    page: Path  # the HTML page
    contradictions: tuple[str, ...]  # contradictions between answers, one line each
    missing: int  # number of runs of the suite without a record
    unplotted: str  # why there are no plots; empty if there are


def write_report(*folders: Path, out: Path | None = None, scatter: Sequence[Pair] = ()) -> Written:
    """Write the report on results folders of one suite, by default to ``report`` in the first.

    ``scatter`` has pairs of combinations for plots, besides the two best of each question. Raises
    InstanceError without records, see also :func:`merge`, and UnknownName for a combination without
    runs.
    """
    plan, records = map(_show, merge(folders))
    runs = tables.grouped(records)
    combinations = sorted({run.combination for run in runs})
    for name in (name for pair in scatter for name in pair):
        if name not in combinations:
            raise UnknownName("combination", name, combinations)
    out = folders[0] / "report" if out is None else out
    (out / "plots").mkdir(parents=True, exist_ok=True)
    for old in (out / "plots").glob("*.svg"):
        old.unlink()
    drawn: list[Plot] = []
    unplotted = ""
    try:
        drawn += _plots(runs, combinations, scatter)
    except BackendUnavailable as error:
        unplotted = str(error)
    for plot in drawn:
        (out / "plots" / f"{plot.name}.svg").write_text(plot.svg, encoding="utf-8")
    wrong = contradictions(records)
    done = {record["run"] for record in records}
    missing = sum(run not in done for run in plan["runs"])
    content = _content(plan["suite"], records, runs, drawn, wrong, missing)
    for template, name in (("report.md.j2", "report.md"), ("report.html.j2", "index.html")):
        (out / name).write_text(_render(template, content), encoding="utf-8")
    _write_csv(out / "runs.csv", [{**flat(run.record), "answer": run.group.answer} for run in runs])
    _write_csv(out / "sizes.csv", tables.size_rows(runs))
    _write_csv(out / "certificates.csv", tables.certificate_rows(runs))
    _write_csv(out / "solved.csv", _with_groups(runs, tables.solved_rows))
    _write_csv(out / "scaling.csv", _with_groups(runs, tables.scaling_rows))
    benchexec.write_results(out / "benchexec", plan["suite"], runs)
    return Written(out / "index.html", tuple(wrong), missing, unplotted)


def _content(
    suite: str,
    records: Sequence[Record],
    runs: Sequence[MeasuredRun],
    drawn: Sequence[Plot],
    wrong: Sequence[str],
    missing: int,
) -> dict[str, Any]:
    limits = [each["limits"] for each in records if "limits" in each]
    return {
        "suite": suite,
        "runs": len(records),
        "missing": missing,
        "contradictions": wrong,
        "categories": {ANSWERED: 0, **Counter(record["category"] for record in records)},
        "environments": _environments(records),
        "limits": {"wall_s": None, "cpu_s": None, "memory_mb": None} | (limits or [{}])[0],
        "groups": [_group(group, own) for group, own in tables.by_group(runs).items()],
        "families": tables.family_rows(runs),
        "sizes": tables.size_rows(runs),
        "certificates": tables.certificate_rows(runs),
        "table": runs_table(runs),
        "plots": drawn,
        "failures": [
            record for record in records if record["category"] in ("error", "wrong", "unavailable")
        ],
        "penalty": tables.PENALTY,
    }


def _group(group: Group, runs: Sequence[MeasuredRun]) -> dict[str, Any]:
    rows = tables.solved_rows(runs)
    instances = len({run.record["instance"]["id"] for run in runs})
    return {"title": group.title, "instances": instances, "rows": rows, "common": rows[0]["common"]}


def _environments(records: Sequence[Record]) -> list[str]:
    found: dict[str, None] = {}
    unknown = dict.fromkeys(("processor", "cores", "memory_mb", "system"), "unknown")
    for record in records:
        if record.get("machine"):
            machine, packages = unknown | record["machine"], record.get("packages") or {}
            versions = ", ".join(f"{name} {each}" for name, each in packages.items())
            line = (
                f"{machine['processor']}, {machine['cores']} cores, {machine['memory_mb']} MB, "
                f"{machine['system']}; Python {record.get('python', 'unknown')}; {versions}; "
                f"commit {record.get('commit') or 'unknown'}"
            )
            found[line] = None
    return list(found)


def _plots(
    runs: Sequence[MeasuredRun], combinations: Sequence[str], pairs: Sequence[Pair]
) -> Iterator[Plot]:
    styles, names = plots.looks(combinations), FileNames()
    for group, own in tables.by_group(runs).items():
        if any(run.solved for run in own):
            title = f"{group.title}: instances solved"
            yield Plot(names.take("cactus", group.title), title, plots.cactus(own, styles, title))
    for group, own in tables.by_group(runs).items():
        yield from _scaling_plots(group, own, styles, names)
    certified = [run for run in runs if run.certificate.get("certified")]
    if certified:
        title = "certificates: seconds against size"
        yield Plot(names.take("certificates"), title, plots.proofs(certified, title))
    for question in dict.fromkeys(run.group.question for run in runs):
        own = [run for run in runs if run.group.question == question]
        compared = [*_two_best(own), *pairs]
        for first, second in dict.fromkeys(compared):
            points = plots.in_common(own, first, second)
            if points:
                title = f"{question}: {first} against {second}"
                limit_s = max(run.limit_s for run in own)
                svg = plots.scatter(points, first, second, limit_s, title)
                yield Plot(names.take("scatter", title), title, svg)


def _scaling_plots(
    group: Group, runs: Sequence[MeasuredRun], styles: Mapping[str, plots.Look], names: FileNames
) -> Iterator[Plot]:
    for family in sorted({run.family for run in runs}):
        own = [run for run in runs if run.family == family]
        if len({run.cards for run in own}) > 1:
            title = f"{group.question}, {family}, {group.answer}: time against size"
            yield Plot(names.take("scaling", title), title, plots.scaling(own, styles, title))


def _two_best(runs: Sequence[MeasuredRun]) -> list[Pair]:
    rows = [row for row in tables.solved_rows(runs) if row["par2_s"] is not None]
    names = [str(row["combination"]) for row in rows[:2]]
    return [(names[0], names[1])] if len(names) == 2 else []


def _with_groups(runs: Sequence[MeasuredRun], rows_of: Any) -> list[Row]:
    return [
        {"question": group.question, "origin": group.origin, "answer": group.answer, **row}
        for group, own in tables.by_group(runs).items()
        for row in rows_of(own)
    ]


def _show(content: Any) -> Any:
    """Return what was read from a file with its texts as printable; a source is JSON already."""
    if isinstance(content, dict):
        return {key: it if key == "source" else _show(it) for key, it in content.items()}
    if isinstance(content, list):
        return [*map(_show, content)]
    return printable(content) if isinstance(content, str) else content


def _write_csv(path: Path, rows: Sequence[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        if rows:
            writer = csv.DictWriter(stream, columns(rows), lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: _cell(it) for name, it in row.items()} for row in rows)


def _cell(value: Any) -> Any:
    """Return a value for a spreadsheet, which takes some texts for formulas unless quoted.

    >>> _cell("=A1"), _cell("a=1"), _cell(-1)
    ("'=A1", 'a=1', -1)
    """
    return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULA else value


def _as_markdown(value: Any) -> Any:
    r"""Return a text with the marks of Markdown escaped, and other values as they are.

    >>> _as_markdown("a|b"), _as_markdown(3)
    ('a\\|b', 3)
    """
    return _MARKS.sub(r"\\\g<0>", value) if isinstance(value, str) else value


def _render(template: str, content: Mapping[str, Any]) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("uno_csp.experiments", "reports"),
        autoescape=select_autoescape(("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_as_markdown if template.endswith(".md.j2") else None,
    )
    environment.filters["seconds"] = _seconds
    return environment.get_template(template).render(content)


def _seconds(value: float | None) -> str:
    """Format to three significant digits, or a dash for None.

    >>> _seconds(0.01234), _seconds(123.4), _seconds(None)
    ('0.0123', '123', '-')
    """
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
