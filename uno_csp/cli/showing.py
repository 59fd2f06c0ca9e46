"""Output of answers in the formats that several commands share."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from uno_csp.cli.output import complain, print_for_programs, print_json, print_rich, print_text
from uno_csp.formats import Answer, Status
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.deadline import TimeUp
from uno_csp.questions import Instance

EXIT_CODES = {
    Status.SATISFIABLE: 10,
    Status.UNSATISFIABLE: 20,
    Status.OPTIMAL: 30,
    Status.UNKNOWN: 0,
}
"""Exit code of each status."""

_UNREAD = Answer("", Status.UNKNOWN)


def show(instance: Instance, answer: Answer, style: str, decision: Status | None = None) -> int:
    """Write an answer in the given style; return the exit code of its status.

    A decision takes the place of the status, which JSON has beside it.
    """
    if style == "json":
        print_json(answer.to_dict() | ({} if decision is None else {"decision": decision}))
        return EXIT_CODES[answer.status if decision is None else decision]
    from uno_csp.formats import console  # rich loads slowly

    answer = answer if decision is None else replace(answer, status=decision)
    if style == "competition":
        print_for_programs(console.competition(instance, answer))
    else:
        print_rich(console.human(instance, answer))
    return EXIT_CODES[answer.status]


@contextmanager
def limited(style: str, **unread: Any) -> Iterator[None]:
    """Say UNKNOWN and end the command with the exit code 1 if its time limit passes.

    ``unread`` is what JSON has besides.
    """
    try:
        yield
    except TimeUp as error:
        if style == "json":
            print_json({**unread, "status": Status.UNKNOWN, "reason": str(error)})
        else:
            print_text(f"{Status.UNKNOWN}: {error}")
        raise click.exceptions.Exit(1) from None


@contextmanager
def reading(
    timed: Timed, style: str, unread: Any = _UNREAD, known: dict[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    """Show UNKNOWN and end the command if its time limit passes while a question is read.

    ``unread`` is an answer without reason, for JSON, and ``known`` has the keys of it about what is
    read, null until it is known. It is yielded, to be filled.
    """
    known = {"question": None} if known is None else known
    try:
        with timed.during("reading", interrupted=True):
            yield known
    except TimeUp as error:
        reason = str(error)
        match style:
            case "json":
                answer = replace(unread, reason=reason, wall_s=timed.elapsed_s)
                print_json(answer.to_dict() | known)
            case "competition":
                print_for_programs(f"c {reason}\ns {Status.UNKNOWN}")
            case "tour":
                complain(f"there is no tour: {Status.UNKNOWN}: {reason}")
            case _:
                print_text(f"{Status.UNKNOWN}: {reason}")
        raise click.exceptions.Exit(EXIT_CODES[Status.UNKNOWN]) from None
