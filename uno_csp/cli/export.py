"""``uno-csp export``: files for other programs."""

from typing import Any

import click

from uno_csp.cli.asking import asked, question_options
from uno_csp.cli.choices import QUESTION, NameChoice, option
from uno_csp.cli.files import BOUND, CONNECTIVITY, METHOD
from uno_csp.cli.output import while_somebody_reads
from uno_csp.exports import FORMATS, STDOUT, export


@click.command(name="export")
@QUESTION
@option(
    "--to --format to",
    f"The format: {', '.join(FORMATS)}.",
    NameChoice(FORMATS, {"cnf": "dimacs"}),
    required=True,
)
@option("-o --output", "Output file; standard output if left out.", default=STDOUT, value="OUT")
@METHOD
@CONNECTIVITY
@BOUND
@click.option("--varnames", is_flag=True, help="Add a comment with the meaning of each variable.")
@question_options
def export_command(
    question: tuple[str, ...],
    to: str,
    output: str,
    kind: str | None,
    after: str | None,
    **options: Any,
) -> None:
    """Write a QUESTION for other solvers: CNF, MaxSAT, OPB, LP, MPS, CP-SAT, graphs.

    QUESTION is a file, or the cards of a hand, as in: uno-csp export R5 R7 B7 --to dimacs.

    OUT may end in .gz, .bz2 or .xz. Comments in the file describe its content. The command decode
    turns a solver's output back into cards.
    """
    instance = asked(question, kind, after)
    with while_somebody_reads():
        export(instance, to, output, **options)
