r"""uno-csp: the card game UNO as a combinatorial problem, solved by SAT, CP-SAT and ILP.

>>> import uno_csp
>>> hand = uno_csp.parse("red,5\nred,7\nblue,7")
>>> answer = uno_csp.solve(hand)
>>> str(answer.status), answer.checked
('SATISFIABLE', True)
>>> uno_csp.check(hand, answer)
[]

Importing this package loads nothing else; a name loads what it needs when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uno_csp import experiments as experiments
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

__version__ = "0.1.0"

_MODULES = {
    "Advice": "uno_csp.advice",
    "Answer": "uno_csp.answers",
    "BackendError": "uno_csp.errors",
    "BackendUnavailable": "uno_csp.errors",
    "CheckFailed": "uno_csp.errors",
    "Convention": "uno_csp.questions",
    "Cooperative": "uno_csp.questions",
    "Expected": "uno_csp.questions",
    "Exported": "uno_csp.exports",
    "FillIn": "uno_csp.questions",
    "Instance": "uno_csp.questions",
    "InstanceError": "uno_csp.errors",
    "Longest": "uno_csp.questions",
    "NotAccepted": "uno_csp.errors",
    "OpenGame": "uno_csp.questions",
    "Options": "uno_csp.pipeline",
    "Play": "uno_csp.answers",
    "Progress": "uno_csp.pipeline",
    "Prospect": "uno_csp.advice",
    "Seat": "uno_csp.advice",
    "SolveTask": "uno_csp.pipeline",
    "Status": "uno_csp.answers",
    "Uncooperative": "uno_csp.questions",
    "UnknownName": "uno_csp.errors",
    "Uno1": "uno_csp.questions",
    "UnoCspError": "uno_csp.errors",
    "Violation": "uno_csp.checker",
    "advise": "uno_csp.advice",
    "algorithm_names": "uno_csp.registry",
    "analyse": "uno_csp.algorithms.analysis",
    "backend_names": "uno_csp.registry",
    "certify": "uno_csp.certificates",
    "check": "uno_csp.checker",
    "decode": "uno_csp.exports",
    "encoding_names": "uno_csp.registry",
    "explain": "uno_csp.pipeline",
    "export": "uno_csp.exports",
    "generate": "uno_csp.families",
    "next_move": "uno_csp.algorithms.strategies",
    "parse": "uno_csp.formats",
    "parse_answer": "uno_csp.formats",
    "solve": "uno_csp.pipeline",
    "solve_async": "uno_csp.pipeline",
    "start": "uno_csp.pipeline",
}
"""Modules in which the public names are defined."""

_LISTED = ("algorithms", "backends", "encodings")
"""Packages that, called, give the names of what they hold: ``uno_csp.backends()``."""


def __getattr__(name: str) -> Any:
    """Load what a public name stands for, or a package, on first use."""
    if name == "experiments":
        return import_module("uno_csp.experiments")
    if name in _LISTED:
        return getattr(import_module("uno_csp.registry").uno_csp, name)
    if name not in _MODULES:
        raise AttributeError(f"module 'uno_csp' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, "experiments", *_LISTED})


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
    "analyse",
    "backend_names",
    "certify",
    "check",
    "decode",
    "encoding_names",
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
