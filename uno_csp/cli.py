"""The command line: ``uno-csp new | solve | check | list | completion``.

Exit codes of ``solve``: 10 yes, 20 no, 30 optimum, 0 unknown; 2 bad usage or input, 3 a backend is
missing or failed, 70 a wrong answer was caught. Of ``check``: 0 valid, 1 not valid, 2 unreadable.
130 after Ctrl-C, 141 when the reader of the output went away.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem, get_completion_class

from uno_csp import checker
from uno_csp.errors import (
    BackendError,
    BackendUnavailable,
    CheckFailed,
    InstanceError,
    NotAccepted,
    UnknownName,
    UnoCspError,
)
from uno_csp.formats import (
    Answer,
    Status,
    parse_answer,
    parse_file,
    parse_lines,
    question_to_dict,
    read_text,
)
from uno_csp.formats.questions import parse_card
from uno_csp.instances import QUESTIONS, Instance
from uno_csp.pipeline import Progress, solve
from uno_csp.registry import CONNECTIVITY, backends, encodings, find_backend, find_encoder

EXIT_CODES = {
    Status.SATISFIABLE: 10,
    Status.UNSATISFIABLE: 20,
    Status.OPTIMAL: 30,
    Status.UNKNOWN: 0,
}
_ERROR_CODES: tuple[tuple[type[UnoCspError], int], ...] = (
    (InstanceError, 2),
    (UnknownName, 2),
    (NotAccepted, 2),
    (BackendUnavailable, 3),
    (BackendError, 3),
    (CheckFailed, 70),
    (UnoCspError, 1),
)
INTERRUPTED, PIPE_CLOSED = 130, 141
PIPED_WIDTH = 160
"""Columns of a table that is not shown on a terminal."""

_SOLVER_PACKAGES = ("python-sat", "ortools", "pulp", "highspy")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave with its exit code; errors are one line on standard error."""
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = cli.main(
            None if arguments is None else list(arguments), "uno-csp", standalone_mode=False
        )
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        _complain(error.format_message())
        return error.exit_code
    except UnoCspError as error:
        _complain(str(error))
        return _error_code(error)
    return code if isinstance(code, int) else 0


def _error_code(error: UnoCspError) -> int:
    return next(code for kind, code in _ERROR_CODES if isinstance(error, kind))


def _complain(message: str) -> None:
    click.echo(f"uno-csp: {' '.join(message.split())}", err=True)


def _print(text: str) -> None:
    """Write to standard output; when nobody reads it any more, end quietly."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered must not fail again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(PIPE_CLOSED) from None


def _print_json(data: Any) -> None:
    _print(json.dumps(data))


def _print_rich(renderable: Any) -> None:
    from rich.console import Console

    piped = not sys.stdout.isatty()
    console = Console(file=sys.stdout, width=PIPED_WIDTH if piped else None)
    with console.capture() as capture:
        console.print(renderable, soft_wrap=piped)
    _print(capture.get().rstrip("\n"))


def _show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        lines = [f"{package} {version(package)}" for package in ("uno-csp", *_SOLVER_PACKAGES)]
        programs = [find_backend(name) for name in backends() if ":" in name]
        lines += [f"{each.name} {each.version()}" for each in programs if each.available()]
        _print("\n".join(lines))
        context.exit(0)


def _complete(names: Sequence[str]) -> Any:
    """Shell completion from names that are not loaded before they are asked for."""

    def complete(
        _context: click.Context, _option: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin like what has been typed."""
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
    help="Show the versions of this program and of the solvers, and exit.",
)  # fmt: skip
def cli() -> None:
    """The card game UNO as a combinatorial problem: ask, solve, check.

    A question is a JSON file, or text with one card a line; '-' is standard input.
    """


