"""Handlers of the tools: checking, exporting, generating, graphs, counting and puzzles."""

from typing import Any

from uno_csp.checker import check, part_checked
from uno_csp.counting import count
from uno_csp.errors import InstanceError, UnknownName
from uno_csp.exports import FORMATS, export
from uno_csp.families import find_family, generate
from uno_csp.formats import parse, parse_answer_object, question_to_dict
from uno_csp.hamilton import Goal, named_problem, read_graphs, solve_problem
from uno_csp.pipeline import Options
from uno_csp.processes.channel import Channel
from uno_csp.puzzles import Reasoner, puzzle
from uno_csp.questions import Uno1
from uno_csp.service.api.bodies import (
    CheckRequest,
    CountRequest,
    ExportRequest,
    GenerateRequest,
    HamiltonRequest,
    HintRequest,
    PuzzleRequest,
)
from uno_csp.service.jobs.tasks import Task, body_of, question_of, require_size
from uno_csp.service.problems import Problem


def check_answer(task: Task, _channel: Channel) -> dict[str, Any]:
    """Check an answer with the independent checker."""
    request = body_of(CheckRequest, task["body"])
    instance = question_of(request.instance, task["cards"])
    answer = parse_answer_object(request.answer)
    violations = check(instance, answer)
    listed = [
        {"rule": each.rule, "step": each.step, "message": each.message} for each in violations
    ]
    return {"valid": not violations, "checked": part_checked(answer), "violations": listed}


def export_question(task: Task, _channel: Channel) -> dict[str, Any]:
    """Export a question to a path chosen by the server."""
    request = body_of(ExportRequest, task["body"])
    if request.to not in FORMATS:
        raise UnknownName("format", request.to, FORMATS)
    instance = question_of(request.instance, task["cards"])
    options = request.model_dump(exclude={"instance", "to"})
    written = export(instance, request.to, task["path"], **options)
    return {"variables": written.variables, "constraints": written.constraints}


def generate_question(task: Task, _channel: Channel) -> dict[str, Any]:
    """Generate an instance of a family."""
    request = body_of(GenerateRequest, task["body"])
    known = find_family(request.family)
    for name in request.parameters:
        if name not in known.parameters:
            listed = ", ".join(known.parameters) or "none"
            raise InstanceError(f"{name}: not a parameter of {known.name}; there are: {listed}")
    for name in ("cards", "vertices"):
        wanted = request.parameters.get(name, 0)
        if isinstance(wanted, int) and wanted > task["cards"]:
            raise InstanceError(
                f"{name}: {wanted} is not allowed; expected at most {task['cards']}"
            )
    options = request.model_dump(exclude={"family", "parameters"})
    made = generate(request.family, **options, **request.parameters)
    require_size(made, task["cards"])
    return question_to_dict(made)


def solve_graph(task: Task, _channel: Channel) -> dict[str, Any]:
    """Answer a Hamiltonian problem."""
    request = body_of(HamiltonRequest, task["body"])
    graphs = list(read_graphs(request.text, kind=request.format))
    if len(graphs) != 1:
        raise InstanceError(f"text: {len(graphs)} graphs; expected one")
    (graph,) = graphs
    if len(graph) > task["cards"]:
        raise Problem(413, f"{len(graph)} vertices are more than the {task['cards']} allowed")
    ends = (request.source, request.target)
    problem = named_problem(graph, Goal(request.goal), *ends)
    options = Options(time_limit_s=request.time_limit_s, seed=request.seed)
    answer = solve_problem(problem, options).to_dict()
    del answer["certificate"]
    return {
        **answer,
        "vertices": list(problem.vertices),
        "edges": [list(edge) for edge in problem.edges],
    }


def count_plays(task: Task, _channel: Channel) -> dict[str, Any]:
    """Count the plays of a hand."""
    request = body_of(CountRequest, task["body"])
    return count(question_of(request.instance, task["cards"]), request.method).to_dict()


def make_puzzle(task: Task, _channel: Channel) -> dict[str, Any]:
    """Make a puzzle."""
    request = body_of(PuzzleRequest, task["body"])
    made = puzzle(request.cards, level=request.level, missing=request.missing, seed=request.seed)
    return made.to_dict()


def hint_puzzle(task: Task, _channel: Channel) -> dict[str, Any]:
    """Give a hint for a puzzle."""
    request = body_of(HintRequest, task["body"])
    instance = question_of(request.instance, task["cards"])
    if not isinstance(instance, Uno1):
        raise InstanceError(f"question: hints are for uno-1, not for {instance.question}")
    played = parse({"question": Uno1.question, "cards": request.played}).cards
    hint = Reasoner(instance).hint(played)
    return {"card": None if hint.card is None else list(hint.card), "reason": hint.reason}
