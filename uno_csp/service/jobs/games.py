"""Handlers of the real game: analysis, advice, and the turns of an agent."""

from typing import Any

from uno_csp.agents.advice import best_words
from uno_csp.agents.advising import advise
from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import play_turn
from uno_csp.agents.reviewing import review_turn
from uno_csp.agents.seats import Seat
from uno_csp.algorithms.analysis import analyse
from uno_csp.algorithms.stepping import GameState
from uno_csp.processes.channel import Channel
from uno_csp.questions.open_game import official_card, rules_of
from uno_csp.service.api.bodies import (
    AdviseRequest,
    AnalyseRequest,
    MoveRequest,
    ReviewRequest,
)
from uno_csp.service.jobs.tasks import Task, body_of, open_game_of

ANALYSIS_S = 20.0  # time limit of one analysis of a game, for which somebody waits


def analyse_game(task: Task, _channel: Channel) -> dict[str, Any]:
    """Analyse what each move leads to, in a game after the turns played so far."""
    request = body_of(AnalyseRequest, task["body"])
    instance = open_game_of(request.instance, task["cards"])
    return analyse(instance, request.plays, most=request.most, time_limit_s=ANALYSIS_S)


def advise_player(task: Task, _channel: Channel) -> dict[str, Any]:
    """Estimate which card to play when the other hands are hidden."""
    request = body_of(AdviseRequest, task["body"])
    seat = Seat(
        tuple(official_card(card, f"hand[{i}]") for i, card in enumerate(request.hand)),
        official_card(request.after, "after"),
        tuple(request.others),
        request.colour,
        tuple(official_card(card, f"seen[{i}]") for i, card in enumerate(request.seen)),
        rules_of(request.rules),
    )
    return advise(
        seat,
        agent=request.agent,
        deals=request.deals,
        time_limit_s=request.time_limit_s,
        seed=request.seed,
    ).to_dict()


def choose_move(task: Task, _channel: Channel) -> dict[str, Any]:
    """Let an agent play the next turn of a game, of which it sees one hand."""
    request = body_of(MoveRequest, task["body"])
    state = GameState(open_game_of(request.instance, task["cards"]))
    for at, turn in enumerate(request.plays):
        state = state.played(turn, f"plays[{at}]")
    budget = {} if request.deals is None else {"work": request.deals}
    kind = AGENTS.find(request.agent)
    agent = kind(seed=request.seed, seconds=request.time_limit_s, **budget)
    after, prospects = play_turn(state, agent)
    moves = [each.to_dict() for each in prospects]
    return {"turn": after.turns[-1], "words": best_words(prospects), "moves": moves}


def review_game(task: Task, _channel: Channel) -> dict[str, Any]:
    """Review the last turn of a game."""
    request = body_of(ReviewRequest, task["body"])
    instance = open_game_of(request.instance, task["cards"])
    return review_turn(instance, request.plays, deals=request.deals, seed=request.seed).to_dict()
