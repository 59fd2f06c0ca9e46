"""``uno-csp solve``."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from uno_csp.answers import Answer, Status
from uno_csp.cli.asking import asked, question_options
from uno_csp.cli.output import INTERRUPTED, complete, keep_report, print_json, tell
from uno_csp.cli.showing import EXIT_CODES, show
from uno_csp.errors import BackendUnavailable, CheckFailed, InstanceError, UnknownName, UnoCspError
from uno_csp.formats import parse_lines, read_text
from uno_csp.pipeline import Options, Progress, solve, start
from uno_csp.pipeline.progress import ProgressListener
from uno_csp.questions import Instance
from uno_csp.registry import CONNECTIVITY, backend_names, method_names

WRONG = 70
"""The exit code of what must never happen."""

MOST_REPORTS = 10
"""So many refused answers of a batch are written down for a report."""


@click.command(name="solve", short_help="Answer a question, from a file or typed: solve R5 R7 B7.")
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--method",
    metavar="NAME",
    shell_complete=complete(method_names()),
    help="An encoding or algorithm; chosen well when left out. See: uno-csp list encodings.",
)
@click.option(
    "--backend",
    metavar="NAME",
    shell_complete=complete(backend_names()),
    help="The solver. See: uno-csp list backends.",
)
@click.option(
    "--connectivity",
    metavar="NAME",
    shell_complete=complete(CONNECTIVITY),
    help=f"How global constraints are treated: {', '.join(CONNECTIVITY)}.",
)
@click.option(
    "--time-limit",
    "time_limit_s",
    type=float,
    metavar="S",
    help="Wall-clock seconds for everything but loading the solver.",
)
@click.option(
    "--memory-limit",
    "memory_limit_mb",
    type=float,
    metavar="MB",
    help="What the processes that solve may hold together.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="A seed for the solver.")
@click.option("--workers", type=int, default=1, show_default=True, help="Threads for the solver.")
@click.option(
    "--presolve/--no-presolve",
    default=True,
    show_default=True,
    help="Whether reductions may decide or shrink the question first.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["human", "json", "competition"]),
    default="human",
    show_default=True,
    help="How the answer is written.",
)
@click.option(
    "--proof",
    metavar="DIR",
    help="Also write a certificate of a no or an optimum; see: uno-csp verify.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="With --proof: without cuts that have to be believed; for small questions.",
)
@click.option("--plot", metavar="OUT", help="Also draw hand and sequence (.svg, .png or .pdf).")
@click.option("--jsonl", is_flag=True, help="The file has one question a line (as *.jsonl has).")
@question_options
def solve_command(
    question: tuple[str, ...],
    style: str,
    plot: str | None,
    jsonl: bool,
    kind: str | None,
    after: str | None,
    **chosen: Any,
) -> int:
    """Answer a QUESTION: a file, or the cards of a hand, as in: uno-csp solve R5 R7 B7.

    Of cards it is asked whether the whole hand can be discarded, unless --question says otherwise.
    Exit code: 10 yes, 20 no, 30 optimum found, 0 unknown.
    """
    options = Options.of(chosen)
    if len(question) == 1 and (jsonl or question[0].endswith(".jsonl")):
        if plot is not None or style == "competition" or options.proof is not None:
            raise click.UsageError(
                "--plot, --proof and --format competition take one question, not many"
            )
        return _solve_lines(question[0], options)
    given = asked(question, kind, after)
    instance = given.instance
    if plot is not None:
        from uno_csp.formats.pictures import require_file_type

        require_file_type(plot)
    with _progress() as on_progress:
        answer, interrupted = _answered(instance, options, on_progress)
    show(instance, answer, style, given.draw_fours)
    if plot is not None:
        from uno_csp.formats.pictures import draw

        draw(instance, answer, plot)
    return INTERRUPTED if interrupted else EXIT_CODES[answer.status]


def _answered(
    instance: Instance, options: Options, on_progress: ProgressListener | None
) -> tuple[Answer, bool]:
    """The answer; on Ctrl-C the best that was found, if there is any, and that it was stopped."""
    began = time.monotonic()
    task = start(instance, options, on_progress=on_progress)
    try:
        return task.result(), False
    except KeyboardInterrupt:
        spent_s = time.monotonic() - began
        task.cancel()
        answer = task.result()
        if sys.stderr is not None and sys.stderr.isatty():
            tell("")  # the terminal has written ^C into the line
        if answer.status is Status.UNKNOWN:
            tell(f"interrupted after {spent_s:.0f} s")
        if answer.objective is None and answer.bound is None:
            raise click.exceptions.Exit(INTERRUPTED) from None
        return answer, True
    except BaseException:
        task.cancel()
        task.wait()
        raise


def _solve_lines(file: str, options: Options) -> int:
    """One answer a line, in order; an error takes the place of its answer and the rest goes on."""
    worst = reports = 0
    for number, parsed in parse_lines(read_text(file)):
        told, code = _solve_line(parsed, options, report=reports < MOST_REPORTS)
        reports += code == WRONG
        print_json(told if code == 0 else {**told, "line": number})
        worst = max(worst, code)
    return worst


def _solve_line(
    parsed: Instance | InstanceError, options: Options, *, report: bool
) -> tuple[dict[str, Any], int]:
    """The answer, or the error, of one line as JSON; and the exit code it stands for."""
    try:
        if isinstance(parsed, InstanceError):
            raise parsed
        return solve(parsed, options).to_dict(), 0
    except (UnknownName, BackendUnavailable):
        raise
    except CheckFailed as error:
        kept = f"; see {keep_report(error)}" if report else ""
        return {"error": f"{error}{kept}"}, WRONG
    except UnoCspError as error:
        return {"error": str(error)}, error.exit_code
    except Exception as error:  # a bug of ours ends one line and not the batch
        return {"error": f"a bug, please report it: {type(error).__name__}: {error}"}, WRONG


@contextmanager
def _progress() -> Iterator[Any]:
    """A live line with rounds, cuts and seconds on standard error, if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as ProgressLine
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    line = ProgressLine(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = line.add_task("solving")

    def on_progress(progress: Progress) -> None:
        """Write the round into the line."""
        text = f"round {progress.rounds}, {progress.cuts} cuts"
        if progress.objective is not None:
            text += f", found {progress.objective}"
        if progress.bound is not None:
            text += f", proved {progress.bound}"
        line.update(task, description=text)

    with line:
        yield on_progress
