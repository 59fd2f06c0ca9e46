"""Handlers of the real game: analysis, advice, and the turns of an agent."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from uno_csp.agents.advice import FEWEST_DEALS, MOST_DEALS, Advice, Prospect, best_words
from uno_csp.agents.advising import advise
from uno_csp.agents.players import AGENTS, BEST
from uno_csp.agents.playing import play_turn
from uno_csp.agents.reviewing import DEALS as REVIEW_DEALS
from uno_csp.agents.reviewing import Reviewed, review_turn
from uno_csp.agents.seats import Seat
from uno_csp.algorithms.analysis import MOST_POSITIONS, analyse
from uno_csp.algorithms.stepping import GameState
from uno_csp.errors import UnoCspError
from uno_csp.open_game.rules import DEFAULT
from uno_csp.processes.channel import TimeLimit
from uno_csp.questions.fields import GIVEN, without_defaults
from uno_csp.questions.open_game import official_card, rules_of
from uno_csp.questions.wording import shown
from uno_csp.service.handlers.declaring import LONG, Work, handler
from uno_csp.service.messages import (
    Body,
    Game,
    GivenCard,
    GivenRules,
    SchemaOf,
    Seed,
    Text,
    WallS,
    reply_of,
)
from uno_csp.service.problems import REASON, Problem

GRACE_S = 3.0  # seconds after its time limit in which an agent has to answer
_GAME = {"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1"}


class Turn(BaseModel):
    """A turn of the real game: cards drawn, the code of the card laid, the colour named."""

    draws: int
    lays: Annotated[str | None, GIVEN] = None
    names: Annotated[str | None, GIVEN] = None


class TakenTurn(Turn):
    """A turn as a request has it."""

    model_config = ConfigDict(json_schema_extra=without_defaults)

    draws: int = 0


GivenTurn = Annotated[dict[str, Any], SchemaOf(TakenTurn)]  # read by the open game's own parser
Turns = Annotated[list[GivenTurn], Field(max_length=2000)]


class AnalyseRequest(Body):
    """A game with open cards, and the turns played so far."""

    instance: Game
    plays: Turns = Field(default_factory=list)
    most: Annotated[int, Field(ge=0, le=MOST_POSITIONS)] = MOST_POSITIONS
    time_limit_s: WallS = 20.0


class _Agent(Body):
    agent: Text = BEST
    deals: Annotated[int, Field(ge=FEWEST_DEALS, le=MOST_DEALS)] | None = None
    time_limit_s: WallS = 15.0
    seed: Seed = 0


class AdviseRequest(_Agent):
    """Knowledge of the player to move, cards as codes; ``others`` has the other hands' sizes."""

    hand: Annotated[list[GivenCard], Field(min_length=1, max_length=108)]
    after: GivenCard
    colour: Text | None = None
    others: Annotated[list[int], Field(min_length=1, max_length=9)]
    seen: list[GivenCard] = Field(default_factory=list, max_length=108)
    rules: GivenRules = DEFAULT


class ReviewRequest(Body):
    """A game and its turns, of which the last one is reviewed."""

    instance: Game
    plays: Turns
    deals: Annotated[int, Field(ge=FEWEST_DEALS, le=MOST_DEALS)] = REVIEW_DEALS
    seed: Seed = 0
    time_limit_s: WallS = 30.0


class MoveRequest(_Agent):
    """A game, and the turns so far; the agent sees only the hand of the player to move."""

    instance: Game
    plays: Turns = Field(default_factory=list)


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
    """The winner, the outcome of each legal move, and a line of best play with its points.

    ``turned_up`` says what the card that was turned up first did.
    """

    turned_up: str
    position: GamePosition | None
    winner: Winner
    moves: list[Prospects]
    plays: list[PlayedTurn]
    score: Annotated[dict[str, int] | None, GIVEN] = None
    turns: int | None = None


