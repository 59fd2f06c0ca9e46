"""``exact-deals``: deal the hidden cards, solve every deal as if all cards were open, count wins.

This is the usual method of programs for card games with hidden cards (Ginsberg's for bridge). It
has a known flaw: in each deal all players act as if they saw every card, so the value of gaining or
hiding information is ignored.
"""

import math
from typing import ClassVar

import numpy as np

from uno_csp.agents.advice import Advice, OnDeal, ranked
from uno_csp.agents.knowledge import Beliefs
from uno_csp.agents.views import DRAW, Turn, View
from uno_csp.open_game.positions import Game, Position
from uno_csp.open_game.search import Unfinished
from uno_csp.open_game.telling import move_to_dict
from uno_csp.open_game.winning import WinSearch
from uno_csp.processes.deadline import Deadline

WORK = 100
"""Number of deals, unless another one is given."""

MOST_POSITIONS = 200_000
"""Maximum number of positions searched for each deal; what is not decided then is not counted."""


class ExactDeals:
    """Solve random deals as open games, and count for every choice the deals that it wins.

    Parameters
    ----------
    seed
        Random seed of the deals.
    seconds
        Time limit for each choice.
    work
        Number of deals for each choice; it ends before if the time is up.
    beliefs
        What is used of the turns so far.
    """

    name: ClassVar[str] = "exact-deals"
    about: ClassVar[str] = "solves random deals as if all cards were open, and counts wins"

    def __init__(
        self,
        *,
        seed: int = 0,
        seconds: float = math.inf,
        work: int = WORK,
        beliefs: Beliefs = Beliefs.LIKELY,
    ) -> None:
        self._seed, self._seconds, self._work, self._beliefs = seed, seconds, work, beliefs
        self._asked = 0

    def advise(self, view: View, on_deal: OnDeal | None = None) -> Advice:
        """Return the choices, that with most wins first."""
        from uno_csp.agents.arrays import arranged

        self._asked += 1
        deadline = Deadline.after(self._seconds)
        found = arranged(view, self._beliefs, self._seed + self._asked)
        done = solved = 0
        while done < self._work and not (done and deadline.expired):
            wins = results(view, *found.deal(), deadline)
            known = np.array([win is not None for win in wins])
            found.tried[:] += known
            found.wins[:] += np.array([win is True for win in wins])
            done += 1
            solved += bool(known.any())
            if on_deal is not None:
                on_deal(done, self._work)
        return Advice(ranked(view.choices, found.tried.tolist(), found.wins.tolist()), done, solved)

    def choose(self, view: View) -> Turn:
        """Return the choice that won most."""
        return self.advise(view).moves[0].move


def results(view: View, game: Game, position: Position, deadline: Deadline) -> list[bool | None]:
    """Return for each choice whether it wins a deal; None if that is not decided.

    Whoever draws sees the card and may choose what to do with it.
    """
    search = WinSearch(game, {position.player}, position, deadline)
    search.most = MOST_POSITIONS
    found: list[bool | None] = [False] * len(view.choices)
    for move, outcome in game.moves(position):
        if view.drawn and not move.drawn:
            continue
        drawing = move.drawn and not position.pending and not view.drawn
        at = view.choices.index(DRAW if drawing else move_to_dict(move))
        if found[at]:
            continue
        try:
            wins: bool | None = search.wins(outcome)
        except Unfinished:
            wins = None
        found[at] = wins if wins is not False else found[at]
    return found


AGENT = ExactDeals
