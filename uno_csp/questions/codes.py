"""Short codes for the cards of the official 108-card deck.

A code is a colour letter and a symbol: ``R5`` is (red, 5), ``YS`` a yellow skip, ``GR`` a green
reverse, ``B+2`` a blue draw-two. ``W`` is the wild card and ``+4`` the wild draw-four; both match
everything, so both become ``("*", "*")``. Case does not matter. People may type other spellings,
which :mod:`uno_csp.formats.typed_cards` reads.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from uno_csp.errors import InstanceError
from uno_csp.questions.cards import WILD, Card, Value
from uno_csp.questions.wording import describe, shown

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
ACTIONS = {"S": "skip", "R": "reverse", "+2": "+2"}
WILD_CODES = ("W", "+4")
DRAW_FOUR: Card = tuple(WILD for _ in WILD_CODES)
"""The wild draw-four as read from a code: equal to the wild card, but a distinct object, so that it
can be printed as +4."""

ALLOWED = "a card code is R, Y, G or B with 0-9, S (skip), R (reverse) or +2; or W; or +4"

LONGEST_WORD = 20
"""Maximum length in characters of a text that is compared with the codes to suggest one."""

SYMBOLS = {str(number): str(number) for number in range(10)}
for _symbol, _words in {
    "S": ("s", "skip"),
    "R": ("r", "rev", "reverse"),
    "+2": ("+2", "d2", "draw2", "drawtwo"),
}.items():
    SYMBOLS |= dict.fromkeys(_words, _symbol)
"""The symbol of every accepted spelling, in lower case and without separators."""

CODES = frozenset(
    (*WILD_CODES, *(letter + symbol for letter in COLOURS for symbol in SYMBOLS.values()))
)
"""All codes of the deck."""


def decode(code: str) -> Card | None:
    """Return the card of a code, or None if the text is no code.

    >>> decode("R5"), decode("gr"), decode("B+2"), decode("W"), decode("P5")
    (('red', 5), ('green', 'reverse'), ('blue', '+2'), ('*', '*'), None)
    """
    capital = code.upper()
    if capital in WILD_CODES:
        return DRAW_FOUR if capital == "+4" else (WILD, WILD)
    if capital not in CODES:
        return None
    letter, symbol = capital[0], capital[1:]
    face: Value = int(symbol) if symbol.isdigit() else ACTIONS[symbol]
    return (COLOURS[letter], face)


def no_card(text: str) -> str:
    """Return an error message for a text that is no card, with similar codes as suggestions.

    >>> no_card("R10")
    '"R10" is no card; did you mean R1 or R0?'
    >>> no_card("+2")
    '"+2" needs a colour: R+2, Y+2, G+2 or B+2'
    """
    symbol = SYMBOLS.get("".join(text.lower().split()))
    if symbol is not None:
        *some, last = (letter + symbol for letter in COLOURS)
        return f"{shown(text)} needs a colour: {', '.join(some)} or {last}"
    short = text.upper() if len(text) <= LONGEST_WORD else ""
    near = get_close_matches(short, sorted(CODES), n=2, cutoff=0.6)
    asked = f"did you mean {' or '.join(near)}?" if near else ALLOWED
    return f"{shown(text)} is no card; {asked}"


def count_draw_fours(cards: Iterable[Card]) -> int:
    """Return the number of cards that were read from the code of the wild draw-four.

    >>> count_draw_fours([DRAW_FOUR, (WILD, WILD)])
    1
    """
    return sum(card is DRAW_FOUR for card in cards)


def rest_of_deck(cards: Iterable[Card], places: Sequence[str] = ()) -> tuple[Card, ...]:
    """Return the cards of the official 108-card deck that remain when some are removed.

    Each colour has one 0 and two each of 1 to 9, skip, reverse and +2; and there are eight cards
    that match everything.

    Parameters
    ----------
    cards
        The cards to remove: those in the hand and on the pile.
    places
        Their places in the question, for error messages.

    Raises
    ------
    InstanceError
        If a card is not in the deck, or is removed more often than the deck has it.

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
    """Return True if every card is in the official deck.

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
