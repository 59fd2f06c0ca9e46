"""Handler of Hamiltonian problems on graphs."""

from typing import Any

from uno_csp.errors import InstanceError
from uno_csp.hamilton import Goal, named_problem, read_graphs, solve_problem
from uno_csp.pipeline import Options
from uno_csp.processes.channel import Channel, TimeLimit
from uno_csp.processes.deadline import Deadline
from uno_csp.service.api.bodies import HamiltonRequest
from uno_csp.service.jobs.tasks import Task, body_of
from uno_csp.service.problems import Problem

GRACE_S = 1.0
"""Seconds after its time limit in which a solver has to answer."""


def solve_graph(task: Task, channel: Channel) -> dict[str, Any]:
    """Answer a Hamiltonian problem; the time to read the graph counts."""
    began = Deadline.after(0.0)
    request = body_of(HamiltonRequest, task["body"])
    deadline = began.shifted(request.time_limit_s)
    channel.report(TimeLimit(request.time_limit_s))
    graphs = list(read_graphs(request.text, kind=request.format))
    if len(graphs) != 1:
        raise InstanceError(f"text: {len(graphs)} graphs; expected one")
    (graph,) = graphs
    if len(graph) > task["cards"]:
        raise Problem(413, f"{len(graph)} vertices are more than the {task['cards']} allowed")
    ends = (request.source, request.target)
    problem = named_problem(graph, Goal(request.goal), *ends)
    channel.report(TimeLimit(request.time_limit_s, GRACE_S))
    options = Options(time_limit_s=deadline.limit_s, seed=request.seed)
    answer = solve_problem(problem, options).to_dict()
    del answer["certificate"]
    return {
        **answer,
        "vertices": list(problem.vertices),
        "edges": [list(edge) for edge in problem.edges],
    }
