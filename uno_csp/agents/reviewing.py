"""Review of a game: what each turn gave away, seen from the seat of the player who moved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, SupportsIndex

from uno_csp.agents.advice import Prospect, require_deals, turn_words
from uno_csp.agents.players import AGENTS
from uno_csp.agents.views import DRAW, Turn, View, view_of
from uno_csp.algorithms.stepping import GameState
from uno_csp.errors import NotAccepted
from uno_csp.open_game.positions import Game, Outcome, Position
from uno_csp.open_game.search import Unfinished, WinSearch
from uno_csp.open_game.telling import move_to_dict
from uno_csp.questions import require_question
from uno_csp.questions.arguments import require_kind, seed_of
from uno_csp.questions.open_game import OpenGame

DEALS = 3_000  # number of deals from which a turn is estimated
MOST_POSITIONS = 20_000  # maximum number of positions searched for a turn by each side
MOST_IN_PYTHON = 300  # and if the search is not compiled

DOUBTFUL, MISTAKE = 0.05, 0.1
"""Shares of the deals from which on what a move gave away makes it doubtful, or a mistake.

As the classes of moves by "expected points" that chess sites show.
"""


class Mark(StrEnum):
    """The quality of a move; ``only`` if there was no choice."""

    ONLY = "only"
    GOOD = "good"
    DOUBTFUL = "doubtful"
    MISTAKE = "mistake"


class Worth(StrEnum):
    """The value of a position to a player if all cards are open and all others play together."""

    LOSES = "loses"
    OPEN = "nobody wins"
    WINS = "wins"


ORDER = (Worth.LOSES, Worth.OPEN, Worth.WINS)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The review of a turn.

    Parameters
    ----------
    turn, player, move
        The number of the turn and the player, from 1, and the turn itself.
    mark
        The quality of the move.
    words
        The review in a sentence.
    before, after, lost
        The shares of the deals that agree with what the player saw which the best move and the one
        made win, and the difference in the deals in which both were played; None if there was no
        choice.
    best
        The best move by these shares.
    could, did
        What the player could force with all cards open against all others together, before and
        after the move; None if the search did not end.
    """

    turn: int
    player: int
    move: Turn
    mark: Mark
    words: str
    before: float | None = None
    after: float | None = None
    lost: float | None = None
    best: Turn | None = None
    could: Worth | None = None
    did: Worth | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the review as a JSON-ready mapping."""
        return asdict(self)


def review(
    instance: OpenGame,
    plays: Sequence[Mapping[str, Any]],
    *,
    deals: SupportsIndex = DEALS,
    seed: SupportsIndex = 0,
) -> Iterator[Reviewed]:
    """Return the review of each turn, the last one first; it can be stopped at any time.

    Parameters
    ----------
    instance, plays
        The game, and its turns as :func:`uno_csp.analyse` takes them.
    deals, seed
        Number of deals from which a turn is estimated, as for :func:`uno_csp.advise`, and their
        random seed.

    Raises
    ------
    InstanceError
        If a turn is not legal.
    NotAccepted
        If a number is out of its range.

    Examples
    --------
    >>> from uno_csp import parse
    >>> game = parse({"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1"})
    >>> [each.mark.value for each in review(game, [{"lays": "R7"}, {"lays": "B7"}])]
    ['only', 'mistake']
    """
    require_question(instance, OpenGame)
    require_kind("plays", plays, list | tuple, "a list of turns")
    states = [GameState(instance)]
    for number, play in enumerate(plays):
        states.append(states[-1].played(play, f"plays[{number}]"))
    drawn, start = require_deals(deals), seed_of(seed)
    return (
        _review(states[number - 1], states[number], number, drawn, start)
        for number in range(len(plays), 0, -1)
    )


def review_turn(
    instance: OpenGame, plays: Sequence[Mapping[str, Any]], *, deals: int = DEALS, seed: int = 0
) -> Reviewed:
    """Return the review of the last of some turns; raise NotAccepted if there is none."""
    found = next(review(instance, plays, deals=deals, seed=seed), None)
    if found is None:
        raise NotAccepted("plays: there is no turn to review")
    return found


def _review(state: GameState, after: GameState, number: int, deals: int, seed: int) -> Reviewed:
    turn = after.turns[-1]
    player = int(turn["player"])
    move: dict[str, Any] = {key: turn[key] for key in ("draws", "lays", "names") if key in turn}
    if len(state.legal_moves()) == 1:
        return Reviewed(number, player, move, Mark.ONLY, f"Player {player} had no choice.")
    best, made = _estimate(state, move, deals, seed + number)
    could, did = _solve(state, move)
    lost = 0.0 if made.equal else made.behind or 0.0
    mark, why = _judge(state.game.players, could, did, lost)
    if not why:
        why = f"as good as any, it wins {made.share or 0:.0%} of the deals"
        if not made.equal:
            why = f"it wins {made.share or 0:.0%} of the deals"
            why += f", {turn_words(best.move)} {best.share or 0:.0%}"
    words = f"{mark.capitalize()}: {why}."
    shares = best.share, made.share, lost
    return Reviewed(number, player, move, mark, words, *shares, best.move, could, did)


def _judge(players: int, could: Worth | None, did: Worth | None, lost: float) -> tuple[Mark, str]:
    """Return the quality of a move, and why if open cards tell it; else by what it gave away."""
    against = " against all others together" if players > 2 else ""
    if could is not None and did is not None:
        if could is not did:
            had = "nobody could force a win"
            if could is Worth.WINS:
                had = f"with open cards a win could be forced{against}"
            return Mark.MISTAKE, f"{had}, and now {_now(did, players)}"
        if could is Worth.WINS:
            return Mark.GOOD, f"with open cards the win can still be forced{against}"
        if players == 2:
            return Mark.GOOD, "with open cards no move was better"
    if lost < DOUBTFUL:
        return Mark.GOOD, ""
    return (Mark.DOUBTFUL if lost < MISTAKE else Mark.MISTAKE), ""


def _now(did: Worth, players: int) -> str:
    if did is Worth.OPEN:
        return "nobody can force one"
    return "the other player can" if players == 2 else "the others together can"


def _estimate(state: GameState, move: Turn, deals: int, seed: int) -> tuple[Prospect, Prospect]:
    """Return the best choice and the one made, where more was lost: before or after a draw."""
    stages: list[tuple[View, Turn]] = [(view_of(state), move)]
    position = state.outcome
    if move["draws"] and isinstance(position, Position) and not position.pending:
        stages = [(view_of(state), DRAW), (view_of(state, drawn=True), move)]
    found = []
    for view, made in stages:
        if len(view.choices) > 1:
            moves = AGENTS["play-outs"](seed=seed, work=deals).advise(view).moves
            found.append((moves[0], next(each for each in moves if each.move == made)))
    return max(found, key=lambda pair: pair[1].behind or 0.0)


def _solve(state: GameState, move: Turn) -> tuple[Worth | None, Worth | None]:
    """Return what the player to move could force, and can force after the move; None: not known."""
    position = state.outcome
    assert isinstance(position, Position)  # noqa: S101
    values = Values(state.game, position)
    known = {
        tuple(sorted(move_to_dict(each).items())): values.of(outcome)
        for each, outcome in state.successors()
    }
    made, worths = known[tuple(sorted(move.items()))], [*known.values()]
    if Worth.WINS in worths:
        return Worth.WINS, made
    return (None if None in worths else max(worths, key=ORDER.index)), made


class Values:
    """The values of positions to the player to move of a first one, against all others."""

    def __init__(self, game: Game, start: Position) -> None:
        own = {start.player}
        others = {*range(game.players)} - own
        self._own, self._others = (WinSearch(game, side, start) for side in (own, others))
        most = MOST_POSITIONS if self._own.compilable else MOST_IN_PYTHON
        self._own.most = self._others.most = most

    def of(self, outcome: Outcome) -> Worth | None:
        """Return the worth of a position; None if the search does not end."""
        try:
            if self._own.wins(outcome):
                return Worth.WINS
            lost = self._own.known_to_lose(outcome) or self._others.wins(outcome)
        except Unfinished:
            return None
        return Worth.LOSES if lost else Worth.OPEN
