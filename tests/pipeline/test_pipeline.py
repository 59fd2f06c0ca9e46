"""solve: limits, interruption, failures, progress, and the seal of the checker."""

import gc
import multiprocessing
import time
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import uno_csp
from tests.support.hands import hard
from tests.support.running import Patch, printed, put_program
from tests.support.tables import table
from uno_csp import (
    BackendError,
    CheckFailed,
    Cooperative,
    NotAccepted,
    Options,
    Progress,
    Status,
    Uno1,
    generate,
    parse,
    solve,
)
from uno_csp.pipeline import solving
from uno_csp.pipeline.race import run_isolated
from uno_csp.pipeline.stages import Solved, Task
from uno_csp.processes.pool import end_idle_workers
from uno_csp.questions.answers import Witness

SMALL = Uno1(((1, 1), (1, 2), (2, 2), (2, 3), (3, 3)))


@pytest.mark.parametrize("backend", ["cadical195", "glucose4", "cp-sat", "cbc", "highs"])
def test_a_time_limit_gives_unknown_with_the_reason(backend: str) -> None:
    answer = solve(hard(), method="position", backend=backend, time_limit_s=0.4)
    assert answer.status is Status.UNKNOWN
    assert answer.reason == "time limit of 0.4 s reached"
    assert not answer.checked
    assert answer.sequence is None


def test_progress_is_reported() -> None:
    seen: list[Progress] = []
    answer = solve(generate("random-cubic", vertices=200, seed=1), on_progress=seen.append)
    assert answer.status is Status.SATISFIABLE
    assert len(seen) == answer.stats["rounds"] >= 2
    assert seen[-1].cuts == answer.stats["cuts"] > 0
    assert [each.rounds for each in seen] == list(range(1, len(seen) + 1))


