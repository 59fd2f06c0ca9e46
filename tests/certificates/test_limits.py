"""The work of a verifier is bounded by what it was given, and a refusal names the limit."""

import json
import os
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scripts import hostile_certificates as hostile
from tests.attacks.certificate_seeds import seeds
from tests.support.certifying import LONGEST, put_certificate, written
from tests.support.running import Patch
from uno_csp.certificates import pack, proved
from uno_csp.cli.verify import verify_any
from uno_csp.verifier import hands, reading
from uno_csp.verifier.reading import Budget, Exceeded, Refused, judged, loads

SMALL = 20_000
"""Size of the hostile certificates here, in bytes; the script makes those of 1 MB."""


def certificate(folder: Path, question: str, reason: str) -> Path:
    """Write a certificate of a NO with hashes that fit."""
    return written(folder, {"question.json": question, "reason.json": reason})


def refusal(path: Path) -> str:
    code, line = judged(path, "auto", verify_any)
    assert code == 1, line
    return line


def zipped(path: Path, write: Callable[[zipfile.ZipFile], object], method: int = 8) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        write(archive)
    return path


def test_a_zip_file_is_not_unpacked_beyond_a_multiple_of_its_size(tmp_path: Path) -> None:
    """Eighty million empty lists in 245 kB; a kilobyte that unpacks to a gigabyte."""
    many = zipped(tmp_path / "a.zip", lambda to: to.writestr("claim.json", "[]," * 5_000_000))
    assert "it unpacks to 15,000,000 bytes, over the limit of 2,519,976" in refusal(many)
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        other = zipped(tmp_path / "b.zip", lambda to: to.writestr("claim.json", "{}"), method)
        assert "neither stored nor deflated" in refusal(other)


def test_what_is_in_a_zip_file_is_what_its_heading_says(tmp_path: Path) -> None:
    """A member that says that it is small is not unpacked any further."""
    path = zipped(tmp_path / "a.zip", lambda to: to.writestr("claim.json", "[]," * 1_000_000))
    raw = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = raw.index(mark) + place
        raw[at : at + 4] = (100).to_bytes(4, "little")
    path.write_bytes(raw)
    code, line = judged(path, "auto", verify_any)
    assert (code, "Bad CRC-32" in line) == (2, True)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "name", ["claim.json", "../claim.json", "/claim.json", "a/claim.json", "a/", "more.zip"]
)
def test_other_names_and_a_name_twice_in_a_zip_file_are_refused(name: str, tmp_path: Path) -> None:
    def write(to: zipfile.ZipFile) -> None:
        to.writestr("claim.json", "{}")
        to.writestr(name, "")

    assert "do not belong to a certificate" in refusal(zipped(tmp_path / "a.zip", write))


def test_damaged_zip_files_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    pack(put_certificate(tmp_path / "made", LONGEST), path)
    assert judged(path, "auto", verify_any)[0] == 0
    for none in (b"", b"hello\n", b"PK\x03\x04" + bytes(40)):
        path.write_bytes(none)
        code, expected = judged(path, "auto", hands.verify)
        assert (code, "not a zip file" in expected) == (2, True)


def test_encrypted_members_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", lambda to: to.writestr("claim.json", "{}"))
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(raw)
    assert "encrypted" in refusal(path)


def test_regular_files_and_folders_only(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        assert "neither a folder nor a file" in refusal(path)
    makers: dict[str, Callable[[Path], object]] = {
        "claim.json": os.mkfifo,
        "question.json": lambda path: path.symlink_to("/dev/zero"),
        "reason.json": lambda path: path.mkdir(),
    }
    for name, make in makers.items():
        folder = tmp_path / name
        folder.mkdir()
        for file, raw in seeds()["groups"].items():
            (folder / file).write_bytes(raw)
        (folder / name).unlink()
        make(folder / name)
        assert refusal(folder) == f"refused: {name}: missing, or not a regular file"


def test_files_that_no_claim_lists_are_not_read(tmp_path: Path) -> None:
    """Neither a pipe nor a file of another kind of certificate matters."""
    for file, raw in seeds()["groups"].items():
        (tmp_path / file).write_bytes(raw)
    os.mkfifo(tmp_path / "strategy.jsonl")
    (tmp_path / "graph.json").write_text("{}")
    for number in range(1_000):
        (tmp_path / f"{number}.json").touch()
    for check in (hands.verify, verify_any):
        assert judged(tmp_path, "auto", check)[0] == 0
    if proved.program():
        assert judged(tmp_path, proved.NAME, verify_any)[0] == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" + "[]," * 4_000_000 + "[]]", "over the limit of 4,000,000 values"),
        ("[" * 101 + "]" * 101, "over the limit of 100 nested brackets"),
        ('{"a":' * 101 + "1" + "}" * 101, "over the limit of 100 nested brackets"),
        ("[" * 50_000 + "]" * 50_000, "recursion"),
        ("9" * 4301, "4300 digits"),
        ("1" * 100_000 + "e5", "is not an integer"),
    ],
)
def test_the_limits_of_a_text(text: str, said: str) -> None:
    with pytest.raises((Refused, ValueError, RecursionError), match=said):
        loads(text)


