"""Right answers that are changed: what the checker still accepts is right.

It is compared with brute force and with a second statement of the rules.
"""

import json
import random
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.brute_force import match
from tests.support.drawing import questions
from tests.support.examples import examples
from tests.support.truth import Truth, truth
from uno_csp import Answer, FillIn, InstanceError, Longest, Uno1, check, solve
from uno_csp.formats import parse_answer
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
