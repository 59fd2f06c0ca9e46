"""The commands check and decode: verdicts on answers, and on the output of other solvers."""

import json
from pathlib import Path

from tests.support import ROOT
from tests.support.running import Capture, answered, run

EXAMPLE = str(ROOT / "examples/paper-example-1.json")


def test_solve_and_check(tmp_path: Path, capsys: Capture) -> None:
    assert run("solve", EXAMPLE, "--format", "json") == 10
    answer = tmp_path / "answer.json"
    answer.write_text(capsys.readouterr().out)
    assert run("check", EXAMPLE, str(answer)) == 0
    assert capsys.readouterr().out == (
        "valid: the sequence of 9 cards plays the whole hand\nnot checked: method, wall_s, stats\n"
    )
    spoilt = json.loads(answer.read_text())
    spoilt["sequence"][0], spoilt["sequence"][4] = spoilt["sequence"][4], spoilt["sequence"][0]
    answer.write_text(json.dumps(spoilt))
    assert "not valid: match at step" in answered(1, "check", EXAMPLE, str(answer))
    verdict = json.loads(answered(1, "check", EXAMPLE, str(answer), "--format", "json"))
    assert verdict["valid"] is False
    assert {"rule", "step", "message"} == set(verdict["violations"][0])
    answer.write_text('{"question": "uno-1", "status": "UNSATISFIABLE"}')
    assert "nothing to check" in answered(0, "check", EXAMPLE, str(answer))
    verdict = json.loads(answered(0, "check", EXAMPLE, str(answer), "--format", "json"))
    nothing = {"valid": True, "checked": "nothing", "unchecked": [], "violations": []}
    assert verdict == nothing
    answer.write_text("nonsense")
    assert run("check", EXAMPLE, str(answer)) == 2
    assert run("check", EXAMPLE, str(tmp_path / "missing")) == 2
    assert run("check", str(tmp_path / "missing"), str(answer)) == 2


def test_that_nothing_is_better_is_not_checked(tmp_path: Path, capsys: Capture) -> None:
    file, answer = tmp_path / "longest.json", tmp_path / "answer.json"
    file.write_text('{"question": "longest", "cards": ["R5", "R7", "B9"]}')
    claim = {"status": "OPTIMAL", "objective": 1, "bound": 1, "sequence": [["red", 5]]}
    answer.write_text(json.dumps({"question": "longest", **claim}))
    assert run("check", str(file), str(answer)) == 0
    assert capsys.readouterr().out == (
        "valid: the sequence plays 1 of 3 cards; whether there is a better one is not checked\n"
    )
    assert run("check", str(file), str(answer), "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["checked"] == "sequence"


def test_output_that_contradicts_a_proof_is_wrong(tmp_path: Path, capsys: Capture) -> None:
    file, output = tmp_path / "hand.json", tmp_path / "output"
    proved = {"status": "SATISFIABLE", "why": "by hand"}
    file.write_text(json.dumps({"question": "uno-1", "cards": ["R5", "R7"], "expected": proved}))
    output.write_text("s UNSATISFIABLE\n")
    assert run("decode", str(file), str(output), "--method", "hub-trail") == 70
    assert "contradicts the proved SATISFIABLE: by hand" in capsys.readouterr().out
    output.write_text('{"question": "uno-1", "status": "UNSATISFIABLE"}')
    assert run("check", str(file), str(output)) == 1
    assert "not valid: expected: the answer UNSATISFIABLE contradicts" in capsys.readouterr().out
    output.write_text("s UNKNOWN\n")
    assert run("decode", str(file), str(output)) == 0
