"""From a question to a checked answer.

instance -> reduce -> encode -> Model -> solve -> decode -> lift -> check -> Answer

Reductions and the check run here; what may take long, from encoding to decoding, runs in a child
process that can be ended at any moment (:mod:`~uno_csp.processes.workers`), by the stages of
:mod:`~uno_csp.pipeline.stages` and the one cut loop of :mod:`~uno_csp.pipeline.cut_loop`.
"""

from uno_csp.pipeline.explaining import explain
from uno_csp.pipeline.options import Options
from uno_csp.pipeline.progress import Progress
from uno_csp.pipeline.solving import solve
from uno_csp.pipeline.stopping import SolveTask, solve_async, start

__all__ = ["Options", "Progress", "SolveTask", "explain", "solve", "solve_async", "start"]
