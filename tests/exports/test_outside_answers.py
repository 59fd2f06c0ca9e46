"""What outside solvers say, read strictly, and what cannot be is not passed on."""

import io
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import highspy
import pytest
from pysat.solvers import Solver

import uno_csp
from tests.support.outside import decode
from tests.support.running import Capture, refused, run
from tests.support.tables import table
from uno_csp import (
    InstanceError,
    NotAccepted,
    Status,
    UnknownName,
    Uno1,
    export,
    generate,
    parse,
    solve,
)
from uno_csp.exports.heads import exported_text
from uno_csp.exports.output_formats import find_output_format
from uno_csp.exports.preparing import prepare
from uno_csp.modeling import SolverOutput, read_competition, read_result_file, to_cnf
from uno_csp.questions import Expected, Sense

NO = "s UNSATISFIABLE\n"
SQUARE = Uno1((("red", 1), ("red", 2), ("blue", 2)), name="square")


@pytest.mark.parametrize(
    "text", ["s UNKNOWN", "s INDETERMINATE", "INDET", "Stopped on time - objective value 3"]
)
def test_a_solver_that_gave_up(text: str) -> None:
    answer = decode(SQUARE, text)
    assert (answer.status, answer.checked) == (Status.UNKNOWN, False)
    assert answer.reason


def test_reading_outputs() -> None:
    assert read_competition("s SATISFIABLE\nv 10\nv -11 0").literals == (10, -11)
    assert read_competition("s OPTIMUM FOUND\no 5\no 3\nv x1 -x2 ~x3").literals == (1, -2, -3)
    assert read_competition("o 5\no 3\ns OPTIMUM FOUND\nv 10").objective == 3
    assert read_result_file("SAT\n1 -2 0\n").literals == (1, -2)
    assert read_result_file("UNSAT\n").status == "UNSATISFIABLE"


@pytest.mark.parametrize(("question", "text", "options", "message"), table("exports", "impossible"))
def test_what_cannot_be_is_not_passed_on(
    question: str, text: str, options: dict[str, Any], message: str
) -> None:
    instance = parse({"question": question, "cards": [[1, 2], [3, 4]]})
    with pytest.raises(InstanceError, match=re.escape(message)):
        decode(instance, text.replace("{NINES}", "9" * 5000), **options)


def test_a_tour_of_an_empty_hand_is_none() -> None:
    with pytest.raises(NotAccepted, match="two cards or more"):
        decode(parse({"question": "uno-1", "cards": []}), "TOUR_SECTION\n1\n-1\n")


def test_what_can_be_is_passed_on() -> None:
    """Two equal words, columns with exponents, and bounds that say something."""
    hand = parse({"question": "uno-1", "cards": [[1, 2], [3, 4]]})
    assert decode(hand, "s UNSATISFIABLE\ns UNSATISFIABLE").status == "UNSATISFIABLE"
    assert decode(hand, "s UNKNOWN").status == "UNKNOWN"
    longest = parse({"question": "longest", "cards": [[1, 2], [3, 4]]})
    assert decode(longest, "s UNSATISFIABLE", bound=2).bound == 1
    missing = parse({"question": "fill-in", "cards": [[1, 2], [3, 4]]})
    assert decode(missing, "s UNSATISFIABLE", bound=0).bound == 1


@pytest.mark.parametrize(("said", "status", "has_values"), table("exports", "words of CBC"))
def test_words_of_cbc(said: str, status: str, has_values: bool) -> None:
    output = read(f"{said}\n      0 x1    1    0\n")
    assert (output.status, output.exports) == (status, ("lp", "mps"))
    assert (output.literals is not None) == has_values


@pytest.mark.parametrize(("word", "primal", "status"), table("exports", "words of HiGHS"))
def test_words_of_highs(word: str, primal: str, status: str) -> None:
    values = "" if primal == "None" else "Objective 0\n# Columns 1\nx1 1\n# Rows 1\nr1 1\n"
    text = f"Model status\n{word}\n\n# Primal solution values\n{primal}\n{values}"
    output = read(f"{text}\n# Dual solution values\nNone\n\n# Basis\nHiGHS_basis_file v2\nNone\n")
    assert output.status == status
    assert output.literals == ((1,) if primal == "Feasible" else None)


