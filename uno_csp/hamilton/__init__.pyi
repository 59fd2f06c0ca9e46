"""The public names, which are loaded on first use, and where they are defined."""

from .problems import Goal as Goal
from .problems import HamiltonAnswer as HamiltonAnswer
from .problems import HamiltonProblem as HamiltonProblem
from .problems import named_problem as named_problem
from .problems import problem_of as problem_of
from .solving import hamiltonian_cycle as hamiltonian_cycle
from .solving import hamiltonian_path as hamiltonian_path
from .solving import longest_path as longest_path
from .solving import path_cover as path_cover
from .solving import solve_problem as solve_problem
