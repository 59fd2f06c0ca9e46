"""Exports are complete, say what they are, and outside programs' answers come back checked."""

import io
import json
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.hands import truth
from tests.support.outside import decode
from tests.support.running import run
from uno_csp import (
    Answer,
    Cooperative,
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
    solve,
)
from uno_csp.exports.outputs import Output
from uno_csp.exports.programs import write_clauses
from uno_csp.formats import question_to_dict
from uno_csp.formats.text import OPENERS
from uno_csp.methods import ENCODINGS
from uno_csp.modeling import DECOMPOSITIONS, Clauses, Model, Proof
from uno_csp.questions import Instance

Capture = pytest.CaptureFixture[str]
SQUARE = Uno1((("red", 1), ("red", 2), ("blue", 2)), name="square")
LONGEST = Longest((("red", 1),))
APART = Uno1((("red", 1), ("blue", 2)))
BIN = Path(sys.executable).parent
CLASP = [sys.executable, "-m", "clingo", "--mode=clasp", "--outf=1", "--quiet=1"]
KISSAT = ["kissat", "-q"]
DECISIONS = [
    name
    for name in encoding_names()
    if any(ENCODINGS.find(name).refusal(each.instance) is None for each in truth("uno-1"))
    or ENCODINGS.find(name).refusal(truth("cooperative")[0].instance) is None
]


def outside(command: list[str], file: Path) -> str:
    """What an outside program prints; it must be there."""
    assert shutil.which(command[0]), command[0]
    done = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
    return done.stdout


def solved_outside(
    instance: Instance, to: str, command: list[str], tmp_path: Path, **options: Any
) -> Answer:
    file = tmp_path / f"exported.{to}"
    export(instance, to, file, **options)
    return decode(instance, outside(command, file), **options)


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("connectivity", DECOMPOSITIONS)
@pytest.mark.parametrize("encoding", DECISIONS)
def test_outside_solvers_agree_on_every_exported_question(
    encoding: str, connectivity: str, every: int, tmp_path: Path
) -> None:
    encoder = ENCODINGS.find(encoding)
    slow = encoding in ("free-turns", "hub-turns") and connectivity == "flow"
    stride = 13 if slow else every
    count = decided = 0
    for each in (*truth("uno-1")[::every], *truth("cooperative")[::stride]):
        if encoder.refusal(each.instance) is not None:
            continue
        options = {"method": encoding, "connectivity": connectivity}
        count += 1
        answer = solved_outside(each.instance, "dimacs", KISSAT, tmp_path, **options)
        if encoder.proves == Proof.EXACT or answer.status is not Status.UNKNOWN:
            assert answer.status == each.status, each.instance
            decided += 1
        assert answer.checked == (answer.status is Status.SATISFIABLE)
    assert count >= 30 // stride
    assert decided >= count // 4


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["hub-trail", "successor"])
def test_optima_by_maxsat_and_pseudo_boolean_programs(encoding: str, tmp_path: Path) -> None:
    rc2 = [sys.executable, str(BIN / "rc2.py"), "-vv"]
    compared = 0
    for each in (*truth("fill-in")[::2], *truth("longest")[::2]):
        if ENCODINGS.find(encoding).refusal(each.instance) is not None:
            continue
        for to, command in (("wcnf", rc2), ("opb", CLASP))[compared % 2 :][:1]:
            answer = solved_outside(each.instance, to, command, tmp_path, method=encoding)
            assert (answer.status, answer.objective) == (each.status, each.objective)
            assert answer.checked == (answer.status is Status.OPTIMAL)
        compared += 1
    assert compared >= 30


