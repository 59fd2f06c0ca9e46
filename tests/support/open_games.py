"""Small games with open cards, and the truth about them by looking at everything."""

from dataclasses import replace
from functools import cache
from typing import Any

from tests.support.drawing import drawn, games
from tests.support.hands import Proved
from uno_csp import Seat
from uno_csp.checker.open_game import game_of
from uno_csp.questions.open_game import Goal, OpenGame
from uno_csp.verifier.real_games import State


def game(hands: str, after: str, draw: str = "", **others: Any) -> OpenGame:
    """A game by codes, with hands that slashes separate."""
    held: Any = tuple(tuple(hand.split()) for hand in hands.split("/"))
    pile: Any = after
    stock: Any = tuple(draw.split())
    return OpenGame(held, after=pile, draw=stock, **others)


def seat(hand: str, after: str, *others: int) -> Seat:
    """A seat by codes, with the numbers of cards of the others."""
    held: Any = tuple(hand.split())
    pile: Any = after
    return Seat(held, pile, others)


def minimax(instance: OpenGame, most: int = 10_000, player: int = 0) -> tuple[bool, bool] | None:
    """Return if a player can force a win, and if the others can; None if it takes too long."""
    referee = game_of(instance)
    looked = 0

    @cache
    def forced(table: State, first: bool) -> bool:
        """Return True if the player, or the others, can force a win."""
        nonlocal looked
        looked += 1
        if looked > most:
            raise TimeoutError
        results = (
            (following == player) == first and following is not None
            if not isinstance(following, State)
            else forced(following, first)
            for _, following in referee.turns(table)
        )
        return any(results) if (table.player == player) == first else all(results)

    try:
        return forced(referee.start, True), forced(referee.start, False)
    except TimeoutError:
        return None


def fewest_turns(instance: OpenGame, most: int = 20_000) -> int | None:
    """After how many turns player 1 can be out, level by level; 0: never; None if it takes long."""
    referee = game_of(instance)
    level, seen, turns = {referee.start}, {referee.start}, 0
    while level:
        waiting, level = [*level], set()
        turns += 1
        while waiting:
            table = waiting.pop()
            for turn, then in referee.turns(table):
                if then == 0:
                    return turns  # a card is laid: a turn that counts
                if isinstance(then, State) and then not in seen:
                    if table.owed and turn.isdigit():  # a turn that is lost
                        seen.add(then)
                        waiting.append(then)
                    else:
                        level.add(then)
        level -= seen
        seen |= level
        if len(seen) > most:
            return None
    return 0


@cache
def proved_games() -> list[Proved]:
    """A few small games with their answers, played to win and with everybody's help."""
    won = [(game, minimax(game)) for game in drawn(games(most_cards=3, most_drawn=3), 25)]
    found = [
        Proved(game, "SATISFIABLE" if truth[0] else "UNSATISFIABLE", None)
        for game, truth in won
        if truth
    ][:10]
    for game in drawn(games(most_cards=2, most_drawn=3), 40):
        turns = fewest_turns(game)
        if turns and len(found) < 16:
            found.append(Proved(replace(game, goal=Goal.TOGETHER), "OPTIMAL", turns))
    return found
