"""Exports are complete, say what they are, and outside programs' answers come back checked."""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import pytest

from tests.support.hands import truth
from tests.support.outside import decode
from tests.support.running import answered, refused
from tests.support.tables import table
from uno_csp import (
    InstanceError,
    Longest,
    NotAccepted,
    Status,
    UnknownName,
    Uno1,
    encoding_names,
    export,
    generate,
    parse,
)
from uno_csp.exports.outputs import Output
from uno_csp.exports.programs import write_clauses
from uno_csp.formats import question_to_dict
from uno_csp.methods import ENCODINGS
from uno_csp.modeling import Clauses, Model

SQUARE = Uno1((("red", 1), ("red", 2), ("blue", 2)), name="square")
LONGEST = Longest((("red", 1),))
APART = Uno1((("red", 1), ("blue", 2)))
BIN = Path(sys.executable).parent
KISSAT = ["kissat", "-q"]


def outside(command: list[str], file: Path) -> str:
    """What an outside program prints; it must be there."""
    assert shutil.which(command[0]), command[0]
    done = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
    return done.stdout


def test_a_path_of_any_kind_is_a_target(tmp_path: Path) -> None:
    class Line:
        def write(self, text: str, /) -> int:
            lines.append(text)
            return len(text)

    lines: list[str] = []
    export(SQUARE, "dimacs", Line())
    with os.scandir(tmp_path) as entries:
        assert not [*entries]
    for name in ("a.cnf", "b.cnf.gz", "c.pb"):
        to = "cpsat" if name == "c.pb" else "dimacs"
        export(SQUARE, to, PurePath(tmp_path, name), bound=None, limit_mb=np.int64(1))
    (tmp_path / "d").touch()
    with os.scandir(bytes(tmp_path)) as raw:
        found: Any = next(each for each in raw if each.name == b"d")
    export(SQUARE, "dimacs", found)
    with gzip.open(tmp_path / "b.cnf.gz", "rt") as stream:
        assert stream.read() == (tmp_path / "a.cnf").read_text() == "".join(lines)
    assert (tmp_path / "d").read_text() == "".join(lines)
    assert (tmp_path / "c.pb").stat().st_size > 0


@pytest.mark.parametrize("after", [None, ("blue", 9)])
def test_tours(after: Any, tmp_path: Path) -> None:
    hand = Uno1(SQUARE.cards, after=after)
    file = tmp_path / "q.hcp"
    export(hand, "hcp", file)
    words = file.read_text().split("EDGE_DATA_SECTION\n")[1].split("\n-1")[0].split()
    edges = {frozenset(map(int, pair)) for pair in zip(words[::2], words[1::2], strict=True)}
    nodes = 4 if after is None else 6
    assert f"DIMENSION : {nodes}\n" in file.read_text()
    # From blue 2 by red 2 to red 1; with a pile by its two nodes back to node 1.
    circuit = [1, 2, 3, 4] if after is None else [3, 4, 6, 5, 1, 2]
    closed = [*circuit, circuit[0]]
    assert all(frozenset(pair) in edges for pair in pairwise(closed))
    for direction in (1, -1):
        tour = "\n".join(map(str, circuit[::direction]))
        answer = decode(hand, f"TYPE : TOUR\nTOUR_SECTION\n{tour}\n-1\nEOF\n")
        assert answer.checked
        assert answer.sequence is not None
        if after is not None:
            assert answer.sequence[0] == ("blue", 2)
    with pytest.raises(InstanceError, match="visits each node from 1"):
        decode(hand, "TOUR_SECTION\n1 2 2\n-1")
    wrong = [1, 3, 2, 4] if after is None else [2, 4, 6, 5, 1, 3]
    with pytest.raises(InstanceError, match="the checker refuses it"):
        decode(hand, "TOUR_SECTION\n" + " ".join(map(str, wrong)))


def test_a_whole_file() -> None:
    why = {"status": "SATISFIABLE", "why": "they are\nboth red"}
    pair = parse({"question": "uno-1", "cards": ["R5", "R7"], "name": "pair", "expected": why})
    text = io.StringIO()
    written = export(pair, "dimacs", text, method="position", varnames=True, question=False)
    assert text.getvalue().splitlines() == table("exports", "a whole file")
    assert (written.variables, written.constraints) == (4, 12)


@pytest.mark.parametrize("name", encoding_names())
def test_meanings_are_of_variables_of_the_model(name: str) -> None:
    encoder = ENCODINGS.find(name)
    accepted = [each.instance for each in truth() if encoder.refusal(each.instance) is None]
    for instance in accepted:
        encoded = encoder.encode(instance)
        expected = dict(encoder.meanings(encoded))
        assert len(expected) == len(list(encoder.meanings(encoded)))
        assert len(set(expected.values())) == len(expected)
        assert all(1 <= variable <= encoded.model.num_vars for variable in expected)
        assert len(expected) >= encoded.model.num_vars - 1  # the apex has no name