@pytest.mark.parametrize("ending", ["lp", "mps"])
def test_linear_programs(ending: str, tmp_path: Path) -> None:
    import highspy
    from pulp.apis.coin_api import pulp_cbc_path

    file, solution = tmp_path / f"q.{ending}", tmp_path / "solution"
    asked = parse({"question": "fill-in", "cards": ["R1", "B2", "G3"]})
    for instance, expected in ((asked, Status.OPTIMAL), (APART, Status.UNSATISFIABLE)):
        export(instance, ending, file, varnames=True)
        subprocess.run(
            [pulp_cbc_path, str(file), "solve", "solution", str(solution)],
            capture_output=True,
            check=True,
        )
        answer = decode(instance, solution.read_text())
        assert answer.status is expected
        assert answer.objective == (2 if expected is Status.OPTIMAL else None)
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.readModel(str(file))
        highs.run()
        highs.writeSolution(str(solution), 0)
        assert decode(instance, solution.read_text()).status is expected


@pytest.mark.parametrize("connectivity", ["native", "flow"])
def test_cp_sat_models(connectivity: str, tmp_path: Path) -> None:
    from ortools.sat.python import cp_model

    file = tmp_path / "q.pbtxt"
    encoded: dict[str, Any] = {"method": "successor", "connectivity": connectivity}
    export(SQUARE, "cpsat", file, **encoded, varnames=True)
    assert "# var 1 s[0,1] card 1 (red 1) follows the pile" in file.read_text()
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(file.read_text())
    solver = cp_model.CpSolver()
    assert solver.status_name(solver.solve(model)) == "OPTIMAL"
    size = len(model.proto.variables)
    values = [solver.boolean_value(model.get_bool_var_from_proto_index(i)) for i in range(size)]
    text = "s SATISFIABLE\nv " + " ".join(
        str(i if value else -i) for i, value in enumerate(values, start=1)
    )
    if connectivity == "flow":
        assert decode(SQUARE, text, **encoded).checked
    export(SQUARE, "cpsat", tmp_path / "q.pb", **encoded)
    assert (tmp_path / "q.pb").stat().st_size > 50


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


GOLDEN = """\
c uno-csp dimacs: uno-1, 2 cards
c name: pair
c attributes 2, of which 1 must agree
c encoding position, proof exact, connectivity None
c variables of the encoding 1 to 4, auxiliary beyond
c expected SATISFIABLE: they are both red
c var 1 x[1,1] card 1 (red 5) is played at position 1
c var 2 x[1,2] card 1 (red 5) is played at position 2
c var 3 x[2,1] card 2 (red 7) is played at position 1
c var 4 x[2,2] card 2 (red 7) is played at position 2
p cnf 4 12
-1 4 0
-2 3 0
-3 2 0
-4 1 0
-1 -2 0
1 2 0
-1 -3 0
1 3 0
-3 -4 0
3 4 0
-2 -4 0
2 4 0
"""


def test_a_bound_of_numpy_is_an_integer() -> None:
    texts = [io.StringIO(), io.StringIO()]
    for text, bound in zip(texts, (np.int64(1), 1), strict=True):
        export(Longest((("red", 5),)), "dimacs", text, bound=bound)  # type: ignore[arg-type]
    assert texts[0].getvalue() == texts[1].getvalue()


def test_a_whole_file() -> None:
    why = {"status": "SATISFIABLE", "why": "they are\nboth red"}
    pair = parse({"question": "uno-1", "cards": ["R5", "R7"], "name": "pair", "expected": why})
    text = io.StringIO()
    written = export(pair, "dimacs", text, method="position", varnames=True, question=False)
    assert text.getvalue() == GOLDEN
    assert (written.variables, written.constraints) == (4, 12)


@pytest.mark.parametrize("count", range(3))
@pytest.mark.parametrize("encoding", ["hub-trail", "successor", "position"])
def test_tiny_hands(encoding: str, count: int, tmp_path: Path) -> None:
    hand = Uno1((("red", 5), ("blue", 7))[:count])
    answer = solved_outside(hand, "dimacs", KISSAT, tmp_path, method=encoding)
    assert answer.status is (Status.UNSATISFIABLE if count == 2 else Status.SATISFIABLE)
    for to in ("opb", "lp", "mps", "cpsat"):
        assert export(hand, to, tmp_path / f"tiny.{to}", method=encoding).to == to


