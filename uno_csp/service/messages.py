"""The JSON of requests and responses that several rooms know: questions, answers, jobs, problems.

A question is read by :func:`uno_csp.parse`, so that the service and the files say the same of a bad
one; its schema is the union of the types of questions, told apart by ``question``.
"""

from collections.abc import Iterable
from dataclasses import MISSING, fields
from functools import reduce
from inspect import getdoc
from operator import or_
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    RootModel,
    ValidationInfo,
    WithJsonSchema,
    create_model,
)
from pydantic_core import CoreSchema, core_schema

from uno_csp.errors import InstanceError
from uno_csp.formats import answer_files
from uno_csp.formats.answer_files import answer_type
from uno_csp.questions import Instance, OpenGame, Uno1, question_types
from uno_csp.questions.fields import without_defaults
from uno_csp.service.job import State
from uno_csp.service.reading import question_of


class SchemaOf:
    """Annotation of a type that is described by the schema of another."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        described = handler.generate_schema(self._kind)
        return core_schema.json_or_python_schema(described, self._read_by(source, handler))

    def _read_by(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return how values are validated: as those of the annotated type."""
        return handler(source)


_CONFIG = ConfigDict(
    extra="forbid", strict=True, allow_inf_nan=False, json_schema_extra=without_defaults
)


class Body(BaseModel):
    """Base of all requests: unknown keys are refused, and values are not coerced."""

    model_config = _CONFIG


def _asked(kind: type[Instance]) -> type[BaseModel]:
    """Return the description of a kind of question: its fields, and its name as ``question``."""
    hints = get_type_hints(kind, include_extras=True)
    defaults = ((each, ... if each.default is MISSING else each.default) for each in fields(kind))
    given = {each.name: (hints[each.name], default) for each, default in defaults}
    found: type[BaseModel] = create_model(
        kind.__name__,
        __doc__=kind.__doc__,
        __config__=_CONFIG,
        question=(Literal[kind.question], ...),
        **given,  # type: ignore[call-overload]
    )
    return found


def reply_of(name: str, kind: type, **others: Any) -> Any:
    """Return the type of a reply: the fields of a dataclass, some of them of other types."""
    hints = get_type_hints(kind)
    wanted = {each.name: hints[each.name] for each in fields(kind)} | others
    given: dict[str, Any] = {each: (it, ...) for each, it in wanted.items()}
    return create_model(name, __doc__=(getdoc(kind) or "").partition("\n\nParam")[0], **given)


_ASKED = {kind: _asked(kind) for kind in question_types().values()}


def _any_of(name: str, kinds: Iterable[type[BaseModel]]) -> Any:
    """Return the union of some types, told apart by ``question``, as a type with a name."""
    union: Any = Annotated[reduce(or_, kinds), Field(discriminator="question")]
    return type(name, (RootModel[union],), {"__module__": __name__})


AnyQuestion = _any_of("AnyQuestion", _ASKED.values())
AnyAnswer = _any_of("AnyAnswer", map(answer_type, _ASKED))


class _Asked(SchemaOf):
    """Annotation of a question of one kind, or of any: it is parsed, and its size checked."""

    def __init__(self, kind: type[Instance] | None = None) -> None:
        super().__init__(AnyQuestion if kind is None else _ASKED[kind])
        self._wanted = kind

    def _read_by(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._read)

    def _read(self, given: Any, info: ValidationInfo) -> Instance:
        if not isinstance(given, dict):
            raise ValueError("expected an object")
        instance = question_of(given, info.context or 0)
        if self._wanted is not None and not isinstance(instance, self._wanted):
            wanted = self._wanted.question
            raise InstanceError(f"question: {instance.question} is not allowed; expected {wanted}")
        return instance


Question = Annotated[Instance, _Asked()]
Hand = Annotated[Uno1, _Asked(Uno1)]
Game = Annotated[OpenGame, _Asked(OpenGame)]
QuestionJson = Annotated[dict[str, Any], SchemaOf(AnyQuestion)]
UnreadQuestion = Annotated[Any, SchemaOf(AnyQuestion)]
AnswerJson = Annotated[dict[str, Any], SchemaOf(AnyAnswer)]


class AnswerFile(answer_files.AnswerFile):
    """The part of an answer that can be checked."""

    model_config = ConfigDict(json_schema_extra=without_defaults)


Claim = Annotated[dict[str, Any], SchemaOf(AnswerFile)]


class TextFile:
    """Reply of a handler that writes a text file at the ``path`` of its task."""


class ZipFile:
    """Reply of a handler that writes a zip file at the ``path`` of its task."""


Text = Annotated[str, Field(min_length=1, max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]
WallS = Annotated[float, Field(gt=0, le=30)]  # time limit in seconds of a request in a lane
_VALUE = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
_CARD = {"anyOf": [{"type": "string"}, {"type": "array", "items": _VALUE}]}
GivenCard = Annotated[Any, WithJsonSchema(_CARD)]
GivenRules = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]})]


class ProblemBody(BaseModel):
    """An error, as in RFC 9457; ``place`` locates it in the input."""

    type: str
    title: str
    status: int
    detail: str
    place: str | None = None


class ProgressBody(BaseModel):
    """Progress of a job: solver calls, cuts, and the incumbent and bound if known."""

    rounds: int | None = None
    cuts: int | None = None
    elapsed_s: float | None = None
    objective: int | None = None
    bound: int | None = None
    proving: bool = False


class JobBody(BaseModel):
    """A job, with ``progress`` while it runs, ``answer`` once done, and ``problem`` if it failed.

    A cancelled job may have an ``answer`` too, with its incumbent and bound at that time. The
    limits are those that hold, of the request or of the server; jobs of a list have neither limits
    nor question nor answer.
    """

    id: str
    state: State
    created: float
    started: float | None
    finished: float | None
    cached: bool
    instance: QuestionJson | None = None
    time_limit_s: float | None = None
    memory_limit_mb: float | None = None
    progress: ProgressBody | None = None
    answer: AnswerJson | None = None
    problem: ProblemBody | None = None


class Deleted(BaseModel):
    """Number of jobs that were deleted."""

    deleted: int


class JobPage(BaseModel):
    """Jobs, newest first; pass ``next`` as ``before`` to get the next page."""

    jobs: list[JobBody]
    next: int | None
