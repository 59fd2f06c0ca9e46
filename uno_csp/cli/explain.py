"""``uno-csp explain``."""

import click

from uno_csp.cli.output import print_text
from uno_csp.cli.showing import EXIT_CODES
from uno_csp.formats import parse_file
from uno_csp.pipeline import explain, solve


@click.command(name="explain")
@click.argument("file")
@click.option("--time-limit", type=float, metavar="S", help="Wall-clock seconds for everything.")
def explain_command(file: str, time_limit: float | None) -> int:
    """Say in plain words why the answer to the question in FILE is what it is.

    A no has a reason that can be told when the cards fall into groups, when too many parts of the
    hand are dead ends, or when a matching decides; where none is known, that is said. Exit codes
    are those of solve.
    """
    instance = parse_file(file)
    answer = solve(instance, time_limit_s=time_limit)
    print_text("\n".join(explain(instance, answer)))
    return EXIT_CODES[answer.status]
