"""Certificates of answers to Hamiltonian problems."""

from os import PathLike
from typing import Any

from uno_csp.certificates.graphs import certify_graph
from uno_csp.certificates.parts import EffortListener, unheard
from uno_csp.hamilton.problems import HamiltonAnswer, HamiltonProblem
from uno_csp.questions.answers import Status


def certificate_of(
    problem: HamiltonProblem,
    answer: HamiltonAnswer,
    folder: str | PathLike[str],
    *,
    time_limit_s: float | None = None,
    on_effort: EffortListener = unheard,
) -> dict[str, Any]:
    """Write the certificate of an answer, as :func:`uno_csp.certify`; return what it proves."""
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
    return certify_graph(
        data,
        claim,
        problem.places(answer.paths or ()) or None,
        folder,
        removed=answer.separator,
        time_limit_s=time_limit_s,
        on_effort=on_effort,
    )
