"""``uno-csp export``: files for other programs."""

import click

from uno_csp.cli.files import BOUND, CONNECTIVITY, ENCODING
from uno_csp.cli.output import while_somebody_reads
from uno_csp.exports import FORMATS, STDOUT, export
from uno_csp.formats import parse_file


@click.command(name="export", short_help="Write a question for other solvers: CNF, LP and more.")
@click.argument("file")
@click.option("--to", "to", required=True, type=click.Choice(FORMATS), help="The format.")
@click.option("-o", "--output", default=STDOUT, metavar="OUT", help="Standard output if left out.")
@ENCODING
@CONNECTIVITY
@BOUND
@click.option("--varnames", is_flag=True, help="A comment for what each variable means.")
def export_command(
    file: str,
    to: str,
    output: str,
    encoding: str | None,
    connectivity: str | None,
    bound: int | None,
    varnames: bool,
) -> None:
    """Write the question in FILE for other solvers: CNF, MaxSAT, OPB, LP, MPS, CP-SAT, graphs.

    OUT may end in .gz, .bz2 or .xz. Comments in the file say what it is. Give a solver's answer to
    decode to get it back as cards.
    """
    instance = parse_file(file)
    with while_somebody_reads():
        export(
            instance,
            to,
            output,
            encoding=encoding,
            connectivity=connectivity,
            bound=bound,
            varnames=varnames,
        )
