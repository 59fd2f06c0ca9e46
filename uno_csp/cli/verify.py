"""``uno-csp verify``."""

import time
from pathlib import Path

import click

from uno_csp.certificates import graph_verifier, open_game_verifier, proved
from uno_csp.certificates.full_verifier import CHECKERS, FILES, verify
from uno_csp.certificates.reading import Check, NoChecker, judged, opened
from uno_csp.cli.choices import option
from uno_csp.cli.output import complain, print_text
from uno_csp.questions.wording import counted


@click.command(name="verify")
@click.argument("certificate", type=click.Path(path_type=Path))
@option(
    "--checker",
    "Proof checker; auto is drat-trim if it is on the PATH, else dratify. For acl2 the "
    "proof is first converted to LRAT; coq is the checker that proofs/build builds.",
    click.Choice((*CHECKERS, proved.NAME)),
    "auto",
)
def verify_command(certificate: Path, checker: str) -> int:
    """Check a CERTIFICATE: a folder, or the zip file of one.

    ``python full_verifier.py CERTIFICATE`` does the same without this package; for a certificate
    about a graph it is ``graph_verifier.py``, and about a real game ``open_game_verifier.py``.

    Exit code: 0 verified, 1 refused, 2 unreadable, 3 no proof checker is available.
    """
    began = time.perf_counter()
    code, message = judged(certificate, checker, verify_any)
    seconds = time.perf_counter() - began
    if code:
        complain(message)
    else:
        print_text(f"{message}\nread: {_size(certificate)}, verified in {seconds:.2f} s")
    return code


def _size(certificate: Path) -> str:
    if certificate.is_file():
        return f"a zip file of {certificate.stat().st_size / 1000:.1f} kB"
    sizes = [path.stat().st_size for path in certificate.iterdir() if path.is_file()]
    return f"{counted(len(sizes), 'file')} of {sum(sizes) / 1000:.1f} kB"


def verify_any(certificate: Path, checker: str) -> tuple[str, str | None]:
    """Verify a certificate by the verifier for its kind, which the files in its claim tell."""
    *_, files = opened(certificate, (*FILES, graph_verifier.GRAPH, open_game_verifier.STRATEGY))
    other = {graph_verifier.GRAPH: graph_verifier, open_game_verifier.STRATEGY: open_game_verifier}
    if checker == proved.NAME and not other.keys().isdisjoint(files):
        raise NoChecker("the proved checker does not handle graphs and real games")
    own: Check = proved.verify if checker == proved.NAME else verify
    return next((other[name].verify for name in other if name in files), own)(certificate, checker)
