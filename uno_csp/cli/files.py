"""Options that must be the same for ``export`` and ``decode``."""

import click

from uno_csp.cli.output import complete
from uno_csp.methods import EAGER, NATIVE, encoding_names
from uno_csp.modeling import DECOMPOSITIONS

METHOD = click.option(
    "--method",
    metavar="NAME",
    shell_complete=complete(encoding_names()),
    help="The encoding; chosen automatically if left out.",
)
CONNECTIVITY = click.option(
    "--connectivity",
    metavar="NAME",
    shell_complete=complete((EAGER, *DECOMPOSITIONS, NATIVE)),
    help=f"Encoding of global constraints: {EAGER}, {', '.join(DECOMPOSITIONS)}; cpsat: {NATIVE}.",
)
BOUND = click.option(
    "--bound",
    type=int,
    metavar="N",
    help="Export fill-in or longest as a decision: is this value, or a better one, possible?",
)
