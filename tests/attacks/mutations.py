"""Mutate right answers: those that the checker still accepts must still be right.

Accepted answers are compared with brute force and with a second statement of the rules.
"""

import json
import random
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from tests.attacks.questions import Counterexample, Truth, truth
from tests.support.brute_force import match
from tests.support.drawing import questions
from uno_csp import Answer, FillIn, InstanceError, Longest, Uno1, check, solve
from uno_csp.formats import parse_answer, question_to_dict
from uno_csp.questions import Instance


def attempt(draw: st.DrawFn) -> None:
    """Check mutated answers to a question."""
    instance = draw(questions())
    known, right = truth(instance), solve(instance).to_dict()
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(10):
        wrong = json.loads(json.dumps(right))
        for _ in range(rng.choice((1, 1, 2, 3))):
            mutate(rng, wrong)
        what = flaw(instance, wrong, known)
        if what:
            raise Counterexample(what, {"instance": question_to_dict(instance), "answer": wrong})


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
        _mutate_inside(rng, answer, key)


def _mutate_inside(rng: random.Random, holder: Any, key: Any) -> None:
    """Change something in a nested list or object."""
    value = holder[key]
    if isinstance(value, dict) and value:
        _mutate_inside(rng, value, rng.choice(list(value)))
        return
    if not isinstance(value, list) or not value:
        holder[key] = rng.choice((None, -1, 0, "x", [], {}, "*"))
        return
    place = rng.randrange(len(value))
    change = rng.choice(("inside", "inside", "drop", "double", "swap", "reverse"))
    if change == "drop":
        value.pop(place)
    elif change == "double":
        value.insert(place, value[place])
    elif change == "swap":
        other = rng.randrange(len(value))
        value[place], value[other] = value[other], value[place]
    elif change == "reverse":
        value.reverse()
    elif isinstance(value[place], list | dict):
        _mutate_inside(rng, value, place)
    else:
        value[place] = rng.choice((0, 1, 2, 3, "*", "y", None, 10**30))


def flaw(instance: Instance, expected: dict[str, Any], known: Truth) -> str:
    """Return the error in an accepted answer; empty if it is right or refused."""
    try:
        answer = parse_answer(json.dumps(expected))
        accepted = not check(instance, answer)
    except InstanceError:
        return ""
    except Exception as error:
        return f"the checker fails: {type(error).__name__}: {error}"
    if not accepted:
        return ""
    return _contradiction(instance, answer, known)


def _contradiction(instance: Instance, answer: Answer, known: Truth) -> str:
    status, best = known
    shown = answer.sequence is not None or answer.plays is not None
    whole = answer.strategy is not None and answer.strategy.get("kind") != "opening"
    if answer.status == "SATISFIABLE" and (shown or whole) and status != "SATISFIABLE":
        return "a yes is accepted, and the truth is no"
    if answer.status == "UNSATISFIABLE" and whole and status != "UNSATISFIABLE":
        return "a no with a strategy is accepted, and the truth is yes"
    if answer.objective is not None and answer.sequence is not None:
        better = best is None or (
            answer.objective > best if isinstance(instance, Longest) else answer.objective < best
        )
        if better:
            return f"the value {answer.objective} is accepted, and the best is {best}"
    if answer.sequence is not None and isinstance(instance, Uno1 | Longest | FillIn):
        laid = (() if instance.after is None else (instance.after,)) + answer.sequence
        if not all(match(one, other, instance.at_least) for one, other in pairwise(laid)):
            return "cards are accepted that do not match"
    return ""
