"""Write integer programs as LP, MPS and OPB: integers exactly, and many rows at once.

Columns are called x1, x2, ...; one without terms is not written. The last column is 1; its cost is
the constant of the objective, because readers disagree about other ways to write a constant. Its
row gives every file a row, which GLPK requires.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from uno_csp.exports.clause_streams import Literals, clean_parts
from uno_csp.exports.outputs import Output, Size
from uno_csp.exports.preparing import Comments, Exporting
from uno_csp.exports.text_arrays import (
    Chars,
    Integers,
    decimal,
    padding,
    side_by_side,
    signed,
    signs,
    text_of,
)
from uno_csp.modeling import Clauses, Model, Relation, Row, parity_clauses, to_rows
from uno_csp.modeling.clauses import CHUNK
from uno_csp.modeling.rows import linear_row

_TERMS_PER_LINE = 8
_RELATIONS = (Relation.AT_MOST, Relation.EQUAL, Relation.AT_LEAST)
_AT_LEAST = _RELATIONS.index(Relation.AT_LEAST)
_ROWS_AT_ONCE = 1000
_BUCKETS = 128  # files in which entries wait; each is read into memory alone


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Rows of a program, whose terms stand one after the other; columns are counted from 1."""

    coefficients: Integers
    columns: Integers
    lengths: Integers  # the number of terms of each row, at least 1
    relations: Integers  # places in `_RELATIONS`
    bounds: Integers


@dataclass(frozen=True, slots=True)
class Program:
    """An integer program whose rows are made when they are read."""

    upper: Integers  # the upper bound of each column
    costs: Integers
    continuous: NDArray[np.bool_]  # whether a column need not be integral
    rows: Callable[[], Iterator[RowBlock]]


def program_of(model: Model, constant: int) -> Program:
    """Return a model as a program with a last column that is 1, which costs a constant.

    Rows without terms are dropped if they hold; else the last column must be 2, which it cannot.
    The rows of clauses come first, then those of parities, then the others.
    """
    rest = to_rows(replace(model, clauses=Clauses(), linears=[], continuous=[]))
    last = len(rest.upper) + 1
    costs = np.zeros(last, dtype=np.int64)
    costs[list(rest.costs)] = list(rest.costs.values())
    costs[-1] = constant + rest.offset
    continuous = np.zeros(last, dtype=bool)
    continuous[np.array(model.continuous, dtype=np.int64) - 1] = True

    def rows() -> Iterator[RowBlock]:
        for literals in clean_parts(model.clauses, model.num_vars):
            yield _clause_block(literals, last)
        others = chain(rest.rows, map(linear_row, model.linears))
        yield from _blocks(chain(others, [Row([1], [last - 1], Relation.EQUAL, 1)]), last)

    return Program(np.array([*rest.upper, 1]), costs, continuous, rows)


def _clause_block(literals: Literals, last: int) -> RowBlock:
    """Return clauses as rows; an empty one says that the last column is 2."""
    ends = np.flatnonzero(literals == 0)
    lengths = np.diff(ends, prepend=-1) - 1
    below = np.add.reduceat(literals < 0, np.concatenate(([0], ends[:-1] + 1)))
    bounds = np.where(lengths == 0, 2, 1 - below)
    if not lengths.all():
        literals = np.insert(literals, ends[lengths == 0], last)
        lengths = np.maximum(lengths, 1)
    terms = literals[literals != 0]
    relations = np.full(len(lengths), _AT_LEAST)
    return RowBlock(np.sign(terms), np.abs(terms), lengths, relations, bounds)


