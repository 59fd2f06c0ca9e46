"""Outputs of solvers that are garbled: they are decoded rightly, or refused in one line."""

import io
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.exports.test_output_formats import WRITTEN, written
from tests.support.drawing import questions
from tests.support.examples import examples
from tests.support.outside import decode
from tests.support.tables import table
from tests.support.truth import truth
from uno_csp import NotAccepted, UnoCspError, export
from uno_csp.methods import ENCODINGS, encoding_names
from uno_csp.modeling import Proof
from uno_csp.questions import Instance

LONG = "9" * 5000
JUNK = (*table("attacks", "junk"), f"v {LONG}", f"o {LONG}", f"x{LONG} 1")
WAYS = [way for way in WRITTEN if way not in ("bits", "pseudo-boolean", "xcsp")]


@examples(20)
@given(
    questions(),
    st.sampled_from(encoding_names()),
    st.sampled_from((None, "order")),
    st.integers(-1, 6),
    st.sampled_from(WAYS),
    st.randoms(use_true_random=False),
)
def test_a_garbled_output_is_refused_or_right(
    instance: Instance,
    method: str,
    connectivity: str | None,
    bound: int,
    way: str,
    rng: random.Random,
) -> None:
    status, _ = truth(instance)
    optimising = status == "OPTIMAL" or instance.question in ("longest", "fill-in")
    options: dict[str, Any] = {"method": method, "connectivity": connectivity}
    options |= {"bound": bound if optimising else None}
    said = output(instance, options, way)
    for _ in range(10 if said else 0):
        garbled = garble(rng, said)
        try:
            answer = decode(instance, garbled, **options)
        except UnoCspError as error:
            assert str(error).strip()
            assert "\n" not in str(error)
            continue
        if answer.status == "SATISFIABLE":
            assert answer.checked
            assert status == "SATISFIABLE"
        exact = ENCODINGS.find(method).proves == Proof.EXACT
        if answer.status == "UNSATISFIABLE" and status == "OPTIMAL" and exact:
            assert any(word in garbled for word in ("UNSAT", "nfeasible", "EMPTY", "s mip"))


def output(instance: Instance, options: dict[str, Any], way: str) -> str:
    """Return a solver's output for the exported question; empty if it cannot be exported."""
    stream = io.StringIO()
    try:
        export(instance, "dimacs", stream, **options)
    except NotAccepted:
        return ""
    clauses = CNF(from_string=stream.getvalue()).clauses
    with Solver("cadical195", bootstrap_with=[clause or [1, -1] for clause in clauses]) as solver:
        if [] in clauses or not solver.solve():
            return "s UNSATISFIABLE"
        bits = "".join(str(int(literal > 0)) for literal in solver.get_model())
        return written(way, 0, bits)


def garble(rng: random.Random, text: str) -> str:
    """Return the text with up to three random changes."""
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        lines = text.split("\n")
        place = rng.randrange(len(lines))
        change = rng.randrange(5)
        if change == 0:
            lines.insert(place, rng.choice(JUNK))
        elif change == 1:
            lines[place] = rng.choice(JUNK)
        elif change == 2:
            lines.pop(place)
        else:
            words = lines[place].split(" ")
            at = rng.randrange(len(words))
            words[at] = f"-{words[at]}" if change == 3 else rng.choice(("7", "x", "", "-", "0"))
            lines[place] = " ".join(words)
        text = "\n".join(lines)
    return text
