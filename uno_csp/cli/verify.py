"""``uno-csp verify``."""

import time
from pathlib import Path

import click

from uno_csp.certificates import graph_verifier, open_game_verifier, proved, write_lrat
from uno_csp.certificates.folders import holds
from uno_csp.certificates.full_verifier import CHECKERS, verify
from uno_csp.certificates.verifier import Check, judged
from uno_csp.cli.output import complain, print_text
from uno_csp.questions.wording import counted


@click.command(name="verify")
@click.argument("certificate", type=click.Path(path_type=Path))
@click.option(
    "--checker",
    type=click.Choice((*CHECKERS, proved.NAME)),
    default="auto",
    show_default=True,
    help="Proof checker; auto is drat-trim if it is on the PATH, else dratify. For acl2 the "
    "proof is first converted to LRAT, in a file next to it; coq is the checker that proofs/build "
    "builds.",
)
def verify_command(certificate: Path, checker: str) -> int:
    """Check a CERTIFICATE: a folder, or the zip file of one.

    ``python full_verifier.py CERTIFICATE`` does the same without this package; for a certificate
    about a graph it is ``graph_verifier.py``, and about a real game ``open_game_verifier.py``.

    Exit code: 0 verified, 1 refused, 2 unreadable, 3 no proof checker is available.
    """
    if checker == "acl2":
        write_lrat(certificate)
    began = time.perf_counter()
    code, message = judged(certificate, checker, _verifier(certificate, checker))
    seconds = time.perf_counter() - began
    if code:
        complain(message)
    else:
        print_text(f"{message}\nread: {_size(certificate)}, verified in {seconds:.2f} s")
    return code


def _size(certificate: Path) -> str:
    """Return the size of a certificate in words."""
    if certificate.is_file():
        return f"a zip file of {certificate.stat().st_size / 1000:.1f} kB"
    sizes = [path.stat().st_size for path in certificate.iterdir() if path.is_file()]
    return f"{counted(len(sizes), 'file')} of {sum(sizes) / 1000:.1f} kB"


def _verifier(certificate: Path, checker: str) -> Check:
    """Return the verifier for a kind of certificate."""
    if checker == proved.NAME:
        return proved.verify
    if holds(certificate, graph_verifier.GRAPH):
        return graph_verifier.verify
    if holds(certificate, open_game_verifier.STRATEGY):
        return open_game_verifier.verify
    return verify