def _blocks(rows: Iterable[Row], last: int) -> Iterator[RowBlock]:
    never = Row([1], [last - 1], Relation.AT_LEAST, 2)
    kept = (
        row if any(row.coefficients) else never
        for row in rows
        if any(row.coefficients) or not row.holds_empty
    )
    while some := list(islice(kept, _ROWS_AT_ONCE)):
        coefficients, columns = (
            np.fromiter(chain.from_iterable(each), dtype=np.int64)
            for each in ([row.coefficients for row in some], [row.columns for row in some])
        )
        yield RowBlock(
            coefficients,
            columns + 1,
            np.array([len(row.columns) for row in some]),
            np.array([_RELATIONS.index(row.relation) for row in some]),
            np.array([row.bound for row in some]),
        )


def _lines(rows: RowBlock, start: Chars, terms: Chars, end: Chars) -> bytes:
    """Return the text of rows: before the first term, the terms, and after the last one."""
    after = np.cumsum(rows.lengths)
    begin, width = start.shape[1], start.shape[1] + terms.shape[1]
    chars = np.zeros((len(terms), width + end.shape[1]), dtype=np.uint8)
    chars[:, begin:width] = terms
    chars[after - rows.lengths, :begin] = start
    chars[after - 1, width:] = end
    return text_of(chars)


def columns_in_order(program: Program, to: str) -> Integers:
    """Return the columns in the order in which readers of ``lp`` or ``mps`` number them."""
    order, seen = [], np.zeros(len(program.upper) + 1, dtype=bool)
    for columns in chain([_priced(program)], (rows.columns for rows in program.rows())):
        first = np.sort(np.unique(columns, return_index=True)[1])
        order.append(columns[first][~seen[columns[first]]])
        seen[columns] = True
    return np.concatenate(order) if to == "lp" else np.flatnonzero(seen)


def _priced(program: Program) -> Integers:
    """Return the columns with a cost."""
    return np.flatnonzero(program.costs) + 1


def write_lp(prepared: Exporting, out: Output, comments: Comments) -> Size:
    """Write a model in the LP format of CPLEX; return the numbers of columns and rows.

    The objective is negated where a maximum is asked for.
    """
    program = program_of(prepared.model, prepared.constant("lp"))
    out.writelines(f"\\ {line}\n" for line in comments())
    costs = -program.costs if prepared.maximises else program.costs
    priced = _priced(program)
    out.write("Maximize\nobj:" if prepared.maximises else "Minimize\nobj:")
    for part in _slices(priced):
        places = np.arange(part.start, part.start + len(priced[part]))
        out.write(text_of(_lp_terms(costs[priced[part] - 1], priced[part], places)))
    out.write("\nSubject To\n")
    written, used = 0, program.costs != 0
    for rows in program.rows():
        count = len(rows.lengths)
        numbers = np.arange(written + 1, written + count + 1)
        starts = np.repeat(np.cumsum(rows.lengths) - rows.lengths, rows.lengths)
        terms = _lp_terms(rows.coefficients, rows.columns, np.arange(len(rows.columns)) - starts)
        start = side_by_side(b"r", decimal(numbers), b":")
        relations = _choose(rows.relations, [each.encode() for each in _RELATIONS])
        end = side_by_side(b" ", relations, b" ", signed(rows.bounds), b"\n")
        out.write(_lines(rows, start, terms, end))
        used[rows.columns - 1] = True
        written += count
    out.write("Bounds\n")
    columns = np.flatnonzero(used) + 1
    for part in _slices(columns):
        names, most = decimal(columns[part]), decimal(program.upper[columns[part] - 1])
        out.write(text_of(side_by_side(b" 0 <= x", names, b" <= ", most, b"\n")))
    out.write("Generals\n")
    integral = columns[~program.continuous[used]]
    for part in _slices(integral):
        names = decimal(integral[part])
        out.write(text_of(side_by_side(b" x", names, b"\n")))
    out.write("End\n")
    return len(columns), written


def _slices(array: Integers) -> Iterator[slice]:
    return (slice(start, start + CHUNK) for start in range(0, len(array), CHUNK))


