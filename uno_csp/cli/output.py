"""Output to the terminal, a pipe or a file."""

import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import click
from click.shell_completion import CompletionItem

from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.processes.lifeline import keep_standard_descriptors
from uno_csp.questions.wording import printable

INTERRUPTED, PIPE_CLOSED = 130, 141  # exit codes after Ctrl-C, and if the pipe was closed
PIPED_WIDTH = 160  # width in columns of a table that is not written to a terminal


def prepare_streams() -> None:
    """Make standard output and error escape characters that their encoding lacks."""
    keep_standard_descriptors()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def complain(message: str) -> None:
    """Print an error message as one line on standard error."""
    tell(f"uno-csp: {message}")


def tell(message: str) -> None:
    """Print one line on standard error; ignore it if that fails."""
    try:
        click.echo(printable(" ".join(message.split())), err=True)
    except OSError:
        _give_up(sys.stderr)


def _give_up(stream: IO[str]) -> None:
    """Redirect a broken stream to the null device, so that flushing at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def discard_output() -> None:
    """Discard the buffer after a failed write, which the interpreter would retry at exit."""
    if sys.stdout is not None:
        _give_up(sys.stdout)


def print_text(text: str) -> None:
    """Write a text to standard output; exit quietly if the pipe is closed."""
    with while_somebody_reads():
        sys.stdout.write(text + "\n")


def print_for_programs(text: str) -> None:
    """Write a text to standard output in UTF-8, in every locale."""
    from uno_csp.formats.files import utf8_output  # which loads pydantic

    with while_somebody_reads(), utf8_output() as stream:
        stream.write(text + "\n")


@contextmanager
def while_somebody_reads() -> Iterator[None]:
    """Exit quietly if the pipe of standard output is closed while it is written to."""
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
    """Write the report on a rejected answer to a temporary file; return its path."""
    with tempfile.NamedTemporaryFile(
        "w", prefix="uno-csp-refused-", suffix=".json", delete=False
    ) as kept:
        json.dump(error.report, kept, indent=1)
    return kept.name


def require_other(output: str | Path, *inputs: str | Path) -> None:
    """Raise NotAccepted if an output would overwrite one of the files that are read."""
    for file in inputs:
        with suppress(OSError, ValueError):  # there is none of these names
            if Path(output).samefile(file):
                raise NotAccepted(f"{output}: this file is read itself; give another name")


def print_json(data: Any) -> None:
    """Write data as one line of JSON."""
    print_text(json.dumps(data))


def print_rich(renderable: Any) -> None:
    """Write a rich renderable; without colours and line breaks if it is piped."""
    from rich.console import Console

    with while_somebody_reads():
        piped = not sys.stdout.isatty()
        width = PIPED_WIDTH if piped else None
        # A text in brackets, or between colons, is no style and no emoji.
        console = Console(file=sys.stdout, width=width, markup=False, emoji=False)
        with console.capture() as capture:
            console.print(renderable, soft_wrap=piped)
    text = capture.get().rstrip("\n")
    # No-break spaces keep a terminal from breaking lines within cards; programs expect blanks.
    print_text(text.replace("\N{NO-BREAK SPACE}", " ") if piped else text)


def complete(names: Sequence[str]) -> Any:
    """Return a shell completion for the given names."""

    def complete(
        _context: click.Context, _option: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete
