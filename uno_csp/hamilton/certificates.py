"""Certificates of answers to Hamiltonian problems."""

from collections.abc import Mapping
from functools import partial
from os import PathLike
from threading import Event
from typing import Any

from uno_csp.certificates.graphs import certify_graph
from uno_csp.certificates.parts import EffortListener, unheard
from uno_csp.hamilton.problems import HamiltonAnswer, HamiltonProblem
from uno_csp.pipeline.certifying import made_apart
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions.answers import Status


def certificate_of(
    problem: HamiltonProblem,
    answer: HamiltonAnswer,
    folder: str | PathLike[str],
    deadline: Deadline = NEVER,
    stop: Event | None = None,
    on_effort: EffortListener = unheard,
) -> Mapping[str, Any]:
    """Write the certificate of an answer, as :func:`made_apart`; return what it proves."""
    if answer.status is Status.UNKNOWN:
        return {"certified": False, "summary": answer.reason}
    if answer.status is Status.SATISFIABLE:
        return {"certified": True, "summary": "the path shows the answer"}
    raw = [*map(str, problem.vertices)]
    data = {
        "goal": str(problem.goal),
        "vertices": raw if len({*raw}) == len(raw) else list(problem.texts),
        "edges": [list(edge) for edge in problem.edges],
        "source": problem.source,
        "target": problem.target,
    }
    claim = {
        "status": str(answer.status),
        "objective": answer.objective,
        "made_by": {"method": answer.method, "backend": answer.backend},
    }
    paths = problem.places(answer.paths or ()) or None
    make = partial(certify_graph, data, claim, paths, removed=answer.separator)
    return made_apart(make, folder, deadline, stop, on_effort)
