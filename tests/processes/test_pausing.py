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
from uno_csp.processes.supervision import Control, LimitedTask, Limits, Outcome

STILL: dict[str, Any] = {
    "start": lambda _: None,
    "end": lambda: None,
    "child": SimpleNamespace(alive=True, exit_code=None),
}


@pytest.mark.parametrize("closed", [False, True])
def test_a_process_without_a_parent_says_what_it_does(
    closed: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if closed:
        monkeypatch.setattr("sys.stderr", None)
    before = paused_s()
    with pause("building a cathedral"):
        pass
    assert capsys.readouterr().err == ("" if closed else "uno-csp: building a cathedral\n")
    assert paused_s() > before


def test_a_worker_tells_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(Channel, "own", SimpleNamespace(report=told.append))
    with pytest.raises(KeyError), pause("building a cathedral"):
        raise KeyError
    assert told == [Pause("building a cathedral"), READY]


def test_clocks_stand_still_in_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(supervision, "clock_s", lambda: clock.now)
    monkeypatch.setattr(supervision, "_usage", lambda _: (clock.now, 100.0 + clock.now))
    worker = cast("Worker", SimpleNamespace(**STILL, connection=None, pid=os.getpid()))
    limits = Limits(10.0, 10.0, 900.0)
    limited = LimitedTask(worker, None, limits, Control(grace_s=0), measured=True)

    def decided(now: float) -> Outcome | None:
        clock.now = now
        return limited.decide()

    for now, then in (
        *((5.0, limited.start_clocks), (9.0, limited.stop_clocks)),
        *((700.0, limited.start_clocks), (705.0, limited.stop_clocks)),
    ):
        assert decided(now) is None
        then()
    clock.now = 720.0
    limited.start_clocks()
    assert decided(720.9) is None
    ended = decided(721.1)
    assert ended is not None
    assert ended.limit_hit == "time limit of 10 s reached"
    assert ended.wall_s == ended.cpu_s == pytest.approx(10.1)


def test_a_race_hands_the_pause_of_a_member_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(Channel, "own", SimpleNamespace(report=told.append))
    race = _Race([Task(parse("R5 R7"), Options())], Deadline.after(100.0), None, None)
    worker = cast("Worker", None)
    (member,), before = race._schedule.waiting, race._schedule.deadline
    race.handle(worker, member, READY)
    assert told == []
    race.handle(worker, member, Pause("building a cathedral"))
    assert race._schedule.kill == NEVER
    race.handle(worker, member, READY)
    assert told == [Pause("building a cathedral"), READY]
    assert before.at_s < race._schedule.deadline.at_s < NEVER.at_s
