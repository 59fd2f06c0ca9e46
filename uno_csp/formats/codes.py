"""Short codes for the cards of the official 108-card deck.

A code is a colour letter and a symbol: ``R5`` is (red, 5), ``YS`` a yellow skip, ``GR`` a green
reverse, ``B+2`` a blue draw-two. ``W`` is the wild card and ``+4`` the wild draw-four; both match
everything, so both become ``("*", "*")``. Small letters are read as capitals.
"""

import re

from uno_csp.cards import WILD, Card, Value

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
ACTIONS = {"S": "skip", "R": "reverse", "+2": "+2"}
WILD_CODES = ("W", "+4")
ALLOWED = "a card code is R, Y, G or B with 0-9, S (skip), R (reverse) or +2; or W; or +4"

_CODE = re.compile(r"([RYGB])([0-9]|S|R|\+2)")


def decode(code: str) -> Card | None:
    """The card a code stands for, or None when it is not a code.

    >>> decode("R5"), decode("gr"), decode("B+2"), decode("W"), decode("P5")
    (('red', 5), ('green', 'reverse'), ('blue', '+2'), ('*', '*'), None)
    """
    capital = code.upper()
    if capital in WILD_CODES:
        return (WILD, WILD)
    found = _CODE.fullmatch(capital)
    if found is None:
        return None
    colour, symbol = found.groups()
    face: Value = int(symbol) if symbol.isdigit() else ACTIONS[symbol]
    return (COLOURS[colour], face)
