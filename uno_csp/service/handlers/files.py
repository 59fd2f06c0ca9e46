"""Handlers of questions and answers as files: parsing, checking, exporting and generating."""

from dataclasses import asdict
from typing import Any

from pydantic import BaseModel, Field

from uno_csp.checker import check, part_checked, parts_unchecked
from uno_csp.checker.claims import Violation
from uno_csp.errors import InstanceError, UnknownName
from uno_csp.exports import FORMATS, export
from uno_csp.families import find_family, generate
from uno_csp.formats import parse, parse_answer_object, question_to_dict
from uno_csp.service.handlers.declaring import FILE, PARSE, SHORT, Work, handler
from uno_csp.service.messages import Body, Claim, Question, QuestionJson, Seed, Text, TextFile
from uno_csp.service.reading import MOST_MEMBERS, require_short_lists, require_size, require_words

_HAND = {"question": "uno-1", "cards": ["R5", "R7", "B7"]}
_PLAYED = {"question": "uno-1", "status": "SATISFIABLE", "sequence": ["R5", "R7", "B7"]}


class ParseRequest(Body):
    """The content of a question file: JSON, or text with one card per line."""

    text: str


class CheckRequest(Body):
    """A question, and an answer in the form of answer files."""

    instance: Question
    answer: Claim


class ExportRequest(Body):
    """A question, and the format to export it to."""

    instance: Question
    to: Text
    method: Text | None = None
    connectivity: Text | None = None
    bound: int | None = None
    varnames: bool = False


class GenerateRequest(Body):
    """A family with its parameters."""

    family: Text
    parameters: dict[str, Any] = Field(default_factory=dict)
    seed: Seed | None = None
    shuffle: Seed | None = None
    question: Text | None = None


class Verdict(BaseModel):
    """The checker's verdict on an answer."""

    valid: bool
    checked: str
    unchecked: list[str]
    violations: list[Violation]


@handler(QuestionJson, PARSE, {"One card per line": {"text": "red 5\nred 7\nblue 7"}})
def parse_question(request: ParseRequest, work: Work) -> dict[str, Any]:
    """Return the question in a file's text, JSON or one card a line."""
    require_words(request.text, work.cards)
    instance = parse(request.text)
    require_size(instance, work.cards)
    return question_to_dict(instance, draw_fours=True)


@handler(Verdict, SHORT, {"A sequence": {"instance": _HAND, "answer": _PLAYED}})
def check_answer(request: CheckRequest, _work: Work) -> dict[str, Any]:
    """Check an answer with the independent checker."""
    require_short_lists(request.answer, MOST_MEMBERS)
    answer = parse_answer_object(request.answer)
    violations = check(request.instance, answer)
    listed = list(map(asdict, violations))
    parts = {"checked": part_checked(answer), "unchecked": parts_unchecked(answer)}
    return {"valid": not violations, **parts, "violations": listed}


@handler(TextFile, FILE, {"For a SAT solver": {"instance": _HAND, "to": "dimacs"}})
def export_question(request: ExportRequest, work: Work) -> dict[str, Any]:
    """Export the question as a file for other solvers."""
    if request.to not in FORMATS:
        raise UnknownName("format", request.to, FORMATS)
    options = request.model_dump(exclude={"instance", "to"})
    written = export(request.instance, request.to, work.task["path"], **options)
    return {"variables": written.variables, "constraints": written.constraints}


@handler(
    QuestionJson,
    SHORT,
    {"A random hand": {"family": "random", "parameters": {"cards": 6}, "seed": 1}},
)
def generate_question(request: GenerateRequest, work: Work) -> dict[str, Any]:
    """Make an instance of a family."""
    find_family(request.family).require_names(request.parameters)  # some are arguments below
    for name in ("cards", "vertices"):
        wanted = request.parameters.get(name, 0)
        if isinstance(wanted, int) and wanted > work.cards:
            raise InstanceError(f"{name}: {wanted} is not allowed; expected at most {work.cards}")
    options = request.model_dump(exclude={"family", "parameters"})
    made = generate(request.family, **options, **request.parameters)
    require_size(made, work.cards)
    return question_to_dict(made)
