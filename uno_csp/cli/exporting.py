"""``uno-csp export`` and ``uno-csp decode``: other programs' files and answers."""

import click

from uno_csp.cli.answering import EXIT_CODES, show
from uno_csp.cli.output import complete, while_somebody_reads
from uno_csp.errors import InstanceError
from uno_csp.formats import parse_file, read_text
from uno_csp.modeling import DECOMPOSITIONS
from uno_csp.pipeline import decode, export
from uno_csp.pipeline.exporting import FORMATS, STDOUT
from uno_csp.registry import EAGER, NATIVE, encodings

_ENCODING = click.option(
    "--encoding", metavar="NAME", shell_complete=complete(encodings()),
    help="The viewpoint; chosen well when left out.",
)  # fmt: skip
_CONNECTIVITY = click.option(
    "--connectivity", metavar="NAME", shell_complete=complete((EAGER, *DECOMPOSITIONS, NATIVE)),
    help=f"How globals are written out: {EAGER}, {', '.join(DECOMPOSITIONS)}; cpsat: {NATIVE}.",
)  # fmt: skip
_BOUND = click.option(
    "--bound", type=int, metavar="N",
    help="fill-in and longest as a decision: is this value, or a better one, possible?",
)  # fmt: skip


@click.command(name="export")
@click.argument("file")
@click.option("--to", "to", required=True, type=click.Choice(FORMATS), help="The format.")
@click.option("-o", "--output", default=STDOUT, metavar="OUT", help="Standard output if left out.")
@_ENCODING
@_CONNECTIVITY
@_BOUND
@click.option("--varnames", is_flag=True, help="A comment for what each variable means.")
def export_command(
    file: str, to: str, output: str, encoding: str | None, connectivity: str | None,
    bound: int | None, varnames: bool,
) -> None:  # fmt: skip
    """Write the question in FILE for other solvers: CNF, MaxSAT, OPB, LP, MPS, CP-SAT, graphs.

    OUT may end in .gz, .bz2 or .xz. Comments in the file say what it is. Give a solver's answer to
    decode to get it back as cards.
    """
    instance = parse_file(file)
    with while_somebody_reads():
        export(
            instance, to, output, encoding=encoding, connectivity=connectivity, bound=bound,
            varnames=varnames,
        )  # fmt: skip


@click.command(name="decode")
@click.argument("file")
@click.argument("output")
@_ENCODING
@_CONNECTIVITY
@_BOUND
@click.option(
    "--format", "style", type=click.Choice(["human", "json", "competition"]), default="human",
    show_default=True, help="How the answer is written.",
)  # fmt: skip
def decode_command(
    file: str, output: str, encoding: str | None, connectivity: str | None, bound: int | None,
    style: str,
) -> int:  # fmt: skip
    """Turn what a solver said of an exported FILE back into an answer, and check it.

    OUTPUT has its s, v and o lines ('-' is standard input). Give encoding, connectivity and bound
    as for export. Exit codes are those of solve.
    """
    instance = parse_file(file)
    text = read_text(output)
    try:
        answer = decode(
            instance, text, encoding=encoding, connectivity=connectivity, bound=bound
        )  # fmt: skip
    except InstanceError as error:
        raise InstanceError(f"{output}: {error}") from None
    show(instance, answer, style)
    return EXIT_CODES[answer.status]