def test_optimisation_as_a_decision(tmp_path: Path) -> None:
    for name in ("spider", "named-cubic"):
        for question in ("fill-in", "longest"):
            instance = generate(name, question=question)
            best = solve(instance).objective
            assert best is not None
            better = best + (1 if question == "longest" else -1)
            found = solved_outside(instance, "dimacs", KISSAT, tmp_path, bound=best)
            assert (found.status, found.objective, found.checked) == (Status.UNKNOWN, best, True)
            refuted = solved_outside(instance, "dimacs", KISSAT, tmp_path, bound=better)
            assert (refuted.status, refuted.bound) == (Status.UNKNOWN, best)


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


@pytest.mark.parametrize("name", ["q.cnf.gz", "q.GZ", "q.bz2", "Q.CNF.Bz2", "q.xz", "q.cnf.XZ"])
def test_compressed_files(name: str, tmp_path: Path) -> None:
    plain, packed = tmp_path / "q.cnf", tmp_path / name
    for to in ("dimacs", "mps", "opb"):
        export(SQUARE, to, plain)
        export(SQUARE, to, packed)
        assert OPENERS[packed.suffix.lower()](packed, "rb").read() == plain.read_bytes()
        if packed.suffix.lower() == ".gz":  # it has neither a name nor a time
            assert packed.read_bytes()[3:8] == bytes(5)


