"""All verifiers of certificates on mutated certificates of every kind.

One certificate has one meaning: what one verifier accepts, all others accept, unless they do not
know certificates of its kind. Judged are the verifiers of each kind, ``uno-csp verify`` with every
proof checker, and the checker that Coq has proved on the bare files; each on the folder, and one of
them on a zip file of it. The locale is that of the process, so a run in ``LC_ALL=C`` is another.
"""

import json
import random
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from tests.attacks.certificate_mutations import mutated, packed, put
from tests.attacks.certificate_seeds import Certificate, seeds
from tests.support.examples import examples
from uno_csp.certificates import proved
from uno_csp.cli.verify import verify_any
from uno_csp.verifier import graphs, hands, reading, real_games

CHECKERS = ("dratify", "drup", proved.NAME)
NOT_KNOWN = (
    "claim.json: allowed files",
    "claim.json: it lists no graph.json",
    "unknown question 'open-game'",
)
"""Parts of refusals by verifiers that do not know certificates of a kind."""

Verdict = tuple[int, str]
"""An exit code with a line."""


def judged(path: Path, check: reading.Check, checker: str = "dratify") -> Verdict:
    return reading.judged(path, checker, check)


JUDGES: dict[str, Callable[[Path], Verdict]] = {
    **{each.__name__: partial(judged, check=each.verify) for each in (hands, graphs, real_games)},
    **{f"--checker {name}": partial(judged, check=verify_any, checker=name) for name in CHECKERS},
}


def verdicts(rng: random.Random, files: Certificate, folder: Path) -> dict[str, Verdict]:
    """Return what each verifier says of the files in a folder."""
    regular = put(rng, files, folder)
    found = {name: judge(folder) for name, judge in JUDGES.items()}
    codes = {code for code, _ in found.values()}
    _, said = found[hands.__name__]
    signed = not any(part in said for part in (*NOT_KNOWN, "(SHA-256)", "missing"))
    of_cards = "question.json" in files and "strategy.txt" not in files
    if regular and signed and of_cards and 0 not in codes and proved.program():
        found["the proved checker alone"] = alone(folder)  # else it was run already
    if regular and set(files) <= {reading.CLAIM, *hands.FILES}:
        archive = folder / "certificate.zip"
        packed(rng, files, archive)
        found["zip file"] = judged(archive, hands.verify)
    return found


def alone(folder: Path) -> Verdict:
    try:
        return proved.verdict(folder)
    except Exception as error:
        return 2, f"{type(error).__name__}: {error}"


def accepted(rng: random.Random, files: Certificate) -> bool:
    """Assert that the verifiers agree on a certificate; return True if it is accepted."""
    with TemporaryDirectory() as kept:
        folder = Path(kept) / "certificate"
        folder.mkdir()
        found = verdicts(rng, files, folder)
        shutil.rmtree(folder)
    known = {
        code == 0
        for code, line in found.values()
        if code != 3 and not any(part in line for part in NOT_KNOWN)
    }
    assert len(known) < 2, json.dumps(found)
    return True in known


def test_all_verifiers_accept_a_certificate_of_each_kind() -> None:
    for kind, files in seeds().items():
        assert accepted(random.Random(1), files), kind


@examples(30)
@given(st.data(), st.randoms(use_true_random=False))
def test_verifiers_agree_on_mutated_certificates(data: st.DataObject, rng: random.Random) -> None:
    accepted(rng, mutated(rng, seeds()[data.draw(st.sampled_from([*seeds()]))]))
