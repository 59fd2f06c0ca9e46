"""The open game: every turn of a line is legal, and a strategy holds against every reply.

The rules are those of the stand-alone verifier.
"""

from collections.abc import Mapping
from typing import Any

from uno_csp.checker.claims import Doubt, Violation, require_keys
from uno_csp.checker.sequences import optimisation_violations, value_violations
from uno_csp.questions import OpenGame
from uno_csp.questions.answers import Answer
from uno_csp.questions.frozen import thawed
from uno_csp.questions.wording import counted
from uno_csp.verifier.reading import Refused
from uno_csp.verifier.real_games import COLOURS, ORDER, SKIPPED, STRATEGY, Game, State, follow

question = "open-game"
PARTS = {"strategy", "objective", "bound"}

MANY_POSITIONS = 200_000
"""Maximum number of positions visited to check a strategy or to look for a won game."""

_TURN = ("draws", "lays", "names")
_STATE = ("hands", "colour", "symbol", "drawn", "player", "direction", "pending", "passes")
KEYS = {
    "plays": ("player", *_TURN),
    "moves": (*_TURN, "leads_to"),
    "positions": (*_STATE, "pile", "reshuffled", *_TURN),
}
"""Keys of the items of each list in a strategy."""

_SYMBOLS = (*map(str, range(10)), "S", "R", "+2")
CARDS = dict(zip([*(a + b for a in "RYGB" for b in _SYMBOLS), "W", "+4"], ORDER, strict=True))
"""The verifier's name of each card, by its code."""


def game_of(instance: OpenGame) -> Game:
    """Return the rules and the first position of a game."""
    return Game(restate(instance))


def restate(instance: OpenGame) -> dict[str, Any]:
    """Return the question as the verifier reads it, with the defaults of the rules."""
    return {**instance.to_dict(), "rules": thawed(instance.rules)}


def doubt(instance: OpenGame) -> Doubt | None:
    """Return why a NO is not confirmed, or None if it is.

    A NO to the goal ``together`` has no witness. It is confirmed by visiting every reachable
    position, independently of the search.
    """
    if not instance.optimises:
        return None  # its witness is a strategy, which is checked
    game = game_of(instance)
    waiting, seen = [game.start], {game.start.key()}
    while waiting:
        for _, following in game.turns(waiting.pop()):
            if following == 0:
                return Doubt("the referee found a game that player 1 wins", is_wrong=True)
            if isinstance(following, State) and (key := following.key()) not in seen:
                seen.add(key)
                waiting.append(following)
        if len(seen) > MANY_POSITIONS:
            return Doubt(
                "no game that player 1 wins was found, but this is not confirmed: there are "
                f"more than {MANY_POSITIONS:,} positions"
            )
    return None


def violations(instance: OpenGame, answer: Answer) -> list[Violation]:
    """Check that the line and the first moves are legal, and that the strategy holds."""
    strategy, found = answer.strategy, list[Violation]()
    if instance.optimises:
        found = optimisation_violations(answer, "strategy")
    elif (answer.objective, answer.bound) != (None, None):
        found = [Violation("objective", 0, "the question is who wins; there is no best value")]
    if found or strategy is None:
        return found
    try:
        require_keys(strategy, ("kind", "winner", "score", *KEYS))
        for name, keys in KEYS.items():
            for at, item in enumerate(strategy.get(name, ())):
                require_keys(item, keys, f"{name}[{at}]")
        check = _together_flaws if instance.optimises else _win_flaws
        return check(instance, answer, strategy)
    except Refused as error:
        message = str(error).removeprefix(f"{STRATEGY}: ")
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        message = "it cannot be read"
    return [Violation("strategy", 0, message)]


