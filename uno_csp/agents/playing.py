"""A table at which agents play: what an agent is, a turn of one, and a game of several."""

from collections.abc import Sequence
from typing import Any, Protocol

from uno_csp.agents.advice import Prospect
from uno_csp.agents.views import DRAW, Turn, View, view_of
from uno_csp.algorithms.stepping import GameState
from uno_csp.errors import NotAccepted
from uno_csp.questions.wording import shown

MOST_TURNS = 2_000  # number of turns after which a game is ended without a winner


class Agent(Protocol):
    """A player who sees one seat.

    The class of an agent is registered by its ``name``. It is called with keywords: ``seed``, a
    random seed; ``seconds``, a time limit for each choice; and maybe ``work``, the number of deals
    that it looks at for each choice. An agent that weighs its choices has a method ``advise`` too,
    which returns an :class:`uno_csp.Advice`.
    """

    name: str

    def choose(self, view: View) -> Turn:
        """Return one of the choices of a view."""
        ...


def play_turn(state: GameState, agent: Agent) -> tuple[GameState, tuple[Prospect, ...]]:
    """Return the state after the turn of the player to move, and how the agent saw its choices.

    An agent that draws is asked again when it has seen the card; what it saw is that of the first
    choice, or nothing. Raises NotAccepted if it does not return a choice, or the game is over.
    """
    view = view_of(state)
    turn, prospects = _consider(agent, view)
    if turn == DRAW and not view.pending:
        turn, _ = _consider(agent, view_of(state, drawn=True))
    return state.play(turn), prospects


def _consider(agent: Any, view: View) -> tuple[Turn, tuple[Prospect, ...]]:
    allowed = view.choices
    if len(allowed) == 1:
        return allowed[0], ()
    prospects = agent.advise(view).moves if hasattr(agent, "advise") else ()
    turn = prospects[0].move if prospects else agent.choose(view)
    if turn not in allowed:
        listed = ", ".join(map(shown, allowed))
        raise NotAccepted(f"agent {agent.name}: {shown(turn)} is not a choice; there are: {listed}")
    return turn, prospects


def play_game(state: GameState, agents: Sequence[Agent], most_turns: int = MOST_TURNS) -> GameState:
    """Return the state at the end of a game of one agent a player, or after a number of turns."""
    for _ in range(most_turns):
        player = state.player
        if player is None:
            break
        state, _ = play_turn(state, agents[player - 1])
    return state
