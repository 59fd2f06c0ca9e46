"""Answers to Hamiltonian problems."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from uno_csp.graph_files.drafts import Vertex
from uno_csp.hamilton.problems import Goal
from uno_csp.questions.answers import Status, WithoutTruth
from uno_csp.questions.frozen import thawed


@dataclass(frozen=True, slots=True)
class HamiltonAnswer(WithoutTruth):
    """The answer to a Hamiltonian problem.

    Parameters
    ----------
    goal
        What was sought.
    status
        SATISFIABLE, UNSATISFIABLE, OPTIMAL or UNKNOWN, as for any question.
    paths
        The paths found, as vertices in order. A cycle is one path; its last vertex is adjacent to
        the first. None if none were found.
    objective, bound
        Number of paths (``paths``) or of vertices on the path (``longest``), and the proved bound
        on it.
    reason
        Why the status is UNKNOWN; for a no, a short reason if one is known.
    method, backend
        What was used.
    checked
        True if the checker of graphs accepted the paths.
    wall_s
        Wall-clock seconds from the graph to the checked answer.
    stats, certificate
        As in :class:`~uno_csp.Answer`.
    separator
        Places of vertices whose removal shows a no, or the least number of paths, if such are
        known.
    """

    goal: Goal
    status: Status
    paths: tuple[tuple[Vertex, ...], ...] | None = None
    objective: int | None = None
    bound: int | None = None
    reason: str = ""
    method: str | None = None
    backend: str | None = None
    checked: bool = False
    wall_s: float = 0.0
    stats: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None
    separator: tuple[int, ...] | None = None

    @property
    def path(self) -> tuple[Vertex, ...] | None:
        """The path, or the cycle, where one is sought; None if none was found."""
        return self.paths[0] if self.paths and self.goal is not Goal.PATHS else None

    def to_dict(self) -> dict[str, Any]:
        """Return the answer, JSON-ready."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        del found["stats"], found["separator"]
        paths = None if self.paths is None else [list(map(plain, path)) for path in self.paths]
        ready: dict[str, Any] = thawed({**found, "paths": paths, "wall_s": round(self.wall_s, 6)})
        return ready


def plain(vertex: Vertex) -> Any:
    """Return a vertex as a number or text of JSON."""
    return vertex if isinstance(vertex, int | str | float) else str(vertex)
