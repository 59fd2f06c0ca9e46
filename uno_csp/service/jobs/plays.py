"""Handlers of the plays of a hand: counting, puzzles and their hints."""

from typing import Any

from uno_csp.counting import count
from uno_csp.errors import InstanceError
from uno_csp.formats import parse
from uno_csp.processes.channel import Channel
from uno_csp.puzzles import Reasoner, puzzle
from uno_csp.questions import Uno1
from uno_csp.service.api.bodies import CountRequest, HintRequest, PuzzleRequest
from uno_csp.service.jobs.tasks import Task, body_of, question_of


def count_plays(task: Task, _channel: Channel) -> dict[str, Any]:
    """Count the plays of a hand."""
    request = body_of(CountRequest, task["body"])
    hand = question_of(request.instance, task["cards"])
    return count(hand, request.method, time_limit_s=request.time_limit_s).to_dict()


def make_puzzle(task: Task, _channel: Channel) -> dict[str, Any]:
    """Make a puzzle."""
    request = body_of(PuzzleRequest, task["body"])
    made = puzzle(**request.model_dump())
    return made.to_dict()


def hint_puzzle(task: Task, _channel: Channel) -> dict[str, Any]:
    """Give a hint for a puzzle."""
    request = body_of(HintRequest, task["body"])
    instance = question_of(request.instance, task["cards"])
    if not isinstance(instance, Uno1):
        raise InstanceError(f"question: hints are for uno-1, not for {instance.question}")
    played = parse({"question": Uno1.question, "cards": request.played}).cards
    hint = Reasoner(instance).hint(played)
    return {"card": None if hint.card is None else list(hint.card), "reason": hint.reason}
