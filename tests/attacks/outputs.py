"""Garble solver outputs: ``decode`` reads them rightly or raises an error of one line."""

import io
import random
from typing import Any

from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from tests.attacks.questions import Counterexample, truth
from tests.exports import test_output_formats as formats
from tests.support.drawing import questions
from tests.support.outside import decode
from tests.support.tables import table
from uno_csp import NotAccepted, UnoCspError, export
from uno_csp.formats import question_to_dict
from uno_csp.methods import ENCODINGS, encoding_names
from uno_csp.modeling import Proof
from uno_csp.questions import Instance

JUNK = (
    *table("attacks", "junk"),
    "v " + "9" * 5000,
    "o " + "9" * 5000,
    "x" + "9" * 5000 + " 1",
)
WRITERS = (
    formats.competition,
    formats.cbc,
    formats.highs,
    formats.glpk,
    formats.glpk_solution,
    formats.scip,
    formats.gurobi,
    formats.cplex,
)


def attempt(draw: st.DrawFn) -> None:
    """Decode garbled outputs for a question."""
    instance = draw(questions())
    known = truth(instance)
    optimising = known[0] == "OPTIMAL" or instance.question in ("longest", "fill-in")
    options = {
        "method": draw(st.sampled_from(encoding_names())),
        "connectivity": draw(st.sampled_from((None, "order"))),
        "bound": draw(st.integers(-1, 6)) if optimising else None,
    }
    said = _said(instance, options, draw(st.sampled_from(WRITERS)))
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(10 if said else 0):
        garbled = garble(rng, said)
        what = flaw(instance, garbled, options, known[0])
        if what:
            case = {"instance": question_to_dict(instance), "options": options}
            raise Counterexample(what, {**case, "output": garbled})


def _said(instance: Instance, options: dict[str, Any], write: formats.Writer) -> str:
    """Return a solver's output for the exported question; empty if it cannot be exported."""
    stream = io.StringIO()
    try:
        export(instance, "dimacs", stream, **options)
    except NotAccepted:
        return ""
    formula = CNF(from_string=stream.getvalue())
    with Solver(
        "cadical195", bootstrap_with=[clause or [1, -1] for clause in formula.clauses]
    ) as s:
        if [] in formula.clauses or not s.solve():
            return "s UNSATISFIABLE"
        return write([literal > 0 for literal in s.get_model()], 0)


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


def flaw(instance: Instance, text: str, options: dict[str, Any], status: str) -> str:
    """Return the error in how a text is decoded, or an empty string."""
    try:
        answer = decode(instance, text, **options)
    except UnoCspError as error:
        return "" if str(error).strip() and "\n" not in str(error) else "an error of many lines"
    except Exception as error:
        return f"decode fails: {type(error).__name__}: {error}"
    exact = ENCODINGS.find(options["method"]).proves == Proof.EXACT
    if answer.status == "SATISFIABLE" and (not answer.checked or status != "SATISFIABLE"):
        return "a yes is passed on, and the truth is no"
    if answer.status == "UNSATISFIABLE" and status == "OPTIMAL" and exact:
        said = any(word in text for word in ("UNSAT", "nfeasible", "EMPTY", "s mip"))
        return "" if said else "a no that is not in the output"
    return ""