AdvisedMove = reply_of("AdvisedMove", Prospect, move=Turn)
AdviceBody = reply_of("AdviceBody", Advice, words=str, moves=list[AdvisedMove])  # type: ignore[valid-type]
ReviewBody = reply_of("ReviewBody", Reviewed, move=Turn, best=Turn | None)


class MoveBody(BaseModel):
    """The turn that an agent plays, and how it saw its choices; none if it had no choice.

    ``words`` say which of them are best.
    """

    turn: Turn
    words: str
    moves: list[AdvisedMove]  # type: ignore[valid-type]


@handler(
    AnalysisBody,
    LONG,
    {
        "After player 1 has played a card": {
            "instance": _GAME,
            "plays": [{"draws": 0, "lays": "R5"}],
        }
    },
)
def analyse_game(request: AnalyseRequest, _work: Work) -> dict[str, Any]:
    """Return the outcome of every move of an open game, after some turns have been played."""
    limit_s = request.time_limit_s
    return analyse(request.instance, request.plays, most=request.most, time_limit_s=limit_s)


@handler(
    AdviceBody,
    LONG,
    {
        "One other hand of two cards": {
            "hand": ["R5", "B3"],
            "after": "R1",
            "others": [2],
            "deals": 1000,
        }
    },
)
def advise_player(request: AdviseRequest, work: Work) -> dict[str, Any]:
    """Return the share of the deals that agree with what is known in which each move wins."""
    _limit(request, work)
    seat = Seat(
        tuple(official_card(card, f"hand[{i}]") for i, card in enumerate(request.hand)),
        official_card(request.after, "after"),
        tuple(request.others),
        request.colour,
        tuple(official_card(card, f"seen[{i}]") for i, card in enumerate(request.seen)),
        rules_of(request.rules),
    )
    options = request.model_dump(include={"agent", "deals", "time_limit_s", "seed"})
    with _blamed(request.agent):
        return advise(seat, **options).to_dict()


@handler(
    MoveBody,
    LONG,
    {"The first move of a small game": {"instance": _GAME, "plays": [], "deals": 1000}},
    path="move",
)
def choose_move(request: MoveRequest, work: Work) -> dict[str, Any]:
    """Let an agent that sees one hand play the next turn of an open game."""
    _limit(request, work)
    state = GameState(request.instance)
    for at, turn in enumerate(request.plays):
        state = state.played(turn, f"plays[{at}]")
    budget = {} if request.deals is None else {"work": request.deals}
    kind = AGENTS.find(request.agent)
    agent = kind(seed=request.seed, seconds=request.time_limit_s, **budget)
    with _blamed(request.agent):
        after, prospects = play_turn(state, agent)
    moves = [each.to_dict() for each in prospects]
    return {"turn": after.turns[-1], "words": best_words(prospects), "moves": moves}


@handler(
    ReviewBody,
    LONG,
    {"What the first turn gave away": {"instance": _GAME, "plays": [{"lays": "R7"}]}},
)
def review_game(request: ReviewRequest, work: Work) -> dict[str, Any]:
    """Return what the last turn of an open game gave away, from the seat of who moved."""
    work.channel.report(TimeLimit(request.time_limit_s))
    options = request.model_dump(include={"deals", "seed"})
    return review_turn(request.instance, request.plays, **options).to_dict()


@contextmanager
def _blamed(agent: str) -> Iterator[None]:
    """Raise a Problem with 500 for an error of a plug-in's agent: the request is not at fault."""
    try:
        yield
    except Exception as error:
        if isinstance(error, UnoCspError) and AGENTS.find(agent).__module__.startswith("uno_csp."):
            raise
        raise Problem(500, f"the agent {shown(agent)} failed", **{REASON: repr(error)}) from None


def _limit(request: _Agent, work: Work) -> None:
    """End an agent that does not keep to its time limit, which may be that of a plug-in."""
    work.channel.report(TimeLimit(request.time_limit_s, GRACE_S))
