"""The JSON of what is told in reply, but for questions, answers and jobs."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict

from uno_csp.questions.fields import GIVEN


class ProblemBody(BaseModel):
    """An error, as in RFC 9457; ``place`` says where in the input."""

    type: str
    title: str
    status: int
    detail: str
    place: str | None = None


class Health(BaseModel):
    """The server answers."""

    status: Literal["ok"]


class Readiness(Health):
    """The server takes jobs; ``workers`` of the cluster, if there is one, are there to solve them.

    Where there are none jobs wait, and ``detail`` says so.
    """

    workers: Annotated[int | None, GIVEN] = None
    detail: Annotated[str | None, GIVEN] = None


class ViolationBody(BaseModel):
    """One rule an answer breaks."""

    rule: str
    step: int | None
    message: str


class Verdict(BaseModel):
    """What the checker says."""

    valid: bool
    violations: list[ViolationBody]


class Turn(BaseModel):
    """A turn of the real game: cards drawn, the code of the card laid, the colour named."""

    draws: int
    lays: Annotated[str | None, GIVEN] = None
    names: Annotated[str | None, GIVEN] = None


class PlayedTurn(Turn):
    """A turn, and whose it was."""

    player: int


Winner = int | Literal["others", "unknown"] | None
"""A player; all who play against player 1; not known; nobody."""


class Prospects(Turn):
    """A turn, and who wins after it."""

    leads_to: Winner


class GamePosition(BaseModel):
    """Where a game stands."""

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
    """Who wins, what each legal move leads to, and a line of best play with its points."""

    position: GamePosition | None
    winner: Winner
    moves: list[Prospects]
    plays: list[PlayedTurn]
    score: Annotated[dict[str, int] | None, GIVEN] = None


class AdvisedMove(BaseModel):
    """A move, in how many deals it was looked at and wins, and an interval for its share."""

    move: Turn
    deals: int
    wins: int
    low: float
    high: float
    share: float


class AdviceBody(BaseModel):
    """The moves, the best first."""

    deals: int
    solved: int
    moves: list[AdvisedMove]


class EncodingRow(BaseModel):
    """An encoding, or an algorithm, which needs no backend."""

    name: str
    needs_backend: bool
    proof: str
    questions: list[str]
    connectivity: list[str]
    summary: str


class BackendRow(BaseModel):
    """A solver, and how to install it where it is not."""

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
"""The rows of each listing."""
