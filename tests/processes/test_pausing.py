"""Pauses: what workers and their parents make of them."""

import os
from types import SimpleNamespace
from typing import Any, cast

import pytest

from uno_csp import parse
from uno_csp.pipeline import Options
from uno_csp.pipeline.race import _Race
from uno_csp.pipeline.stages import Task
from uno_csp.processes import supervision
from uno_csp.processes.channel import READY, Channel, Pause
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.processes.pausing import pause, paused_s
from uno_csp.processes.pool import Worker
from uno_csp.processes.supervision import Control, Limits, _Sampler


def test_a_process_without_a_parent_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    before = paused_s()
    with pause("building a cathedral"):
        pass
    assert capsys.readouterr().err == "uno-csp: building a cathedral\n"
    assert paused_s() > before


def test_a_closed_standard_error_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    before = paused_s()
    with pause("building a cathedral"):
        pass
    assert paused_s() > before


def test_a_worker_tells_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(Channel, "own", SimpleNamespace(report=told.append))
    with pytest.raises(KeyError), pause("building a cathedral"):
        raise KeyError
    assert told == [Pause("building a cathedral"), READY]


def test_clocks_stand_still_in_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(supervision, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(supervision, "usage", lambda _: (clock.now, 100.0 + clock.now))
    worker = cast("Worker", SimpleNamespace(pid=os.getpid()))
    sampler = _Sampler(worker, Limits(10.0, 10.0, 900.0), Control(grace_s=0), measured=False)

    def ends(now: float) -> bool:
        clock.now = now
        sampler.sample()
        return sampler.has_to_end()

    assert not ends(5.0)
    sampler.start()
    assert not ends(9.0)
    sampler.pause()
    assert not ends(700.0)
    sampler.start()
    assert (sampler.wall_s, sampler.cpu_s) == (4.0, 4.0)
    assert not ends(705.0)
    sampler.pause()
    clock.now = 720.0
    sampler.start()
    assert not ends(720.9)
    assert ends(721.1)
    assert sampler.limit_hit == "time limit of 10 s reached"
    assert sampler.wall_s == pytest.approx(10.1)


def test_a_race_hands_the_pause_of_a_member_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(Channel, "own", SimpleNamespace(report=told.append))
    race = _Race([Task(parse("R5 R7"), Options())], Deadline.after(100.0), None, None)
    (member,), before = race._schedule.waiting, race._schedule.deadline
    race._handle_message(member, READY)
    assert told == []
    race._handle_message(member, Pause("building a cathedral"))
    assert race._schedule.kill == NEVER
    race._handle_message(member, READY)
    assert told == [Pause("building a cathedral"), READY]
    assert before.at_s < race._schedule.deadline.at_s < NEVER.at_s
