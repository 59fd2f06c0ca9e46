"""Writers of the answers to Hamiltonian problems: text, TSPLIB tours and competition lines."""

from collections.abc import Sequence

from uno_csp.errors import NotAccepted
from uno_csp.hamilton.answers import HamiltonAnswer
from uno_csp.hamilton.problems import Goal, HamiltonProblem, Vertex
from uno_csp.questions.answers import Status
from uno_csp.questions.wording import named

_SOUGHT = {
    Goal.CYCLE: "a Hamiltonian cycle",
    Goal.PATH: "a Hamiltonian path",
    Goal.PATHS: "paths that visit every vertex once together",
    Goal.LONGEST: "a longest path",
}


def said(answer: HamiltonAnswer) -> str:
    """Return what an answer says of the graph, in a few words."""
    sought = _SOUGHT[answer.goal]
    match answer.status:
        case Status.SATISFIABLE:
            return f"the graph has {sought}"
        case Status.UNSATISFIABLE:
            why = f": {answer.reason}" if answer.reason else ""
            return f"the graph has no {sought.removeprefix('a ')}{why}"
        case Status.OPTIMAL if answer.goal is Goal.PATHS:
            if answer.objective == 1:
                return "the graph has a Hamiltonian path, so one path is enough"
            return f"{answer.objective} paths, and no fewer, visit every vertex once together"
        case Status.OPTIMAL:
            return f"a longest path visits {answer.objective} of the vertices"
    parts = [answer.reason or "no answer was found"]
    if answer.objective is not None:
        parts.append(f"the best one found is {answer.objective}")
    if answer.bound is not None:
        parts.append(f"proved bound {answer.bound}")
    return "; ".join(parts)


def human(answer: HamiltonAnswer) -> str:
    """Return an answer as text: the verdict, how it was found, and each path on a line."""
    used = " + ".join(part for part in (answer.method, answer.backend) if part)
    checked = ", checked" if answer.checked else ""
    how = f"{used or 'by reduction'}, {answer.wall_s:.2f} s{checked}"
    lines = [f"{answer.status}: {said(answer)}", how]
    lines += [" ".join(map(named, path)) for path in answer.paths or ()]
    if answer.certificate is not None:
        lines.append(str(answer.certificate.get("summary", "")))
    return "\n".join(lines)


def tsplib(problem: HamiltonProblem, answer: HamiltonAnswer) -> str:
    """Return the tour as a TSPLIB file; vertices are numbered from 1 in the order of the graph.

    Raises
    ------
    NotAccepted
        If there is no single path.
    """
    paths = answer.paths or ()
    if len(paths) != 1:
        raise NotAccepted(f"a tour is a single path or cycle; the answer has {len(paths)}")
    (path,) = paths
    place = {vertex: number for number, vertex in enumerate(problem.vertices, start=1)}
    return "\n".join(
        [
            f"NAME : {answer.goal}",
            "TYPE : TOUR",
            f"DIMENSION : {len(path)}",
            "TOUR_SECTION",
            *(str(place[vertex]) for vertex in path),
            "-1",
            "EOF",
        ]
    )


def competition(problem: HamiltonProblem, answer: HamiltonAnswer) -> str:
    """Return the lines of solver competitions: ``s`` the status, ``o`` the value, ``v`` the paths.

    Vertices are numbered from 1 in the order of the graph, and each path ends with 0.
    """
    status = "OPTIMUM FOUND" if answer.status is Status.OPTIMAL else str(answer.status)
    lines = [] if answer.objective is None else [f"o {answer.objective}"]
    lines.append(f"s {status}")
    place = {vertex: number for number, vertex in enumerate(problem.vertices, start=1)}
    return "\n".join([*lines, *(f"v {_numbers(path, place)} 0" for path in answer.paths or ())])


def _numbers(path: Sequence[Vertex], place: dict[Vertex, int]) -> str:
    return " ".join(str(place[vertex]) for vertex in path)
