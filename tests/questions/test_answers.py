"""Answers as values: one line, nothing of it changes, and it can be hashed."""

import copy
import inspect
import pickle

import pytest

from uno_csp import (
    Answer,
    InstanceError,
    Options,
    Status,
    Uno1,
    count,
    hamiltonian_cycle,
    parse,
    solve,
    start,
)
from uno_csp.questions.answers import Witness
from uno_csp.questions.frozen import frozen, thawed


def test_an_answer_is_one_line() -> None:
    answer = solve("R5 R7")
    expected = repr(answer)
    assert expected.startswith("<Answer uno-1 SATISFIABLE: the whole hand can be discarded; ")
    assert expected.endswith(" s, checked>")
    assert "\n" not in expected
    assert repr(Answer("uno-1", Status.UNKNOWN, reason="time limit")).count("time limit") == 1


def test_nothing_of_an_answer_can_be_changed() -> None:
    duel = {"question": "uncooperative", "hands": [["R1", "B2"], ["R2"]]}
    answer = solve(parse(duel))
    assert answer.strategy is not None
    for mapping in (answer.strategy, answer.stats):
        with pytest.raises(TypeError, match="cannot be changed"):
            mapping["x"] = 1  # type: ignore[index]
        with pytest.raises(TypeError, match="cannot be changed"):
            mapping.clear()  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="cannot be changed"):
        answer.stats["reductions"].append("x")
    data = answer.to_dict()
    data["stats"]["x"] = data["strategy"]["x"] = 1  # a copy is the caller's own
    assert "x" not in answer.stats


def test_answers_can_be_hashed_compared_and_sent() -> None:
    answer = solve("R5 B7")
    assert len({answer, answer, copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))}) == 1  # noqa: S301
    value = {"a": [1, {"b": None}], "c": "d"}
    assert frozen(value) == value
    assert thawed(frozen(value)) == value
    assert frozen(frozen(value)) is not value
    assert hash(Witness(strategy=value)) == hash(Witness(strategy=copy.deepcopy(value)))


def test_a_text_is_a_question() -> None:
    assert solve("R5 R7").status is Status.SATISFIABLE
    assert solve('{"question": "longest", "cards": ["R5", "B7"]}').objective == 1
    assert start("R5 B7").result(200).status is Status.UNSATISFIABLE


def test_the_options_are_in_the_signature() -> None:
    named = inspect.signature(solve).parameters
    for name in ("method", "backend", "connectivity", "time_limit_s", "seed", "workers", "proof"):
        assert named[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert named[name].default == getattr(Options(), name)


def test_integers_of_very_many_digits_are_told() -> None:
    large = 10**5000
    with pytest.raises(InstanceError, match=r"cards\[0\]\[0\]: an integer has at most 4000 digits"):
        solve(Uno1(((large, 1), (large + 1, 2))))
    assert solve(Uno1(((10**3999, 1), (10**3999, 2)))).status is Status.SATISFIABLE
    with pytest.raises(InstanceError, match="an integer of very many digits"):
        parse({"question": "uno-1", "cards": [], "name": large})


def test_an_answer_is_not_true_or_false() -> None:
    hand = Uno1((("red", 5), ("blue", 7)))
    for each in (solve(hand), hamiltonian_cycle([(0, 1), (1, 2)]), count(hand)):
        with pytest.raises(TypeError, match=r"answer\.status\.has_solution"):
            bool(each)
        with pytest.raises(TypeError, match=r"status\.has_solution"):
            bool(each.status)
        assert hash(each) == hash(copy.copy(each))
