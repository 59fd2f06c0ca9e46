"""The times of a race, and its best values: no process is started, and no clock is read."""

import pytest

from uno_csp.pipeline.best import Best
from uno_csp.pipeline.progress import BoundUpdate
from uno_csp.pipeline.schedule import PLACES, Schedule
from uno_csp.processes.deadline import LOADING_S, NEVER, SOLVER_GRACE_S, Deadline
from uno_csp.questions.answers import Witness

A, B, C, D = (object() for _ in range(4))


def test_each_member_starts_when_the_others_have_used_its_cpu_time() -> None:
    schedule = Schedule([A, B, C], [0.0, 0.5, 2.0], NEVER, 100.0)
    assert schedule.take(100.0, 0.0, running=0) == A
    assert schedule.take(100.1, 0.1, running=1) is None
    schedule.loaded(A, 101.0, 0.4)
    assert schedule.take(101.1, 0.8, running=1) is None
    assert schedule.wakes_at_s(101.1, 0.8, running=1) == pytest.approx(101.2)
    assert schedule.take(500.0, 0.8, running=1) is None
    assert schedule.take(101.2, 0.9, running=1) == B
    schedule.loaded(B, 101.3, 1.0)
    assert schedule.wakes_at_s(101.3, 1.4, running=2) == pytest.approx(101.8)
    assert schedule.take(101.8, 2.4, running=2) == C
    assert schedule.take(1e9, 1e9, running=0) is None
    assert schedule.wakes_at_s(102.0, 3.0, running=3) == NEVER.at_s


def test_a_member_starts_at_once_when_no_other_runs() -> None:
    schedule = Schedule([A, B], [0.0, 5.0], NEVER, 0.0)
    schedule.take(0.0, 0.0, running=0)
    assert schedule.take(0.0, 0.0, running=1) is None
    assert schedule.take(0.0, 0.0, running=0) == B


def test_the_next_member_takes_the_place_of_one_that_has_ended() -> None:
    schedule = Schedule([A, B, C], [0.0, 0.0, 5.0], NEVER, 0.0)
    schedule.take(0.0, 0.0, running=0)
    schedule.loaded(A, 0.1, 0.1)
    assert schedule.take(0.1, 0.1, running=1) == B
    assert schedule.take(0.2, 0.2, running=2) is None
    schedule.ended(A, 0.3, running=1)
    assert schedule.take(0.3, 0.3, running=1) == C


def test_no_member_takes_the_place_of_one_that_has_ended_while_two_run() -> None:
    schedule = Schedule([A, B, C, D], [0.0, 0.0, 0.0, 5.0], NEVER, 0.0)
    for running, member in enumerate((A, B, C)):
        assert schedule.take(0.0, 0.0, running=running) == member
        schedule.loaded(A, 0.0, 0.0)
    schedule.ended(A, 0.3, running=PLACES)
    assert schedule.take(0.3, 0.3, running=2) is None
    schedule.ended(B, 0.4, running=1)
    assert schedule.take(0.4, 0.4, running=1) == D


def test_a_first_member_that_loads_for_long_lets_the_second_start() -> None:
    schedule = Schedule([A, B], [0.0, 5.0], NEVER, 0.0)
    schedule.take(0.0, 0.0, running=0)
    assert schedule.wakes_at_s(0.5, 0.5, running=1) == LOADING_S
    assert schedule.take(LOADING_S, 0.0, running=1) == B


def test_the_loading_of_the_first_member_extends_the_deadline_once() -> None:
    schedule = Schedule([A, B], [0.0, 0.0], Deadline(100.0), 50.0)
    assert schedule.loads(A)
    assert not schedule.loads(B)
    assert schedule.kill == Deadline(100.0 + SOLVER_GRACE_S + LOADING_S)
    schedule.loaded(B, 51.0, 0.0)
    assert schedule.deadline == Deadline(100.0)
    schedule.loaded(A, 51.5, 0.0)
    schedule.loaded(A, 51.5, 0.0)
    schedule.ended(A, 60.0, running=0)
    assert schedule.deadline == Deadline(101.5)
    assert schedule.kill == Deadline(101.5 + SOLVER_GRACE_S)


def test_a_deadline_is_not_extended_for_ever() -> None:
    schedule = Schedule([A], [0.0], Deadline(100.0), 0.0)
    schedule.loaded(A, 60.0, 0.0)
    assert schedule.deadline == Deadline(100.0 + LOADING_S)


def test_a_member_that_ends_before_it_is_ready_extends_nothing() -> None:
    schedule = Schedule([A], [0.0], Deadline(100.0), 0.0)
    schedule.ended(A, 1.0, running=0)
    assert (schedule.deadline, schedule.kill) == (Deadline(100.0), Deadline(100.0 + SOLVER_GRACE_S))


def test_a_pause_extends_the_deadline_however_long_it_is() -> None:
    schedule = Schedule([A, B], [0.0, 0.0], Deadline(100.0), 0.0)
    schedule.loaded(A, 0.0, 0.0)
    assert not schedule.resume(A, 10.0)
    schedule.pause(A, 50.0)
    assert schedule.kill == NEVER
    assert not schedule.resume(B, 60.0)
    assert schedule.resume(A, 650.0)
    assert schedule.deadline == Deadline(700.0)
    assert schedule.kill == Deadline(700.0 + SOLVER_GRACE_S)
    schedule.pause(A, 660.0)
    schedule.ended(A, 680.0, running=0)
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