def read(text: str) -> SolverOutput:
    reader = find_output_format(text).read
    assert reader is not None
    return reader(text)


def test_the_best_within_a_gap_is_not_the_best() -> None:
    supply = {"question": "fill-in", "cards": [[1, 2], [3, 4]], "supply": [[1, 4], [1, 4]]}
    dear = {**supply, "costs": [10**6, 10**6 + 1]}
    assert decode(parse(dear), "Infeasible - objective value 0").status == "UNSATISFIABLE"
    for asked, believed in ((supply, True), (dear, False)):
        hand = parse(asked)
        best = solve(hand, backend="cadical195", presolve=False).objective
        prepared = prepare(hand, None, None, bound=best)
        with Solver("cadical195", bootstrap_with=to_cnf(prepared.model).clauses) as solver:
            assert solver.solve()
            model = solver.get_model()[: prepared.model.num_vars]
        columns = "\n".join(f"{i} x{abs(lit)} {int(lit > 0)} 0" for i, lit in enumerate(model))
        answer = decode(hand, f"Optimal - objective value 1\n{columns}")
        assert answer.objective == best
        assert (answer.status == "OPTIMAL") == believed
        assert believed or "the gap of linear solvers" in answer.reason


@pytest.mark.parametrize("connectivity", ["flow", "order", "eager"])
def test_fractions_beside_the_model_are_no_fault(connectivity: str, tmp_path: Path) -> None:
    """Flows along the links may be split; only what the encoding itself says must hold."""
    file, solution = tmp_path / "q.lp", tmp_path / "solution"
    for seed in range(2):
        hand = generate("random", colours=4, numbers=4, cards=9, seed=seed, question="fill-in")
        export(hand, "lp", file, connectivity=connectivity)
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.readModel(str(file))
        highs.run()
        highs.writeSolution(str(solution), 0)
        answer = decode(hand, solution.read_text(), connectivity=connectivity)
        assert (answer.status, answer.objective) == (Status.OPTIMAL, solve(hand).objective)


def test_a_circuit_is_verified_with_its_degrees() -> None:
    """An assignment in which a node is left by two arcs is no circuit, and nothing is cut off."""
    twice = parse({"question": "fill-in", "cards": [[1, 0], [1, 0]]})
    said = "s SATISFIABLE\nv 1 -2 3 4 5 -6 -7 8 -9 -10 -11 12 0"
    for connectivity in ("order", "eager", "flow"):
        with pytest.raises(InstanceError, match="breaks linear constraint"):
            decode(twice, said, method="successor", connectivity=connectivity, bound=2)


@pytest.mark.parametrize(
    ("asked", "proved", "options", "reason"), table("exports", "contradicted proofs")
)
def test_what_contradicts_a_proof_is_not_believed(
    asked: str, proved: int | None, options: dict[str, Any], reason: str
) -> None:
    expected = {"status": "OPTIMAL", "objective": proved} if proved else {"status": "SATISFIABLE"}
    known = {"question": asked, "cards": [[1, 2], [1, 3], [2, 4]], "expected": expected}
    answer = decode(parse(known), NO, **options)
    assert (answer.status, answer.bound) == (Status.UNKNOWN, None)
    assert reason in answer.reason


def test_a_witness_better_than_a_proved_optimum_is_a_contradiction() -> None:
    for sense, better in ((Sense.MINIMISE, 4), (Sense.MAXIMISE, 6)):
        known = Expected(Status.OPTIMAL, 5)
        assert "contradicts the proved" in known.contradicted_by(sense, Status.UNKNOWN, better)
        assert not known.contradicted_by(sense, Status.UNKNOWN, 5)
    none = Expected(Status.UNSATISFIABLE)
    assert "contradicts" in none.contradicted_by(Sense.MINIMISE, Status.UNKNOWN, 5)


