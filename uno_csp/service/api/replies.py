"""Pydantic models of responses, except questions, answers and jobs."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from uno_csp.questions.fields import GIVEN


class ProblemBody(BaseModel):
    """An error, as in RFC 9457; ``place`` locates it in the input."""

    type: str
    title: str
    status: int
    detail: str
    place: str | None = None


class Health(BaseModel):
    """The server is up."""

    status: Literal["ok"]


class Readiness(Health):
    """The server accepts jobs; ``workers`` is the number of workers of its cluster, if any.

    If the cluster has no workers, jobs wait, and ``detail`` says so.
    """

    workers: Annotated[int | None, GIVEN] = None
    detail: Annotated[str | None, GIVEN] = None


class ViolationBody(BaseModel):
    """A rule that the answer violates."""

    rule: str
    step: int | None
    message: str


class Verdict(BaseModel):
    """The checker's verdict on an answer."""

    valid: bool
    checked: str
    violations: list[ViolationBody]


class Turn(BaseModel):
    """A turn of the real game: cards drawn, the code of the card laid, the colour named."""

    draws: int
    lays: Annotated[str | None, GIVEN] = None
    names: Annotated[str | None, GIVEN] = None


class PlayedTurn(Turn):
    """A turn, and the player who took it."""

    player: int


Winner = int | Literal["others", "unknown"] | None  # `others` are all but player 1


class Prospects(Turn):
    """A turn, and who wins after it; if all help player 1, in how many turns she can be out."""

    leads_to: Winner
    turns: int | None = None


class GamePosition(BaseModel):
    """A position of the real game."""

    model_config = ConfigDict(extra="allow")

    player: int
    hands: list[list[str]]
    colour: str
    symbol: str | None
    drawn: int
    direction: int
    pending: int | Literal["skip"]
    passes: int


class AnalysisBody(BaseModel):
    """Who wins, what each legal move leads to, and a line of best play with its points.

    ``turned_up`` says what the card that was turned up first did.
    """

    turned_up: str
    position: GamePosition | None
    winner: Winner
    moves: list[Prospects]
    plays: list[PlayedTurn]
    score: Annotated[dict[str, int] | None, GIVEN] = None
    turns: int | None = None


class AdvisedMove(BaseModel):
    """A move, the share of the deals that it wins, and how far it is behind the best one."""

    move: Turn
    deals: int
    share: float | None
    low: float | None
    high: float | None
    behind: float | None
    behind_low: float | None
    behind_high: float | None
    equal: bool


class AdviceBody(BaseModel):
    """The moves, best first; ``words`` say which are best, ``policy`` how play goes on."""

    deals: int
    exact: bool
    policy: str
    words: str
    moves: list[AdvisedMove]


class MoveBody(BaseModel):
    """The turn that an agent plays, and how it saw its choices; none if it had no choice.

    ``words`` say which of them are best.
    """

    turn: Turn
    words: str
    moves: list[AdvisedMove]


class ReviewBody(BaseModel):
    """What a turn gave away, from the seat of the player who moved."""

    turn: int
    player: int
    move: Turn
    mark: Literal["only", "good", "doubtful", "mistake"]
    before: float | None
    after: float | None
    lost: float | None
    best: Turn | None
    could: Literal["wins", "nobody wins", "loses"] | None
    did: Literal["wins", "nobody wins", "loses"] | None
    words: str


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


class Beginning(BaseModel):
    """A kind of card, and how many plays begin with it."""

    card: list[int | str]
    plays: int | str


class CountBody(BaseModel):
    """The number of plays; numbers of more than 15 digits are strings."""

    question: str
    status: str
    objective: int | str | None
    bound: int | str
    first: list[Beginning] | None
    method: str | None
    reason: str
    checked: bool
    wall_s: float


class HintBody(BaseModel):
    """The next card of the solution, or null if the last one has to be taken back; and why."""

    card: list[int | str] | None
    reason: str


class EncodingRow(BaseModel):
    """An encoding, or an algorithm, which needs no backend."""

    name: str
    needs_backend: bool
    proof: str
    questions: list[str]
    connectivity: list[str]
    summary: str


class BackendRow(BaseModel):
    """A solver backend, and how to install it if it is missing."""

    name: str
    installed: bool
    version: str | None
    install: str | None
    summary: str


class ParameterRow(BaseModel):
    """A parameter of a family."""

    name: str
    default: Any
    meaning: str
    allowed: str


class FamilyRow(BaseModel):
    """A family of instances."""

    name: str
    origin: str
    seeded: bool
    parameters: list[ParameterRow]
    summary: str


class QuestionRow(BaseModel):
    """A kind of question."""

    name: str
    title: str
    how_played: str
    sense: str
    shows: list[str]
    keys: list[str]
    summary: str


class FormatRow(BaseModel):
    """A format for other solvers."""

    name: str


ROWS: dict[str, type[BaseModel]] = {
    "encodings": EncodingRow,
    "backends": BackendRow,
    "families": FamilyRow,
    "questions": QuestionRow,
    "formats": FormatRow,
}
"""Model of the rows of each listing."""
