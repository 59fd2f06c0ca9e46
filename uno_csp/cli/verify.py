"""``uno-csp verify``."""

import time
from pathlib import Path

import click

from uno_csp.certificates import proved
from uno_csp.certificates.folders import export_verifier
from uno_csp.cli.choices import option
from uno_csp.cli.output import complain, print_text
from uno_csp.questions.wording import counted
from uno_csp.verifier import hands
from uno_csp.verifier.kinds import check_of
from uno_csp.verifier.proofs import CHECKERS
from uno_csp.verifier.reading import NoChecker, judged


@click.command(name="verify")
@click.argument("certificate", type=click.Path(path_type=Path), required=False)
@option(
    "--checker",
    "Proof checker; auto is drat-trim if it is on the PATH, else dratify. For acl2 the "
    "proof is first converted to LRAT; coq is the checker that proofs/build builds.",
    click.Choice((*CHECKERS, proved.NAME)),
    "auto",
)
@option(
    "--export",
    "Write the verifier into a new file that needs only Python: python FILE CERTIFICATE.",
    click.Path(path_type=Path, dir_okay=False),
)
def verify_command(certificate: Path | None, checker: str, export: Path | None) -> int:
    """Check a CERTIFICATE: a folder, or the zip file of one.

    Exit code: 0 verified, 1 refused, 2 unreadable, 3 no proof checker is available.
    """
    if export is not None:
        export_verifier(export)
    if certificate is None:
        if export is None:
            raise click.UsageError("Missing argument 'CERTIFICATE'.")
        return 0
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
    """Verify a certificate by the verifier for its kind, or by the checker that Coq has proved."""
    check = check_of(certificate)
    if checker != proved.NAME:
        return check(certificate, checker)
    if check is not hands.verify:
        raise NoChecker("the proved checker does not handle graphs and real games")
    return proved.verify(certificate, checker)