def _lp_terms(coefficients: Integers, columns: Integers, places: Integers) -> Chars:
    """Return terms, some on a new line according to their places in a row."""
    new = np.where((places > 0) & (places % _TERMS_PER_LINE == 0), ord("\n"), 0)
    breaks, numbers = new.astype(np.uint8)[:, None], decimal(np.abs(coefficients))
    return side_by_side(breaks, b" ", signs(coefficients), b" ", numbers, b" x", decimal(columns))


def _choose(places: Integers | NDArray[np.bool_], texts: list[bytes]) -> Chars:
    """Return the text at each place."""
    width = max(map(len, texts))
    table = np.array([[*text.ljust(width, b"\0")] for text in texts], dtype=np.uint8)
    return table[places.astype(np.intp)]


def write_opb(prepared: Exporting, out: Output, comments: Comments) -> Size:
    """Write a model in the format of the PB competitions; return its size."""
    program = program_of(parity_clauses(prepared.model), prepared.constant("opb"))
    written = 0
    with out.waiting() as body:
        for rows in map(_at_least, program.rows()):
            end = side_by_side(b">= ", signed(rows.bounds), b" ;\n")
            start = np.zeros((len(rows.bounds), 0), dtype=np.uint8)
            body.write(_lines(rows, start, _opb_terms(rows.coefficients, rows.columns), end))
            written += len(rows.lengths)
        out.write(f"* #variable= {len(program.upper)} #constraint= {written}\n")
        out.writelines(f"* {line}\n" for line in comments())
        priced = _priced(program)
        if prepared.model.objective is not None and len(priced):  # without a term it is always 0
            out.write("min: ")
            for part in _slices(priced):
                out.write(text_of(_opb_terms(program.costs[priced[part] - 1], priced[part])))
            out.write(";\n")
        out.append(body)
    return len(program.upper), written


def _at_least(rows: RowBlock) -> RowBlock:
    """Rewrite rows with >= only; an equation becomes two, since not every solver reads ``=``."""
    if (rows.relations == _AT_LEAST).all():
        return rows
    twice = np.where(rows.relations == _RELATIONS.index(Relation.EQUAL), 2, 1)
    source = np.repeat(np.arange(len(twice)), twice)
    again = np.concatenate(([False], source[1:] == source[:-1]))
    factors = np.where(again | (rows.relations[source] == 0), -1, 1)
    lengths = rows.lengths[source]
    starts = (np.cumsum(rows.lengths) - rows.lengths)[source]
    terms = np.arange(lengths.sum()) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    return RowBlock(
        rows.coefficients[terms] * np.repeat(factors, lengths),
        rows.columns[terms],
        lengths,
        np.full(len(source), _AT_LEAST),
        rows.bounds[source] * factors,
    )


def _opb_terms(coefficients: Integers, columns: Integers) -> Chars:
    return side_by_side(signed(coefficients, b"+"), b" x", decimal(columns), b" ")


def write_mps(prepared: Exporting, out: Output, comments: Comments) -> Size:
    """Write a model as MPS, with the columns of the fixed form while names and numbers fit.

    Return the numbers of columns and rows. The file has the rows' entries by column, so they wait
    in files.
    """
    program = program_of(prepared.model, prepared.constant("mps"))
    out.writelines(f"* {line}\n" for line in comments())
    written, used = 0, program.costs != 0
    out.write("NAME          model\nROWS\n N  obj\n")
    with out.waiting() as bounds, ExitStack() as files:
        entries = _Entries(len(program.upper), files)
        for rows in program.rows():
            count = len(rows.lengths)
            numbers = np.arange(written + 1, written + count + 1)
            senses = _choose(rows.relations, [b" L  r", b" E  r", b" G  r"])
            out.write(text_of(side_by_side(senses, decimal(numbers), b"\n")))
            some = rows.bounds != 0
            bounds.write(_mps_lines(b"    RHS       r", numbers[some], rows.bounds[some]))
            entries.add(rows.columns, np.repeat(numbers, rows.lengths), rows.coefficients)
            used[rows.columns - 1] = True
            written += count
        out.write("COLUMNS\n")
        integral = False
        for some_entries in entries.by_column(program.costs):
            integral = _write_columns(out, some_entries, program.continuous, integral=integral)
        out.write(_marker(integral=False))  # the last column is integral
        out.write("RHS\n")
        out.append(bounds)
    out.write("BOUNDS\n")
    columns = np.flatnonzero(used) + 1
    for part in _slices(columns):
        out.write(_mps_lines(b" UP BND       x", columns[part], program.upper[columns[part] - 1]))
    out.write("ENDATA\n")
    return len(columns), written


