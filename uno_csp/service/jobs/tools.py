"""Handlers of the tools: checking, exporting and generating."""

from typing import Any

from uno_csp.checker import check, part_checked
from uno_csp.errors import InstanceError, UnknownName
from uno_csp.exports import FORMATS, export
from uno_csp.families import find_family, generate
from uno_csp.formats import parse_answer_object, question_to_dict
from uno_csp.processes.channel import Channel
from uno_csp.service.api.bodies import CheckRequest, ExportRequest, GenerateRequest
from uno_csp.service.jobs.tasks import (
    MOST_MEMBERS,
    Task,
    body_of,
    question_of,
    require_short_lists,
    require_size,
)


def check_answer(task: Task, _channel: Channel) -> dict[str, Any]:
    """Check an answer with the independent checker."""
    request = body_of(CheckRequest, task["body"])
    instance = question_of(request.instance, task["cards"])
    require_short_lists(request.answer, MOST_MEMBERS)
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
