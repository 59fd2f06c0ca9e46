"""The options that ``export`` and ``decode`` must be given alike."""

import click

from uno_csp.cli.output import complete
from uno_csp.modeling import DECOMPOSITIONS
from uno_csp.registry import EAGER, NATIVE, encoding_names

METHOD = click.option(
    "--method",
    metavar="NAME",
    shell_complete=complete(encoding_names()),
    help="The encoding; chosen well when left out.",
)
CONNECTIVITY = click.option(
    "--connectivity",
    metavar="NAME",
    shell_complete=complete((EAGER, *DECOMPOSITIONS, NATIVE)),
    help=f"How globals are written out: {EAGER}, {', '.join(DECOMPOSITIONS)}; cpsat: {NATIVE}.",
)
BOUND = click.option(
    "--bound",
    type=int,
    metavar="N",
    help="fill-in and longest as a decision: is this value, or a better one, possible?",
)
