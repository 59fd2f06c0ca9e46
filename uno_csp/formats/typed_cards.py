"""Cards as people type them: a hand of official cards, or a hand of cards of values.

A hand is in one of two languages: :mod:`uno_csp.formats.official_cards`, a closed list of words, or
:mod:`uno_csp.formats.card_values`, values joined by commas. No text is in both. ``#`` between
blanks or line ends begins a comment.
"""

import re
from collections.abc import Sequence

from uno_csp.errors import InstanceError
from uno_csp.formats.card_values import cards_of_values
from uno_csp.formats.official_cards import official_cards
from uno_csp.formats.phrases import BLANK, Refused
from uno_csp.formats.text import text_of_word
from uno_csp.questions import codes
from uno_csp.questions.cards import Card

BETWEEN_HANDS = "/"  # the sign between the cards of two hands
_COMMENT = re.compile(rf"(?:^|(?<=[{BLANK}]))#(?=[{BLANK}]|$).*", re.MULTILINE)
_WORD = re.compile(rf"[^{BLANK}\n;]+")
_COPIES = re.compile(r"[0-9]*[xX\N{MULTIPLICATION SIGN}]?|x?[0-9]*")


def without_comments(text: str) -> str:
    r"""Return a text without its comments.

    >>> without_comments("# two cards\nR5 R7 # red")
    '\nR5 R7 '
    """
    return _COMMENT.sub("", text) if "#" in text else text


def cards_of_text(text: str, place: str = "") -> tuple[Card, ...]:
    r"""Return the cards of a hand; an error names the line and column, or the card of a place.

    Raises InstanceError if the text is neither a hand of official cards nor one of cards of values.

    >>> cards_of_text("5R, wild"), cards_of_text("pink,5 pink,7")
    ((('red', 5), ('*', '*')), (('pink', 5), ('pink', 7)))
    >>> cards_of_text("R5\nR77")
    Traceback (most recent call last):
    ...
    uno_csp.errors.InstanceError: line 2, column 1: "R77" is no card; did you mean R7?
    """
    try:
        return _cards_of(text)
    except Refused as refused:
        where = f"{place}[{refused.cards}]" if place else _line_and_column(text, refused.position)
        raise InstanceError(f"{where}: {refused}") from None


def _cards_of(text: str) -> tuple[Card, ...]:
    try:
        return official_cards(text)
    except Refused:
        if not _is_of_values(text):
            raise
    return cards_of_values(text)


def _is_of_values(text: str) -> bool:
    """Return True if all words of a text are values joined by commas, or copies."""
    words = {word for word in _WORD.findall(text) if not _COPIES.fullmatch(word)}
    if not words or not all("," in word.strip(",") for word in words):
        return False
    whole = {codes.canonical(cell) for word in words for cell in word.split(",")}
    return whole <= {None, *codes.WILD_CODES}


def _line_and_column(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def cards_of_words(words: Sequence[str], place: str) -> tuple[Card, ...]:
    """Return the cards of the words of a command line; a word with a blank inside stands alone.

    Raises InstanceError if they are no hand; the message names the card by its number.

    >>> cards_of_words(["R5,", "red", "7", "B2 W"], "cards")
    (('red', 5), ('red', 7), ('blue', 2), ('*', '*'))
    """
    return cards_of_text(_as_text(words), place)


def card_of_words(words: Sequence[str], place: str) -> Card:
    """Return the only card of some words; raise InstanceError if there is not exactly one."""
    try:
        found = _cards_of(_as_text(words))
    except Refused as refused:
        raise InstanceError(f"{place}: {refused}") from None
    if len(found) != 1:
        raise InstanceError(f"{place}: expected one card, found {len(found)}")
    return found[0]


def _as_text(words: Sequence[str]) -> str:
    texts = map(text_of_word, words)
    return " ".join(f"\n{text}\n" if len(text.strip(", ").split()) > 1 else text for text in texts)


def codes_of_words(words: Sequence[str], place: str) -> list[str]:
    """Return the codes of official cards, which distinguish the two wild cards.

    >>> codes_of_words(["5r", "wild,", "+4", "W,", "+4"], "hand")
    ['R5', 'W', '+4', 'W', '+4']
    """
    cards = enumerate(cards_of_words(words, place))
    return [official_code(card, f"{place}[{index}]") for index, card in cards]


def official_code(card: Card, place: str) -> str:
    """Return the code of an official card; raise InstanceError if it is none."""
    code = codes.code_of(card)
    if code is None:
        raise InstanceError(f"{place}: {codes.no_card(','.join(map(str, card)))}")
    return code


def split_hands(words: Sequence[str]) -> list[list[str]]:
    """Split the words into hands at the slashes.

    >>> split_hands(["R5", "R7/B5", "/", "B7"])
    [['R5', 'R7'], ['B5'], ['B7']]
    """
    hands: list[list[str]] = [[]]
    for word in words:
        first, *others = word.split(BETWEEN_HANDS)
        hands[-1] += [first] if first.strip() else []
        hands += [[each] if each.strip() else [] for each in others]
    return hands
