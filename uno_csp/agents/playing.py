"""A table at which agents play: what an agent is, a turn of one, and a game of several."""

from collections.abc import Callable, Sequence
from typing import Protocol

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
    prospects: tuple[Prospect, ...] = ()

    def choose(view: View) -> Turn:
        nonlocal prospects
        found = agent.advise(view).moves if hasattr(agent, "advise") else ()
        if not view.drawn:
            prospects = found
        return found[0].move if found else agent.choose(view)

    after = _after(state, agent, choose)
    return after, prospects


def next_state(state: GameState, agent: Agent) -> GameState:
    """As :func:`play_turn`, without how the agent saw its choices, which takes longer."""
    return _after(state, agent, agent.choose)


def _after(state: GameState, agent: Agent, choose: Callable[[View], Turn]) -> GameState:
    view = view_of(state)
    turn = _choice(view, agent, choose)
    if turn == DRAW and not view.pending:
        turn = _choice(view_of(state, drawn=True), agent, choose)
    return state.play(turn)


def _choice(view: View, agent: Agent, choose: Callable[[View], Turn]) -> Turn:
    """Return the only choice, or the one that is chosen; raise NotAccepted if it is none."""
    allowed = view.choices
    if len(allowed) == 1:
        return allowed[0]
    turn = choose(view)
    if turn not in allowed:
        listed = ", ".join(map(shown, allowed))
        raise NotAccepted(f"agent {agent.name}: {shown(turn)} is not a choice; there are: {listed}")
    return turn


def play_game(state: GameState, agents: Sequence[Agent], most_turns: int = MOST_TURNS) -> GameState:
    """Return the state at the end of a game of one agent a player, or after a number of turns."""
    for _ in range(most_turns):
        player = state.player
        if player is None:
            break
        state = next_state(state, agents[player - 1])
    return state
