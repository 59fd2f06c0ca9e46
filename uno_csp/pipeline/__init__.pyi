"""The public names, which are loaded on first use, and where they are defined."""

from .explaining import explain as explain
from .explaining import explain_plan as explain_plan
from .many import solve_many as solve_many
from .options import Options as Options
from .progress import Progress as Progress
from .solving import solve as solve
from .stopping import SolveTask as SolveTask
from .stopping import solve_async as solve_async
from .stopping import start as start