@pytest.mark.parametrize(("question", "to", "options", "message"), table("exports", "refused"))
def test_what_cannot_be_exported(
    question: dict[str, Any], to: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises((NotAccepted, UnknownName), match=message):
        export(parse(question), to, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_an_optimum_is_not_believed_of_another_assignment(tmp_path: Path) -> None:
    """As when a solver is cut short between its last o line and its last v line."""
    instance = generate("spider", question="fill-in")
    file = tmp_path / "spider.wcnf"
    export(instance, "wcnf", file)
    said = outside([sys.executable, str(BIN / "rc2.py"), "-vv"], file)
    assert decode(instance, said).status is Status.OPTIMAL
    (line,) = re.findall(r"^o \d+$", said, re.MULTILINE)[-1:]
    answer = decode(instance, said.replace(line, f"o {int(line[2:]) - 1}"))
    assert (answer.status, answer.objective, answer.bound) == (Status.UNKNOWN, 2, None)
    assert "not the cost of the assignment" in answer.reason


def test_export_and_decode_on_the_command_line(tmp_path: Path) -> None:
    question, out, said = (str(tmp_path / name) for name in ("q.json", "q.cnf", "said.txt"))
    Path(question).write_text('{"question": "uno-1", "cards": ["R5", "R7", "B7"]}')
    answered(0, "export", question, "--to", "dimacs", "-o", out, "--varnames")
    Path(said).write_text(outside(KISSAT, Path(out)))
    verdict = "YES  the whole hand can be discarded (3 official cards)\n"
    assert answered(10, "decode", question, said).startswith(verdict)
    assert json.loads(answered(10, "decode", question, said, "--format", "json"))["checked"] is True
    assert "p cnf" in answered(0, "export", question, "--to", "dimacs")
    Path(said).write_text("nonsense")
    complaint = f"uno-csp: {said}: solver output: its format is not"
    assert refused("decode", question, said).startswith(complaint)


@pytest.mark.parametrize(("kind", "bound", "found", "words"), table("exports", "decisions"))
@pytest.mark.parametrize("to", ["dimacs", "opb"])
def test_a_bound_makes_a_decision(
    kind: str, bound: int, found: list[int | None], words: str, to: str, tmp_path: Path
) -> None:
    """Exit code and words are those of the decision; the status is that of the question."""
    instance = parse({"question": kind, "cards": ["R5", "R7", "B9"]})
    file, formula, said = (tmp_path / name for name in ("file", "formula", "said"))
    export(instance, to, file, bound=bound)
    export(instance, "dimacs", formula, bound=bound)
    said.write_text(outside(KISSAT, formula))
    decode_it = ("decode", str(file), str(said))
    code, decision = (20, "UNSATISFIABLE") if found[0] is None else (10, "SATISFIABLE")
    assert answered(code, *decode_it).startswith(words)
    answer = json.loads(answered(code, *decode_it, "--format", "json"))
    assert (answer["status"], answer["decision"]) == ("UNKNOWN", decision)
    assert [answer.get("objective"), answer.get("bound")] == found
    assert f"\ns {decision}" in answered(code, *decode_it, "--format", "competition")
    said.write_text("s UNKNOWN\n")
    assert answered(0, *decode_it).startswith("UNKNOWN  no sequence was found")


@pytest.mark.skipif(shutil.which("cadical") is None, reason="needs cadical")
def test_a_proof_of_an_outside_solver_is_checked(tmp_path: Path) -> None:
    question, formula, said, proof = (tmp_path / name for name in ("q.json", "q.cnf", "out", "p"))
    hand = generate("random", colours=12, numbers=12, cards=18, seed=2, question="longest")
    question.write_text(json.dumps(question_to_dict(hand)))
    export(hand, "dimacs", formula, bound=8)
    command = ["cadical", "-q", "--no-binary", str(formula), str(proof)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said.write_text(done.stdout)
    decode_it = ("decode", str(question), str(said), "--bound", "8", "--proof")
    assert "by a proof that dratify has checked" in answered(20, *decode_it, str(proof))
    lines = proof.read_text().splitlines()
    proof.write_text("\n".join([*lines[: len(lines) // 4], "0"]))
    assert "not a valid DRAT proof" in refused(*decode_it, str(proof))
    assert "no such file" in refused(*decode_it, str(tmp_path / "none"))
    said.write_text("s SATISFIABLE\nv 1 0\n")
    assert "the solver said SATISFIABLE" in refused(*decode_it, str(proof))


def test_clauses_are_written_once_and_with_variables_of_the_model() -> None:
    """No literal twice, no clause that is always true, and none beyond the last variable."""
    text = io.StringIO()
    clauses = Clauses([(1, 2, 1), (1, -1), (2, 2, -1, 2), ()])
    assert write_clauses(Model(2, clauses), Output(text, 100), ()) == (2, 3)
    assert text.getvalue().splitlines() == ["p cnf 2 3", "1 2 0", "2 -1 0", "0"]
    for clause in ((3,), (-3, 1), (10**6,), (1, 2, -(10**6)), (0,)):
        with pytest.raises(ValueError, match="has no variable from 1 to 2"):
            Model(2).add_clause(*clause)
        if 0 not in clause:
            with pytest.raises(NotAccepted, match="has no variable from 1 to 2"):
                write_clauses(Model(2, Clauses([clause])), Output(io.StringIO(), 100), ())
    with pytest.raises(ValueError, match="is 0"):
        Clauses([(1, 0, 2)])
