"""Differential test: default and random combinations of solvers against brute force."""

import time
from collections.abc import Mapping
from functools import cache
from typing import Any

from hypothesis import strategies as st

from tests.attacks.questions import Counterexample, Truth, truth
from tests.support.drawing import often, questions
from uno_csp import NotAccepted, Status, UnoCspError, solve
from uno_csp.algorithms.matching import TOO_MANY_CARDS
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

LIMIT_S = 60.0
"""A search that takes longer has lost itself, even on a busy machine."""

SMALL = 8
"""Number of cards up to which that is a failure whatever the method."""

SLOW_HERE = ("lkh", "minizinc")
"""Backends left out: lkh solves only circuits, and minizinc takes a second to start."""


@cache
def installed() -> list[str]:
    """Names of the backends to combine."""
    return [
        name for name in backend_names() if name not in SLOW_HERE and find_backend(name).available()
    ]


@st.composite
def choices(draw: st.DrawFn) -> dict[str, Any]:
    """Options of ``solve``: the default ones, or any combination."""
    options: dict[str, Any] = {"presolve": draw(often(0.7))}
    if draw(st.booleans()):
        options["method"] = draw(st.sampled_from(method_names()))
        if options["method"] not in algorithm_names():
            options["backend"] = draw(st.sampled_from(installed()))
            options["connectivity"] = draw(st.sampled_from((None, *CONNECTIVITY)))
    return options


def attempt(draw: st.DrawFn) -> None:
    """Solve a question."""
    instance, options = draw(questions()), draw(choices())
    what = flaw(instance, options)
    if what:
        raise Counterexample(what, {"instance": question_to_dict(instance), "options": options})


def flaw(instance: Instance, options: Mapping[str, Any]) -> str:
    """Return the error in the answer to a question, or an empty string."""
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
        return "too slow" if "method" not in options or len(instance.cards) <= SMALL else ""
    return _difference((str(answer.status), answer.objective), expected)


def _silence(options: Mapping[str, Any], reason: str) -> str:
    """Return an error if an exact method answers UNKNOWN; other methods may."""
    method = options.get("method")
    exact = method is None or find_method(method).proves is Proof.EXACT
    return f"UNKNOWN: {reason}" if exact and reason != TOO_MANY_CARDS else ""


def _difference(found: Truth, expected: Truth) -> str:
    return "" if found == expected else f"the answer is {found}, the truth {expected}"