@cli.command()
@click.argument("kind", type=click.Choice(list(QUESTIONS)))
@click.argument("cards", nargs=-1)
@click.option(
    "--after", metavar="CARD", help="A card on the discard pile; the first must match it."
)
@click.option(
    "--at-least", type=click.IntRange(min=1), default=1, show_default=True, metavar="K",
    help="In how many attributes neighbours must agree.",
)  # fmt: skip
@click.option("--name", default="", help="A name for the question.")
@click.option("--comment", default="", help="A remark.")
def new(
    kind: str, cards: tuple[str, ...], after: str | None, at_least: int, name: str, comment: str
) -> None:
    """Write a question as JSON, as in: uno-csp new uno-1 R5 R7 B7 W --after Y5.

    A card is a code of the official deck (R5, YS, GR, B+2, W, +4) or its values, separated by
    commas (red,5 or 1,3). Put -- before cards that begin with a minus sign.
    """
    read = [_card_argument(f"cards[{i}]", text) for i, text in enumerate(cards)]
    pile = None if after is None else _card_argument("after", after)
    instance = QUESTIONS[kind](tuple(read), at_least, pile, name, comment)
    _print_json(question_to_dict(instance))


def _card_argument(place: str, text: str) -> Any:
    try:
        return parse_card(text)
    except InstanceError as error:
        raise InstanceError(f"{place}: {error}") from None


@cli.command(name="solve")
@click.argument("file")
@click.option(
    "--encoding", metavar="NAME", shell_complete=_complete(encodings()),
    help="The viewpoint; chosen well when left out. See: uno-csp list encodings.",
)  # fmt: skip
@click.option(
    "--backend", metavar="NAME", shell_complete=_complete(backends()),
    help="The solver. See: uno-csp list backends.",
)  # fmt: skip
@click.option(
    "--connectivity", metavar="NAME", shell_complete=_complete(CONNECTIVITY),
    help=f"How global constraints are treated: {', '.join(CONNECTIVITY)}.",
)  # fmt: skip
@click.option("--time-limit", type=float, metavar="S", help="Wall-clock seconds for everything.")
@click.option("--seed", type=int, default=0, show_default=True, help="A seed for the solver.")
@click.option("--workers", type=int, default=1, show_default=True, help="Threads for the solver.")
@click.option(
    "--format", "style", type=click.Choice(["human", "json", "competition"]), default="human",
    show_default=True, help="How the answer is written.",
)  # fmt: skip
@click.option("--plot", metavar="OUT", help="Also draw hand and sequence (.svg, .png or .pdf).")
@click.option("--jsonl", is_flag=True, help="The file has one question a line (as *.jsonl has).")
def solve_command(
    file: str, style: str, plot: str | None, jsonl: bool, time_limit: float | None, **options: Any
) -> int:
    """Answer the question in FILE. Exit code: 10 yes, 20 no, 0 unknown."""
    options["time_limit_s"] = time_limit
    if jsonl or file.endswith(".jsonl"):
        if plot is not None or style == "competition":
            raise click.UsageError("--plot and --format competition take one question, not many")
        return _solve_lines(file, options)
    instance = parse_file(file)
    if plot is not None:
        from uno_csp.formats.pictures import require_file_type

        require_file_type(plot)
    with _progress() as on_progress:
        answer = solve(instance, on_progress=on_progress, **options)
    _show(instance, answer, style)
    if plot is not None:
        from uno_csp.formats.pictures import draw

        draw(instance, answer, plot)
    return EXIT_CODES[answer.status]


def _solve_lines(file: str, options: dict[str, Any]) -> int:
    """One answer a line, in order; an error takes the place of its answer and the rest goes on."""
    worst = 0
    for number, parsed in parse_lines(read_text(file)):
        try:
            if isinstance(parsed, InstanceError):
                raise parsed
            _print_json(solve(parsed, **options).to_dict())
        except (UnknownName, BackendUnavailable):
            raise
        except UnoCspError as error:
            _print_json({"error": str(error), "line": number})
            worst = max(worst, _error_code(error))
    return worst


