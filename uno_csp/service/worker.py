"""The program that does jobs, one at a time: ``python -m uno_csp.service.worker``.

It solves, exports or generates, tells how far it is, and at the end what came out.
See :mod:`uno_csp.pipeline.supervision`.
"""

from collections.abc import Mapping
from typing import Any

from uno_csp.errors import UnoCspError
from uno_csp.families import generate
from uno_csp.formats import parse, question_to_dict
from uno_csp.pipeline import Progress, export, solve
from uno_csp.pipeline.supervision import PROGRESS, read_tasks, say, say_ready

RESULT, ERROR = "result", "error"
"""The keys of what is printed at the end."""


def main() -> None:
    """Do what standard input asks for."""
    for task in read_tasks():
        say_ready()
        say(_done(task))


def _done(task: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return {RESULT: _DOINGS[task["do"]](task)}
    except UnoCspError as error:
        return {ERROR: {"kind": type(error).__name__, "detail": " ".join(str(error).split())}}
    except MemoryError:
        return {ERROR: {"kind": "MemoryError", "detail": "memory is used up"}}


def _solve(task: Mapping[str, Any]) -> dict[str, Any]:
    def tell(progress: Progress) -> None:
        """One line for each round."""
        told = {
            "rounds": progress.rounds, "cuts": progress.cuts,
            "elapsed_s": round(progress.elapsed_s, 3), "objective": progress.objective,
            "bound": progress.bound,
        }  # fmt: skip
        say({PROGRESS: told})

    return solve(parse(task["instance"]), on_progress=tell, **task["options"]).to_dict()


def _export(task: Mapping[str, Any]) -> dict[str, Any]:
    """Write to a path that the server has chosen."""
    written = export(parse(task["instance"]), task["to"], task["path"], **task["options"])
    return {"variables": written.variables, "constraints": written.constraints}


def _generate(task: Mapping[str, Any]) -> dict[str, Any]:
    made = generate(task["family"], **task["options"], **task["parameters"])
    return question_to_dict(made)


_DOINGS = {"solve": _solve, "export": _export, "generate": _generate}

if __name__ == "__main__":
    main()
