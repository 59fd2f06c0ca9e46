"""``uno-csp export``: files for other programs."""

import sys
from typing import Any

import click

from uno_csp.cli.asking import asked, question_options
from uno_csp.cli.choices import QUESTION, TIME_LIMIT, NameChoice, option
from uno_csp.cli.files import BOUND, CONNECTIVITY, METHOD, whole_output
from uno_csp.cli.output import require_other
from uno_csp.errors import NotAccepted
from uno_csp.exports import FORMATS, STDOUT, Exported, export
from uno_csp.exports.outputs import LIMIT_MB, TooLarge
from uno_csp.pipeline.timed import Timed


@click.command(name="export")
@QUESTION
@option(
    "--to --format to",
    f"The format: {', '.join(FORMATS)}.",
    NameChoice(FORMATS, {"cnf": "dimacs"}),
    value="FORMAT",
    required=True,
)
@option("-o --output", "Output file; standard output if left out.", default=STDOUT, value="OUT")
@METHOD
@CONNECTIVITY
@BOUND
@option("--size", "Write no file, but tell how large it would be.", is_flag=True)
@option("--limit-mb", "Maximum size of the file in MB.", click.IntRange(min=1), LIMIT_MB)
@option("--varnames", "Add a comment with the meaning of each variable.", is_flag=True)
@option("--no-decode", "Leave out the comments with the question, for decode.", is_flag=True)
@TIME_LIMIT
@question_options
def export_command(
    question: tuple[str, ...],
    to: str,
    output: str,
    size: bool,
    limit_mb: int,
    no_decode: bool,
    timed: Timed,
    kind: str | None,
    after: str | None,
    **options: Any,
) -> None:
    """Write a QUESTION for other solvers: CNF, MaxSAT, OPB, LP, MPS, CP-SAT, graphs.

    QUESTION is a file, or the cards of a hand, as in: uno-csp export R5 R7 B7 --to dimacs.

    OUT may end in .gz, .bz2 or .xz. Comments in the file describe its content. The command decode
    turns a solver's output back into cards. A file that cannot be completed is removed.
    """
    options["question"] = not no_decode
    with timed.during("reading", interrupted=True):
        instance = asked(question, kind, after)
    if size:
        with timed.during("computing the size", interrupted=True):
            found = export(instance, to, None, limit_mb=sys.maxsize, **options)
        click.echo(_size(found))
        return
    if output != STDOUT:
        require_other(output, *question)
    try:
        with whole_output(timed, output) as out:
            export(instance, to, out, limit_mb=limit_mb, **options)
    except TooLarge as error:
        more = "--size tells its size, and --limit-mb sets another limit"
        raise NotAccepted(f"{error}; {more}") from None


def _size(found: Exported) -> str:
    """Return the size of an export in words."""
    text = f"{found.bytes:,} bytes"
    if found.variables is None:
        return text
    return f"{text}, {found.variables:,} variables, {found.constraints:,} constraints"
