"""The commands check and decode: verdicts on answers, and on the output of other solvers."""

import json
from pathlib import Path

from tests.support import ROOT
from tests.support.running import answered, refused

EXAMPLE = ROOT / "examples/paper-example-1.json"


def test_solve_and_check(tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(answered(10, "solve", str(EXAMPLE), "--format", "json"))
    check = ("check", str(EXAMPLE), str(answer))
    assert answered(0, *check) == (
        "valid: the sequence of 9 cards plays the whole hand\nnot checked: method, wall_s, stats\n"
    )
    spoilt = json.loads(answer.read_text())
    spoilt["sequence"][0], spoilt["sequence"][4] = spoilt["sequence"][4], spoilt["sequence"][0]
    answer.write_text(json.dumps(spoilt))
    assert "not valid: match at step" in answered(1, *check)
    verdict = json.loads(answered(1, *check, "--format", "json"))
    assert verdict["valid"] is False
    assert {"rule", "step", "message"} == set(verdict["violations"][0])
    answer.write_text("nonsense")
    for words in (check, (*check[:2], str(tmp_path / "x")), ("check", str(tmp_path / "x"), "x")):
        refused(*words)


def test_what_is_not_checked_is_said(tmp_path: Path) -> None:
    file, answer = tmp_path / "longest.json", tmp_path / "answer.json"
    file.write_text('{"question": "longest", "cards": ["R5", "R7", "B9"]}')
    found = '"status": "OPTIMAL", "objective": 1, "bound": 1, "sequence": [["red", 5]]'
    played = "the sequence plays 1 of 3 cards; whether there is a better one is not checked"
    for claim, words, checked in (
        (found, f"valid: {played}\n", "sequence"),
        ('"status": "UNKNOWN"', "nothing to check", "nothing"),
    ):
        answer.write_text(f'{{"question": "longest", {claim}}}')
        assert words in answered(0, "check", str(file), str(answer))
        verdict = json.loads(answered(0, "check", str(file), str(answer), "--format", "json"))
        assert verdict == {"valid": True, "checked": checked, "unchecked": [], "violations": []}


def test_output_that_contradicts_a_proof_is_wrong(tmp_path: Path) -> None:
    file, output = tmp_path / "hand.json", tmp_path / "output"
    proved = {"status": "SATISFIABLE", "why": "by hand"}
    file.write_text(json.dumps({"question": "uno-1", "cards": ["R5", "R7"], "expected": proved}))
    output.write_text("s UNSATISFIABLE\n")
    said = answered(70, "decode", str(file), str(output), "--method", "hub-trail")
    assert "contradicts the proved SATISFIABLE: by hand" in said
    output.write_text('{"question": "uno-1", "status": "UNSATISFIABLE"}')
    said = answered(1, "check", str(file), str(output))
    assert "not valid: expected: the answer UNSATISFIABLE contradicts" in said
    output.write_text("s UNKNOWN\n")
    answered(0, "decode", str(file), str(output))
