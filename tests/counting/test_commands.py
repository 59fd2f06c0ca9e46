"""The commands count, enumerate and sample."""

import json

import pytest

from tests.support.running import answered, refused, run


def test_the_commands_of_counting(capsys: pytest.CaptureFixture[str]) -> None:
    said = answered(30, "count R1 R2 B2 W").splitlines()
    assert said[0] == "12 plays"
    assert said[1].endswith(", checked")
    assert said[2] == "beginning with red 1 33%, blue 2 33%, red 2 17%, wild 17%"
    assert json.loads(answered(30, "count R1 B2 --format json"))["objective"] == 0
    assert "table" in refused("count R1 --method tables")
    assert run("enumerate R1 R2 B2") == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["[red 1] [red 2] [blue 2] ", "[blue 2] [red 2] [red 1] "]
    assert "2 answers, and no more" in shown.err
    found = json.loads(answered(1, "enumerate R1 R2 R3 --limit 2 --format json"))
    assert len(found["plays"]) == 2
    assert found["complete"] is False
    assert (
        len(json.loads(answered(0, "enumerate --question fill-in R1 B2 --format json"))["plays"])
        == 2
    )
    assert (
        len(json.loads(answered(0, "sample R1 R2 B2 --count 3 --seed 4 --format json"))["plays"])
        == 3
    )
    assert "no play" in refused("sample R1 B2")


def test_time_limits() -> None:
    assert (
        answered(0, "count R1 R2 B2 --time-limit 1e-9")
        == "UNKNOWN  2 plays or more: the time limit was reached\n"
    )
    commands = (["enumerate", "R1", "R2"], ["sample", "R1", "R2"], ["puzzle"])
    for command in (["count", "R1"], *commands):
        assert "must be positive and finite, not -1" in refused(*command, "--time-limit", "-1")
    for command in commands:
        assert "the time limit was reached" in refused(*command, "--time-limit", "1e-9")
        assert run(*command, "--time-limit", "60") == 0


def test_a_count_of_no_plays_says_why() -> None:
    assert "the cards fall into 2 groups" in answered(30, "count R1 B2")
