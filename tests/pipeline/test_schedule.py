"""The times of a race, and its best values: no process is started, and no clock is read."""

import pytest

from uno_csp.pipeline.best import Best
from uno_csp.pipeline.progress import BoundUpdate
from uno_csp.pipeline.schedule import (
    BESIDE_LEADER_S,
    GRACE_S,
    HEAD_START_S,
    LEADER_START_S,
    Schedule,
)
from uno_csp.pipeline.stages import LOADING_S
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions.answers import Witness

A, B, C, D = (object() for _ in range(4))


def starts(*, leads: bool) -> list[float]:
    """Seconds from the first member's being loaded to the starts of three others."""
    schedule = Schedule([A, B, C, D], NEVER, 100.0, leads=leads)
    assert schedule.take(100.0, others_run=False) == A
    schedule.started(100.0)
    assert schedule.take(100.1, others_run=True) is None
    schedule.loaded(A, 101.0)
    found = []
    for member in (B, C, D):
        now_s = schedule.wakes_at_s
        assert schedule.take(now_s - 0.01, others_run=True) is None
        assert schedule.take(now_s, others_run=True) == member
        schedule.started(now_s)
        found.append(now_s - 101.0)
    assert schedule.take(1e9, others_run=False) is None
    return found


def test_each_member_waits_twice_as_long() -> None:
    second, third = HEAD_START_S, 2 * HEAD_START_S
    assert starts(leads=False) == pytest.approx([second, second + third, second + 3 * third])


def test_a_leader_has_a_head_start_of_its_own() -> None:
    second, third = LEADER_START_S, BESIDE_LEADER_S
    assert starts(leads=True) == pytest.approx([second, second + third, second + 3 * third])


def test_a_member_starts_at_once_when_no_other_runs() -> None:
    schedule = Schedule([A, B], NEVER, 0.0, leads=False)
    schedule.take(0.0, others_run=False)
    schedule.started(0.0)
    assert schedule.take(0.0, others_run=True) is None
    assert schedule.take(0.0, others_run=False) == B


def test_a_member_takes_the_place_of_one_that_ended() -> None:
    schedule = Schedule([A, B, C], NEVER, 0.0, leads=True)
    for member, now_s in ((A, 10.0), (B, 10.1)):
        assert schedule.take(now_s, others_run=member is B) == member
        schedule.started(now_s)
        schedule.loaded(member, now_s)
    assert schedule.take(10.5, others_run=True) is None
    schedule.ended(B, 11.0)
    assert schedule.take(11.0, others_run=True) == C


def test_a_first_member_that_loads_for_long_lets_the_second_start() -> None:
    schedule = Schedule([A, B], NEVER, 0.0, leads=False)
    schedule.take(0.0, others_run=False)
    schedule.started(0.0)
    assert schedule.take(LOADING_S, others_run=True) == B


def test_the_loading_of_the_first_member_extends_the_deadline_once() -> None:
    schedule = Schedule([A, B], Deadline(100.0), 50.0, leads=False)
    assert schedule.loads(A)
    assert not schedule.loads(B)
    assert schedule.kill == Deadline(100.0 + GRACE_S + LOADING_S)
    schedule.loaded(B, 51.0)
    assert schedule.deadline == Deadline(100.0)
    schedule.loaded(A, 51.5)
    schedule.loaded(A, 51.5)
    schedule.ended(A, 60.0)
    assert schedule.deadline == Deadline(101.5)
    assert schedule.kill == Deadline(101.5 + GRACE_S)


def test_a_deadline_is_not_extended_for_ever() -> None:
    schedule = Schedule([A], Deadline(100.0), 0.0, leads=False)
    schedule.loaded(A, 60.0)
    assert schedule.deadline == Deadline(100.0 + LOADING_S)


def test_a_member_that_ends_before_it_is_ready_extends_nothing() -> None:
    schedule = Schedule([A], Deadline(100.0), 0.0, leads=False)
    schedule.ended(A, 1.0)
    assert (schedule.deadline, schedule.kill) == (Deadline(100.0), Deadline(100.0 + GRACE_S))


def test_a_pause_extends_the_deadline_however_long_it_is() -> None:
    schedule = Schedule([A, B], Deadline(100.0), 0.0, leads=False)
    schedule.loaded(A, 0.0)
    assert not schedule.resume(A, 10.0)
    schedule.pause(A, 50.0)
    assert schedule.kill == NEVER
    assert not schedule.resume(B, 60.0)
    assert schedule.resume(A, 650.0)
    assert schedule.deadline == Deadline(700.0)
    assert schedule.kill == Deadline(700.0 + GRACE_S)
    schedule.pause(A, 660.0)
    schedule.ended(A, 680.0)
    assert schedule.deadline == Deadline(720.0)


@pytest.mark.parametrize("sign", [1, -1])
def test_witness_and_bound_are_of_whoever_has_the_better(sign: int) -> None:
    best = Best(A, sign, None)
    assert not best.says_more
    best.update(A, Witness((), objective=7 * sign), 3 * sign)
    best.update(B, Witness((), objective=8 * sign), 2 * sign)
    assert (best.objective, best.bound, best.leader, best.prover) == (7 * sign, 3 * sign, A, A)
    best.update(B, None, 5 * sign)
    best.update(A, Witness((), objective=6 * sign), None)
    assert best.as_update() == BoundUpdate(6 * sign, 5 * sign)
    assert (best.leader, best.prover, best.is_optimal) == (A, B, False)
    best.update(B, None, 6 * sign)
    assert best.is_optimal
    assert best.is_combined_optimum


def test_one_member_alone_has_an_optimum_of_its_own() -> None:
    best = Best(A, 1, 4)
    assert (best.bound, best.says_more) == (4, False)
    best.update(B, Witness((), objective=5), 5)
    assert (best.is_optimal, best.is_combined_optimum, best.says_more) == (True, False, True)


def test_a_witness_without_a_value_is_the_end_and_no_update() -> None:
    best = Best(A, 1, None)
    best.update(B, Witness(()), None)
    assert (best.witness, best.leader) == (None, A)
