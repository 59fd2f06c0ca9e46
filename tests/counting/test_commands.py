"""The commands count, enumerate and sample."""

import json

import pytest

from tests.support.running import run


def test_the_commands_of_counting(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", "R1", "R2", "B2", "W") == 30
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "12 plays"
    assert said[1].endswith(", checked")
    assert said[2] == "beginning with red 1 33%, blue 2 33%, red 2 17%, wild 17%"
    assert run("count", "R1", "B2", "--format", "json") == 30
    assert json.loads(capsys.readouterr().out)["objective"] == 0
    assert run("count", "R1", "--method", "tables") == 2
    assert "table" in capsys.readouterr().err
    assert run("enumerate", "R1", "R2", "B2") == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["[red 1] [red 2] [blue 2] ", "[blue 2] [red 2] [red 1] "]
    assert "2 answers, and no more" in shown.err
    assert run("enumerate", "R1", "R2", "R3", "--limit", "2", "--format", "json") == 1
    found = json.loads(capsys.readouterr().out)
    assert len(found["plays"]) == 2
    assert found["complete"] is False
    assert run("enumerate", "--question", "fill-in", "R1", "B2", "--format", "json") == 0
    assert len(json.loads(capsys.readouterr().out)["plays"]) == 2
    assert run("sample", "R1", "R2", "B2", "--count", "3", "--seed", "4", "--format", "json") == 0
    assert len(json.loads(capsys.readouterr().out)["plays"]) == 3
    assert run("sample", "R1", "B2") == 2
    assert "no play" in capsys.readouterr().err


def test_time_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", "R1", "R2", "B2", "--time-limit", "1e-9") == 0
    assert capsys.readouterr().out == "UNKNOWN  2 plays or more: the time limit was reached\n"
    commands = (["enumerate", "R1", "R2"], ["sample", "R1", "R2"], ["puzzle"])
    for command in (["count", "R1"], *commands):
        assert run(*command, "--time-limit", "-1") == 2
        assert "must be positive and finite, not -1" in capsys.readouterr().err
    for command in commands:
        assert run(*command, "--time-limit", "1e-9") == 2
        assert "the time limit was reached" in capsys.readouterr().err
        assert run(*command, "--time-limit", "60") == 0


def test_a_count_of_no_plays_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", "R1", "B2") == 30
    assert "the cards fall into 2 groups" in capsys.readouterr().out