def _win_flaws(instance: OpenGame, answer: Answer, strategy: Mapping[str, Any]) -> list[Violation]:
    """Check who wins."""
    game, winner = game_of(instance), strategy["winner"]
    if answer.status not in ("SATISFIABLE", "UNSATISFIABLE"):
        return [Violation("status", 0, f"{answer.status} with a strategy")]
    if (winner == 1) != (answer.status == "SATISFIABLE"):
        return [Violation("status", 0, f"{answer.status}, won by {winner}")]
    _replay(game, strategy)
    _require_moves(game, strategy)
    if strategy["kind"] == "positions":
        chosen = {_state(each).key(): _turn(each) for each in strategy["positions"]}
        won = winner not in (1, None)
        follow(game, winner == 1, lambda at: chosen.get(at.key()), won=won, most=MANY_POSITIONS)
    return []


def _together_flaws(
    instance: OpenGame, answer: Answer, strategy: Mapping[str, Any]
) -> list[Violation]:
    """Check that the line ends with player 1's last card and has the claimed turns."""
    if strategy["winner"] != 1:
        raise Refused("the line is not player 1's")
    turns = _replay(game_of(instance), strategy)
    if strategy["kind"] != "line":
        raise Refused("it is not a line")
    return value_violations(instance, answer, turns, f"the line has {counted(turns, 'turn')}")


def _turn(move: Mapping[str, Any]) -> str:
    """Return a turn as the verifier writes it."""
    lays, names = move.get("lays"), move.get("names")
    words = [repr(move["draws"])]
    words += [] if lays is None else [CARDS[lays]]
    words += [] if names is None else [COLOURS[names]]
    return " ".join(words)


def _replay(game: Game, strategy: Mapping[str, Any]) -> int:
    """Return the number of turns of the line, without those lost to a skip, +2 or +4.

    Raises Refused unless it is legal and ends as claimed.
    """
    at: State | int | None = game.start
    count = 0
    for number, play in enumerate(strategy["plays"], start=1):
        if not isinstance(at, State):
            raise Refused(f"turn {number}: the game is over")
        if play["player"] != at.player + 1:
            raise Refused(f"turn {number}: it is player {at.player + 1}'s")
        turns = dict(game.turns(at))
        if _turn(play) not in turns:
            raise Refused(f"turn {number}: {play} is not legal")
        count += not at.owed or play.get("lays") is not None
        at = turns[_turn(play)]
    if isinstance(at, State):
        raise Refused("the line does not come to an end")
    ends, claimed = None if at is None else at + 1, strategy["winner"]
    if ends != claimed and (claimed != "others" or ends in (None, 1)):
        raise Refused(f"the line is won by {ends}, but the claimed winner is {claimed}")
    return count


def _require_moves(game: Game, strategy: Mapping[str, Any]) -> None:
    """Raise Refused unless the first moves are the legal ones, and lead to the winner."""
    play = {_turn(each): each["leads_to"] for each in strategy["moves"]}
    if {*play} != {text for text, _ in game.turns(game.start)}:
        raise Refused("the listed first moves are not the legal ones")
    worth, winner = set(play.values()), strategy["winner"]
    mine = (winner == 1) == (game.start.player == 0)
    fits = bool(worth & {winner, "unknown"}) if mine else worth <= {winner, "unknown"}
    if winner is not None and not fits:
        raise Refused("the first moves do not lead to the claimed winner")


def _state(entry: Mapping[str, Any]) -> State:
    """Return the position of an entry of a strategy."""
    pending = entry["pending"]
    return State(
        hands=tuple(tuple(sorted(map(CARDS.__getitem__, hand))) for hand in entry["hands"]),
        colour=COLOURS[entry["colour"]],
        symbol=entry["symbol"] or "",
        drawn=entry["drawn"],
        player=entry["player"] - 1,
        direction=entry["direction"],
        owed=SKIPPED if pending == "skip" else pending,
        passes=entry["passes"],
        pile=tuple(map(CARDS.__getitem__, entry.get("pile", ()))),
        filled=entry.get("reshuffled", 0),
    )
