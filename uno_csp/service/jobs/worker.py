"""The worker of a server: a process that handles one task after another.

A worker parses requests and links, solves, checks, exports and generates. The server's own process
looks into no question, so that none can hold it up. Handlers that are seldom needed are imported
for their first task, since that takes longer than most tasks.
"""

from pkgutil import resolve_name
from typing import Any

import uno_csp.service.handlers.solving  # noqa: F401  # most tasks need it
from uno_csp.errors import lacks_resources
from uno_csp.graph_tools.igraph_alone import load_igraph
from uno_csp.pipeline.race import WORKER
from uno_csp.processes.channel import READY, Channel
from uno_csp.registry import modules_of
from uno_csp.service.handlers.declaring import ERROR, LATER, RESULT
from uno_csp.service.problems import problem, problem_of
from uno_csp.service.reading import Task

STARTS = (WORKER,)  # modules of the workers that the handlers start


def preload() -> None:
    """Load in a fork server what many tasks need and starts no thread."""
    load_igraph()
    modules_of("uno_csp.checker")


def handle(task: Task, channel: Channel) -> dict[str, Any]:
    """Handle one task; errors become problems."""
    entry = resolve_name(task["do"])
    channel.report(READY)
    try:
        return {RESULT: entry(task, channel)}
    except MemoryError:
        return {ERROR: problem(502, "out of memory")}
    except Exception as error:  # a bug fails this request only
        return {LATER: str(error)} if lacks_resources(error) else {ERROR: problem_of(error)}
