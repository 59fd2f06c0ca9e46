"""A sample of the comparison of verifiers, and what it can find."""

import random
from pathlib import Path

import pytest

from tests.attacks import verifiers
from tests.attacks.certificate_mutations import MUTATIONS, mutated
from tests.attacks.certificate_seeds import seeds


def test_all_verifiers_accept_a_certificate_of_each_kind(tmp_path: Path) -> None:
    for kind, files in seeds().items():
        assert verifiers.differing(random.Random(1), files, tmp_path) == ("", True), kind


def test_verifiers_agree_on_mutated_certificates() -> None:
    found = list(verifiers.compare(3, range(30)))
    assert [what for _, _, what in found if what] == []
    assert {accepted for _, accepted, _ in found} == {True, False}


def test_a_verifier_that_differs_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = verifiers.judges()
    lenient = {**real, "lenient": lambda _path: (0, "proved")}
    monkeypatch.setattr(verifiers, "judges", lambda: lenient)
    files = dict(seeds()["groups"])
    files["reason.json"] = b"[]"
    what, _ = verifiers.differing(random.Random(1), files, tmp_path)
    assert '"lenient"' in what


def test_mutations_change_something_and_depend_on_the_seed_alone() -> None:
    for mutation in MUTATIONS:
        raw = seeds()["bound"]["question.json"]
        assert any(mutation(random.Random(seed), raw) != raw for seed in range(20))
    first, second = (mutated(random.Random(5), seeds()["pairs"]) for _ in range(2))
    assert first == second
