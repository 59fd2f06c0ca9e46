"""Exports in chunks of any size: the same text, little memory, and a limit."""

import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.running import Patch, answered, printed, refused
from uno_csp import NotAccepted, encoding_names, export, parse
from uno_csp.exports import clause_streams, text_arrays
from uno_csp.exports.clause_streams import ClauseStream, Literals, clean
from uno_csp.modeling import Block, Clauses, clauses, decompositions
from uno_csp.questions import Instance

HANDS = (
    parse("R5 R7 B7 B1 G1 G2 R5 R5"),
    parse({"question": "longest", "cards": ["R5", "B5", "B7", "G7", "Y1", "Y1"]}),
)
LITERALS = st.integers(-9, 9).filter(bool)


@examples(100)
@given(st.lists(st.integers(-(2**62), 2**62)))
def test_numbers_are_written_as_str_writes_them(numbers: list[int]) -> None:
    array = np.array(numbers, dtype=np.int64)
    chars = text_arrays.side_by_side(text_arrays.signed(array), b"\n")
    assert text_arrays.text_of(chars).decode() == "".join(f"{number}\n" for number in numbers)


@examples(100)
@given(st.lists(st.lists(LITERALS, max_size=6)))
def test_clauses_are_kept_and_cleaned_as_lists_are(given_clauses: list[list[int]]) -> None:
    kept = Clauses(given_clauses)
    assert kept == given_clauses
    assert [*kept.copy()] == given_clauses
    wanted = [
        [*dict.fromkeys(clause)]
        for clause in given_clauses
        if not any(-literal in clause for literal in clause)
    ]
    flat = np.array([each for clause in given_clauses for each in (*clause, 0)], dtype=np.int32)
    assert clean(flat, 9).tolist() == [each for clause in wanted for each in (*clause, 0)]


def test_a_copy_of_clauses_grows_alone() -> None:
    matrix = np.array([[1, -2, 3], [2, 0, 0]], dtype=np.int32)
    first = Clauses([(1,), ()])
    first.add_block(Block(2, iter, ([matrix],)))
    second = first.copy()
    second.append((4, 5))
    first.append((-1,))
    assert [*first] == [[1], [], [1, -2, 3], [2], [-1]]
    assert second == [[1], [], [1, -2, 3], [2], [4, 5]]
    assert (len(first), len(second)) == (5, 5)


@pytest.mark.parametrize(
    ("hand", "to"),
    [
        *itertools.product(HANDS[:1], ["dimacs", "opb", "lp", "mps"]),
        *itertools.product(HANDS[1:], ["wcnf", "wcnf-classic", "opb", "lp", "mps"]),
    ],
    ids=str,
)
def test_small_chunks_give_the_same_text(hand: Instance, to: str, monkeypatch: Patch) -> None:
    def texts() -> dict[str, str]:
        found = {}
        for method in encoding_names():
            for connectivity in ("order", "flow"):
                out = io.StringIO()
                try:
                    export(hand, to, out, method=method, connectivity=connectivity)
                except NotAccepted:
                    continue
                found[f"{method} {connectivity}"] = out.getvalue()
        return found

    whole = texts()
    assert whole
    for module in (clauses, decompositions):
        monkeypatch.setattr(module, "CHUNK", 50)
    for name in ("CHUNK", "_ROWS_AT_ONCE"):
        monkeypatch.setattr(f"uno_csp.exports.linear_programs.{name}", 3)
    monkeypatch.setattr(clause_streams, "CHUNK", 10)
    assert texts() == whole


@pytest.mark.parametrize("to", ["dimacs", "opb", "lp", "mps", "hcp"])
def test_the_size_is_known_before_and_limits_the_file(to: str, tmp_path: Path) -> None:
    method = None if to == "hcp" else "position"
    count = 600 if to == "hcp" else 60
    cards = [["red", number] for number in range(count)]
    hand = parse({"question": "uno-1", "name": "Zoë", "cards": cards})
    plain, packed = tmp_path / "q.txt", tmp_path / "q.txt.gz"
    exported = export(hand, to, plain, method=method)
    size = export(hand, to, None, method=method).bytes
    assert size == exported.bytes == plain.stat().st_size > 10**6
    if to == "dimacs":
        assert f"p cnf {exported.variables} {exported.constraints}\n" in plain.read_text()
    elif to != "hcp":
        assert max(map(int, re.findall(r"\bx([0-9]+)\b", plain.read_text()))) == exported.variables
    packed.write_text("old")
    for file in (packed, tmp_path / "new"):
        with pytest.raises(NotAccepted, match=r"the file would be larger than 1 MB$"):
            export(hand, to, file, method=method, limit_mb=1)
    assert packed.read_text() == "old"
    assert {each.name for each in tmp_path.iterdir()} == {"q.txt", "q.txt.gz"}


