"""The kinds of cards of the official deck, as small integers and as codes."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

COLOURS = ("red", "yellow", "green", "blue")
SYMBOLS = (*map(str, range(10)), "skip", "reverse", "+2")
LETTERS = "RYGB"
SKIP, REVERSE, DRAW_TWO = 10, 11, 12
WILD, DRAW_FOUR = 52, 53  # kinds below 52 are 13 times the colour plus the symbol

CODES = (
    *(letter + symbol for letter in LETTERS for symbol in (*map(str, range(10)), "S", "R", "+2")),
    "W",
    "+4",
)
"""The code of each kind."""

_KINDS: Mapping[str, int] = MappingProxyType({code: kind for kind, code in enumerate(CODES)})

POINTS = (*(([*range(10), 20, 20, 20]) * 4), 50, 50)
"""Points of a card left in a loser's hand, by kind."""


def kind_of(code: str) -> int | None:
    """Return the kind of a code, in upper or lower case; None if it is no code.

    >>> kind_of("R0"), kind_of("b+2"), kind_of("+4"), kind_of("R10")
    (0, 51, 53, None)
    """
    return _KINDS.get(code.upper())


def code_of(kind: int) -> str:
    """Return the code of a kind.

    >>> code_of(13), code_of(52)
    ('Y0', 'W')
    """
    return CODES[kind]


def deck() -> list[int]:
    """Return the 108 cards: per colour one 0 and two of each other symbol; four of each wild kind.

    >>> len(deck())
    108
    """
    coloured = [kind for kind in range(52) for _ in range(1 if kind % 13 == 0 else 2)]
    return [*coloured, *([WILD] * 4), *([DRAW_FOUR] * 4)]


MOST_DECKS = 10  # maximum number of decks that may be shuffled together
FIELD_BITS = 6  # bits per kind in a packed hand: `MOST_DECKS` decks have at most 40 equal cards
ONE = tuple(1 << FIELD_BITS * kind for kind in range(54))  # a packed hand of one card, by its kind

FIELD = tuple(one * ((1 << FIELD_BITS) - 1) for one in ONE)
"""The bits of a packed hand that count the cards of a kind."""


def pack(cards: Sequence[int]) -> int:
    """Return a hand as one number, with :data:`FIELD_BITS` bits for the count of each kind.

    >>> unpack(pack([5] * 40)) == [5] * 40
    True
    """
    return sum(map(ONE.__getitem__, cards))


def unpack(hand: int) -> list[int]:
    """Return the kinds of a packed hand in order, with repetitions.

    >>> unpack(pack([53, 0, 53]))
    [0, 53, 53]
    """
    found: list[int] = []
    while hand:
        kind = ((hand & -hand).bit_length() - 1) // FIELD_BITS
        cards = hand & FIELD[kind]
        found += [kind] * (cards >> FIELD_BITS * kind)
        hand ^= cards
    return found


_LOW_BITS = sum(ONE)


def count_cards(hand: int) -> int:
    """Return the number of cards of a packed hand.

    >>> count_cards(pack([53, 0, 53, *[7] * 40]))
    43
    """
    return sum((hand >> bit & _LOW_BITS).bit_count() << bit for bit in range(FIELD_BITS))


@lru_cache(maxsize=4096)
def summary(hand: int) -> tuple[int, int]:
    """Return the number of cards of a packed hand, and its kinds as a bit mask.

    >>> summary(pack([0, 5, 5]))
    (3, 33)
    """
    return count_cards(hand), sum(1 << kind for kind in {*unpack(hand)})