def test_an_error_in_the_listener_is_not_swallowed() -> None:
    def fail(_: Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        solve(SMALL, method="hub-trail", on_progress=fail)
    assert solve(SMALL).checked


def test_what_is_chosen_is_said() -> None:
    for options, chosen in table("pipeline", "chosen ways"):
        answer = solve(SMALL, **options)
        assert [answer.method, answer.backend, answer.connectivity] == chosen
    many = range(20)  # a card lies on 184756 hubs
    wide = Uno1(
        (tuple(many), tuple(each // 2 for each in many), (*many[:10], *many[:10])), at_least=10
    )
    fallback = solve(wide, presolve=False)
    assert fallback.method == "successor"
    assert "184756 hubs" in fallback.stats["declined"]["hub-trail"]


def test_a_no_by_reduction_has_a_reason_and_needs_no_solver() -> None:
    answer = solve(Uno1((("red", 1), ("blue", 2))))
    assert answer.status is Status.UNSATISFIABLE
    assert "2 groups" in answer.reason
    assert answer.backend is None
    assert answer.stats["reductions"] == ["groups of cards"]


@pytest.mark.parametrize(("asked", "options", "error", "said"), table("pipeline", "wrong options"))
def test_wrong_options_are_refused(
    asked: dict[str, Any], options: dict[str, Any], error: str, said: str
) -> None:
    with pytest.raises(getattr(uno_csp, error), match=said):
        solve(parse(asked), **options)


REPEAT = """
import random
from uno_csp import Cooperative, FillIn, Uncooperative, Uno1, solve
draw = random.Random(5)
def cards(count, colours="abcdefgh", symbols="stuvwxyz"):
    return tuple((draw.choice(colours), draw.choice(symbols)) for _ in range(count))
def hands(count):
    return tuple(cards(4, "abc", "stu") for _ in range(count))
hand = Uno1(cards(30))
trail = {"method": "hub-trail", "backend": "cadical195"}
successor = {**trail, "method": "successor"}
for options in (trail, {**trail, "seed": 3}, successor, {**trail, "backend": "cp-sat", "seed": 1}):
    print(solve(hand, **options).witness)
print(solve(FillIn(cards(12)), **trail).witness)
print(solve(Uncooperative(hands(3)), method="game-search").witness)
print(solve(Cooperative(hands(2)), method="turns", backend="cadical195").witness)
"""


def test_a_run_can_be_repeated() -> None:
    """The same question, method, seed and single worker give the same witness in every process.

    Texts have another hash in every process; no order may come from it.
    """
    with redirect_stdout(StringIO()) as here:
        exec(REPEAT, {})  # noqa: S102
    assert here.getvalue() == printed(REPEAT, PYTHONHASHSEED="1")
    assert here.getvalue().count("((") == 6
    assert all(part in here.getvalue() for part in ("plays=(Play", "'kind': 'positions'"))


def end_the_child(how: str, folder: Path, monkeypatch: Patch) -> str:
    """A backend whose program sends a signal to the process that runs it."""
    put_program(folder, "rogue", f"kill -{how} $PPID\nsleep 5", monkeypatch)
    end_idle_workers()
    return "dimacs:rogue"


def test_a_crash_of_the_child_is_an_error_and_a_kill_leaves_unknown(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    with pytest.raises(BackendError, match="ended by SIGSEGV"):
        solve(SMALL, method="hub-trail", backend=end_the_child("SEGV", tmp_path, monkeypatch))
    assert solve(SMALL).checked
    answer = solve(SMALL, method="hub-trail", backend=end_the_child("KILL", tmp_path, monkeypatch))
    assert answer.status is Status.UNKNOWN
    assert "lack of memory" in answer.reason


def test_a_wrong_answer_is_caught_and_reported(monkeypatch: Patch) -> None:
    real = run_isolated

    def lie(tasks: list[Task], *rest: object) -> tuple[Task, Solved]:
        task, solved = real(tasks)
        assert solved.witness is not None
        played = solved.witness.sequence or ()
        backwards = tuple(sorted(played, key=lambda card: (card[1], -int(card[0]))))
        return task, Solved(solved.status, Witness(backwards[::2] + backwards[1::2]))

    monkeypatch.setattr(solving, "run_isolated", lie)
    with pytest.raises(CheckFailed, match="match at step") as caught:
        solve(SMALL, method="hub-trail")
    assert caught.value.report["violations"]
    assert parse(caught.value.report["instance"]) == SMALL


def test_a_limit_holds_for_presolve_too() -> None:
    """So many cards take the reductions alone more than a second."""
    hand = generate("random", colours=13_500, numbers=16_500, cards=150_000)
    answer = solve(hand, time_limit_s=0.1)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, "time limit of 0.1 s reached")


@pytest.mark.parametrize("cards", [4_000, 6_000])
def test_reductions_are_the_same_here_and_in_a_child(cards: int) -> None:
    """Of large hands with a limit they run in the child, and the witness is lifted there."""
    hand = generate("random", colours=cards // 6, numbers=cards // 6, cards=cards, seed=3)
    doubled = Uno1((*hand.cards, *hand.cards[:50], *hand.cards[:50]))
    limited, unlimited = solve(doubled, time_limit_s=250), solve(doubled)
    assert limited.status == unlimited.status
    assert limited.stats["reductions"] == unlimited.stats["reductions"] != []
    assert limited.checked or limited.status is Status.UNSATISFIABLE
    apart = Uno1((*hand.cards, ("alone", "by itself")))
    answer = solve(apart, time_limit_s=250)
    assert (answer.status, answer.method) == (Status.UNSATISFIABLE, None)
    assert answer.stats["reductions"][-1] == "groups of cards"


def test_a_slow_listener_does_not_starve_the_deadline() -> None:
    seen: list[Progress] = []

    def dawdle(progress: Progress) -> None:
        """Much slower than the rounds."""
        seen.append(progress)
        time.sleep(0.5)

    long = generate("random", colours=300, numbers=300, cards=400, question="longest", seed=1)
    answer = solve(long, time_limit_s=2, on_progress=dawdle, presolve=False, method="hub-trail")
    assert answer.reason == "time limit of 2 s reached"
    assert len(seen) <= 8  # and not one for each of very many rounds
    assert [each.elapsed_s for each in seen] == sorted(each.elapsed_s for each in seen)


@pytest.mark.parametrize("backend", ["cadical195", "highs"])
def test_a_memory_limit_ends_the_run_with_what_was_found(backend: str) -> None:
    hand = generate("random", colours=300, numbers=300, cards=400, question="longest", seed=1)
    answer = solve(
        hand,
        method="hub-trail",
        backend=backend,
        memory_limit_mb=40,
        time_limit_s=200,
        presolve=False,
    )
    assert answer.status is Status.UNKNOWN
    assert answer.reason == "memory limit of 40 MB reached"


def test_options_are_one_value() -> None:
    options = Options("position", "cp-sat", seed=3)
    assert Options.of({"method": "position", "backend": "cp-sat", "seed": 3}) == options
    assert Options.of(options.to_dict()) == options
    answer = solve(SMALL, replace(options, presolve=False))
    assert (answer.method, answer.backend) == ("position", "cp-sat")
    with pytest.raises(NotAccepted, match="no option 'encoding'"):
        Options.of({"encoding": "position"})
    with pytest.raises(NotAccepted):
        solve(SMALL, options, seed=4)


def test_more_workers_and_a_very_long_limit_change_no_answer() -> None:
    for backend in ("cadical195", "cp-sat", "highs", "cbc"):
        assert solve(SMALL, backend=backend, time_limit_s=1e11).checked
        for workers in (1, 2) if backend != "cadical195" else ():
            assert solve(SMALL, backend=backend, workers=workers).status is Status.SATISFIABLE
    hand = generate("random", colours=60, numbers=60, cards=90, question="fill-in", seed=3)
    assert solve(hand, workers=2).objective == solve(hand).objective
    assert solve(SMALL, workers=2, presolve=False).backend == "cadical195"


def test_a_forked_copy_takes_nothing_away() -> None:
    hand = generate("random-cubic", vertices=20, seed=1)
    options = Options("successor", "dimacs:kissat", "order", presolve=False)
    assert solve(hand, options).checked
    fork = multiprocessing.get_context("fork").Process(target=gc.collect)
    fork.start()
    fork.join()
    assert fork.exitcode == 0
    assert solve(hand, options).checked


def test_a_limit_on_a_worker_that_is_still_starting_loses_nothing(monkeypatch: Patch) -> None:
    """A solver that stops itself at the limit reports the best that it has found, if any."""
    for name in ("LOADING_S", "SOLVER_GRACE_S"):  # on a busy machine either takes long
        monkeypatch.setattr(f"uno_csp.pipeline.schedule.{name}", 100.0)
    hand = generate("random", colours=120, numbers=120, cards=200, question="longest", seed=5)
    for limit_s in (4, 16, 64):  # a busy machine finds nothing in the first
        end_idle_workers()  # the next worker has everything to load
        options = Options("successor", "cp-sat", presolve=False, time_limit_s=limit_s)
        answer = solve(hand, options)
        assert answer.status is not Status.UNKNOWN or answer.reason.startswith("time limit of")
        if answer.objective is not None:
            break
    assert answer.objective is not None
    assert answer.bound is not None


def test_a_method_that_is_named_is_the_one_that_answers() -> None:
    """Alone, player 1 asks another question, which the method does not take."""
    alone = Cooperative(((("red", 5), ("red", 7), ("blue", 7)),))
    answer = solve(alone, method="turns")
    assert (answer.status, answer.method) == ("SATISFIABLE", "turns")
    assert solve(alone).status == "SATISFIABLE"
