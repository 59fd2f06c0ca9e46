"""``uno-csp bench run`` and ``uno-csp bench report``."""

import logging
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from uno_csp.cli.choices import option
from uno_csp.cli.output import print_text, tell
from uno_csp.questions.wording import counted, printable

CONTRADICTION = 70  # exit code if answers contradict one another, as if one is rejected
_PATH = click.Path(path_type=Path)
FAILURE = 3  # exit code if a run failed; the same as for a failed backend


@click.group(name="bench")
def bench_command() -> None:
    """Run suites of experiments and report on them."""


@bench_command.command(name="run")
@click.argument("suite")
@option("--out", "The results folder.", _PATH, value="DIR", required=True)
@option("--jobs", "Number of parallel runs on this machine.", click.IntRange(min=1), 1, "N")
@option("--dask", "Run on the workers of this Dask scheduler.", value="ADDRESS")
@option("--cgroups", "Do each run in a control group, by BenchExec.", is_flag=True)
@option("--report", "Write the report after the last run.", is_flag=True)
def run_command(
    suite: str, out: Path, jobs: int, dask: str | None, cgroups: bool, report: bool
) -> int:
    """Execute every run of SUITE (a TOML file) that has no record in the folder yet.

    Each run is a process of its own under the suite's limits, and its answer is checked. After an
    interruption the same command resumes. Exit code: 0, 3 if a run failed or the connection to the
    scheduler was lost, 70 if answers contradict one another or a proved result.
    """
    from uno_csp.experiments.records import read_records
    from uno_csp.experiments.reports import contradictions
    from uno_csp.experiments.scheduling import run_suite
    from uno_csp.experiments.suites import read_suite

    read = read_suite(suite)
    if cgroups:
        logging.getLogger().addHandler(logging.NullHandler())  # records say what BenchExec warns of
    with _progress(len(read.runs)) as tell:
        done = run_suite(read, out, jobs=jobs, dask=dask, cgroups=cgroups, listener=tell)
    records = read_records(out)
    print_text(f"{done} runs done, {len(records)} of {len(read.runs)} recorded in {out}")
    for line in (lost := _not_run(records)):
        print_text(line)
    if report:
        return _report(out)
    wrong = contradictions(records)
    for line in wrong:
        print_text(f"contradiction: {line}")
    if wrong:
        return CONTRADICTION
    return FAILURE if any(line.startswith("error") for line in lost) else 0


def _not_run(records: Any) -> list[str]:
    """Return a line with reason and count for each failure and each combination that cannot run."""
    counts = Counter(
        printable(f"{record['category']}: {record['combination']}: {record['reason']}")
        for record in records
        if record["category"] in ("error", "unavailable", "not accepted")
    )
    return [f"{line} ({counted(count, 'run')})" for line, count in counts.items()]


@bench_command.command(name="report")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=_PATH)
@option("--out", "Output folder; report in the only FOLDER if left out.", _PATH, value="DIR")
@option(
    "--scatter",
    "Add a scatter plot of two combinations, named as in the tables.",
    (str, str),
    value="A B",
    multiple=True,
)
def report_command(
    folders: tuple[Path, ...], out: Path | None, scatter: tuple[tuple[str, str], ...]
) -> int:
    """Write tables and plots of the records in FOLDER, as HTML, Markdown, CSV and SVG.

    The records of one suite in several folders are merged. A combination has a row for each machine
    and each set of versions that its runs were made with.

    Exit code: 0, or 70 if answers contradict one another or a proved result.
    """
    if len(folders) > 1 and out is None:
        raise click.UsageError("several folders need --out")
    return _report(*folders, out=out, scatter=scatter)


def _report(
    *folders: Path, out: Path | None = None, scatter: tuple[tuple[str, str], ...] = ()
) -> int:
    from uno_csp.experiments.reports import write_report

    written = write_report(*folders, out=out, scatter=scatter)
    if written.missing:
        print_text(f"not complete: {written.missing} runs have no record yet")
    if written.unplotted:
        print_text(f"no plots: {written.unplotted}")
    for line in written.contradictions:
        print_text(f"contradiction: {line}")
    print_text(f"report: {written.page}")
    return CONTRADICTION if written.contradictions else 0


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """Yield a listener that reports on standard error: a bar on a terminal, else a line per run."""

    def tell_line(record: Any, finished: int, _total: int) -> None:
        what = f"{record['instance']['name']}: {record['combination']}"
        found = record.get("status") or record["category"]
        tell(f"{finished}/{total} {what}: {found} {record.get('wall_s', 0):.3f} s")

    if sys.stderr is None or not sys.stderr.isatty():
        yield tell_line
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeLeft(),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=total)

    def tell_bar(record: Any, finished: int, _total: int) -> None:
        what = f"{record['instance']['name'][:30]}: {record['combination']}"
        bar.update(task, completed=finished, description=printable(what))

    with bar:
        yield tell_bar
