"""Write models as the protocol buffer text of OR-Tools CP-SAT, constraint by constraint.

The text is that of ``export_to_file``. A variable is counted from 0, and -1 - v is its negation; a
variable that is 1 comes last if a parity needs it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from uno_csp.errors import BackendError
from uno_csp.exports.clause_streams import clean_parts
from uno_csp.exports.outputs import Output, Size
from uno_csp.exports.preparing import Comments, Exporting
from uno_csp.modeling import Circuit, Relation
from uno_csp.modeling.clauses import CHUNK
from uno_csp.modeling.rows import Row, linear_row, objective_row

_LEAST, _MOST = -(2**63), 2**63 - 1
_BOOLEAN, _ONE = "variables { domain: [0, 1] }\n", "variables { domain: [1, 1] }\n"


def write_cp_model(prepared: Exporting, out: Output, comments: Comments) -> Size:
    """Write a model, whose objective is negated where a maximum is asked for; return its size."""
    model = prepared.model
    out.writelines(f"# {line}\n" for line in comments())
    for start in range(0, model.num_vars, CHUNK):
        out.write(_BOOLEAN * min(CHUNK, model.num_vars - start))
    if not all(parity.odd for parity in model.parities):
        out.write(_ONE)
    for literals in clean_parts(model.clauses, model.num_vars):
        out.write("".join(_clauses(np.where(literals > 0, literals - 1, literals), literals == 0)))
    for linear in model.linears:
        out.write(_linear(linear_row(linear)))
    for parity in model.parities:
        even = [] if parity.odd else [model.num_vars]
        out.write(_constraint("bool_xor", literals=[*map(_index, parity.literals), *even]))
    for each in model.globals:
        assert isinstance(each, Circuit)  # noqa: S101 (there is no other native constraint)
        arcs = [*each.tails], [*each.heads], [*map(_index, each.literals)]
        out.write(_constraint("circuit", tails=arcs[0], heads=arcs[1], literals=arcs[2]))
    if model.objective is not None:
        row, constant = objective_row(model.objective), prepared.constant("cpsat")
        out.write(_objective(row, constant, maximise=prepared.maximises))
    others = len(model.linears) + len(model.parities) + len(model.globals)
    return model.num_vars, len(model.clauses) + others


def _clauses(
    indices: "np.typing.NDArray[np.int32]", ends: "np.typing.NDArray[np.bool_]"
) -> Iterator[str]:
    whole, start = indices.tolist(), 0
    for end in np.flatnonzero(ends).tolist():
        yield f"constraints {{\n  bool_or {{\n    literals: {whole[start:end]}\n  }}\n}}\n"
        start = end + 1


def _index(literal: int) -> int:
    return literal - 1 if literal > 0 else literal


def _constraint(kind: str, **fields: Sequence[int]) -> str:
    lines = "".join(f"    {name}: {values}\n" for name, values in fields.items() if values)
    return f"constraints {{\n  {kind} {{\n{lines}  }}\n}}\n"


def _linear(row: Row) -> str:
    low = _LEAST if row.relation is Relation.AT_MOST else row.bound
    high = _MOST if row.relation is Relation.AT_LEAST else row.bound
    return _constraint("linear", **_terms(row), domain=[low, high])


def _terms(row: Row) -> dict[str, list[int]]:
    """Return the terms of a row in the order of its columns."""
    terms = dict(sorted(zip(row.columns, row.coefficients, strict=True)))
    return {"vars": [*terms], "coeffs": [*terms.values()]}


def _objective(row: Row, constant: int, *, maximise: bool) -> str:
    offset = float(constant - row.bound)
    number = next(text for digits in (15, 17) if float(text := f"{offset:.{digits}g}") == offset)
    terms = _terms(row)
    fields = {
        "vars": terms["vars"],
        "offset": number if offset else "",
        "scaling_factor": -1 if maximise else 1,
        "coeffs": terms["coeffs"],
    }
    lines = "".join(f"  {name}: {value}\n" for name, value in fields.items() if value)
    return f"objective {{\n{lines}}}\n"


def write_binary(text: str, path: Path) -> None:
    """Write a model that is given as text in binary form."""
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    if not (model.proto.parse_text_format(text) and model.export_to_file(str(path))):
        raise BackendError(f"cp-sat could not write {path}")
