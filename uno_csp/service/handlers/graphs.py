"""Handler of Hamiltonian problems on graphs."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from uno_csp.certificates import pack
from uno_csp.graph_files.drafts import Reading
from uno_csp.graph_files.reading import read_graph
from uno_csp.hamilton import Goal, named_problem, solve_problem
from uno_csp.hamilton.problems import HamiltonAnswer, HamiltonProblem, plain
from uno_csp.pipeline import Options
from uno_csp.processes.channel import TimeLimit
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.scratch import scratch_folder
from uno_csp.service.handlers.declaring import LONG, Work, handler
from uno_csp.service.messages import Body, Seed, Text, WallS, ZipFile
from uno_csp.service.problems import Problem

GRACE_S = 1.0  # seconds after its time limit in which a solver has to answer


class HamiltonRequest(Body):
    """A graph, as the text of a graph file, and what is sought in it.

    The goal is a cycle by default, or the path that a TSPLIB file of the type HPP asks for.
    ``graph`` is the number of the graph to take from a text of several; ``undirected`` takes arcs
    as edges, and ``isolated`` a name alone on a line as a vertex.
    """

    text: str
    format: Text | None = None
    graph: Annotated[int, Field(ge=1)] | None = None
    undirected: bool = False
    isolated: bool = False
    goal: Literal["cycle", "path", "paths", "longest"] | None = None
    source: Text | None = None
    target: Text | None = None
    time_limit_s: WallS = 15.0
    seed: Seed = 0


class HamiltonBody(BaseModel):
    """The answer about a graph; a cycle is one path, whose last vertex is beside the first.

    ``read`` says what the text was read as; ``edges`` has pairs of places in ``vertices``.
    """

    read: str
    vertices: list[int | str | float]
    edges: list[Annotated[list[int], Field(min_length=2, max_length=2)]]
    goal: str
    status: str
    paths: list[list[int | str | float]] | None
    objective: int | None
    bound: int | None
    reason: str
    method: str | None
    backend: str | None
    checked: bool
    wall_s: float


@handler(
    HamiltonBody,
    LONG,
    {
        "A cycle through four vertices": {"text": "a b\nb c\nc d\nd a\n"},
        "The fewest paths": {"text": "x a\nx b\nx c\n", "goal": "paths"},
    },
    path="hamilton",
)
def solve_graph(request: HamiltonRequest, work: Work) -> dict[str, Any]:
    """Find a Hamiltonian cycle or path, the fewest paths, or a longest path of a graph.

    The time to read the graph counts.
    """
    said, problem, found = _solved(request, work)
    answer = found.to_dict()
    del answer["certificate"]
    return {
        "read": said,
        **answer,
        "vertices": list(map(plain, problem.vertices)),
        "edges": [list(edge) for edge in problem.edges],
    }


@handler(
    ZipFile,
    LONG,
    {"No cycle through three vertices in a row": {"text": "a b\nb c\n"}},
    path="hamilton/certificate",
)
def certify_graph(request: HamiltonRequest, work: Work) -> dict[str, Any]:
    """Answer about a graph by a certificate of a no or an optimum: a zip file.

    The graph is solved again, and the time to make the certificate counts.
    """
    with scratch_folder() as folder:
        place = folder / "certificate"
        _, _, found = _solved(request, work, place)
        certificate = found.certificate or {}
        if not place.exists():
            raise Problem(422, f"there is no certificate: {certificate['summary']}")
        pack(place, Path(work.task["path"]))
    return dict(certificate)


def _solved(
    request: HamiltonRequest, work: Work, proof: Path | None = None
) -> tuple[str, HamiltonProblem, HamiltonAnswer]:
    """Return what the text was read as, the problem, and its answer."""
    deadline = Deadline.after(request.time_limit_s)
    work.channel.report(TimeLimit(request.time_limit_s))
    graph = read_graph(
        request.text,
        number=request.graph,
        kind=request.format,
        reading=Reading(request.undirected, request.isolated),
    )
    if len(graph.vertices) > work.cards:
        size = len(graph.vertices)
        raise Problem(413, f"{size} vertices are more than the {work.cards} allowed")
    goal = Goal.of(graph) if request.goal is None else Goal(request.goal)
    problem = named_problem(graph, goal, request.source, request.target)
    work.channel.report(TimeLimit(request.time_limit_s, GRACE_S))
    options = Options(time_limit_s=deadline.limit_s, seed=request.seed, proof=proof)
    return graph.said, problem, solve_problem(problem, options)