@pytest.mark.parametrize(
    ("question", "to", "options", "message"),
    [
        (SQUARE, "smt", {}, 'no format is called "smt"; there are: dimacs'),
        (SQUARE, "dimacs", {"connectivity": "lazy"}, "there are: eager, order, flow$"),
        (SQUARE, "dimacs", {"connectivity": "native"}, "there are: eager, order, flow$"),
        (SQUARE, "dimacs", {"method": "turns"}, "does not take this question"),
        (SQUARE, "dimacs", {"method": "matching"}, 'no encoding is called "matching"'),
        (SQUARE, "wcnf", {}, "wcnf is for questions with an objective"),
        (SQUARE, "dimacs", {"bound": 1}, "bound: only questions with an objective have one"),
        (SQUARE, "cpsat", {"connectivity": "lazy"}, "eager, order, flow, native$"),
        (
            SQUARE,
            "cpsat",
            {"connectivity": "native"},
            "no constraint 'connected'; there are: eager",
        ),
        (LONGEST, "wcnf", {"bound": 1}, "wcnf takes no bound"),
        (LONGEST, "wcnf-classic", {"bound": 0}, "wcnf takes no bound"),
        (LONGEST, "xcsp", {"bound": 1}, "xcsp takes no bound because"),
        (LONGEST, "xcsp", {"method": "hub-trail"}, "no method but successor: hub-trail is not"),
        (LONGEST, "xcsp", {"connectivity": "order"}, "no connectivity but native: order is not"),
        (generate("cooperative"), "xcsp", {}, "^xcsp does not take this question: it is for uno-1"),
        (SQUARE, "dot", {"method": "position"}, "takes no method"),
        (SQUARE, "graph6", {"bound": 0}, "takes no bound"),
        (SQUARE, "hcp", {"connectivity": "flow"}, "takes no connectivity"),
        (SQUARE, "graphml", {"varnames": True}, "takes no varnames"),
        (Uno1((("red", 5),)), "hcp", {}, "two cards or more"),
        (LONGEST, "dimacs", {}, "dimacs takes longest with a bound only"),
        (LONGEST, "hcp", {}, "hcp is for uno-1"),
        (generate("uncooperative"), "dimacs", {}, "answered by an algorithm"),
        (generate("cooperative", players=3), "graph6", {}, "graph6 is for undirected graphs"),
    ],
)
def test_what_cannot_be_exported(
    question: Instance, to: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises((NotAccepted, UnknownName), match=message):
        export(question, to, tmp_path / "out", **options)
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


def test_export_and_decode_on_the_command_line(tmp_path: Path, capsys: Capture) -> None:
    question, out = tmp_path / "q.json", tmp_path / "q.cnf"
    question.write_text('{"question": "uno-1", "cards": ["R5", "R7", "B7"]}')
    assert run("export", str(question), "--to", "dimacs", "-o", str(out), "--varnames") == 0
    said = tmp_path / "said.txt"
    said.write_text(outside(KISSAT, out))
    assert run("decode", str(question), str(said)) == 10
    verdict = "YES  the whole hand can be discarded (3 official cards)\n"
    assert capsys.readouterr().out.startswith(verdict)
    assert run("decode", str(question), str(said), "--format", "json") == 10
    assert json.loads(capsys.readouterr().out)["checked"] is True
    assert run("export", str(question), "--to", "dimacs") == 0
    assert "p cnf" in capsys.readouterr().out
    assert run("export", str(question), "--to", "dimacs", "-o", "/no/such/folder/q.cnf") == 2
    assert "there is no folder /no/such/folder" in capsys.readouterr().err
    said.write_text("nonsense")
    assert run("decode", str(question), str(said)) == 2
    assert capsys.readouterr().err.startswith(f"uno-csp: {said}: solver output: its format is not")
    assert run("export", str(question), "--to", "nothing") == 2


@pytest.mark.parametrize(
    ("kind", "bound", "code", "words"),
    [
        ("longest", 2, 10, "YES  a value of 2 or better is possible: 2 cards can be discarded"),
        (
            "longest",
            3,
            20,
            "NO  no value of 3 or better is possible (3 official cards)\nas the ext",
        ),
        ("fill-in", 1, 10, "YES  a value of 1 or better is possible: 1 added card makes the hand"),
        ("fill-in", 0, 20, "NO  no value of 0 or better is possible"),
    ],
)
@pytest.mark.parametrize("to", ["dimacs", "opb"])
def test_a_bound_makes_a_decision(
    kind: str, bound: int, code: int, words: str, to: str, tmp_path: Path, capsys: Capture
) -> None:
    """Exit code and words are those of the decision; the status is that of the question."""
    instance = parse({"question": kind, "cards": ["R5", "R7", "B9"]})
    file, said = tmp_path / "file", tmp_path / "said"
    export(instance, to, file, bound=bound)
    formula = tmp_path / "formula"
    export(instance, "dimacs", formula, bound=bound)
    said.write_text(outside(KISSAT, formula))
    assert run("decode", str(file), str(said)) == code
    assert capsys.readouterr().out.startswith(words)
    decision = "SATISFIABLE" if code == 10 else "UNSATISFIABLE"
    assert run("decode", str(file), str(said), "--format", "json") == code
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["decision"]) == ("UNKNOWN", decision)
    assert run("decode", str(file), str(said), "--format", "competition") == code
    assert f"\ns {decision}" in capsys.readouterr().out
    said.write_text("s UNKNOWN\n")
    assert run("decode", str(file), str(said)) == 0
    assert capsys.readouterr().out.startswith("UNKNOWN  no sequence was found")


