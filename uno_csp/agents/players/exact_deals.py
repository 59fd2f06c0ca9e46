"""``exact-deals``: deal the hidden cards, solve every deal as if all cards were open, count wins.

This is the usual method of programs for card games with hidden cards (Ginsberg's for bridge). It
has a known flaw: in each deal all players act as if they saw every card, so the value of gaining or
hiding information is ignored.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from uno_csp.agents.players._dealing import Dealing
from uno_csp.agents.views import DRAW, View
from uno_csp.open_game.deck import pack
from uno_csp.open_game.positions import Game, Move, Position
from uno_csp.open_game.search import Unfinished, WinSearch
from uno_csp.open_game.telling import move_to_dict
from uno_csp.processes.deadline import Deadline

if TYPE_CHECKING:
    from uno_csp.agents.arrays import Arranged
    from uno_csp.agents.estimating import Wins

MOST_POSITIONS = 200_000  # maximum number of positions searched for each deal


class ExactDeals(Dealing):
    """Solve random deals as open games, and count for every choice the deals that it wins."""

    name: ClassVar[str] = "exact-deals"
    about: ClassVar[str] = "solves random deals as if all cards were open, and counts wins"
    policy: ClassVar[str] = "best play with all cards open, all others against the player to move"
    own_work: ClassVar[int] = 200

    def _results(
        self, found: "Arranged", deadline: Deadline, go_on: Callable[[int], bool]
    ) -> "Wins":
        wins: Wins = np.full((len(found.labels), self._work), -1, dtype=np.int8)
        for at, row in enumerate(found.deal(self._work)):
            decided = solve_deal(found.view, *open_deal(found, row.tolist()), deadline)
            if None not in decided:
                wins[:, at] = [win is True for win in decided]
            if not go_on(at + 1):
                return wins[:, : at + 1]
        return wins


def open_deal(found: "Arranged", row: list[int]) -> tuple[Game, Position]:
    """Return a deal as a game with open cards and a position in it."""
    view, hands = found.view, list(found.view.position.hands)
    holders = found.hidden.holders
    for player in {*holders}:
        hands[player] = pack(
            [kind for kind, who in zip(row, holders, strict=False) if who == player]
        )
    rules = replace(view.rules, reshuffles=view.reshuffles)
    game = Game(rules, row[len(holders) :], len(hands), view.everything)
    return game, view.position._replace(hands=tuple(hands))


def solve_deal(view: View, game: Game, position: Position, deadline: Deadline) -> list[bool | None]:
    """Return for each choice whether it wins a deal; None if that is not decided.

    Whoever draws sees the card and may choose what to do with it.
    """
    search = WinSearch(game, {position.player}, position, deadline)
    search.most = MOST_POSITIONS
    found: list[bool | None] = [False] * len(view.choices)
    for move, outcome in game.moves(position):
        if view.drawn and not move.drawn:
            continue
        at = _choice_of(view, move)
        if found[at]:
            continue
        try:
            wins: bool | None = search.wins(outcome)
        except Unfinished:
            wins = None
        found[at] = wins if wins is not False else found[at]
    return found


def _choice_of(view: View, move: Move) -> int:
    """Return the place of the choice that a move belongs to."""
    if view.position.pending and move.kind is None:
        return len(view.choices) - 1  # a deal has no reshuffle, so fewer cards may be drawn
    drawing = move.drawn and not view.drawn
    return view.choices.index(DRAW if drawing else move_to_dict(move))
