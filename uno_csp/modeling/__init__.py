"""The solver-independent model and its transformations that need no solver.

:mod:`~uno_csp.modeling.model` has the model and its constraints, :mod:`~uno_csp.modeling.cuts`
and :mod:`~uno_csp.modeling.decompositions` the lazy and the eager enforcement of the two global
constraints, :mod:`~uno_csp.modeling.cnf` and :mod:`~uno_csp.modeling.rows` the lowerings to
clauses and to linear rows, :mod:`~uno_csp.modeling.methods` and :mod:`~uno_csp.modeling.solvers`
the interfaces of encodings, algorithms and backends.
"""

from uno_csp.modeling.cnf import (
    Cnf,
    add_switchable_at_most,
    as_at_mosts,
    cut_clauses,
    parity_clauses,
    to_cnf,
)
from uno_csp.modeling.cuts import violated_cuts
from uno_csp.modeling.decompositions import DECOMPOSITIONS, add_residues, decompose, relax
from uno_csp.modeling.methods import (
    Algorithm,
    Encoded,
    Encoder,
    Finding,
    Method,
    Proof,
    Separator,
    no_more_cuts,
)
from uno_csp.modeling.model import (
    Assignment,
    AtLeastTwo,
    Circuit,
    Clause,
    Connected,
    Cut,
    Global,
    ImpliedFacts,
    Linear,
    Model,
    Objective,
    Parity,
    Relation,
)
from uno_csp.modeling.rows import Row, Rows, cut_row, to_pseudo_boolean, to_rows
from uno_csp.modeling.solver_output import (
    PrintedLines,
    SolverOutput,
    consistent,
    read_competition,
    read_lines,
    read_result_file,
    require_no_solution,
    unreadable,
)
from uno_csp.modeling.solvers import (
    STOPPED,
    Backend,
    BoundingSession,
    RelaxingSession,
    Result,
    Session,
)
from uno_csp.modeling.verification import broken_constraint

__all__ = [
    "DECOMPOSITIONS",
    "STOPPED",
    "Algorithm",
    "Assignment",
    "AtLeastTwo",
    "Backend",
    "BoundingSession",
    "Circuit",
    "Clause",
    "Cnf",
    "Connected",
    "Cut",
    "Encoded",
    "Encoder",
    "Finding",
    "Global",
    "ImpliedFacts",
    "Linear",
    "Method",
    "Model",
    "Objective",
    "Parity",
    "PrintedLines",
    "Proof",
    "Relation",
    "RelaxingSession",
    "Result",
    "Row",
    "Rows",
    "Separator",
    "Session",
    "SolverOutput",
    "add_residues",
    "add_switchable_at_most",
    "as_at_mosts",
    "broken_constraint",
    "consistent",
    "cut_clauses",
    "cut_row",
    "decompose",
    "no_more_cuts",
    "parity_clauses",
    "read_competition",
    "read_lines",
    "read_result_file",
    "relax",
    "require_no_solution",
    "to_cnf",
    "to_pseudo_boolean",
    "to_rows",
    "unreadable",
    "violated_cuts",
]
