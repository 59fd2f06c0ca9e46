"""Writing to the terminal, and to whoever reads instead of it."""

import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

import click
from click.shell_completion import CompletionItem

from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.processes.lifeline import keep_standard_descriptors
from uno_csp.wording import printable

INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit codes after Ctrl-C, and when the reader of the output went away."""

PIPED_WIDTH = 160
"""Columns of a table that is not shown on a terminal."""


def prepare_streams() -> None:
    """Let standard output and error take every character there is, spelt out if need be."""
    keep_standard_descriptors()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def complain(message: str) -> None:
    """One line on standard error that says what is wrong."""
    tell(f"uno-csp: {message}")


def tell(message: str) -> None:
    """One line on standard error, if there is anybody to be told."""
    try:
        click.echo(printable(" ".join(message.split())), err=True)
    except OSError:
        _give_up(sys.stderr)


def _give_up(stream: IO[str]) -> None:
    """Nothing can be written here: what is still buffered must not fail again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def discard_output() -> None:
    """Drop what is still buffered for standard output after it could not be written.

    Else the interpreter writes it once more at its end, complains, and exits with 120.
    """
    if sys.stdout is not None:
        _give_up(sys.stdout)


def print_text(text: str) -> None:
    """Write to standard output; when nobody reads it any more, end quietly."""
    with while_somebody_reads():
        sys.stdout.write(text + "\n")


@contextmanager
def while_somebody_reads() -> Iterator[None]:
    """What is written to standard output while nobody reads it any more ends quietly.

    Raises
    ------
    NotAccepted
        When it cannot be written for another reason.
    """
    if sys.stdout is None:
        raise NotAccepted("standard output is closed")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up(sys.stdout)
        raise click.exceptions.Exit(PIPE_CLOSED) from None
    except OSError as error:
        _give_up(sys.stdout)
        raise NotAccepted(f"standard output: {(error.strerror or str(error)).lower()}") from None


def keep_report(error: CheckFailed) -> str:
    """Write down what the checker refused; where it is."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="uno-csp-refused-", suffix=".json", delete=False
    ) as kept:
        json.dump(error.report, kept, indent=1)
    return kept.name


def print_json(data: Any) -> None:
    """Write data as one line of JSON."""
    print_text(json.dumps(data))


def print_rich(renderable: Any) -> None:
    """Write what rich can draw, without colours where nobody sees them."""
    from rich.console import Console

    with while_somebody_reads():
        piped = not sys.stdout.isatty()
        console = Console(file=sys.stdout, width=PIPED_WIDTH if piped else None)
        with console.capture() as capture:
            console.print(renderable, soft_wrap=piped)
    text = capture.get().rstrip("\n")
    # A terminal would break lines within cards; programs look for what is printed with blanks.
    print_text(text.replace("\N{NO-BREAK SPACE}", " ") if piped else text)


def as_text_or_json(what: str) -> Callable[[Any], Any]:
    """The option of a command that writes something for people or for programs."""
    return click.option(
        "--format",
        "style",
        type=click.Choice(["human", "json"]),
        default="human",
        show_default=True,
        help=f"How the {what} is written.",
    )


def complete(names: Sequence[str]) -> Any:
    """Shell completion from names that are not loaded before they are asked for."""

    def complete(
        _context: click.Context, _option: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin like what has been typed."""
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete
