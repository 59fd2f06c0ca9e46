"""The public names, which are loaded on first use, and where they are defined."""

from . import experiments as experiments
from .agents.advice import Advice, Prospect
from .agents.advising import advise
from .agents.reviewing import Reviewed, review
from .agents.seats import Seat
from .algorithms.analysis import analyse
from .algorithms.stepping import GameState
from .algorithms.strategies import next_move
from .certificates import certify
from .checker import Violation, check
from .counting import count, plays, sample
from .errors import (
    BackendError,
    BackendUnavailable,
    CheckFailed,
    InstanceError,
    NotAccepted,
    UnknownName,
    UnoCspError,
)
from .exports import Exported, decode, export
from .families import generate
from .formats import parse, parse_answer
from .hamilton import hamiltonian_cycle, hamiltonian_path, longest_path, path_cover
from .methods import algorithm_names, backend_names, encoding_names
from .pipeline import (
    Options,
    Progress,
    SolveTask,
    explain,
    solve,
    solve_async,
    solve_many,
    start,
)
from .puzzles import Puzzle, puzzle
from .questions import (
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
from .questions.answers import Answer, Play, Status

__version__: str

def algorithms() -> tuple[str, ...]: ...
def backends() -> tuple[str, ...]: ...
def encodings() -> tuple[str, ...]: ...

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
    "GameState",
    "Instance",
    "InstanceError",
    "Longest",
    "NotAccepted",
    "OpenGame",
    "Options",
    "Play",
    "Progress",
    "Prospect",
    "Puzzle",
    "Reviewed",
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
    "count",
    "decode",
    "encoding_names",
    "explain",
    "export",
    "generate",
    "hamiltonian_cycle",
    "hamiltonian_path",
    "longest_path",
    "next_move",
    "parse",
    "parse_answer",
    "path_cover",
    "plays",
    "puzzle",
    "review",
    "sample",
    "solve",
    "solve_async",
    "solve_many",
    "start",
]
