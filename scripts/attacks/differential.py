"""Every question by default and by a drawn combination, against looking at everything."""

import random
import time
from collections.abc import Mapping
from typing import Any

from scripts.attacks.drawing import Fell, Truth, draw, smallest, truth
from uno_csp import NotAccepted, Status, UnoCspError, solve
from uno_csp.formats import question_to_dict
from uno_csp.modeling import Proof
from uno_csp.questions import Instance
from uno_csp.registry import (
    CONNECTIVITY,
    algorithm_names,
    backend_names,
    find_backend,
    find_encoder,
    method_names,
)

LIMIT_S = 5.0
SMALL, TRIES = 8, 3
"""A question of so few cards that takes longer fell, too; what else runs here is given its share
of the blame by asking again."""

TOO_SLOW = "too slow"

SLOW_HERE = ("lkh", "minizinc")
"""One takes circuits alone; the other is a program that takes a second to start."""


def attack(dice: random.Random, until: float) -> int:
    """Ask until the time is up; how many questions were asked."""
    installed = [
        name for name in backend_names() if name not in SLOW_HERE and find_backend(name).available()
    ]
    count = 0
    while time.monotonic() < until:
        instance = draw(dice)
        options: dict[str, Any] = {"presolve": dice.random() < 0.7}
        if dice.random() < 0.5:
            options["method"] = dice.choice(method_names())
            if options["method"] not in algorithm_names():
                options["backend"] = dice.choice(installed)
                options["connectivity"] = dice.choice((None, *CONNECTIVITY))
        what = flaw(instance, options)
        if what:
            raise _fall(instance, options, what)
        count += 1
    return count


def _fall(instance: Instance, options: Mapping[str, Any], what: str) -> Fell:
    """What fell, as small as can be."""
    small = smallest(instance, lambda each: bool(flaw(each, options)))
    case = {"instance": question_to_dict(small), "options": options}
    return Fell(flaw(small, options) or what, case)


def flaw(instance: Instance, options: Mapping[str, Any]) -> str:
    """What is wrong with the answer to a question; empty if nothing is."""
    what = ""
    for _ in range(TRIES):
        what = _flaw(instance, options)
        if what != TOO_SLOW:
            break
    return what


def _flaw(instance: Instance, options: Mapping[str, Any]) -> str:
    expected = truth(instance)
    began = time.monotonic()
    try:
        answer = solve(instance, time_limit_s=LIMIT_S, **options)
    except NotAccepted:
        return "" if "method" in options else "declined by default"
    except UnoCspError as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"a bug: {type(error).__name__}: {error}"
    if answer.status is Status.UNKNOWN:
        if time.monotonic() - began < LIMIT_S:
            return _silence(options, answer.reason)
        return TOO_SLOW if "method" not in options or len(instance.cards) <= SMALL else ""
    return _difference((str(answer.status), answer.objective), expected)


def _silence(options: Mapping[str, Any], reason: str) -> str:
    """Whether a method may have nothing to say: only one that does not prove everything."""
    method = options.get("method")
    exact = (
        method is None or method in algorithm_names() or find_encoder(method).proves == Proof.EXACT
    )
    return f"UNKNOWN: {reason}" if exact else ""


def _difference(found: Truth, expected: Truth) -> str:
    return "" if found == expected else f"the answer is {found}, the truth {expected}"