def test_the_command_tells_the_size(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("export", "R5", "R7", "B7", "--to")
    answered(0, *asked, "dimacs", "-o", "q.cnf")
    size = Path("q.cnf").stat().st_size
    assert answered(0, *asked, "dimacs", "--size").startswith(f"{size:,} bytes, ")
    assert answered(0, *asked, "dot", "--size").endswith(" bytes\n")
    assert "--limit-mb" in refused(*asked, "lp", "--limit-mb", "0")


@pytest.mark.slow
@pytest.mark.parametrize("to", ["dimacs", "lp", "mps", "opb"])
@pytest.mark.parametrize(("method", "numbers"), [("position", 20), ("successor", 300)])
def test_large_files_take_little_memory(to: str, method: str, numbers: int) -> None:
    code = f"""
from pathlib import Path
from uno_csp import export, parse
cards = [["c%d" % (i % 20), i % {numbers}] for i in range(400)]
if {method!r} == "successor":
    cards = [["red", i] for i in range(300)]
hand = parse({{"question": "uno-1", "cards": cards}})
size = export(hand, {to!r}, "/dev/null", method={method!r}).bytes
status = Path("/proc/self/status").read_text()  # ru_maxrss begins with that of the parent
print(size, status.partition("VmHWM:")[2].split()[0])
"""
    size, peak_kb = printed(code).split()
    assert int(size) > 40_000_000
    assert int(peak_kb) < 400_000


@pytest.mark.parametrize("kind", ["uno-1", "longest", "fill-in", "cooperative"])
def test_models_of_cp_sat_are_written_as_its_own_writer_does(kind: str, tmp_path: Path) -> None:
    """All that is read from the text is in it, in the same order and form."""
    from ortools.sat.python.cp_model import CpModel

    hand = ["R1", "R2", "B2", "B3", "Y3", "W"]
    held = {"hands": [hand[:3], hand[3:]]} if kind == "cooperative" else {"cards": hand}
    instance = parse({"question": kind, **held})
    for method, connectivity in (("successor", "native"), ("hub-trail", "flow"), (None, None)):
        if method is not None and kind == "cooperative":
            continue
        chosen: dict[str, Any] = {"method": method, "connectivity": connectivity}
        export(instance, "cpsat", tmp_path / "ours", **chosen, varnames=True)
        lines = (tmp_path / "ours").read_text().splitlines(keepends=True)
        assert any(line.startswith("# var 1 ") for line in lines)
        ours = "".join(line for line in lines if not line.startswith("#"))
        model = CpModel()
        assert model.proto.parse_text_format(ours)
        assert model.export_to_file(str(tmp_path / "theirs.pbtxt"))
        assert (tmp_path / "theirs.pbtxt").read_text() == ours


def test_what_is_made_in_memory_has_a_limit(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("uno_csp.exports.xcsp.MOST_ARCS", 10)
    monkeypatch.setattr("uno_csp.exports.writing.MOST_BINARY", 100)
    hand = parse("R1 R2 R3 R4 R5")
    for target in (None, tmp_path / "x.xml"):
        with pytest.raises(NotAccepted, match="for at most 10 pairs of cards that match, not 30"):
            export(hand, "xcsp", target)
    with pytest.raises(NotAccepted, match="a binary model has 0 MB of text at most"):
        export(hand, "cpsat", tmp_path / "x.pb")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("length", [1, 2, 3000])
def test_clauses_that_are_made_on_the_way_are_not_kept(length: int, monkeypatch: Patch) -> None:
    """They are handed on long before the last is made."""
    chunk, at_once = 1 << 12, 10
    monkeypatch.setattr(clause_streams, "CHUNK", chunk)
    monkeypatch.setattr(clause_streams, "AT_ONCE", at_once)
    made, handed, most = 0, 0, 0

    def clauses_made() -> Iterator[list[int]]:
        nonlocal made, most
        for _ in range(30 * chunk // length):
            made += 1
            most = max(most, made - handed)
            yield [*range(1, length + 1)]

    def take(literals: Literals) -> None:
        nonlocal handed
        handed += int(np.count_nonzero(literals == 0))

    stream = ClauseStream(length, take)
    stream.clauses.extend(clauses_made())
    stream.flush()
    assert handed == made == stream.num_clauses
    assert most <= chunk // length + 2 * at_once < made
