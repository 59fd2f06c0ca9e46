"""Differential test: default and random combinations of solvers against brute force."""

import random
import time
from collections.abc import Mapping
from typing import Any

from tests.attacks.questions import Counterexample, Truth, random_question, smallest, truth
from uno_csp import NotAccepted, Status, UnoCspError, solve
from uno_csp.formats import question_to_dict
from uno_csp.methods import (
    CONNECTIVITY,
    algorithm_names,
    backend_names,
    find_backend,
    find_method,
    method_names,
)
from uno_csp.modeling import Proof
from uno_csp.questions import Instance

LIMIT_S = 5.0
SMALL, TRIES = 8, 3
"""Size in cards up to which a timeout is a failure, and attempts before it counts (other load on
the machine may cause one)."""

TOO_SLOW = "too slow"

SLOW_HERE = ("lkh", "minizinc")
"""Backends left out: lkh solves only circuits, and minizinc takes a second to start."""


def attack(rng: random.Random, until: float) -> int:
    """Solve random questions until the deadline; return their number."""
    installed = [
        name for name in backend_names() if name not in SLOW_HERE and find_backend(name).available()
    ]
    count = 0
    while time.monotonic() < until:
        instance = random_question(rng)
        options: dict[str, Any] = {"presolve": rng.random() < 0.7}
        if rng.random() < 0.5:
            options["method"] = rng.choice(method_names())
            if options["method"] not in algorithm_names():
                options["backend"] = rng.choice(installed)
                options["connectivity"] = rng.choice((None, *CONNECTIVITY))
        what = flaw(instance, options)
        if what:
            raise _fall(instance, options, what)
        count += 1
    return count


def _fall(instance: Instance, options: Mapping[str, Any], what: str) -> Counterexample:
    """Return the failure of a minimised case."""
    small = smallest(instance, lambda each: bool(flaw(each, options)))
    case = {"instance": question_to_dict(small), "options": options}
    return Counterexample(flaw(small, options) or what, case)


def flaw(instance: Instance, options: Mapping[str, Any]) -> str:
    """Return the error in the answer to a question, or an empty string."""
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
    """Return an error if an exact method answers UNKNOWN; other methods may."""
    method = options.get("method")
    exact = method is None or getattr(find_method(method), "proves", "exact") == Proof.EXACT
    return f"UNKNOWN: {reason}" if exact else ""


def _difference(found: Truth, expected: Truth) -> str:
    return "" if found == expected else f"the answer is {found}, the truth {expected}"
