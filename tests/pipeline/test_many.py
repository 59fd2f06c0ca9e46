"""Many questions at a time: order, errors, bounded look-ahead, and the end of the iteration."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

import pytest

import uno_csp
from tests.support.running import Patch, printed
from tests.support.tables import table
from uno_csp import (
    Answer,
    InstanceError,
    Longest,
    NotAccepted,
    Options,
    Status,
    Uno1,
    UnoCspError,
    solve,
    solve_many,
)
from uno_csp.pipeline import many
from uno_csp.processes.channel import Channel
from uno_csp.questions import Instance


def hand(number: int) -> Uno1:
    """A yes if the number is even."""
    return Uno1(((0, number), (1, number + number % 2), (2, number)), name=str(number))


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_come_in_order(workers: int) -> None:
    questions: list[Instance | str] = [hand(number) for number in range(300)]
    questions[7], questions[8] = "R5 R7 B7", Longest(((1, 1), (2, 2), (2, 3)))
    questions[9] = Uno1(tuple((number // 3, number) for number in range(30)))  # sent by itself
    for question, found in zip(questions, solve_many(questions, workers=workers), strict=True):
        assert isinstance(found, Answer)
        alone = solve(question)
        assert (found.status, found.sequence) == (alone.status, alone.sequence)
        assert found.checked == (found.status is not Status.UNSATISFIABLE)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_ends_only_its_question(workers: int) -> None:
    wide = Uno1((tuple(range(20)), (0,) * 20), at_least=10)
    wrong = InstanceError("line 4: nonsense")
    found = list(solve_many(["R5 X7", wide, wrong, hand(2)], workers=workers, method="hub-trail"))
    assert [type(each) for each in found] == [InstanceError, NotAccepted, InstanceError, Answer]
    assert str(found[2]) == "line 4: nonsense"


@pytest.mark.parametrize(("error", "options"), table("pipeline", "wrong for all questions"))
def test_what_is_wrong_for_all_is_raised_at_once(error: str, options: dict[str, Any]) -> None:
    with pytest.raises(getattr(uno_csp, error)):
        solve_many([], **options)
    with pytest.raises(NotAccepted, match="not both"):
        solve_many([], options=Options(), seed=3)


def test_questions_without_end_are_read_a_bounded_number_ahead() -> None:
    read = 0

    def questions() -> Iterator[Uno1]:
        nonlocal read
        for read in count():
            yield hand(read)

    answers = solve_many(questions(), workers=2)
    taken = list(islice(answers, 500))
    assert [each.status is Status.SATISFIABLE for each in taken if isinstance(each, Answer)] == [
        number % 2 == 0 for number in range(500)
    ]
    assert read <= 500 + (many.AHEAD * 2 + 2) * many.MOST_IN_CHUNK
    answers.close()  # type: ignore[attr-defined]
    assert list(answers) == []


def test_an_error_of_the_iterable_is_raised() -> None:
    def questions() -> Iterator[Uno1]:
        yield hand(0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(solve_many(questions()))


def test_the_questions_of_a_worker_that_dies_are_asked_again(monkeypatch: Patch) -> None:
    monkeypatch.setattr(many, "MODULE", __name__)
    found = many._ask([hand(0), hand(13), hand(2)], Options(), lambda: False)
    assert [type(each).__name__ for each in found] == ["Answer", "BackendError", "Answer"]


def handle(task: tuple[list[Instance], Options], channel: Channel) -> list[Answer | Exception]:
    """Answer as the real worker, but die of the hand called 13."""
    if any(question.name == "13" for question in task[0]):
        os.kill(os.getpid(), signal.SIGKILL)
    return many.handle(task, channel)


def local_question() -> Uno1:
    """A question of a type that no other process can import."""

    @dataclass(frozen=True, slots=True)
    class Mine(Uno1):
        pass

    return Mine(hand(2).cards)


class Closed(str):
    """A text that does not want to be pickled."""

    def __reduce__(self) -> str:
        raise ValueError("not me")


def given_error() -> InstanceError:
    error = InstanceError("line 4: nonsense")
    error.add_note("seen by the reader")
    vars(error)["again"] = lambda: None
    return error


def nested() -> list[object]:
    whole: list[object] = []
    for _ in range(100_000):
        whole = [whole]
    return whole


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("question", "found"),
    [
        (lambda: None, "is no question"),
        (threading.Lock(), "is no question"),
        (iter([hand(1)]), "is no question"),
        (sys, "is no question"),
        (nested(), "is no question"),
        (local_question(), "Can't pickle local object"),
        (given_error(), "line 4: nonsense"),
        (Closed("R5 R7"), "SATISFIABLE"),
    ],
)
def test_what_cannot_be_sent_is_an_error_of_its_question(
    question: Any, found: str, workers: int
) -> None:
    asked = [hand(0), question, hand(1)]
    before, said, after = solve_many(asked, workers=workers, method="width")
    assert isinstance(before, Answer) and isinstance(after, Answer)
    if isinstance(said, Answer):
        assert workers == 1 or found == str(said.status)  # here nothing has to be sent
    else:
        assert isinstance(said, UnoCspError)
        assert found in str(said)
    assert said is question or not isinstance(question, UnoCspError)


def test_a_question_of_a_script_is_refused_where_it_has_to_be_sent() -> None:
    code = """
from dataclasses import dataclass
import uno_csp

@dataclass(frozen=True, slots=True)
class Mine(uno_csp.Uno1):
    pass

mine = Mine(["R5", "R7"])
try:
    uno_csp.solve(mine, method="hub-trail", backend="cadical195", presolve=False)
except uno_csp.NotAccepted as error:
    print(error)
print(*uno_csp.solve_many([mine, "R5 R7"], method="width", workers=2), sep="\\n")
"""
    first, second, third = printed(code).splitlines()
    assert first == second
    assert first.startswith("the question cannot be sent to a worker process: Can't get attribute")
    assert "SATISFIABLE" in third
