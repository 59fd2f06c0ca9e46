"""Write models as DIMACS CNF and WCNF.

All output is streamed, and comments are lazy iterables, so that large files need little memory.
"""

from collections.abc import Iterable
from functools import partial

import numpy as np

from uno_csp.errors import NotAccepted
from uno_csp.exports.clause_streams import ClauseStream, Literals
from uno_csp.exports.outputs import Output, Size
from uno_csp.exports.preparing import Comments, Exporting
from uno_csp.exports.text_arrays import side_by_side, signed, text_of
from uno_csp.modeling import Model
from uno_csp.modeling.cnf import lower


def write_dimacs(prepared: Exporting, out: Output, comments: Comments) -> Size:
    """Write a decision as DIMACS CNF; return the formula's size."""
    if prepared.model.objective is not None:
        raise NotAccepted(
            f"dimacs takes {prepared.instance.question} with a bound only; wcnf and opb have the "
            "objective"
        )
    return write_clauses(prepared.model, out, comments())


def write_clauses(model: Model, out: Output, comments: Iterable[str]) -> Size:
    """Write a model as DIMACS CNF, with comments as ``c`` lines; return the formula's size."""
    with out.waiting() as body:
        formula = ClauseStream(model.num_vars, lambda chunk: body.write(_clause_lines(chunk)))
        lower(model, formula)
        formula.flush()
        out.writelines(f"c {line}\n" for line in comments)
        out.write(f"p cnf {formula.num_vars} {formula.num_clauses}\n")
        out.append(body)
    return formula.num_vars, formula.num_clauses


def write_wcnf(
    prepared: Exporting, out: Output, comments: Comments, *, classic: bool = False
) -> Size:
    """Write a model as WCNF with a soft clause for each term; return the size of the hard part.

    A term c * x costs c when x is true, so its clause is (not x) of weight c; for a negative c it
    is (x) of weight -c, and the sum starts at c. Soft clauses come first. A ``classic`` file
    has a header. Raises NotAccepted without an objective.
    """
    model = prepared.model
    if prepared.bound is not None:
        raise NotAccepted("wcnf takes no bound, because it has the objective; use dimacs or opb")
    if model.objective is None:
        raise NotAccepted("wcnf is for questions with an objective; use dimacs for this one")
    terms = zip(model.objective.coefficients, model.objective.literals, strict=True)
    soft = [(abs(c), -literal if c > 0 else literal) for c, literal in terms if c]
    top = str(sum(weight for weight, _ in soft) + 1) if classic else "h"
    with out.waiting() as body:
        formula = ClauseStream(
            model.num_vars, lambda chunk: body.write(_clause_lines(chunk, f"{top} ".encode()))
        )
        lower(model, formula)
        formula.flush()
        out.writelines(f"c {line}\n" for line in comments())
        if classic:
            number = len(soft) + formula.num_clauses
            out.write(f"p wcnf {formula.num_vars} {number} {top}\n")
        out.writelines(f"{weight} {literal} 0\n" for weight, literal in soft)
        out.append(body)
    return formula.num_vars, formula.num_clauses


write_classic_wcnf = partial(write_wcnf, classic=True)


def _clause_lines(literals: Literals, start: bytes = b"") -> bytes:
    """Return the lines of clauses, each of which ends with 0."""
    ends = literals == 0
    blank = np.where(ends, ord("\n"), ord(" ")).astype(np.uint8)[:, None]
    starts = np.zeros((len(literals), len(start)), dtype=np.uint8)
    starts[np.concatenate(([True], ends[:-1]))] = np.frombuffer(start, np.uint8)
    return text_of(side_by_side(starts, signed(literals), blank))
