"""The JSON of requests and responses, as OpenAPI shows it.

Questions are read by :func:`uno_csp.parse`, so that the service and the files say the same of a bad
one; their schemas here are those of :mod:`uno_csp.formats.questions`. Where the schema of something
is not pydantic's to make, :data:`STANDS_FOR` names it, and
:mod:`uno_csp.service.api.description` puts it in place.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from uno_csp.agents.advice import FEWEST_DEALS
from uno_csp.agents.advising import MOST_DEALS
from uno_csp.agents.players import BEST
from uno_csp.agents.reviewing import DEALS as REVIEW_DEALS
from uno_csp.algorithms.analysis import MOST_POSITIONS
from uno_csp.open_game.rules import DEFAULT
from uno_csp.service.api.replies import ProblemBody
from uno_csp.service.stores.store import State

STANDS_FOR = "x-stands-for"  # key of a placeholder schema, with the schema it refers to


def _stands_for(name: str) -> WithJsonSchema:
    return WithJsonSchema({STANDS_FOR: name})


Text = Annotated[str, Field(max_length=200)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]


Question = Annotated[dict[str, Any], _stands_for("Question")]  # in the JSON of question files
AnswerOfAny = Annotated[dict[str, Any], _stands_for("Answer")]  # to a question of any kind
Claim = Annotated[dict[str, Any], _stands_for("Claim")]  # the part of an answer that can be checked
_VALUE = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
_CARD = {"anyOf": [{"type": "string"}, {"type": "array", "items": _VALUE}]}
GivenCard = Annotated[Any, WithJsonSchema(_CARD)]
GivenRules = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]})]
GivenTurn = Annotated[dict[str, Any], _stands_for("Turn")]  # read by the open game's own parser


class Body(BaseModel):
    """Base of all requests: unknown keys are refused, and values are not coerced."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _Solving(Body):
    method: Text | None = None
    backend: Text | None = None
    connectivity: Text | None = None
    seed: Seed = 0
    presolve: bool = True


class SolveRequest(_Solving):
    """A question, in the form of question files, and the solver options."""

    instance: Question
    time_limit_s: Annotated[float, Field(gt=0)] | None = None
    memory_limit_mb: Annotated[float, Field(gt=0)] | None = None
    proof: bool = False


class SolveManyRequest(_Solving):
    """Up to 1000 questions, and the solver options of each; ``time_limit_s`` is for each, too.

    All together take up to 45 seconds; questions for which no time is left are UNKNOWN.
    """

    instances: Annotated[list[Question], Field(max_length=1000)]
    time_limit_s: Annotated[float, Field(gt=0, le=30)] = 5.0


class AnswersBody(BaseModel):
    """For each question its answer, or the problem with it, in order."""

    answers: list[AnswerOfAny | ProblemBody]


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
    parameters: dict[str, Any] = {}
    seed: Seed | None = None
    shuffle: Seed | None = None
    question: Text | None = None


class ParseRequest(Body):
    """The content of a question file: JSON, or text with one card per line."""

    text: str


class AnalyseRequest(Body):
    """A game with open cards, and the turns played so far."""

    instance: Question
    plays: Annotated[list[GivenTurn], Field(max_length=2000)] = []
    most: Annotated[int, Field(ge=0, le=MOST_POSITIONS)] = MOST_POSITIONS


class _Agent(Body):
    agent: Text = BEST
    deals: Annotated[int, Field(ge=1, le=MOST_DEALS)] | None = None
    time_limit_s: Annotated[float, Field(gt=0, le=30)] = 15.0
    seed: Seed = 0


class AdviseRequest(_Agent):
    """Knowledge of the player to move, cards as codes; ``others`` has the other hands' sizes."""

    hand: Annotated[list[GivenCard], Field(min_length=1, max_length=108)]
    after: GivenCard
    colour: Text | None = None
    others: Annotated[list[int], Field(min_length=1, max_length=9)]
    seen: Annotated[list[GivenCard], Field(max_length=108)] = []
    rules: GivenRules = DEFAULT


class MoveRequest(_Agent):
    """A game, and the turns so far; the agent sees only the hand of the player to move."""

    instance: Question
    plays: Annotated[list[GivenTurn], Field(max_length=2000)] = []


class ReviewRequest(Body):
    """A game and its turns, of which the last one is reviewed."""

    instance: Question
    plays: Annotated[list[GivenTurn], Field(max_length=2000)]
    deals: Annotated[int, Field(ge=FEWEST_DEALS, le=MOST_DEALS)] = REVIEW_DEALS
    seed: Seed = 0


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
    time_limit_s: Annotated[float, Field(gt=0, le=30)] = 15.0
    seed: Seed = 0


class CountRequest(Body):
    """A ``uno-1`` question whose plays are counted."""

    instance: Question
    method: Literal["table", "eulerian", "frontier"] | None = None
    time_limit_s: Annotated[float, Field(gt=0, le=30)] = 20.0


class PuzzleRequest(Body):
    """A puzzle to make: a hand with exactly one play, some of whose cards may be missing."""

    cards: Annotated[int, Field(ge=4, le=16)] = 10
    level: Literal["easy", "medium", "hard"] | None = None
    missing: Annotated[int, Field(ge=0, le=3)] = 0
    seed: Seed = 0
    time_limit_s: Annotated[float, Field(gt=0, le=30)] = 20.0


class HintRequest(Body):
    """A puzzle, and the cards of its hand that were played so far."""

    instance: Question
    played: list[GivenCard] = []


class PuzzleBody(BaseModel):
    """A hand with exactly one play, what a person has to do to find it, and that play."""

    question: Question
    level: str
    seed: int
    forced: int
    wrong: int
    depth: int
    missing: list[list[int | str]]
    solution: list[list[int | str]]


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

    A cancelled job may have an ``answer`` too, with its incumbent and bound at that time.
    """

    id: str
    state: State
    created: float
    started: float | None
    finished: float | None
    cached: bool
    instance: Question | None = None
    progress: ProgressBody | None = None
    answer: AnswerOfAny | None = None
    problem: ProblemBody | None = None


class JobPage(BaseModel):
    """Jobs, newest first; pass ``next`` as ``before`` to get the next page."""

    jobs: list[JobBody]
    next: int | None
