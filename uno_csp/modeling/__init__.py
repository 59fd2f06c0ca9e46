"""The solver-independent model and its transformations that need no solver.

:mod:`~uno_csp.modeling.model` has the model and its constraints, :mod:`~uno_csp.modeling.cuts`
and :mod:`~uno_csp.modeling.decompositions` the lazy and the eager enforcement of the two global
constraints, :mod:`~uno_csp.modeling.cnf` and :mod:`~uno_csp.modeling.rows` the lowerings to
clauses and to linear rows, :mod:`~uno_csp.modeling.methods` and :mod:`~uno_csp.modeling.solvers`
the interfaces of encodings, algorithms and backends.
"""

from uno_csp.modeling.clauses import Block as Block
from uno_csp.modeling.clauses import Clause as Clause
from uno_csp.modeling.clauses import Clauses as Clauses
from uno_csp.modeling.cnf import Cnf as Cnf
from uno_csp.modeling.cnf import add_switchable_at_most as add_switchable_at_most
from uno_csp.modeling.cnf import as_at_mosts as as_at_mosts
from uno_csp.modeling.cnf import cut_clauses as cut_clauses
from uno_csp.modeling.cnf import parity_clauses as parity_clauses
from uno_csp.modeling.cnf import to_cnf as to_cnf
from uno_csp.modeling.cuts import violated_cuts as violated_cuts
from uno_csp.modeling.decompositions import DECOMPOSITIONS as DECOMPOSITIONS
from uno_csp.modeling.decompositions import add_residues as add_residues
from uno_csp.modeling.decompositions import decompose as decompose
from uno_csp.modeling.decompositions import relax as relax
from uno_csp.modeling.methods import Algorithm as Algorithm
from uno_csp.modeling.methods import Encoded as Encoded
from uno_csp.modeling.methods import Encoder as Encoder
from uno_csp.modeling.methods import Finding as Finding
from uno_csp.modeling.methods import Method as Method
from uno_csp.modeling.methods import Proof as Proof
from uno_csp.modeling.methods import ReportFinding as ReportFinding
from uno_csp.modeling.methods import Separator as Separator
from uno_csp.modeling.methods import no_more_cuts as no_more_cuts
from uno_csp.modeling.model import Assignment as Assignment
from uno_csp.modeling.model import AtLeastTwo as AtLeastTwo
from uno_csp.modeling.model import Circuit as Circuit
from uno_csp.modeling.model import Connected as Connected
from uno_csp.modeling.model import Cut as Cut
from uno_csp.modeling.model import Global as Global
from uno_csp.modeling.model import ImpliedFacts as ImpliedFacts
from uno_csp.modeling.model import Linear as Linear
from uno_csp.modeling.model import Model as Model
from uno_csp.modeling.model import Objective as Objective
from uno_csp.modeling.model import Parity as Parity
from uno_csp.modeling.model import Relation as Relation
from uno_csp.modeling.rows import Row as Row
from uno_csp.modeling.rows import Rows as Rows
from uno_csp.modeling.rows import cut_row as cut_row
from uno_csp.modeling.rows import to_rows as to_rows
from uno_csp.modeling.solver_output import SolverOutput as SolverOutput
from uno_csp.modeling.solver_output import consistent as consistent
from uno_csp.modeling.solver_output import read_competition as read_competition
from uno_csp.modeling.solver_output import read_lines as read_lines
from uno_csp.modeling.solver_output import read_result_file as read_result_file
from uno_csp.modeling.solver_output import require_no_solution as require_no_solution
from uno_csp.modeling.solver_output import unreadable as unreadable
from uno_csp.modeling.solvers import STOPPED as STOPPED
from uno_csp.modeling.solvers import Backend as Backend
from uno_csp.modeling.solvers import BoundingSession as BoundingSession
from uno_csp.modeling.solvers import RelaxingSession as RelaxingSession
from uno_csp.modeling.solvers import Result as Result
from uno_csp.modeling.solvers import Session as Session
from uno_csp.modeling.verification import broken_constraint as broken_constraint
