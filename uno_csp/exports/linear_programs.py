"""Write integer programs as LP, MPS and OPB: integers exactly, one line after the other.

Columns are called x1, x2, ... and listed in this order in the objective of an LP file, so that each
solver numbers them in this order. The last column is 1; its cost is the constant of the objective,
because readers disagree about other ways to write a constant. Its row gives every file a row, which
GLPK requires.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TextIO

from uno_csp.modeling import Relation, Row, Rows

_TERMS_PER_LINE = 8
_MPS_SENSES = {Relation.AT_MOST: "L", Relation.AT_LEAST: "G", Relation.EQUAL: "E"}


def with_constant(program: Rows, constant: int) -> Rows:
    """Return a program with a last column that is 1, which costs a constant.

    Rows without terms are dropped if they hold; else the last column must be 2, which it cannot.
    Every column has a cost, which may be 0.
    """
    one = len(program.upper)
    never = Row([1], [one], Relation.AT_LEAST, 2)
    rows = [
        row if any(row.coefficients) else never
        for row in program.rows
        if any(row.coefficients) or not row.holds_empty
    ]
    rows.append(Row([1], [one], Relation.EQUAL, 1))
    costs = {column: program.costs.get(column, 0) for column in range(one)}
    costs[one] = constant + program.offset
    return Rows([*program.upper, 1], rows, program.continuous, costs)


def write_lp(program: Rows, stream: TextIO, *, maximise: bool) -> None:
    """Write a program in the LP format of CPLEX; ``maximise`` writes the negated objective."""
    sign = -1 if maximise else 1
    stream.write("Maximize\nobj:" if maximise else "Minimize\nobj:")
    stream.writelines(_lp_terms([sign * cost for cost in program.costs.values()], program.costs))
    stream.write("\nSubject To\n")
    for number, row in enumerate(program.rows, start=1):
        stream.write(f"r{number}:")
        stream.writelines(_lp_terms(row.coefficients, row.columns))
        stream.write(f" {row.relation} {row.bound}\n")
    stream.write("Bounds\n")
    stream.writelines(f" 0 <= x{i} <= {top}\n" for i, top in enumerate(program.upper, start=1))
    stream.write("Generals\n")
    integral = (i for i in range(len(program.upper)) if i not in program.continuous)
    stream.writelines(f" x{i + 1}\n" for i in integral)
    stream.write("End\n")


def _lp_terms(coefficients: Iterable[int], columns: Iterable[int]) -> Iterator[str]:
    for place, (coefficient, column) in enumerate(zip(coefficients, columns, strict=True)):
        if place and place % _TERMS_PER_LINE == 0:
            yield "\n"
        yield f" {'-' if coefficient < 0 else '+'} {abs(coefficient)} x{column + 1}"


def write_mps(program: Rows, stream: TextIO) -> None:
    """Write a program as MPS, with the columns of the fixed form while names and numbers fit."""
    stream.write("NAME          model\nROWS\n N  obj\n")
    stream.writelines(
        f" {_MPS_SENSES[row.relation]}  r{number}\n"
        for number, row in enumerate(program.rows, start=1)
    )
    stream.write("COLUMNS\n")
    stream.writelines(_mps_columns(program))
    stream.write("RHS\n")
    stream.writelines(
        _mps_entry("RHS", f"r{number}", row.bound)
        for number, row in enumerate(program.rows, start=1)
        if row.bound
    )
    stream.write("BOUNDS\n")
    stream.writelines(
        f" UP {_mps_entry('BND', f'x{i}', top)[4:]}" for i, top in enumerate(program.upper, start=1)
    )
    stream.write("ENDATA\n")


def _mps_columns(program: Rows) -> Iterator[str]:
    entries: list[list[tuple[int, int]]] = [[] for _ in program.upper]
    for number, row in enumerate(program.rows, start=1):
        for coefficient, column in zip(row.coefficients, row.columns, strict=True):
            entries[column].append((number, coefficient))
    by_kind = groupby(range(len(entries)), lambda column: column in program.continuous)
    for continuous, columns in by_kind:
        if not continuous:
            yield _mps_entry("MARKER", "'MARKER'", "'INTORG'")
        for column in columns:
            yield _mps_entry(f"x{column + 1}", "obj", program.costs[column])
            for number, coefficient in entries[column]:
                yield _mps_entry(f"x{column + 1}", f"r{number}", coefficient)
        if not continuous:
            yield _mps_entry("MARKER", "'MARKER'", "'INTEND'")


def _mps_entry(first: str, second: str, value: int | str) -> str:
    if isinstance(value, str):  # fields 2, 3 and 5
        return f"    {first:<8}  {second:<8}  {'':<12}   {value}\n"
    return f"    {first:<8}  {second:<8}  {value:>12}\n"


def write_opb(program: Rows, stream: TextIO, comments: Iterable[str], *, minimise: bool) -> int:
    """Write a 0-1 program in the format of the PB competitions; return how many constraints."""
    rows = [each for row in program.rows for each in _at_least(row)]
    stream.write(f"* #variable= {len(program.upper)} #constraint= {len(rows)}\n")
    stream.writelines(f"* {line}\n" for line in comments)
    if minimise:
        costs = {column: cost for column, cost in program.costs.items() if cost}
        stream.write(f"min: {_opb_terms(costs.values(), costs) or '+0 x1 '};\n")
    for coefficients, columns, bound in rows:
        stream.write(f"{_opb_terms(coefficients, columns)}>= {bound} ;\n")
    return len(rows)


def _at_least(row: Row) -> list[tuple[Sequence[int], Sequence[int], int]]:
    """Rewrite a row with >= only; an equation becomes two, since not every solver reads ``=``."""
    negative = ([-coefficient for coefficient in row.coefficients], row.columns, -row.bound)
    positive = (row.coefficients, row.columns, row.bound)
    if row.relation is Relation.EQUAL:
        return [positive, negative]
    return [positive if row.relation is Relation.AT_LEAST else negative]


def _opb_terms(coefficients: Iterable[int], columns: Iterable[int]) -> str:
    pairs = zip(coefficients, columns, strict=True)
    return "".join(f"{coefficient:+d} x{column + 1} " for coefficient, column in pairs)