def test_a_reader_that_leaves_ends_an_export_quietly(tmp_path: Path) -> None:
    question = tmp_path / "q.json"
    assert isinstance(generate("cooperative", cards=20), Cooperative)
    question.write_text(json.dumps({"question": "uno-1", "cards": [[i, i] for i in range(60)]}))
    line = f"{sys.executable} -m uno_csp export {question} --to dimacs --method position"
    done = subprocess.run(
        ["sh", "-c", f"{line} | head -1"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("c uno-csp dimacs")
    assert done.stderr == ""


@pytest.mark.skipif(shutil.which("cadical") is None, reason="needs cadical")
def test_a_proof_of_an_outside_solver_is_checked(tmp_path: Path, capsys: Capture) -> None:
    question, formula, said, proof = (
        str(tmp_path / name) for name in ("q.json", "q.cnf", "said.txt", "q.drat")
    )
    hand = generate("random", colours=12, numbers=12, cards=18, seed=2, question="longest")
    Path(question).write_text(json.dumps(question_to_dict(hand)))
    bound = ["--bound", "8"]
    assert run("export", question, "--to", "dimacs", "-o", formula, *bound) == 0
    command = ["cadical", "-q", "--no-binary", formula, proof]
    Path(said).write_text(
        subprocess.run(command, capture_output=True, text=True, check=False).stdout
    )
    assert run("decode", question, said, "--proof", proof, *bound) == 20
    assert "by a proof that dratify has checked" in capsys.readouterr().out
    lines = Path(proof).read_text().splitlines()
    Path(proof).write_text("\n".join([*lines[: len(lines) // 4], "0"]))
    assert run("decode", question, said, "--proof", proof, *bound) == 2
    assert "not a valid DRAT proof" in capsys.readouterr().err
    assert run("decode", question, said, "--proof", str(tmp_path / "none"), *bound) == 2
    assert "no such file" in capsys.readouterr().err
    Path(said).write_text("s SATISFIABLE\nv 1 0\n")
    assert run("decode", question, said, "--proof", proof, *bound) == 2
    assert "the solver said SATISFIABLE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("clauses", "written"),
    [
        ([(1, 2, 1)], ["1 2 0"]),
        ([(1, -1), (2,)], ["2 0"]),
        ([(2, 2, -1, 2)], ["2 -1 0"]),
        ([()], ["0"]),
        ([(1, 2)], ["1 2 0"]),
    ],
)
def test_clauses_are_written_without_repetition(
    clauses: list[tuple[int, ...]], written: list[str]
) -> None:
    text = io.StringIO()
    size = write_clauses(Model(2, Clauses(clauses)), Output(text, 100), ())
    assert text.getvalue().splitlines() == [f"p cnf 2 {len(written)}", *written]
    assert size == (2, len(written))


@pytest.mark.parametrize("clause", [(3,), (-3, 1), (10**6,), (1, 2, -(10**6))])
def test_a_literal_without_a_variable_is_refused(clause: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="has no variable from 1 to 2"):
        Model(2).add_clause(*clause)
    with pytest.raises(NotAccepted, match="has no variable from 1 to 2"):
        write_clauses(Model(2, Clauses([clause])), Output(io.StringIO(), 100), ())


def test_a_clause_has_no_literal_zero() -> None:
    with pytest.raises(ValueError, match="has no variable from 1 to 2"):
        Model(2).add_clause(0)
    with pytest.raises(ValueError, match="is 0"):
        Clauses([(1, 0, 2)])


@pytest.mark.parametrize("to", ["dimacs", "opb", "lp", "mps"])
def test_the_size_is_that_of_the_file(to: str) -> None:
    text = io.StringIO()
    size = export(parse("R5 R7 B7 B1 G1 G2"), to, text, method="position")
    assert size.variables is not None
    if to == "dimacs":
        assert f"p cnf {size.variables} {size.constraints}\n" in text.getvalue()
    else:
        assert max(map(int, re.findall(r"\bx([0-9]+)\b", text.getvalue()))) == size.variables


@pytest.mark.parametrize(
    ("out", "more", "place"),
    [
        (io.BytesIO(), {}, "out"),
        (5, {}, "out"),
        (b"file", {}, "out"),
        (io.StringIO(), {"bound": "x"}, "bound"),
        (io.StringIO(), {"bound": 1.5}, "bound"),
        (io.StringIO(), {"limit_mb": 0}, "limit_mb"),
        (None, {"limit_mb": -1}, "limit_mb"),
        (None, {"limit_mb": 2.5}, "limit_mb"),
    ],
)
def test_a_wrong_argument_of_an_export_is_named(out: Any, more: dict[str, Any], place: str) -> None:
    question = parse({"question": "longest", "cards": ["R1", "R2"]})
    with pytest.raises(NotAccepted, match=f"^{place}: .* is not allowed"):
        export(question, "opb", out, **more)