def _show(instance: Instance, answer: Answer, style: str) -> None:
    from uno_csp.formats import console

    if style == "json":
        _print_json(answer.to_dict())
    elif style == "competition":
        _print(console.competition(instance, answer))
    else:
        _print_rich(console.human(instance, answer))


@contextmanager
def _progress() -> Iterator[Any]:
    """A live line with rounds, cuts and seconds on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as ProgressLine
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    line = ProgressLine(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    task = line.add_task("solving")

    def on_progress(progress: Progress) -> None:
        """Write the round into the line."""
        line.update(task, description=f"round {progress.rounds}, {progress.cuts} cuts")

    with line:
        yield on_progress


@cli.command(name="check")
@click.argument("file")
@click.argument("answer")
@click.option(
    "--format", "style", type=click.Choice(["human", "json"]), default="human", show_default=True,
    help="How the verdict is written.",
)  # fmt: skip
def check_command(file: str, answer: str, style: str) -> int:
    """Check ANSWER (a JSON answer file) against the question in FILE, independently of solving.

    Exit code: 0 valid, 1 not valid, 2 unreadable.
    """
    instance = parse_file(file)
    try:
        claim = parse_answer(read_text(answer))
    except InstanceError as error:
        raise InstanceError(f"{answer}: {str(error).removeprefix(f'{answer}: ')}") from None
    violations = checker.check(instance, claim)
    if style == "json":
        found = [
            {"rule": each.rule, "step": each.step, "message": each.message} for each in violations
        ]
        _print_json({"valid": not violations, "violations": found})
    elif violations:
        _print("\n".join(f"not valid: {each}" for each in violations))
    elif claim.sequence is None:
        _print(f"nothing to check: {claim.status} carries no witness")
    else:
        _print(f"valid: the sequence plays all {len(claim.sequence)} cards")
    return 1 if violations else 0


@cli.command(name="list")
@click.argument("what", type=click.Choice(["encodings", "backends", "families", "questions"]))
@click.option(
    "--format", "style", type=click.Choice(["human", "json"]), default="human", show_default=True,
    help="How the listing is written.",
)  # fmt: skip
def list_command(what: str, style: str) -> None:
    """List encodings, backends, families or questions."""
    rows = _LISTINGS[what]()
    if style == "json":
        _print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for column in rows[0]:
        table.add_column(column)
    for row in rows:
        table.add_row(
            *("yes" if v is True else "no" if v is False else str(v) for v in row.values())
        )
    _print_rich(table)


def _encoding_rows() -> list[dict[str, Any]]:
    return [
        {"name": name, "summary": _first_line(type(find_encoder(name)).__doc__)}
        for name in encodings()
    ]


def _backend_rows() -> list[dict[str, Any]]:
    rows = []
    for name in backends():
        backend = find_backend(name)
        installed = backend.available()
        shown = backend.version() if installed else backend.install_hint()
        rows.append(
            {"name": name, "installed": installed, "version": shown, "summary": backend.summary}
        )
    return rows


def _family_rows() -> list[dict[str, Any]]:
    from uno_csp.experiments.families import FAMILIES

    return [{"name": name, "summary": summary} for name, summary in FAMILIES.items()]


def _question_rows() -> list[dict[str, Any]]:
    return [
        {"name": name, "summary": _first_line(kind.__doc__)} for name, kind in QUESTIONS.items()
    ]


def _first_line(text: str | None) -> str:
    return (text or "").strip().splitlines()[0]


_LISTINGS = {
    "encodings": _encoding_rows,
    "backends": _backend_rows,
    "families": _family_rows,
    "questions": _question_rows,
}


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for a shell: eval "$(uno-csp completion bash)"."""
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101
    _print(kind(cli, {}, "uno-csp", "_UNO_CSP_COMPLETE").source())


if __name__ == "__main__":
    main()