def test_a_file_says_itself_what_it_is(tmp_path: Path, capsys: Capture) -> None:
    hand, out = tmp_path / "hand.json", tmp_path / "out"
    hand.write_text('{"question": "uno-1", "cards": ["R5", "R7", "B7"], "name": "a -- b"}')
    out.write_text(NO)
    for to, suffix in (("dimacs", ""), ("opb", ".gz"), ("lp", ".XZ"), ("mps", ""), ("xcsp", "")):
        if to == "xcsp" and find_spec("pycsp3") is None:
            continue
        made = str(tmp_path / f"made.{to}{suffix}")
        method = "successor" if to == "xcsp" else "closed-trail"
        assert run("export", str(hand), "--to", to, "-o", made, "--method", method) == 0
        assert run("decode", made, str(out)) == (20 if to == "xcsp" else 0)
        assert run("decode", made, str(out), "--method", "position") == 2
        assert f"exported with {method}" in capsys.readouterr().err
    assert run("decode", str(hand), str(out)) == 2
    assert "give that instead of the question, or the method" in capsys.readouterr().err
    assert run("decode", str(hand), str(out), "--method", "hub-trail") == 20


@pytest.mark.parametrize("said", [NO, "s OPTIMUM FOUND\no 0\nv 0\n"])
def test_a_claim_needs_the_file_it_is_about(said: str) -> None:
    fill_in = parse({"question": "fill-in", "cards": ["R5", "B7"], "supply": ["R7"]})
    with pytest.raises(NotAccepted, match="the method and the bound"):
        uno_csp.decode(fill_in, said)
    with pytest.raises(NotAccepted, match="the method and the bound"):
        uno_csp.decode(fill_in, NO, method="hub-trail")
    assert uno_csp.decode(fill_in, NO, method="hub-trail", bound=0).status is Status.UNKNOWN


@pytest.mark.parametrize(
    "change", [("{", ""), ('"uno-1"', '"uno-2"'), ("sha256:", "sha255:"), ("uno-csp-decode", "x")]
)
def test_a_head_that_was_changed_is_refused(change: tuple[str, str]) -> None:
    made = io.StringIO()
    export(parse("R5 B7"), "dimacs", made)
    assert uno_csp.decode(made.getvalue(), NO).status is Status.UNSATISFIABLE
    with pytest.raises((InstanceError, UnknownName)):
        uno_csp.decode(made.getvalue().replace(*change, 1), NO)


def test_no_line_of_a_head_can_be_lost(tmp_path: Path) -> None:
    hand = parse({"question": "uno-1", "cards": [["red", i] for i in range(9)], "name": "a" * 99})
    made = io.StringIO()
    export(hand, "dimacs", made)
    lines = made.getvalue().splitlines(True)
    places = [at for at, line in enumerate(lines) if "uno-csp-decode" in line]
    assert len(places) > 4
    for at in places:
        for changed in (lines[:at] + lines[at + 1 :], lines[:at] + lines[at : at + 1] + lines[at:]):
            with pytest.raises(InstanceError, match="cut or changed"):
                uno_csp.decode("".join(changed), NO)
    (tmp_path / "cut.cnf").write_text("".join(lines[: places[0]]))
    (tmp_path / "out").write_text(NO)
    assert f"{tmp_path / 'cut.cnf'}: the lines uno-csp-decode of its comment are cut" in refused(
        "decode", str(tmp_path / "cut.cnf"), str(tmp_path / "out")
    )
    for empty in ("", " \n\n"):
        with pytest.raises(InstanceError, match="solver output: it is empty"):
            uno_csp.decode(made.getvalue(), empty)
    named = parse({"question": "uno-1", "cards": ["R5", "R7"], "name": "see uno-csp-decode"})
    for to in ("dimacs", "lp", "mps", "opb"):
        export(named, to, tmp_path / "named")
        assert exported_text(str(tmp_path / "named")) is not None
