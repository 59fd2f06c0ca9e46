"""Answer files: what we write is read as a whole and is right; what contradicts it is told."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.support.running import answered, outcome
from tests.support.tables import table
from uno_csp import InstanceError, check, parse, parse_answer, solve
from uno_csp.checker import part_checked, parts_unchecked
from uno_csp.formats import question_to_dict


def checked(question: str, answer: str, folder: Path) -> str:
    """The verdict on an answer that has to be valid, and read without a complaint."""
    (folder / "question.json").write_text(question)
    (folder / "answer.json").write_text(answer)
    code, said, complained = outcome(
        "check", str(folder / "question.json"), str(folder / "answer.json")
    )
    assert (code, complained) == (0, ""), said + answer
    return said


@pytest.mark.parametrize("line", table("formats", "solved questions"))
def test_every_answer_that_solve_writes_is_read_and_right(line: str, tmp_path: Path) -> None:
    words = line.split(" --question ")
    kind = words[1].split()[0] if words[1:] else "uno-1"
    question = answered(0, f"new {kind} {words[0]}")
    for more in ("", f" --proof {tmp_path / 'proof'}"):
        _, answer, _ = outcome(f"solve {line} --format json{more}")
        checked(question, answer, tmp_path)
        written = json.loads(answer)
        was_read = "question" not in written or written["question"] is not None
        assert ("certificate" in written) == bool(more and was_read)


@pytest.mark.parametrize("line", table("formats", "solved games"))
def test_every_answer_to_a_real_game_is_read_and_right(line: str, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(answered(0, f"new open-game {line}"))
    command = f"solve {tmp_path / 'game.json'} --format json --time-limit 60"
    _, answer, _ = outcome(command)
    said = checked((tmp_path / "game.json").read_text(), answer, tmp_path)
    assert "not checked: " in said


def solved(file: Path) -> str:
    """Return the output of a solver for a file of clauses."""
    with Solver("cadical195", CNF(from_file=str(file))) as solver:
        if not solver.solve():
            return "s UNSATISFIABLE\n"
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n"


def test_an_answer_of_decode_with_a_bound_is_read_and_right(tmp_path: Path) -> None:
    question = answered(0, "new longest R5 R7 B9")
    (tmp_path / "q.json").write_text(question)
    file, said = tmp_path / "q.cnf", tmp_path / "said"
    for bound, decision in ((2, "SATISFIABLE"), (3, "UNSATISFIABLE"), (3, "UNKNOWN")):
        answered(0, f"export {tmp_path / 'q.json'} --to dimacs --bound {bound} -o {file}")
        said.write_text("s UNKNOWN\n" if decision == "UNKNOWN" else solved(file))
        _, answer, _ = outcome(f"decode {file} {said} --format json")
        assert json.loads(answer)["decision"] == decision
        checked(question, answer, tmp_path)


@pytest.mark.parametrize("bound", [1, 2])
def test_a_decision_that_is_met_is_read_and_right(bound: int, tmp_path: Path) -> None:
    hand = parse({"question": "longest", "cards": ["R5", "R7", "B9"]})
    claim = {**solve(hand).to_dict(), "status": "UNKNOWN", "decision": "SATISFIABLE"}
    del claim["bound"]  # as a solver's model for a bound is decoded
    claim["meaning"] = f"a value of {bound} or better is possible: {claim['meaning']}"
    checked(json.dumps(question_to_dict(hand)), json.dumps(claim), tmp_path)
    claim["meaning"] = f"a value of 3{claim['meaning'][12:]}"
    assert [each.rule for each in check(hand, parse_answer(json.dumps(claim)))] == ["meaning"]


def test_a_decision_about_a_number_beyond_all_bounds_is_none() -> None:
    hand = parse({"question": "longest", "cards": ["R5", "R7", "B9"]})
    claim = solve(hand).to_dict() | {"meaning": f"no value of 1{'0' * 5000} or better is possible"}
    (found,) = check(hand, parse_answer(json.dumps(claim)))
    assert (found.rule, len(found.message) < 400) == ("meaning", True)


def test_a_misspelt_key_of_an_answer_is_named_before_the_missing_one() -> None:
    with pytest.raises(InstanceError, match=r"^queston: unknown key; did you mean question\?"):
        parse_answer(json.dumps({"queston": "uno-1", "status": "SATISFIABLE"}))


def test_an_answer_about_what_was_not_read_to_its_end_is_read(tmp_path: Path) -> None:
    (tmp_path / "hand.txt").write_text("R5 R7\n" * 200_000)
    command = f"solve {tmp_path / 'hand.txt'} --time-limit 0.01 --format json"
    answer = json.loads(answered(0, command))
    assert (answer["question"], answer["status"]) == (None, "UNKNOWN")
    assert answer["wall_s"] > 0
    said = checked(answered(0, "new longest R5 R7"), json.dumps(answer), tmp_path)
    assert said.startswith("nothing to check: UNKNOWN carries no witness\n")
    with pytest.raises(InstanceError, match=r"^question: null is allowed with the status UNKNOWN"):
        parse_answer(json.dumps({"question": None, "status": "UNSATISFIABLE"}))


@cache
def right() -> dict[str, Any]:
    """An answer as it is written."""
    return solve(parse("R5 R7 B7")).to_dict()


GAME = parse({"question": "uncooperative", "hands": [["R5", "W"], ["+4", "BS"]]})


@pytest.mark.parametrize(("spoilt", "says"), table("formats", "spoilt answers"))
def test_an_answer_that_is_not_understood_is_refused(spoilt: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError, match=says) as refused:
        parse_answer(json.dumps(right() | spoilt))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("key", "value", "rule"), table("formats", "contradicted answers"))
def test_what_contradicts_an_answer_is_not_valid(key: str, value: Any, rule: str | None) -> None:
    found = check(parse("R5 R7 B7"), parse_answer(json.dumps({**right(), key: value})))
    assert [each.rule for each in found] == ([] if rule is None else [rule])


def test_a_no_has_no_witness_that_was_checked() -> None:
    hand = parse("R5 B7")
    claim = {**solve(hand).to_dict(), "checked": True}
    assert [each.rule for each in check(hand, parse_answer(json.dumps(claim)))] == ["checked"]
    claim = {"question": "uno-1", "status": "UNKNOWN"}
    claim["certificate"] = {"certified": True, "summary": "proved"}
    assert [each.rule for each in check(hand, parse_answer(json.dumps(claim)))] == ["certificate"]


@pytest.mark.parametrize(
    "place", [(), ("positions", 0)], ids=["of the strategy", "of a position in it"]
)
def test_an_unknown_key_in_a_strategy_is_not_valid(place: tuple[str | int, ...]) -> None:
    claim = solve(GAME, method="game-search").to_dict()
    assert not check(GAME, parse_answer(json.dumps(claim)))
    inner = claim["strategy"]
    for step in place:
        inner = inner[step]
    inner["odd"] = 1
    (found,) = check(GAME, parse_answer(json.dumps(claim)))
    assert (found.rule, "odd: unknown key" in found.message) == ("strategy", True)


def test_parts_that_nobody_checks_are_named() -> None:
    answer = parse_answer(json.dumps(right()))
    assert part_checked(answer) == "sequence"
    assert parts_unchecked(answer) == ["method", "wall_s", "stats"]
    assert answer.to_dict() == right()