def test_what_is_within_the_limits_is_read() -> None:
    for text in (
        "[" * 100 + "]" * 100,
        '{"a":' * 100 + "-0" + "}" * 100,
        "[" + "1," * 10**6 + "1]",
    ):
        assert loads(text)
    assert loads("9" * 4300) == 10**4300 - 1
    assert loads('"' + "[" * 1_000 + '"') == "[" * 1_000


def test_files_together_have_a_limit(tmp_path: Path, monkeypatch: Patch) -> None:
    path = certificate(tmp_path, '{"question": "uno-1", "cards": []}', " " * 2_000)
    monkeypatch.setattr(reading, "MOST_BYTES", 1_500)
    assert "reason.json: over the limit of 1,500 bytes in all files" in refusal(path)
    monkeypatch.setattr(reading, "MOST_JSON", 20)
    assert "claim.json: over the limit of 20 bytes" in refusal(path)


def test_steps_are_bounded_by_the_size() -> None:
    budget = Budget(1_000)
    budget.spend(reading.STEPS_AT_LEAST + 1_000 * reading.STEPS_PER_BYTE)
    with pytest.raises(Exceeded, match=r"over the limit of 64,256,000 steps .* for each byte"):
        budget.spend(1)
    assert Budget(10**9).most == reading.MOST_STEPS
    Budget().spend(10**30)


@pytest.mark.parametrize("make", hostile.CASES, ids=lambda make: make.__name__)
def test_hostile_certificates_end_within_their_steps(
    make: Callable[[], tuple[dict[str, Any], dict[str, str]]], tmp_path: Path, monkeypatch: Patch
) -> None:
    """Small ones, with small limits: each is judged, and none takes more steps than it may."""
    monkeypatch.setattr(hostile, "SIZE", SMALL)
    monkeypatch.setattr(reading, "STEPS_AT_LEAST", 100_000)
    spent: list[int] = []
    spend = Budget.spend

    def counting(budget: Budget, steps: int) -> None:
        spend(budget, steps)
        spent.append(steps)

    monkeypatch.setattr(Budget, "spend", counting)
    path = hostile.write(*make(), tmp_path, zipped=make is hostile.zipped_lists)
    code, line = judged(path, "auto", verify_any)
    assert code in (0, 1), line
    assert sum(spent) <= 4 * (100_000 + 256 * 1_000_000)


def test_a_proof_speaks_of_the_variables_of_its_formula(tmp_path: Path) -> None:
    """A checker would make room for as many variables as the largest number."""
    for proof, line in (("999999999 0\n0\n", 1), ("0\n1_0 0\n", 2), ("0\n+1 0\n", 2), ("0\n\n", 2)):
        files = {name: raw.decode() for name, raw in seeds()["refutation"].items()}
        claim = json.loads(files.pop("claim.json"))
        path = hostile.write(claim, {**files, "proof.drat": proof}, tmp_path, zipped=False)
        assert f"proof.drat: line {line}: not a clause" in refusal(path)
    files["formula.cnf"] = "p cnf 999999999 1\n1 0\n"
    path = hostile.write(claim, {**files, "proof.drat": "0\n"}, tmp_path, zipped=False)
    assert "formula.cnf: line 1: 'p cnf 999999999 1'" in refusal(path)


def test_a_refusal_has_an_end(tmp_path: Path) -> None:
    path = certificate(tmp_path, json.dumps({"question": "x" * 100_000, "cards": []}), "{}")
    assert len(refusal(path)) < 3_000


def test_numbers_that_are_large_are_read_alike(tmp_path: Path) -> None:
    """As values of cards, where size does not matter."""
    rng = random.Random(1)
    cards = [[rng.randrange(10**4000), -(10**4000)] for _ in range(3)] + [["a", "b"]]
    reason = json.dumps({"removed": [], "groups": [[0, 1, 2], [3]]})
    path = certificate(tmp_path, json.dumps({"question": "uno-1", "cards": cards}), reason)
    assert judged(path, "auto", verify_any)[0] == 0
    if proved.program():
        assert judged(path, proved.NAME, verify_any)[0] == 0
