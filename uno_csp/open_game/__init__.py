"""Real UNO with open cards: the rules as data, positions and moves, and exact search.

The paper leaves out action cards and the draw pile; here they are included. All cards are open,
including the order of the draw pile, and everybody plays optimally: a game of perfect information.
It is finite, since cards are only drawn and played, and reshuffles are limited in number.
"""

from uno_csp.open_game.deck import CODES, code_of, kind_of
from uno_csp.open_game.rules import PRESETS, SWITCHES, Rules

__all__ = ["CODES", "PRESETS", "SWITCHES", "Rules", "code_of", "kind_of"]
