"""Writing to the terminal, and to whoever reads instead of it."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from click.shell_completion import CompletionItem

from uno_csp.errors import (
    BackendError,
    BackendUnavailable,
    CheckFailed,
    InstanceError,
    NotAccepted,
    UnknownName,
    UnoCspError,
)

_ERROR_CODES: tuple[tuple[type[UnoCspError], int], ...] = (
    (InstanceError, 2),
    (UnknownName, 2),
    (NotAccepted, 2),
    (BackendUnavailable, 3),
    (BackendError, 3),
    (CheckFailed, 70),
    (UnoCspError, 1),
)
PIPE_CLOSED = 141
PIPED_WIDTH = 160
"""Columns of a table that is not shown on a terminal."""


def error_code(error: UnoCspError) -> int:
    """The exit code that goes with an error."""
    return next(code for kind, code in _ERROR_CODES if isinstance(error, kind))


def complain(message: str) -> None:
    """One line on standard error."""
    click.echo(f"uno-csp: {' '.join(message.split())}", err=True)


def print_text(text: str) -> None:
    """Write to standard output; when nobody reads it any more, end quietly."""
    with while_somebody_reads():
        sys.stdout.write(text + "\n")


@contextmanager
def while_somebody_reads() -> Iterator[None]:
    """What is written to standard output while nobody reads it any more ends quietly."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered must not fail again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(PIPE_CLOSED) from None


def print_json(data: Any) -> None:
    """Write data as one line of JSON."""
    print_text(json.dumps(data))


def print_rich(renderable: Any) -> None:
    """Write what rich can draw, without colours where nobody sees them."""
    from rich.console import Console

    piped = not sys.stdout.isatty()
    console = Console(file=sys.stdout, width=PIPED_WIDTH if piped else None)
    with console.capture() as capture:
        console.print(renderable, soft_wrap=piped)
    print_text(capture.get().rstrip("\n"))


def complete(names: Sequence[str]) -> Any:
    """Shell completion from names that are not loaded before they are asked for."""

    def complete(
        _context: click.Context, _option: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin like what has been typed."""
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete
