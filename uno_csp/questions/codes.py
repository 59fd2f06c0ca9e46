"""Short codes for the cards of the official 108-card deck.

A code is a colour letter and a symbol: ``R5`` is (red, 5), ``YS`` a yellow skip, ``GR`` a green
reverse, ``B+2`` a blue draw-two. ``W`` is the wild card and ``+4`` the wild draw-four; both match
everything, so both become ``("*", "*")``. Small letters are read as capitals.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from uno_csp.cards import WILD, Card, Value
from uno_csp.errors import InstanceError
from uno_csp.wording import describe

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


def rest_of_deck(cards: Iterable[Card], places: Sequence[str] = ()) -> tuple[Card, ...]:
    """The official cards that are left of the 108 when some are taken out.

    Each colour has one 0 and two each of 1 to 9, skip, reverse and +2; and there are eight cards
    that match everything.

    Parameters
    ----------
    cards
        The cards that are elsewhere: in the hand, or on the pile.
    places
        Where they stand in the question, for messages.

    Raises
    ------
    InstanceError
        If a card is not one of the deck, or stands there more often than in the deck.

    >>> len(rest_of_deck([("red", 0), ("*", "*")]))
    106
    """
    left = Counter(DECK)
    for index, card in enumerate(cards):
        if left[card] == 0:
            place = places[index] if places else f"cards[{index}]"
            held = DECK.count(card)
            often = f"has {held} of it" if held else "does not have it"
            raise InstanceError(f"{place}: {describe(card)}: the deck of 108 cards {often}")
        left[card] -= 1
    return tuple(left.elements())


def _deck() -> tuple[Card, ...]:
    faces: list[Value] = [0, *(face for face in (*range(1, 10), *ACTIONS.values()) for _ in "ab")]
    coloured = [(colour, face) for colour in COLOURS.values() for face in faces]
    return (*coloured, *((WILD, WILD),) * 8)


DECK = _deck()
"""The 108 cards of the official deck."""
