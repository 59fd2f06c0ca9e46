"""Writers of the answers to Hamiltonian problems: text, TSPLIB tours and competition lines."""

from uno_csp.errors import NotAccepted
from uno_csp.graph_files.drafts import Vertex
from uno_csp.hamilton.problems import Goal, HamiltonAnswer, HamiltonProblem
from uno_csp.questions.answers import Status

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


def human(problem: HamiltonProblem, answer: HamiltonAnswer, read: str = "") -> str:
    """Return an answer as text: the verdict, how it was found, what was read, and the paths."""
    used = " + ".join(part for part in (answer.method, answer.backend) if part)
    checked = ", checked" if answer.checked else ""
    how = f"{used or 'by reduction'}, {answer.wall_s:.2f} s{checked}"
    lines = [f"{answer.status}: {said(answer)}", how]
    lines += [read] if read else []
    for path in problem.places(answer.paths or ()):
        lines.append(" ".join(problem.words[place] for place in path))
    if answer.certificate is not None:
        before = "" if answer.certificate.get("certified") else "not certified: "
        if answer.status is Status.SATISFIABLE:
            before = "no certificate is needed: "
        lines.append(f"{before}{answer.certificate.get('summary', '')}")
    return "\n".join(lines)


def tsplib(problem: HamiltonProblem, answer: HamiltonAnswer, read: str = "") -> str:
    """Return the tour as a TSPLIB file; raise NotAccepted if there is no single path."""
    paths = answer.paths or ()
    if len(paths) != 1:
        raise NotAccepted(f"a tour is a single path or cycle; the answer has {len(paths)}")
    (path,) = paths
    number, comments = _numbering(problem, read)
    return "\n".join(
        [
            f"NAME : {answer.goal}",
            "TYPE : TOUR",
            *(f"COMMENT : {comment}" for comment in comments),
            f"DIMENSION : {len(path)}",
            "TOUR_SECTION",
            *(str(number[vertex]) for vertex in path),
            "-1",
            "EOF",
        ]
    )


def competition(problem: HamiltonProblem, answer: HamiltonAnswer, read: str = "") -> str:
    """Return the lines of solver competitions: ``s`` the status, ``o`` the value, ``v`` paths."""
    number, comments = _numbering(problem, read)
    lines = [f"c {comment}" for comment in comments]
    if answer.objective is not None:
        lines.append(f"o {answer.objective}")
    lines.append(f"s {'OPTIMUM FOUND' if answer.status is Status.OPTIMAL else answer.status}")
    lines += [f"v {' '.join(str(number[each]) for each in path)} 0" for path in answer.paths or ()]
    return "\n".join(lines)


def _numbering(problem: HamiltonProblem, read: str) -> tuple[dict[Vertex, int], list[str]]:
    """Return the numbers of the vertices, and comments: what was read, and the key of numbers.

    Names 1 to n need no key.
    """
    comments = [read] if read else []
    names = {str(vertex): vertex for vertex in problem.vertices}
    numbers = [str(number) for number in range(1, len(problem.vertices) + 1)]
    if names.keys() == set(numbers):
        return {names[number]: int(number) for number in numbers}, comments
    number = {vertex: place + 1 for vertex, place in problem.place.items()}
    comments += [f"vertex {n} is {text}" for n, text in enumerate(problem.texts, start=1)]
    return number, comments
