"""The studies of examples/suites: their hands, their records, and the reports made of them."""

from pathlib import Path

import pytest

from scripts import studies
from tests.support import ROOT
from uno_csp import parse
from uno_csp.experiments.records import read_records
from uno_csp.experiments.suites import read_suite
from uno_csp.questions.cards import matches

SUITES = ROOT / "examples" / "suites"


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the packed records alone, as in a fresh clone."""
    for name in studies.REPORTS:
        packed = tmp_path / name / "records.jsonl.gz"
        packed.parent.mkdir()
        packed.write_bytes((ROOT / "results/studies" / name / packed.name).read_bytes())
    monkeypatch.setattr(studies, "RESULTS", tmp_path)
    return tmp_path


def test_every_run_of_a_study_is_recorded_and_the_reports_are_made_of_the_records(
    results: Path,
) -> None:
    studies.main(["--report"])
    for name in studies.REPORTS:
        records = read_records(results / name)
        planned = {each.id for each in read_suite(SUITES / f"{name}.toml").runs}
        assert {record["run"] for record in records} == planned
        assert not [record for record in records if record["category"] in ("error", "wrong")]
        written = (ROOT / "results/studies" / f"{name}.md").read_text()
        assert (results / f"{name}.md").read_text() == written


def test_the_hands_with_and_without_equal_cards_match_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "COPIES", tmp_path / "copies.jsonl")
    studies.write_hands()
    text = (tmp_path / "copies.jsonl").read_text()
    assert text == (SUITES / "copies.jsonl").read_text()
    hands = {each.name: each for each in map(parse, text.splitlines())}
    pairs = [name for name in hands if studies.APART not in name]
    assert len(pairs) == 18 == len(hands) - len(pairs)
    for name in pairs[:4]:
        equal, apart = hands[name].cards, hands[name + studies.APART].cards
        assert len(set(apart)) == len(apart) > len(set(equal))
        for index, card in enumerate(equal):
            for other in range(index):
                assert matches(card, equal[other], 1) == matches(apart[index], apart[other], 1)
