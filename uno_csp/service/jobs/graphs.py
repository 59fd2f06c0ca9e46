"""Handler of Hamiltonian problems on graphs."""

from typing import Any

from uno_csp.graph_files.drafts import Reading
from uno_csp.graph_files.reading import read_graph
from uno_csp.hamilton import Goal, named_problem, solve_problem
from uno_csp.hamilton.answers import plain
from uno_csp.pipeline import Options
from uno_csp.processes.channel import Channel, TimeLimit
from uno_csp.processes.deadline import Deadline
from uno_csp.service.api.bodies import HamiltonRequest
from uno_csp.service.jobs.tasks import Task, body_of
from uno_csp.service.problems import Problem

GRACE_S = 1.0  # seconds after its time limit in which a solver has to answer


def solve_graph(task: Task, channel: Channel) -> dict[str, Any]:
    """Answer a Hamiltonian problem; the time to read the graph counts."""
    began = Deadline.after(0.0)
    request = body_of(HamiltonRequest, task["body"])
    deadline = began.shifted(request.time_limit_s)
    channel.report(TimeLimit(request.time_limit_s))
    graph = read_graph(
        request.text,
        number=request.graph,
        kind=request.format,
        reading=Reading(request.undirected, request.isolated),
    )
    if len(graph.vertices) > task["cards"]:
        size = len(graph.vertices)
        raise Problem(413, f"{size} vertices are more than the {task['cards']} allowed")
    goal = request.goal or ("path" if graph.asks_for_path else "cycle")
    problem = named_problem(graph, Goal(goal), request.source, request.target)
    channel.report(TimeLimit(request.time_limit_s, GRACE_S))
    options = Options(time_limit_s=deadline.limit_s, seed=request.seed)
    answer = solve_problem(problem, options).to_dict()
    del answer["certificate"]
    return {
        "read": graph.said,
        **answer,
        "vertices": list(map(plain, problem.vertices)),
        "edges": [list(edge) for edge in problem.edges],
    }
