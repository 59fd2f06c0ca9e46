"""From a question to a checked answer.

instance -> reduce -> encode -> Model -> solve -> decode -> lift -> check -> Answer

Reductions of small hands and the check run in the calling process. Everything that may take long
runs in a child process that can be killed at any moment (:mod:`~uno_csp.processes.workers`):
reductions of large hands, and the stages from encoding to decoding
(:mod:`~uno_csp.pipeline.stages`) with the cut loop (:mod:`~uno_csp.pipeline.cut_loop`). Public
names are loaded on first use: a worker needs only the stages.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
