"""Write models as DIMACS CNF and WCNF.

All output is streamed, and comments are lazy iterables, so that large files need little memory.
"""

from collections.abc import Iterable

import numpy as np

from uno_csp.errors import NotAccepted
from uno_csp.exports.clause_streams import ClauseStream, Literals
from uno_csp.exports.outputs import Output, Size
from uno_csp.exports.text_arrays import side_by_side, signed, text_of
from uno_csp.modeling import Model
from uno_csp.modeling.cnf import lower


def write_dimacs(model: Model, out: Output, comments: Iterable[str]) -> Size:
    """Write a model as DIMACS CNF, with comments as ``c`` lines; return the formula's size."""
    with out.waiting() as body:
        formula = ClauseStream(model.num_vars, lambda chunk: body.write(_clause_lines(chunk)))
        lower(model, formula)
        formula.flush()
        out.writelines(f"c {line}\n" for line in comments)
        out.write(f"p cnf {formula.num_vars} {formula.num_clauses}\n")
        out.append(body)
    return formula.num_vars, formula.num_clauses


def write_wcnf(model: Model, out: Output, comments: Iterable[str], style: str = "mse22") -> Size:
    """Write a model as WCNF with a soft clause for each term; return the size of the hard part.

    A term c * x costs c when x is true, so its clause is (not x) of weight c; for a negative c it
    is (x) of weight -c, and the sum starts at c. Soft clauses come first. The style is ``mse22``,
    or ``legacy`` for a header. Raises NotAccepted without an objective.
    """
    if model.objective is None:
        raise NotAccepted("wcnf is for questions with an objective; use dimacs for this one")
    terms = zip(model.objective.coefficients, model.objective.literals, strict=True)
    soft = [(abs(c), -literal if c > 0 else literal) for c, literal in terms if c]
    top = str(sum(weight for weight, _ in soft) + 1) if style == "legacy" else "h"
    with out.waiting() as body:
        formula = ClauseStream(
            model.num_vars, lambda chunk: body.write(_clause_lines(chunk, f"{top} ".encode()))
        )
        lower(model, formula)
        formula.flush()
        out.writelines(f"c {line}\n" for line in comments)
        if style == "legacy":
            number = len(soft) + formula.num_clauses
            out.write(f"p wcnf {formula.num_vars} {number} {top}\n")
        out.writelines(f"{weight} {literal} 0\n" for weight, literal in soft)
        out.append(body)
    return formula.num_vars, formula.num_clauses


def _clause_lines(literals: Literals, start: bytes = b"") -> bytes:
    """Return the lines of clauses, each of which ends with 0."""
    ends = literals == 0
    blank = np.where(ends, ord("\n"), ord(" ")).astype(np.uint8)[:, None]
    starts = np.zeros((len(literals), len(start)), dtype=np.uint8)
    starts[np.concatenate(([True], ends[:-1]))] = np.frombuffer(start, np.uint8)
    return text_of(side_by_side(len(literals), starts, signed(literals), blank))
