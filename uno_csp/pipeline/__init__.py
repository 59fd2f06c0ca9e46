"""From a question to a checked answer.

instance -> reduce -> encode -> Model -> solve -> decode -> lift -> check -> Answer

Reductions of small hands and the check run in the calling process. Everything that may take long
runs in a child process that can be killed at any moment (:mod:`~uno_csp.processes.workers`):
reductions of large hands, and the stages from encoding to decoding
(:mod:`~uno_csp.pipeline.stages`) with the cut loop (:mod:`~uno_csp.pipeline.cut_loop`).
"""

from uno_csp.pipeline.explaining import explain
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.progress import Progress
from uno_csp.pipeline.solving import solve
from uno_csp.pipeline.stopping import SolveTask, solve_async, start

__all__ = ["Options", "Progress", "SolveTask", "explain", "solve", "solve_async", "start"]
