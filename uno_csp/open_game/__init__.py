"""UNO as it is played, with open cards: the rules as data, positions and moves, and exact search.

The paper leaves action cards and the draw pile out. Here they are back; what stays is that all
cards are open, the order of the draw pile among them, and that everybody plays as well as can be.
So it is a game of perfect information, and it ends: cards are laid and drawn, never taken back.
"""

from uno_csp.open_game.deck import CODES, code_of, kind_of
from uno_csp.open_game.rules import PRESETS, SWITCHES, Rules

__all__ = ["CODES", "PRESETS", "SWITCHES", "Rules", "code_of", "kind_of"]
