r"""uno-csp: the card game UNO as a combinatorial problem, solved by SAT, CP-SAT and ILP.

>>> import uno_csp
>>> hand = uno_csp.parse("red,5\nred,7\nblue,7")
>>> answer = uno_csp.solve(hand)
>>> str(answer.status), answer.checked
('SATISFIABLE', True)
>>> uno_csp.check(hand, answer)
[]

Importing this package loads no solver.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from uno_csp.advice import Advice, Prospect, Seat, advise
from uno_csp.algorithms.analysis import analyse
from uno_csp.algorithms.strategies import next_move
from uno_csp.answers import Answer, Play, Status
from uno_csp.certificates import certify
from uno_csp.checker import Violation, check
from uno_csp.errors import (
    BackendError,
    BackendUnavailable,
    CheckFailed,
    InstanceError,
    NotAccepted,
    UnknownName,
    UnoCspError,
)
from uno_csp.exports import Exported, decode, export
from uno_csp.families import generate
from uno_csp.formats import parse, parse_answer
from uno_csp.pipeline import Options, Progress, SolveTask, explain, solve, solve_async, start
from uno_csp.questions import (
    Convention,
    Cooperative,
    Expected,
    FillIn,
    Instance,
    Longest,
    OpenGame,
    Uncooperative,
    Uno1,
)
from uno_csp.registry import algorithm_names, backend_names, encoding_names

# The same by their older names, which are those of packages too.
algorithms, backends, encodings = algorithm_names, backend_names, encoding_names

if TYPE_CHECKING:
    from uno_csp import experiments as experiments


def __getattr__(name: str) -> ModuleType:
    """``uno_csp.experiments``, loaded when it is asked for: nobody else needs it."""
    if name == "experiments":
        return import_module("uno_csp.experiments")
    raise AttributeError(f"module 'uno_csp' has no attribute {name!r}")


__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Answer",
    "BackendError",
    "BackendUnavailable",
    "CheckFailed",
    "Convention",
    "Cooperative",
    "Expected",
    "Exported",
    "FillIn",
    "Instance",
    "InstanceError",
    "Longest",
    "NotAccepted",
    "OpenGame",
    "Options",
    "Play",
    "Progress",
    "Prospect",
    "Seat",
    "SolveTask",
    "Status",
    "Uncooperative",
    "UnknownName",
    "Uno1",
    "UnoCspError",
    "Violation",
    "advise",
    "algorithm_names",
    "algorithms",
    "analyse",
    "backend_names",
    "backends",
    "certify",
    "check",
    "decode",
    "encoding_names",
    "encodings",
    "explain",
    "export",
    "generate",
    "next_move",
    "parse",
    "parse_answer",
    "solve",
    "solve_async",
    "start",
]
