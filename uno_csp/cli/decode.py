"""``uno-csp decode``: other programs' answers."""

import click

from uno_csp.cli.files import BOUND, CONNECTIVITY, METHOD
from uno_csp.cli.showing import EXIT_CODES, show
from uno_csp.errors import InstanceError
from uno_csp.exports import decode
from uno_csp.formats import parse_file, read_text


@click.command(name="decode", short_help="Turn what a solver said of an export into an answer.")
@click.argument("file")
@click.argument("output")
@METHOD
@CONNECTIVITY
@BOUND
@click.option(
    "--proof",
    metavar="DRAT",
    help="The solver's proof that there is no solution, as text, to be checked.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["human", "json", "competition"]),
    default="human",
    show_default=True,
    help="How the answer is written.",
)
def decode_command(
    file: str,
    output: str,
    method: str | None,
    connectivity: str | None,
    bound: int | None,
    proof: str | None,
    style: str,
) -> int:
    """Turn what a solver said of an exported FILE back into an answer, and check it.

    OUTPUT has its s, v and o lines ('-' is standard input). Give method, connectivity and bound
    as for export. Exit codes are those of solve.
    """
    instance = parse_file(file)
    text = read_text(output)
    try:
        answer = decode(
            instance,
            text,
            method=method,
            connectivity=connectivity,
            bound=bound,
            proof=proof,
        )
    except InstanceError as error:
        raise InstanceError(f"{output}: {error}") from None
    show(instance, answer, style)
    return EXIT_CODES[answer.status]
