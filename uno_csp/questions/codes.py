"""Short codes for the cards of the official 108-card deck.

A code is a colour letter and a symbol: ``R5`` is (red, 5), ``YS`` a yellow skip, ``GR`` a green
reverse, ``B+2`` a blue draw-two. ``W`` is the wild card and ``+4`` the wild draw-four; both match
everything, so both become ``("*", "*")``. Small letters are read as capitals. What people type is
read in other spellings too: ``5r``, ``red 5``, ``RD2``, ``green reverse``, ``wild``, ``WD4``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import product

from uno_csp.cards import WILD, Card, Value
from uno_csp.errors import InstanceError
from uno_csp.wording import describe, shown

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
ACTIONS = {"S": "skip", "R": "reverse", "+2": "+2"}
WILD_CODES = ("W", "+4")
DRAW_FOUR: Card = tuple(WILD for _ in WILD_CODES)
"""The wild draw-four as it is read from a code: equal to the wild card, and another object, so that
it can be printed as what it is."""

LONGEST_WORD = 20
"""What is longer resembles no code."""

ALLOWED = "a card code is R, Y, G or B with 0-9, S (skip), R (reverse) or +2; or W; or +4"

_LETTERS = {name: letter for letter, word in COLOURS.items() for name in (word, letter.lower())}
_SYMBOLS = {str(number): str(number) for number in range(10)}
for _symbol, _words in {
    "S": ("s", "skip"),
    "R": ("r", "rev", "reverse"),
    "+2": ("+2", "d2", "draw2", "drawtwo"),
}.items():
    _SYMBOLS |= dict.fromkeys(_words, _symbol)
_WILDS = dict.fromkeys(("w", "wild", "wildcard"), "W") | dict.fromkeys(
    (
        *("+4", "w4", "w+4", "wd4", "wdraw4", "d4", "draw4", "drawfour"),
        *("wild4", "wild+4", "wildd4", "wilddraw4", "wilddrawfour"),
    ),
    "+4",
)


_WILDS |= {f"black{word}": code for word, code in _WILDS.items()}


def _written() -> dict[str, str]:
    """Every way to write a code, in small letters and in one word, with the code."""
    found = dict(_WILDS)
    for (colour, letter), (symbol, short) in product(_LETTERS.items(), _SYMBOLS.items()):
        found[colour + symbol] = letter + short
        if symbol not in ("s", "r"):  # "rg" could be a green reverse, or nothing
            found[symbol + colour] = letter + short
    return found


_WRITTEN = _written()
_CODES = frozenset(_WRITTEN.values())


def canonical(text: str) -> str | None:
    """The code in its official spelling, or None when it is none.

    >>> canonical("r5"), canonical("5R"), canonical("Red draw two"), canonical("wd4")
    ('R5', 'R5', 'R+2', '+4')
    """
    return _WRITTEN.get("".join(part for part in text.lower() if part not in " \t-_"))


def decode(code: str) -> Card | None:
    """The card a code stands for, or None when it is not a code.

    >>> decode("R5"), decode("gr"), decode("B+2"), decode("W"), decode("P5")
    (('red', 5), ('green', 'reverse'), ('blue', '+2'), ('*', '*'), None)
    """
    capital = code.upper()
    if capital in WILD_CODES:
        return DRAW_FOUR if capital == "+4" else (WILD, WILD)
    if capital not in _CODES:
        return None
    letter, symbol = capital[0], capital[1:]
    face: Value = int(symbol) if symbol.isdigit() else ACTIONS[symbol]
    return (COLOURS[letter], face)


def typed(text: str) -> Card | None:
    """The card that a person means, or None when it is none.

    >>> typed("5R"), typed("red 10")
    (('red', 5), None)
    """
    code = canonical(text)
    return None if code is None else decode(code)


def no_card(text: str) -> str:
    """Why a text is no card, with codes that look like it.

    >>> no_card("R10")
    '"R10" is no card; did you mean R1 or R0?'
    >>> no_card("+2")
    '"+2" needs a colour: R+2, Y+2, G+2 or B+2'
    """
    symbol = _SYMBOLS.get("".join(text.lower().split()))
    if symbol is not None:
        *some, last = (letter + symbol for letter in COLOURS)
        return f"{shown(text)} needs a colour: {', '.join(some)} or {last}"
    short = text.upper() if len(text) <= LONGEST_WORD else ""
    near = get_close_matches(short, sorted(_CODES), n=2, cutoff=0.6)
    asked = f"did you mean {' or '.join(near)}?" if near else ALLOWED
    return f"{shown(text)} is no card; {asked}"


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


def all_official(cards: Iterable[Card]) -> bool:
    """Whether every card is one of the official deck.

    >>> all_official([("red", 5), ("*", "*")]), all_official([("red", 12)])
    (True, False)
    """
    return {*cards} <= {*DECK}


def _deck() -> tuple[Card, ...]:
    faces: list[Value] = [0, *(face for face in (*range(1, 10), *ACTIONS.values()) for _ in "ab")]
    coloured = [(colour, face) for colour in COLOURS.values() for face in faces]
    return (*coloured, *((WILD, WILD),) * 8)


DECK = _deck()
"""The 108 cards of the official deck."""
