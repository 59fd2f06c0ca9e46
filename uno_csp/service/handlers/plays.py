"""Handlers of the plays of a hand: counting, puzzles and their hints."""

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from uno_csp.counting import count
from uno_csp.formats import parse
from uno_csp.puzzles import Hint, Reasoner, puzzle
from uno_csp.questions import Uno1
from uno_csp.service.handlers.declaring import LONG, SHORT, Work, handler
from uno_csp.service.messages import Body, GivenCard, Hand, QuestionJson, Seed, WallS, reply_of

_puzzle = lru_cache(64)(puzzle)  # all visitors of a day ask for the same
_HAND = {"question": "uno-1", "cards": ["R5", "R7", "B7"]}


class CountRequest(Body):
    """A ``uno-1`` question whose plays are counted."""

    instance: Hand
    method: Literal["table", "eulerian", "frontier"] | None = None
    time_limit_s: WallS = 20.0


class PuzzleRequest(Body):
    """A puzzle to make: a hand with exactly one play, some of whose cards may be missing."""

    cards: Annotated[int, Field(ge=4, le=16)] = 10
    level: Literal["easy", "medium", "hard"] | None = None
    missing: Annotated[int, Field(ge=0, le=3)] = 0
    seed: Seed = 0
    time_limit_s: WallS = 20.0


class PuzzleBody(BaseModel):
    """A hand with exactly one play, what a person has to do to find it, and that play."""

    question: QuestionJson
    level: str
    seed: int
    forced: int
    wrong: int
    depth: int
    missing: list[list[int | str]]
    solution: list[list[int | str]]


class HintRequest(Body):
    """A puzzle, and the cards of its hand that were played so far."""

    instance: Hand
    played: list[GivenCard] = Field(default_factory=list)
    time_limit_s: WallS = 20.0


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


HintBody = reply_of("HintBody", Hint, card=list[int | str] | None)


@handler(CountBody, LONG, {"All orders of a hand": {"instance": _HAND}})
def count_plays(request: CountRequest, _work: Work) -> dict[str, Any]:
    """Count the plays of a whole hand."""
    return count(request.instance, request.method, time_limit_s=request.time_limit_s).to_dict()


@handler(
    PuzzleBody, LONG, {"An easy puzzle": {"cards": 7, "level": "easy", "seed": 1}}, path="puzzle"
)
def make_puzzle(request: PuzzleRequest, _work: Work) -> dict[str, Any]:
    """Make a hand with exactly one play; the same request always gets the same one."""
    return _puzzle(**request.model_dump()).to_dict()


@handler(HintBody, SHORT, {"The first hint": {"instance": {**_HAND, "after": "R1"}}})
def hint_puzzle(request: HintRequest, _work: Work) -> dict[str, Any]:
    """Name the next card of a puzzle and say why, or that the last card has to be taken back."""
    played = parse({"question": Uno1.question, "cards": request.played}).cards
    hint = Reasoner(request.instance, time_limit_s=request.time_limit_s).hint(played)
    return {"card": None if hint.card is None else list(hint.card), "reason": hint.reason}
