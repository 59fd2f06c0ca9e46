"""The JSON of requests and responses, as OpenAPI shows it.

Questions are read by :func:`uno_csp.parse`, so that the service and the files say the same of a bad
one; their schemas here are those of :mod:`uno_csp.formats.questions`.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from uno_csp.service.store import State

Text = Annotated[str, Field(max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]


Question = dict[str, Any]
"""A question as its file has it; the application puts its schema in place."""


class Body(BaseModel):
    """What every request forbids: keys that mean nothing."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SolveRequest(Body):
    """A question, in the form of question files, and how to go about it."""

    instance: Question
    method: Text | None = None
    encoding: Text | None = None
    backend: Text | None = None
    connectivity: Text | None = None
    time_limit_s: Annotated[float, Field(gt=0)] | None = None
    memory_limit_mb: Annotated[float, Field(gt=0)] | None = None
    seed: Seed = 0
    presolve: bool = True
    proof: bool = False


class CheckRequest(Body):
    """A question, and an answer in the form of answer files."""

    instance: Question
    answer: dict[str, Any]


class ExportRequest(Body):
    """A question, and the format it is to be written in."""

    instance: Question
    to: Text
    encoding: Text | None = None
    connectivity: Text | None = None
    bound: int | None = None
    varnames: bool = False


class GenerateRequest(Body):
    """A family with its parameters."""

    family: Text
    parameters: dict[str, Any] = {}
    seed: Seed | None = None
    shuffle: Seed | None = None
    question: Text | None = None


class ParseRequest(Body):
    """What a question file holds: JSON, or text with one card a line."""

    text: str


class AnalyseRequest(Body):
    """A game with open cards, and the turns that have been played."""

    instance: Question
    plays: Annotated[list[dict[str, Any]], Field(max_length=2000)] = []


class AdviseRequest(Body):
    """What the player to move knows, cards by their codes; ``others`` counts the other hands."""

    hand: Annotated[list[Any], Field(min_length=1, max_length=108)]
    after: Any
    colour: Text | None = None
    others: Annotated[list[int], Field(min_length=1, max_length=9)]
    seen: Annotated[list[Any], Field(max_length=108)] = []
    rules: Any = "official"
    deals: Annotated[int, Field(ge=1, le=1000)] = 50
    time_limit_s: Annotated[float, Field(gt=0, le=30)] = 15.0
    seed: Seed = 0


class ViolationBody(BaseModel):
    """One rule an answer breaks."""

    rule: str
    step: int | None
    message: str


class Verdict(BaseModel):
    """What the checker says."""

    valid: bool
    violations: list[ViolationBody]


class JobBody(BaseModel):
    """A job; ``answer`` once it is done, ``problem`` if it failed, ``progress`` meanwhile."""

    id: str
    state: State
    created: float
    started: float | None
    finished: float | None
    cached: bool
    instance: dict[str, Any] | None = None
    progress: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    problem: dict[str, Any] | None = None


class JobPage(BaseModel):
    """Jobs, the newest first; ``next`` is the ``before`` of the page after this one."""

    jobs: list[JobBody]
    next: int | None


class Health(BaseModel):
    """The server answers."""

    status: Literal["ok"]


class ProblemBody(BaseModel):
    """An error, as in RFC 9457; ``place`` says where in the input."""

    type: str
    title: str
    status: int
    detail: str
    place: str | None = None
