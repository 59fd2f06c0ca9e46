"""The worker of a server: a process that handles one task after another.

A worker parses requests and links, solves, checks, exports and generates. The server's own process
looks into no question, so that none can hold it up. Handlers that are seldom needed are imported
for their first task, since that takes longer than most tasks.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import uno_csp.service.jobs.answering  # noqa: F401  # most tasks need it
from uno_csp.errors import UnoCspError
from uno_csp.graph_tools.igraph_alone import load_igraph
from uno_csp.pipeline.race import WORKER
from uno_csp.processes.channel import READY, Channel
from uno_csp.registry import modules_of
from uno_csp.service.jobs.tasks import ERROR, RESULT, Task
from uno_csp.service.problems import Problem, problem, problem_of

HANDLERS: Mapping[str, str] = MappingProxyType(
    {
        "accept": "answering",
        "parse_text": "answering",
        "recall": "answering",
        "solve_job": "answering",
        "solve_list": "answering",
        "check_answer": "tools",
        "export_question": "tools",
        "generate_question": "tools",
        "solve_graph": "graphs",
        "count_plays": "plays",
        "make_puzzle": "plays",
        "hint_puzzle": "plays",
        "analyse_game": "games",
        "advise_player": "games",
        "choose_move": "games",
        "review_game": "games",
        "title_link": "previewing",
        "draw_link": "previewing",
    }
)
"""The module of each handler, by the name in the key ``do`` of a task."""

STARTS = (WORKER,)  # modules of the workers that the handlers start


def preload() -> None:
    """Load in a fork server what many tasks need and starts no thread."""
    load_igraph()
    modules_of("uno_csp.checker")


def handle(task: Task, channel: Channel) -> dict[str, Any]:
    """Handle one task; errors become problems."""
    handler = _handler(task["do"])
    channel.report(READY)
    try:
        return {RESULT: handler(task, channel)}
    except Problem as error:
        return {ERROR: error.body}
    except UnoCspError as error:
        return {ERROR: problem_of(error)}
    except MemoryError:
        return {ERROR: problem(502, "out of memory")}
    except Exception as error:  # a bug must fail this request only
        return {ERROR: problem(500, f"a bug, please report it: {type(error).__name__}: {error}")}


def _handler(name: str) -> Any:
    """Return a handler: a function of a task and the channel to the server."""
    return getattr(import_module(f"uno_csp.service.jobs.{HANDLERS[name]}"), name)
