"""``uno-csp export``: files for other programs."""

from typing import Any

import click

from uno_csp.cli.asking import asked, question_options
from uno_csp.cli.choices import Choice
from uno_csp.cli.files import BOUND, CONNECTIVITY, METHOD
from uno_csp.cli.output import while_somebody_reads
from uno_csp.exports import FORMATS, STDOUT, export


@click.command(name="export", short_help="Write a question for other solvers: CNF, LP and more.")
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--to",
    "--format",
    "to",
    required=True,
    type=Choice(FORMATS, {"cnf": "dimacs"}),
    help=f"The format: {', '.join(FORMATS)}.",
)
@click.option("-o", "--output", default=STDOUT, metavar="OUT", help="Standard output if left out.")
@METHOD
@CONNECTIVITY
@BOUND
@click.option("--varnames", is_flag=True, help="A comment for what each variable means.")
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

    It is a file, or the cards of a hand, as in: uno-csp export R5 R7 B7 --to dimacs.

    OUT may end in .gz, .bz2 or .xz. Comments in the file say what it is. Give a solver's answer to
    decode to get it back as cards.
    """
    instance = asked(question, kind, after).instance
    with while_somebody_reads():
        export(instance, to, output, **options)
