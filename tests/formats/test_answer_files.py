"""Answer files: what we write is read as a whole and is right; what contradicts it is told."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.support.running import answered, outcome
from uno_csp import InstanceError, check, parse, parse_answer, solve
from uno_csp.checker import part_checked, parts_unchecked
from uno_csp.formats import question_to_dict

LARGE = " ".join(f"{colour}{number}" for colour in "RBGY" for number in (*range(10), 1, 2))
ASKED = [
    *("R5 R7 W", "R5 B7", "R5 B7 +4 --question longest", "R5 B7 --question fill-in"),
    *("R5 R6 / R7 --question cooperative", "R5 B7 / G1 G2 --question cooperative"),
    *("R5 W / +4 BS --question uncooperative", "R5 / R1 B5 --question uncooperative"),
    *("1,5 / 1,1 2,5 --question uncooperative", "R5 R6 / R1 / B3 --question uncooperative"),
    *(f"{LARGE} --question {kind} --time-limit 0.001" for kind in ("uno-1", "longest", "fill-in")),
]
GAMES = [
    "--deal 2,2 --seed 1",
    "R5 / R6 --after R7",
    "R5 R6 / R6 / B1 --after R7 --goal together",
]


def checked(question: str, answer: str, folder: Path) -> str:
    """The verdict on an answer that has to be valid, and read without a complaint."""
    (folder / "question.json").write_text(question)
    (folder / "answer.json").write_text(answer)
    code, said, complained = outcome(
        "check", str(folder / "question.json"), str(folder / "answer.json")
    )
    assert (code, complained) == (0, ""), said + answer
    return said


@pytest.mark.parametrize("line", ASKED)
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


@pytest.mark.parametrize("line", GAMES)
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
Spoil = Callable[[dict[str, Any]], Any]


def spoilt_files() -> Iterator[tuple[Spoil, str]]:
    """Answers that are not understood as a whole, and what is said of each."""
    yield lambda a: a.update(colour="red"), "^colour: unknown key; allowed are question, status, "
    yield lambda a: a.update({"Sequence": []}), "^Sequence: unknown key; did you mean sequence?"
    yield lambda a: a.update({"": 1}), "unknown key"
    yield lambda a: a.update({"a\x1b[31m": 1}), r"^a\\x1b\[31m: unknown key"
    yield lambda a: a.update(plays=[{"player": 1, "card": "R5", "at": 1}]), r"^plays\[0\].at: unkn"
    yield lambda a: a.update(certificate={"certified": 1}), "^certificate.certified: 1 is not allo"
    yield lambda a: a.update(certificate={"certified": True, "summary": "", "x": 0}), "cate.x: unk"
    yield lambda a: a.update(stats=[]), r"^stats: \[\] is not allowed; expected an object"
    yield lambda a: a.update(wall_s=-1), "^wall_s: -1 is not allowed; expected at least 0"
    yield lambda a: a.update(checked="yes"), '^checked: "yes" is not allowed; expected true or'
    yield lambda a: a.update(meaning=None), "^meaning: null is not allowed; expected a text"
    yield lambda a: a.update(method=5), "^method: 5 is not allowed; expected a text"
    yield lambda a: a.update(decision="YES"), '^decision: "YES" is not allowed; expected SATISF'
    yield lambda a: a.update(decision="SATISFIABLE"), "^decision: SATISFIABLE, but the meaning is "


@pytest.mark.parametrize(("spoil", "says"), [*spoilt_files()])
def test_an_answer_that_is_not_understood_is_refused(spoil: Spoil, says: str) -> None:
    answer = json.loads(json.dumps(right()))
    spoil(answer)
    with pytest.raises(InstanceError, match=says) as refused:
        parse_answer(json.dumps(answer))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("meaning", "the whole hand cannot be discarded", "meaning"),
        ("meaning", "3 cards can be discarded in one sequence", "meaning"),
        ("meaning", "a value of 3 or better is possible: yes", "meaning"),
        ("meaning", "no value of 3 or better is possible", "meaning"),
        ("sequence", None, "status"),
        ("certificate", {"certified": True, "summary": ""}, None),
        ("stats", {"reductions": "anything"}, None),
        ("reason", "because", None),
    ],
)
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
