"""Right answers, changed: what the checker still accepts must still be right.

The judge of that is the truth by looking at everything, and the rules written out once more.
"""

import json
import random
import time
from itertools import pairwise
from typing import Any

from scripts.attacks.drawing import Fell, Truth, draw, truth
from tests.brute_force import match
from uno_csp import Answer, FillIn, InstanceError, Longest, Uno1, check, solve
from uno_csp.formats import parse_answer, question_to_dict
from uno_csp.questions import Instance


def attack(dice: random.Random, until: float) -> int:
    """Change answers until the time is up; how many changed ones were checked."""
    count = 0
    while time.monotonic() < until:
        instance = draw(dice)
        known = truth(instance)
        right = solve(instance).to_dict()
        for _ in range(30):
            wrong = json.loads(json.dumps(right))
            for _ in range(dice.choice((1, 1, 2, 3))):
                mutate(dice, wrong)
            what = flaw(instance, wrong, known)
            if what:
                raise Fell(what, {"instance": question_to_dict(instance), "answer": wrong})
            count += 1
    return count


def mutate(dice: random.Random, answer: dict[str, Any]) -> None:
    """Change one thing in an answer."""
    key = dice.choice([key for key in answer if key not in ("stats", "wall_s", "question")])
    if key == "status":
        answer[key] = dice.choice(("SATISFIABLE", "UNSATISFIABLE", "OPTIMAL", "UNKNOWN"))
    elif isinstance(answer[key], bool) or answer[key] is None or isinstance(answer[key], str):
        answer.pop(key)
    elif isinstance(answer[key], int):
        answer[key] += dice.choice((-2, -1, 1, 10**30))
    else:
        _mutate_inside(dice, answer, key)


def _mutate_inside(dice: random.Random, holder: Any, key: Any) -> None:
    """Change something in a list or an object, however deep."""
    value = holder[key]
    if isinstance(value, dict) and value:
        _mutate_inside(dice, value, dice.choice(list(value)))
        return
    if not isinstance(value, list) or not value:
        holder[key] = dice.choice((None, -1, 0, "x", [], {}, "*"))
        return
    place = dice.randrange(len(value))
    change = dice.choice(("inside", "inside", "drop", "double", "swap", "reverse"))
    if change == "drop":
        value.pop(place)
    elif change == "double":
        value.insert(place, value[place])
    elif change == "swap":
        other = dice.randrange(len(value))
        value[place], value[other] = value[other], value[place]
    elif change == "reverse":
        value.reverse()
    elif isinstance(value[place], list | dict):
        _mutate_inside(dice, value, place)
    else:
        value[place] = dice.choice((0, 1, 2, 3, "*", "y", None, 10**30))


def flaw(instance: Instance, told: dict[str, Any], known: Truth) -> str:
    """What is wrong if the checker accepts an answer; empty if nothing is, or it refuses."""
    try:
        answer = parse_answer(json.dumps(told))
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
