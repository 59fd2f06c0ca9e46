"""Right answers and questions that are changed at random.

What the checker still accepts of an answer is right, by brute force and by a second statement of
the rules; a question with values of wrong types is read as a question, or refused in a line.
"""

import json
import random
from contextlib import suppress
from copy import deepcopy
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import match
from tests.support.drawing import KINDS, often, questions
from tests.support.examples import examples
from tests.support.truth import Truth, truth
from uno_csp import Answer, FillIn, InstanceError, Longest, Uno1, check, parse, solve
from uno_csp.formats import parse_answer, question_to_dict
from uno_csp.questions import Instance


@examples(20)
@given(questions(), st.randoms(use_true_random=False))
def test_a_changed_answer_is_refused_or_right(instance: Instance, rng: random.Random) -> None:
    known, right = truth(instance), solve(instance).to_dict()
    for _ in range(10):
        wrong = json.loads(json.dumps(right))
        for _ in range(rng.choice((1, 1, 2, 3))):
            mutate(rng, wrong)
        try:
            answer = parse_answer(json.dumps(wrong))
            accepted = not check(instance, answer)
        except InstanceError:
            continue
        if accepted:
            require_right(instance, answer, known)


def mutate(rng: random.Random, answer: dict[str, Any]) -> None:
    """Change one thing in an answer."""
    key = rng.choice([key for key in answer if key not in ("stats", "wall_s", "question")])
    if key == "status":
        answer[key] = rng.choice(("SATISFIABLE", "UNSATISFIABLE", "OPTIMAL", "UNKNOWN"))
    elif isinstance(answer[key], bool) or answer[key] is None or isinstance(answer[key], str):
        answer.pop(key)
    elif isinstance(answer[key], int):
        answer[key] += rng.choice((-2, -1, 1, 10**30))
    else:
        mutate_inside(rng, answer, key)


def mutate_inside(rng: random.Random, holder: Any, key: Any) -> None:
    """Change something in a nested list or object."""
    value = holder[key]
    if isinstance(value, dict) and value:
        mutate_inside(rng, value, rng.choice(list(value)))
        return
    if not isinstance(value, list) or not value:
        holder[key] = rng.choice((None, -1, 0, "x", [], {}, "*"))
        return
    place, other = rng.randrange(len(value)), rng.randrange(len(value))
    match rng.choice(("inside", "inside", "drop", "double", "swap", "reverse")):
        case "drop":
            value.pop(place)
        case "double":
            value.insert(place, value[place])
        case "swap":
            value[place], value[other] = value[other], value[place]
        case "reverse":
            value.reverse()
        case _ if isinstance(value[place], list | dict):
            mutate_inside(rng, value, place)
        case _:
            value[place] = rng.choice((0, 1, 2, 3, "*", "y", None, 10**30))


def require_right(instance: Instance, answer: Answer, known: Truth) -> None:
    """Assert what an accepted answer shows."""
    status, best = known
    shown = answer.sequence is not None or answer.plays is not None
    whole = answer.strategy is not None and answer.strategy.get("kind") != "opening"
    if answer.status == "SATISFIABLE" and (shown or whole):
        assert status == "SATISFIABLE", answer
    if answer.status == "UNSATISFIABLE" and whole:
        assert status == "UNSATISFIABLE", answer
    if answer.sequence is None:
        return
    if answer.objective is not None:
        assert best is not None, answer
        sign = -1 if isinstance(instance, Longest) else 1
        assert sign * answer.objective >= sign * best, answer
    if isinstance(instance, Uno1 | Longest | FillIn):
        laid = (() if instance.after is None else (instance.after,)) + answer.sequence
        assert all(match(one, other, instance.at_least) for one, other in pairwise(laid)), answer


VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**5000, 1.5, float("nan"), "", "x", "*", "\ud800"),
    *([], [[]], [None], ["R5"], {}, {"a": 1}, [[[["R5"]]]]),
)
"""Values of wrong types, for any place in a question."""


def with_every_field(instance: Instance) -> dict[str, Any]:
    """Return a question with every field it may have."""
    asked = question_to_dict(instance)
    if asked["question"] == "open-game":
        preset = {"preset": "nobody-skips", "stacking": "same", "must_play": False}
        asked |= {"rules": preset, "goal": "win", "to_move": 1, "direction": 1, "decks": 2}
    if asked["question"] == "fill-in":
        asked |= {"supply": [[1, 2]], "costs": [1]}
    return {"name": "n", "comment": "c", "at_least": 1, **asked}


def spoil(draw: Any, holder: Any) -> None:
    """Put a wrong value at some place in a nested list or object."""
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if not keys:
        return
    key = draw(st.sampled_from(keys))
    if isinstance(holder[key], list | dict) and holder[key] and draw(often(0.7)):
        spoil(draw, holder[key])
    else:
        holder[key] = deepcopy(draw(st.sampled_from(VALUES)))


@examples(30)
@given(questions(*KINDS, "open-game").map(with_every_field), st.data())
def test_a_spoilt_question_is_refused_in_a_line(asked: dict[str, Any], data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(data.draw, asked)
    ways: list[Any] = [asked]
    with suppress(ValueError):  # Python limits the digits of integers
        ways.append(json.dumps(asked))
    for way in ways:
        try:
            read = parse(way)
        except InstanceError as error:
            assert "\n" not in str(error)
            assert len(str(error)) <= 600
        else:
            assert parse(question_to_dict(read)) == read
