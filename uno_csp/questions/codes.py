"""The words for the cards of the official 108-card deck.

A code is a colour letter and a symbol: ``R5`` is (red, 5), ``YS`` a yellow skip, ``GR`` a green
reverse, ``B+2`` a blue draw-two. ``W`` is the wild card and ``+4`` the wild draw-four; both match
everything, so both become ``("*", "*")``. :func:`canonical` reads the other spellings of a card,
in upper or lower case; they are a closed list.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import product
from string import ascii_lowercase, ascii_uppercase

from uno_csp.errors import InstanceError
from uno_csp.open_game import deck
from uno_csp.questions.cards import WILD, Card, Value
from uno_csp.questions.wording import counted, describe, printable

COLOURS = dict(zip(deck.LETTERS, deck.COLOURS, strict=True))
WILD_CODES = ("W", "+4")
DRAW_FOUR: Card = tuple(WILD for _ in WILD_CODES)
"""The wild draw-four as read from a code: equal to the wild card, but a distinct object, so that it
can be printed as +4."""

ALLOWED = (
    "cards are written red 5 or R5, blue skip or BS, green reverse or GR, yellow +2 or Y+2, "
    "wild or W, wild +4 or +4"
)

LONGEST_WORD = 40  # longest word that is shown whole, and spelling of a card
MOST_WORDS = 4  # maximum number of words in the name of a card, as in *wild card draw four*
COLOUR_WORDS = {name: letter for letter, word in COLOURS.items() for name in (word, letter.lower())}
"""The letter of each word for a colour."""

NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

SYMBOLS = {
    **{str(number): str(number) for number in range(10)},
    **{word: str(number) for number, word in enumerate(NUMBER_WORDS)},
    **dict.fromkeys(("s", "skip"), "S"),
    **dict.fromkeys(("r", "rev", "reverse"), "R"),
    **dict.fromkeys(("+2", "d2", "draw 2", "draw2", "draw two", "drawtwo"), "+2"),
}
"""The symbol of each word for a symbol."""

_FOURS = ("+4", "d4", "draw 4", "draw4", "draw four", "drawfour")
_NAMES = ("wild", "wildcard", "wild card")

NO_COLOURS = ("black", "none", "null", "no colour", "no color", "special", "multi", "any", "")
"""Words that tables write for the colour of a wild card."""

CODES = frozenset(deck.CODES)  # all codes of the deck


def _wild_spellings() -> Iterator[tuple[str, str]]:
    """Yield every spelling of a wild card in lower case, with its code."""
    bare = {"w": "W", "w4": "+4"} | dict.fromkeys(_NAMES, "W") | dict.fromkeys(_FOURS, "+4")
    bare |= {"w" + four: "+4" for four in _FOURS if " " not in four} | {"wild4": "+4"}
    bare |= {join.join(both): "+4" for join in ("", " ") for both in product(_NAMES, _FOURS)}
    for name, code in bare.items():
        yield name, code
        if name.count(" ") + 1 < MOST_WORDS:
            yield from ((f"black{name}", code), (f"black {name}", code))


def _pairs() -> Iterator[tuple[list[str], list[str], bool, bool]]:
    """Yield colours, symbols, whether nothing may join them, and whether the symbol comes first.

    A number word is not joined to a letter, since *gone* is no green one, and the letters of skip
    and reverse do not precede a colour: in ``rg`` the r may mean red.
    """
    words = [*NUMBER_WORDS]
    others = [symbol for symbol in SYMBOLS if symbol not in words]
    for turned in (False, True):
        names = [name for name in others if not turned or name not in ("s", "r")]
        yield [*COLOURS.values()], [*words, *names], True, turned
        letters = [letter.lower() for letter in COLOURS]
        yield letters, names, True, turned
        yield letters, words, False, turned


def _coloured_spellings() -> Iterator[tuple[str, str]]:
    """Yield every spelling of a coloured card in lower case, with its code."""
    for colours, symbols, free, turned in _pairs():
        for colour, symbol in product(colours, symbols):
            pair = (symbol, colour) if turned else (colour, symbol)
            for join in (" ", "") if free else (" ",):
                yield join.join(pair), COLOUR_WORDS[colour] + SYMBOLS[symbol]


@cache
def spellings() -> Mapping[str, str]:
    """Return the code of every spelling, in lower case and with blanks for hyphens."""
    return dict(_wild_spellings()) | dict(_coloured_spellings())


@cache
def pattern() -> str:
    """Return the regular expression of every spelling, for JSON Schema, which has no flags.

    >>> import re
    >>> [bool(re.search(pattern(), word)) for word in ("R5", "Wild_draw-FOUR", "R10")]
    [True, True, False]
    """
    found = []
    for colours, symbols, free, turned in _pairs():
        parts = [_any_of(colours), _any_of(symbols)]
        found.append(f"{_BLANK}{'?' * free}".join(parts[::-1] if turned else parts))
    wild = [name for name, _ in _wild_spellings() if not name.startswith("black")]
    long = [name for name in wild if name.count(" ") + 1 == MOST_WORDS]
    found += [
        f"({_any_of(['black'])}{_BLANK}?)?{_any_of(sorted({*wild} - {*long}))}",
        _any_of(long),
    ]
    return f"^({'|'.join(found)})$"


_BLANK = "[ _-]"


def _any_of(words: Sequence[str]) -> str:
    """Return the regular expression of some words in upper and lower case."""
    either = {letter: f"[{letter.upper()}{letter}]" for letter in ascii_lowercase}
    signs = either | {" ": _BLANK, "+": r"\+"}
    return f"({'|'.join(''.join(signs.get(char, char) for char in word) for word in words)})"


_KEYS = str.maketrans(f"{ascii_uppercase}-_", f"{ascii_lowercase}  ")


def key_of(text: str) -> str:
    """Return a text as :func:`spellings` has it: with small letters for A to Z, and blanks."""
    return text.translate(_KEYS)


def canonical(text: str) -> str | None:
    """Return the code of a card in any spelling, or None if the text is no card.

    >>> canonical("5R"), canonical("Red draw two"), canonical("wild_draw_4"), canonical("red five")
    ('R5', 'R+2', '+4', 'R5')
    """
    return spellings().get(key_of(text)) if len(text) <= LONGEST_WORD else None


@cache
def card_of_code(code: str) -> Card:
    """Return the card of a code in its official spelling."""
    if code in WILD_CODES:
        return DRAW_FOUR if code == "+4" else (WILD, WILD)
    face = deck.SYMBOLS[deck.CODES.index(code) % len(deck.SYMBOLS)]
    return (COLOURS[code[0]], int(face) if face.isdigit() else face)


def decode(text: str) -> Card | None:
    """Return the card of a code, or of another spelling; None if the text is no card.

    >>> decode("R5"), decode("gr"), decode("red_5"), decode("W"), decode("P5")
    (('red', 5), ('green', 'reverse'), ('red', 5), ('*', '*'), None)
    """
    code = canonical(text)
    return None if code is None else card_of_code(code)


def code_of(card: Card) -> str | None:
    """Return the code of a card, or None if it is not in the official deck.

    >>> code_of(("red", 5)), code_of(("*", "*")), code_of(DRAW_FOUR), code_of(("red", 12))
    ('R5', 'W', '+4', None)
    """
    return "+4" if card is DRAW_FOUR else _codes().get(card)


@cache
def _codes() -> Mapping[Card, str]:
    return {card_of_code(code): code for code in sorted(CODES)}


def code_of_values(values: Sequence[Value]) -> str | None:
    """Return the code of the card whose parts are written as some values, or None.

    >>> code_of_values(["Red", "5"]), code_of_values(["black", "Wild Draw Four"])
    ('R5', '+4')
    >>> code_of_values(["black", 5]), code_of_values(["purple", "wild"])
    (None, None)
    """
    words = [key_of(str(value).strip()) for value in values]
    if len(words) == 2 and words[0] in COLOUR_WORDS and words[1] in SYMBOLS:
        return COLOUR_WORDS[words[0]] + SYMBOLS[words[1]]
    named = {code for word in words if (code := wild_code(word))}
    others = [word for word in words if not wild_code(word) and word not in (*NO_COLOURS, WILD)]
    return None if others or not named else max(named - {"W"}, default="W")


def wild_code(word: str) -> str | None:
    """Return the code of a wild card of this name, or None.

    >>> wild_code("wild"), wild_code("Draw Four"), wild_code("R5")
    ('W', '+4', None)
    """
    code = canonical(word)
    return code if code in WILD_CODES else None


def looks_wild(card: Card) -> bool:
    """Return True if a card of values seems to be a wild card in other words.

    Its colour is a word for none, with a text that is no symbol; or a value is a wild card's name.

    >>> looks_wild(("black", "chooser")), looks_wild(("red", "wild")), looks_wild(("black", 5))
    (True, True, False)
    """
    colour, *others = (key_of(value) if isinstance(value, str) else value for value in card)
    texts = [value for value in others if isinstance(value, str)]
    none = colour in NO_COLOURS and any(text not in SYMBOLS for text in texts)
    return none or any(wild_code(text) for text in texts)


def quoted(word: str) -> str:
    """Return a word as it was typed, in quotes, cut to fit into a line.

    >>> quoted("R77")
    '"R77"'
    """
    return f'"{printable(word[:LONGEST_WORD])}{"..." if len(word) > LONGEST_WORD else ""}"'


def no_card(text: str) -> str:
    """Return an error message for a text that is no card, with the nearest ones.

    >>> no_card("R10")
    '"R10" is no card; did you mean R1 or R0?'
    >>> no_card("yelow")
    '"yelow" is no card; did you mean yellow?'
    >>> no_card("+2")
    '"+2" needs a colour, as in red +2'
    """
    key = key_of(text[: LONGEST_WORD + 1])
    if key in COLOUR_WORDS:
        return f"{quoted(text)} needs a number or symbol, as in {text} 5"
    if key in SYMBOLS:
        copies = f"; copies are written 2 x red {key}" if SYMBOLS[key].isdigit() else ""
        return f"{quoted(text)} needs a colour, as in red {key}{copies}"
    if key == "black":
        return f"{quoted(text)} needs the name of a wild card, as in black wild or black +4"
    colour, _, name = key.partition(" ")
    if colour in COLOUR_WORDS and wild_code(name):
        letter = COLOUR_WORDS[colour]
        played = f"is a wild card that was played as {COLOURS[letter]}"
        return f"{quoted(text)} {played}; write {wild_code(name)}"
    return f"{quoted(text)} is no card; {_nearest(key)}"


def _nearest(key: str) -> str:
    """Return a question for the nearest spellings of a card, or what is allowed."""
    if len(key) > LONGEST_WORD:
        return ALLOWED
    near = get_close_matches(key.upper(), sorted(CODES), n=2, cutoff=0.6)
    words = [word for word in (*COLOUR_WORDS, *SYMBOLS, *_NAMES, *_FOURS) if len(word) > 2]
    near = near or get_close_matches(key, words, n=1, cutoff=0.7)
    if len(key) > 3:
        near = near or get_close_matches(key, spellings(), n=1, cutoff=0.8)
    return f"did you mean {' or '.join(near)}?" if near else ALLOWED


def count_draw_fours(cards: Iterable[Card]) -> int:
    """Return the number of cards that were read from the code of the wild draw-four.

    >>> count_draw_fours([DRAW_FOUR, (WILD, WILD)])
    1
    """
    return sum(card is DRAW_FOUR for card in cards)


def rest_of_deck(cards: Iterable[Card], places: Sequence[str] = ()) -> tuple[Card, ...]:
    """Return the cards of the official 108-card deck that remain when some are removed.

    Each colour has one 0 and two each of 1 to 9, skip, reverse and +2; and there are eight cards
    that match everything. ``places`` are those of the removed cards in the question, for messages.
    Raises InstanceError if a card is not in the deck, or is removed more often than the deck has
    it.

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


def counted_cards(cards: Collection[Card]) -> str:
    """Return the number of some cards with their kind, as they were read.

    >>> counted_cards([("red", 5), ("*", "*")]), counted_cards([("red", 12)])
    ('2 official cards', '1 card of values')
    """
    if {*cards} <= {*DECK, *_OPEN_WILD_CARDS}:
        return counted(len(cards), "official card")
    return f"{counted(len(cards), 'card')} of values"


DECK = tuple(
    (WILD, WILD) if kind >= deck.WILD else card_of_code(deck.code_of(kind)) for kind in deck.deck()
)
"""The 108 cards of the official deck."""

_OPEN_WILD_CARDS = ((WILD, "wild"), (WILD, "+4"))  # which an open game distinguishes
