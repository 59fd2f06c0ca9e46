"""Cards as people type them: codes in every usual spelling, or values joined by commas.

A word that is neither is an error. It used to become a card of its own kind, which matches nothing
else: a slip of the finger would then change the answer without a word.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from uno_csp.cards import Card, Value
from uno_csp.errors import InstanceError
from uno_csp.formats.lookalikes import require_unlike
from uno_csp.questions import codes
from uno_csp.questions.given_cards import require_text

MOST_WORDS = 4
"""So many words make a card at most: wild draw four card."""

HEADINGS = frozenset(
    ("color", "colour", "suit", "number", "value", "rank", "symbol", "kind", "card", "face")
)
"""What the columns of a table of cards are called."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")


def cards_of_line(text: str) -> list[Card]:
    """The cards of a line: ``R5 R7, B7``, ``red 5``, or a card of values, ``red,5`` or ``1 3``.

    Values without blanks that are joined by commas may stand beside other cards: ``R5 pink,3``.

    Raises
    ------
    InstanceError
        When a word is no card.

    Examples
    --------
    >>> cards_of_line("5R, wild"), cards_of_line("pink,5"), cards_of_line("1 3")
    ([('red', 5), ('*', '*')], [('pink', 5)], [(1, 3)])
    """
    cells = [_bare(cell) for cell in text.split(",")]
    if len(cells) > 1 and all(map(_INTEGER.fullmatch, cells)):
        return [_card(cells)]
    found = [[codes.typed(word) for word in _grouped(cell.split())] for cell in cells]
    read = [card for cards in found for card in cards if card is not None]
    if all(found) and len(read) == sum(map(len, found)):
        return read
    words = text.split()
    apart = [*_grouped(words)]
    if len(apart) > 1 and all(codes.typed(word) or _is_joined(word) for word in apart):
        return [card for word in apart for card in _cards_of_word(word)]
    if len(cells) > 1:
        _require_no_codes(cells)
        return [_card(cells)]
    if all(map(_INTEGER.fullmatch, words)):
        return [_card(words)]
    return [card for word in _grouped(words) for card in _cards_of_word(word)]


def is_heading(line: str) -> bool:
    """Whether a line of a table names its columns instead of a card.

    >>> is_heading("Color,Number"), is_heading("red,5")
    (True, False)
    """
    cells = [_bare(cell).lower() for cell in line.split(",")]
    return len(cells) > 1 and HEADINGS.issuperset(cells)


def _bare(cell: str) -> str:
    """A cell without blanks around it, and without the quotes that tables are written with."""
    found = cell.strip()
    quoted = len(found) > 1 and found[0] == found[-1] == '"'
    return found[1:-1].strip() if quoted else found


def _card(cells: Sequence[str]) -> Card:
    """The card of some values; behind a colour, what codes write as well: ``Red,Draw2``."""
    values = tuple(map(_value, cells))
    named = cells[-1] == "+2" or isinstance(values[-1], str)
    coloured = len(cells) == 2 and values[0] in codes.COLOURS.values()
    return (codes.typed(" ".join(cells)) if coloured and named else None) or values


def _is_joined(word: str) -> bool:
    """Whether a word is values joined by commas."""
    return "," in word and all(word.split(","))


def _require_no_codes(cells: Sequence[str]) -> None:
    """Values joined by commas hold no codes: where some do, the others were meant to be."""
    apart = [word for cell in cells for word in _grouped(cell.split())]
    coded = [word for word in apart if codes.canonical(word) and not _INTEGER.fullmatch(word)]
    for word in apart if coded else ():
        if not codes.canonical(word):
            raise InstanceError(f"{codes.no_card(word)} ({coded[0]} beside it is one)")


def cards_of_words(words: Sequence[str], place: str) -> list[Card]:
    """The cards that some words are: codes, of one word or several, and values joined by commas.

    A word with blanks is read as a line, and a comma at an end of a word parts cards.

    Raises
    ------
    InstanceError
        When a word is no card, or looks like another one that was meant, with its place.

    Examples
    --------
    >>> cards_of_words(["R5,", "red", "7", "1,3", "B2 W"], "cards")
    [('red', 5), ('red', 7), (1, 3), ('blue', 2), ('*', '*')]
    """
    found: list[Card] = []
    for word in (word for run in _runs(words) for word in _grouped(run)):
        try:
            found += _cards_of_word(word)
        except InstanceError as error:
            raise InstanceError(f"{place}[{len(found)}]: {error}") from None
    require_unlike(found, [f"{place}[{index}]" for index in range(len(found))])
    return found


def codes_of_words(words: Sequence[str], place: str) -> list[str]:
    """The same for official cards alone, as codes, which tell the two wild cards apart.

    >>> codes_of_words(["5r", "wild", "+4", "W,", "+4"], "hand")
    ['R5', '+4', 'W', '+4']
    """
    found: list[str] = []
    cells = " ".join(words).split(",")
    for word in (word for cell in cells for word in _grouped(cell.split())):
        code = codes.canonical(word)
        if code is None:
            raise InstanceError(f"{place}[{len(found)}]: {codes.no_card(word)}")
        found.append(code)
    return found


OneT = TypeVar("OneT")


def the_only(found: Sequence[OneT], place: str) -> OneT:
    """The one card that stands where one belongs.

    Raises
    ------
    InstanceError
        When there are more or none.
    """
    if len(found) != 1:
        raise InstanceError(f"{place}: one card is wanted, and here are {len(found)}")
    return found[0]


def _cards_of_word(word: str) -> list[Card]:
    card = codes.typed(word)
    if card is not None:
        return [card]
    if "," in word or len(word.split()) > 1:
        return cards_of_line(word)
    if _INTEGER.fullmatch(word):
        return [(_value(word),)]
    named = word.isalpha() and len(word) <= codes.LONGEST_WORD
    hint = f"; other values are joined by commas, as in {word},5" if named else ""
    raise InstanceError(codes.no_card(word) + hint)


def _runs(words: Sequence[str]) -> Iterator[list[str]]:
    """The words between which nothing says that another card begins."""
    run: list[str] = []
    for word in words:
        bare = word.strip(", ")
        whole = len(bare.split()) > 1
        if whole or word.startswith(","):
            yield run
            run = []
        run += [bare] if bare else []
        if whole or word.endswith(","):
            yield run
            run = []
    yield run


def _grouped(words: Sequence[str]) -> Iterator[str]:
    """The words, those that are one card together joined; but ``W +4`` are two cards."""
    start = 0
    while start < len(words):
        for count in range(min(MOST_WORDS, len(words) - start), 0, -1):
            together = words[start : start + count]
            joined = " ".join(together)
            if codes.canonical(joined) and not _begins_with_a_code(together):
                break
        yield joined
        start += count


def _begins_with_a_code(words: Sequence[str]) -> bool:
    """Whether the first is a wild card by its code, and what follows are cards as well."""
    return len(words) > 1 and words[0].upper() == "W" and all(map(codes.canonical, words))


def _value(cell: str) -> Value:
    if not cell:
        raise InstanceError("an empty value; a value is an integer or a text")
    require_text(cell)
    if _INTEGER.fullmatch(cell):
        return int(cell)
    return cell.lower() if cell.lower() in codes.COLOURS.values() else cell
