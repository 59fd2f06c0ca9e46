"""``uno-csp verify``."""

from pathlib import Path

import click

from uno_csp.certificates.verifier import CHECKERS, judged
from uno_csp.cli.output import complain, print_text


@click.command(name="verify")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--checker",
    type=click.Choice(CHECKERS),
    default="auto",
    show_default=True,
    help="What checks a proof; auto is drat-trim if it is on the PATH, else dratify.",
)
def verify_command(folder: Path, checker: str) -> int:
    """Check the certificate in FOLDER, as ``python verifier.py FOLDER`` does without this package.

    Exit code: 0 verified, 1 refused, 2 unreadable, 3 nothing is here to check the proof with.
    """
    code, told = judged(folder, checker)
    if code:
        complain(told)
    else:
        print_text(told)
    return code
