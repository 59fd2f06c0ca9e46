"""Binary DRAT is read as the text that it stands for, or refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from uno_csp import NotAccepted, Status, decode, parse
from uno_csp.exports.binary_proofs import text_proof
from uno_csp.formats.compression import OPENERS

LITERALS = st.integers(1, 2**31 - 1).flatmap(lambda v: st.sampled_from((v, -v)))
STEPS = st.lists(st.tuples(st.sampled_from("ad"), st.lists(LITERALS, max_size=4)), min_size=1)
NO = "s UNSATISFIABLE\n"
APART = parse({"question": "uno-1", "cards": [["red", 1], ["blue", 2]]})


def binary(kind: str, literals: list[int]) -> bytes:
    """Return a step; its numbers are written seven bits at a time."""
    coded = bytearray(kind.encode())
    for literal in (*literals, 0):
        value = 2 * abs(literal) + (literal < 0)
        while value > 127:
            coded.append(value & 127 | 128)
            value >>= 7
        coded.append(value)
    return bytes(coded)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proof")


@examples(100)
@given(steps=STEPS)
def test_a_binary_proof_is_read_as_its_text(
    steps: list[tuple[str, list[int]]], folder: Path
) -> None:
    (folder / "proof").write_bytes(b"".join(binary(*step) for step in steps))
    starts = {"a": "", "d": "d "}
    expected = [starts[kind] + " ".join(map(str, (*clause, 0))) for kind, clause in steps]
    assert text_proof(folder / "proof", folder).read_text().splitlines() == expected


@pytest.mark.parametrize("raw", [b"1 0\n0\n", b"d 1 0\r\n0\r\n", b"", b"c a\n"])
def test_a_text_is_left_as_it_is(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "proof").write_bytes(raw)
    assert text_proof(tmp_path / "proof", tmp_path) == tmp_path / "proof"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"a\x02\0x", "byte 4 of the binary proof begins no step: 0x78"),
        ("0\n".encode("utf-16"), "byte 1 of the binary proof begins no step"),
        (b"a\0a\x81", "the binary proof ends at byte 4 within a step"),
        (b"a" + 10 * b"\xff" + b"\0", "byte 11 of the binary proof: the literal is too large"),
        (b"\x1f\x8b\x08", "neither text nor binary DRAT"),
        (b"a\x7e\0", "not a valid DRAT proof"),
    ],
)
def test_what_is_no_proof_is_refused(raw: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / "proof").write_bytes(raw)
    with pytest.raises(NotAccepted, match=f"proof: not a valid DRAT proof: .*{why}|{why}"):
        decode(APART, NO, method="position", proof=tmp_path / "proof")


@pytest.mark.parametrize("suffix", [".gz", ".XZ", ".Bz2"])
@pytest.mark.parametrize("raw", [b"0\n", binary("a", [])], ids=["text", "binary"])
def test_a_compressed_proof_proves(raw: bytes, suffix: str, tmp_path: Path) -> None:
    proof = tmp_path / f"proof.drat{suffix}"
    with OPENERS[suffix.lower()](proof, "wb") as stream:
        stream.write(raw)
    answer = decode(APART, NO, method="position", proof=proof)
    assert answer.status is Status.UNSATISFIABLE
    assert answer.reason.endswith("has checked")
    for damaged in (b"0\n", proof.read_bytes()[:-5]):
        proof.write_bytes(damaged)
        with pytest.raises(NotAccepted, match=f"damaged, or no {suffix.lower()} file"):
            decode(APART, NO, method="position", proof=proof)


@pytest.mark.parametrize("option", ["method", "connectivity", "bound", "proof"])
def test_a_tour_takes_no_option_of_a_model(option: str) -> None:
    with pytest.raises(NotAccepted, match=f"a tour takes no {option}"):
        decode(APART, "TOUR_SECTION\n1 2 3\n-1\n", **{option: "1"})  # type: ignore[arg-type]
