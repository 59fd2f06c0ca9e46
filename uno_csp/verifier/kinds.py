"""Verify a certificate of any kind: ``python uno-verify CERTIFICATE``, a folder or zip file."""

from pathlib import Path

from uno_csp.verifier import graphs, hands, reading, real_games
from uno_csp.verifier.proofs import CHECKERS

OTHERS: dict[str, reading.Check] = {
    graphs.GRAPH: graphs.verify,
    real_games.STRATEGY: real_games.verify,
}
"""The verifiers of other kinds than those of hands, by the file that tells the kind."""


def check_of(path: Path) -> reading.Check:
    """Return the verifier of a certificate, which the files in its claim tell."""
    *_, files = reading.opened(path, (*hands.FILES, *OTHERS))
    return next((OTHERS[name] for name in OTHERS if name in files), hands.verify)


def verify(path: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Verify a certificate; return what was proved and what is trusted, and the proof checker.

    Raises Refused if it does not prove what it claims, and NoChecker if the proof checker is not
    installed.
    """
    return check_of(path)(path, checker)


def main() -> None:
    """Run the command line of the verifier."""
    reading.main(verify, CHECKERS)
