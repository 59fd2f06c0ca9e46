"""Options that must be the same for ``export`` and ``decode``."""

from uno_csp.cli.choices import option
from uno_csp.cli.output import complete
from uno_csp.methods import EAGER, NATIVE, encoding_names
from uno_csp.modeling import DECOMPOSITIONS

METHOD = option(
    "--method",
    "The encoding; chosen automatically if left out.",
    value="NAME",
    shell_complete=complete(encoding_names()),
)
CONNECTIVITY = option(
    "--connectivity",
    f"Encoding of global constraints: {EAGER}, {', '.join(DECOMPOSITIONS)}; cpsat: {NATIVE}.",
    value="NAME",
    shell_complete=complete((EAGER, *DECOMPOSITIONS, NATIVE)),
)
BOUND = option(
    "--bound",
    "Make fill-in or longest a decision: is this value, or a better one, possible?",
    int,
    value="N",
)
