"""Players of the real game who do not see the other hands, and a table to play at."""

from uno_csp.agents.players import AGENTS
from uno_csp.agents.playing import Agent, play_game, play_turn
from uno_csp.agents.views import Event, Turn, View, view_of

__all__ = ["AGENTS", "Agent", "Event", "Turn", "View", "play_game", "play_turn", "view_of"]
