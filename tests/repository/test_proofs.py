"""The proofs that Coq checks: names in the docs are those of the files; nothing is assumed."""

import re

from proofs.check import THEOREMS
from tests.support import ROOT

SOURCES = sorted(ROOT.glob("proofs/*.v"))
STATED = {
    f"{path.stem}.{name}"
    for path in SOURCES
    for name in re.findall(r"^(?:Theorem|Lemma|Corollary) (\w+)", path.read_text(), re.MULTILINE)
}
LISTED = {f"{file}.{theorem}" for file, theorem, _ in THEOREMS}


def test_main_theorems_are_stated() -> None:
    assert len(LISTED) == len(THEOREMS) > 20
    assert LISTED <= STATED


def test_theorems_that_are_named_are_checked() -> None:
    files = "|".join(path.stem for path in SOURCES)
    for page in ("docs/theory.md", "docs/certificates.md", "proofs/README.md"):
        named = set(re.findall(rf"`((?:{files})\.(?!v`)\w+)`", (ROOT / page).read_text()))
        assert named <= LISTED
        assert named or page != "docs/theory.md"


def test_every_file_is_described() -> None:
    described = set(
        re.findall(r"^\| `(\w+\.v)`", (ROOT / "proofs/README.md").read_text(), re.MULTILINE)
    )
    assert described == {path.name for path in SOURCES}


def test_nothing_is_assumed() -> None:
    for path in SOURCES:
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(), flags=re.DOTALL)
        assumed = r"\b(Admitted|admit|Axiom|Abort|Parameter|Conjecture)\b"
        assert not re.search(assumed, text), path


def test_the_report_lists_them() -> None:
    rows = re.findall(
        r"^\| `(\w+)\.v` \| `(\w+)` \|", (ROOT / "results/proofs.md").read_text(), re.MULTILINE
    )
    assert rows == [(file, theorem) for file, theorem, _ in THEOREMS]
