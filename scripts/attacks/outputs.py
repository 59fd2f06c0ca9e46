"""What solvers say, garbled: ``decode`` reads it rightly, or says in one line why it cannot."""

import io
import random
import time
from typing import Any

from pysat.formula import CNF
from pysat.solvers import Solver

from scripts.attacks.drawing import Fell, draw, truth
from uno_csp import NotAccepted, UnoCspError, decode, export
from uno_csp.formats import question_to_dict
from uno_csp.modeling import Proof
from uno_csp.questions import Instance
from uno_csp.registry import encoding_names, find_encoder

JUNK = (
    "s SATISFIABLE",
    "s UNSATISFIABLE",
    "s OPTIMUM FOUND",
    "s UNKNOWN",
    "s",
    "o --5",
    "o \u00b2",
    "o 3",
    "o -1",
    "v",
    "v 0",
    "v 1 -1 0",
    "v 1.2.3",
    "SAT",
    "UNSAT",
    "x1 1.2.3",
    "x1 1",
    "TOUR_SECTION\n1 -1",
    "Infeasible",
    "Optimal",
    "\x00",
    "v " + "9" * 5000,
    "o " + "9" * 5000,
    "x" + "9" * 5000 + " 1",
    "v x1 -x2 ~x3 0",
    "v 0101",
    "c",
    "\ud7ff",
    "1 2 3 0",
)


def attack(dice: random.Random, until: float) -> int:
    """Garble outputs until the time is up; how many were read."""
    count = 0
    while time.monotonic() < until:
        instance = draw(dice)
        known = truth(instance)
        encoding = dice.choice(encoding_names())
        connectivity = dice.choice((None, "order"))
        optimising = known[0] == "OPTIMAL" or instance.question in ("longest", "fill-in")
        bound = dice.randint(-1, 6) if optimising else None
        options = {"method": encoding, "connectivity": connectivity, "bound": bound}
        said = _said(instance, options)
        for _ in range(20 if said else 0):
            garbled = garble(dice, said)
            what = flaw(instance, garbled, options, known[0])
            if what:
                case = {"instance": question_to_dict(instance), "options": options}
                raise Fell(what, {**case, "output": garbled})
            count += 1
    return count


def _said(instance: Instance, options: dict[str, Any]) -> str:
    """What a solver says of the exported question; nothing if it cannot be exported like this."""
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
        model = " ".join(map(str, s.get_model()))
        return f"c a solver\ns SATISFIABLE\nv {model} 0\n"


def garble(dice: random.Random, text: str) -> str:
    """A text with a few things changed."""
    for _ in range(dice.choice((0, 1, 1, 2, 3))):
        lines = text.split("\n")
        place = dice.randrange(len(lines))
        change = dice.randrange(5)
        if change == 0:
            lines.insert(place, dice.choice(JUNK))
        elif change == 1:
            lines[place] = dice.choice(JUNK)
        elif change == 2:
            lines.pop(place)
        else:
            words = lines[place].split(" ")
            at = dice.randrange(len(words))
            words[at] = f"-{words[at]}" if change == 3 else dice.choice(("7", "x", "", "-", "0"))
            lines[place] = " ".join(words)
        text = "\n".join(lines)
    return text


def flaw(instance: Instance, text: str, options: dict[str, Any], status: str) -> str:
    """What is wrong with how a text is read; empty if nothing is."""
    try:
        answer = decode(instance, text, **options)
    except UnoCspError as error:
        return "" if str(error).strip() and "\n" not in str(error) else "an error of many lines"
    except Exception as error:
        return f"decode fails: {type(error).__name__}: {error}"
    exact = find_encoder(options["method"]).proves == Proof.EXACT
    if answer.status == "SATISFIABLE" and (not answer.checked or status != "SATISFIABLE"):
        return "a yes is passed on, and the truth is no"
    if answer.status == "UNSATISFIABLE" and status == "OPTIMAL" and exact:
        said = "s UNSATISFIABLE" in text or "UNSAT" in text or "nfeasible" in text
        return "" if said else "a no that nobody said"
    return ""