class _Entries:
    """Entries of a matrix, put in order by column in files, each of which fits into memory."""

    _KIND = np.dtype([("column", np.int32), ("row", np.int32), ("coefficient", np.int64)])

    def __init__(self, columns: int, files: ExitStack) -> None:
        self._share = -(-columns // _BUCKETS)
        starts = range(1, columns + 1, self._share)
        self._files = [
            files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
            for _ in starts
        ]

    def add(self, columns: Integers, rows: Integers, coefficients: Integers) -> None:
        """Add entries, whose rows are in order."""
        entries = np.empty(len(columns), dtype=self._KIND)
        entries["column"], entries["row"], entries["coefficient"] = columns, rows, coefficients
        places = (columns - 1) // self._share
        for place in np.unique(places):
            self._files[place].write(entries[places == place].tobytes())

    def by_column(self, costs: Integers) -> Iterator[NDArray[np.void]]:
        """Yield the entries by column, and then by row; row 0 has the costs."""
        for place, file in enumerate(self._files):
            start = place * self._share
            prices = costs[start : start + self._share]
            priced = np.flatnonzero(prices)
            first = np.zeros(len(priced), dtype=self._KIND)
            first["column"], first["coefficient"] = start + 1 + priced, prices[priced]
            file.seek(0)
            entries = np.concatenate((first, np.frombuffer(file.read(), dtype=self._KIND)))
            if len(entries):
                yield entries[np.argsort(entries["column"], kind="stable")]


def _write_columns(
    out: Output, entries: NDArray[np.void], continuous: NDArray[np.bool_], *, integral: bool
) -> bool:
    """Write entries, with markers around integral columns; return whether the last one is."""
    kinds = ~continuous[entries["column"] - 1]
    changes = np.flatnonzero(np.diff(kinds, prepend=integral))
    for start, end in pairwise(sorted({0, *changes.tolist(), len(entries)})):
        if start in changes:
            out.write(_marker(integral=bool(kinds[start])))
        for part in range(start, end, CHUNK):
            out.write(_column_lines(entries[part : min(part + CHUNK, end)]))
    return bool(kinds[-1])


def _column_lines(entries: NDArray[np.void]) -> bytes:
    columns, rows = decimal(entries["column"]), decimal(entries["row"])
    rows[entries["row"] == 0] = 0
    rows = np.hstack((_choose(entries["row"] == 0, [b"r", b"obj"]), rows))
    columns, rows = _padded(columns, 7), _padded(rows, 8)
    return _with_values(side_by_side(b"    x", columns, b"  ", rows), entries["coefficient"])


def _mps_lines(start: bytes, numbers: Integers, values: Integers) -> bytes:
    """Return lines of a number in the second column and a value in the third."""
    return _with_values(side_by_side(start, _padded(decimal(numbers), 7)), values)


def _padded(names: Chars, width: int) -> Chars:
    return side_by_side(names, padding(names, width))


def _with_values(start: Chars, values: Integers) -> bytes:
    ends = signed(values)
    return text_of(side_by_side(start, b"  ", padding(ends, 12), ends, b"\n"))


def _marker(*, integral: bool) -> str:
    return f"    MARKER    'MARKER'                 'INT{'ORG' if integral else 'END'}'\n"
