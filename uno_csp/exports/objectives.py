"""The objective of an exported file: its constant, its sign, and the rule that gives the answer.

A model minimises offset + sum / unit. Files have integers only, so the value V of a file is the sum
plus a constant:

- LP, MPS, OPB and CP-SAT: V = unit * offset + sum. LP and CP-SAT maximise -V where the question
  asks for a maximum; MPS minimises, because CBC ignores ``OBJSENSE`` and GLPK rejects it.
- WCNF: V is the cost of the falsified soft clauses. A term with a negative coefficient c is a soft
  clause of weight -c, so V = sum - (sum of the negative coefficients).
- XCSP3: V = sum.

An LP has a term in its objective, which GLPK requires: without any, V = 1.
"""

from uno_csp.modeling import Assignment, Objective
from uno_csp.questions import Sense

MAXIMISED = ("lp", "cpsat")  # formats in which a maximum is asked for as a maximum


def constant_of(objective: Objective | None, to: str) -> int:
    """Return V - sum, the constant in the value of a file in a format."""
    if objective is None:
        return int(to == "lp")
    if to.startswith("wcnf"):
        return -sum(min(0, coefficient) for coefficient in objective.coefficients)
    constant = 0 if to == "xcsp" else objective.unit * objective.offset
    return constant or int(to == "lp" and not any(objective.coefficients))


def answer_rule(objective: Objective, sense: Sense, to: str) -> str:
    """Return how the value of a file in a format gives the value of the answer.

    >>> longest = Objective([1] * 6, [-1, -2, -3, -4, -5, -6], offset=-6)
    >>> answer_rule(longest, Sense.MAXIMISE, "wcnf"), answer_rule(longest, Sense.MAXIMISE, "lp")
    ('answer = 6 - cost', 'answer = objective')
    >>> answer_rule(Objective([1], [1], offset=2, unit=2, floor=0), Sense.MINIMISE, "wcnf")
    'answer = max(0, (4 + cost) / 2)'
    """
    name, sign = ("cost" if to.startswith("wcnf") else "objective"), sense.sign
    constant = sign * (objective.unit * objective.offset - constant_of(objective, to))
    negative = sign < 0 and to not in MAXIMISED
    text = f"{constant} {'-' if negative else '+'} {name}" if constant else "-" * negative + name
    if objective.unit != 1:
        text = f"({text}) / {objective.unit}"
    if objective.floor is not None:
        text = f"{'min' if sign < 0 else 'max'}({sign * objective.floor}, {text})"
    return f"answer = {text}"


def stated_value(objective: Objective, sense: Sense, to: str, assignment: Assignment) -> int:
    """Return the objective value of an assignment as a solver of a file in a format prints it."""
    terms = zip(objective.coefficients, objective.literals, strict=True)
    total = sum(weight for weight, lit in terms if assignment[abs(lit)] == (lit > 0))
    value = total + constant_of(objective, to)
    return -value if sense is Sense.MAXIMISE and to in MAXIMISED else value
