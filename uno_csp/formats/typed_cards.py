"""Cards as people type them: codes in every usual spelling, or values joined by commas.

A word that is neither is an error. It could be read as a card of its own that matches nothing else,
but then a typing mistake would silently change the answer.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeVar

from uno_csp.errors import InstanceError
from uno_csp.formats.lookalikes import require_unlike
from uno_csp.questions import codes
from uno_csp.questions.cards import WILD, Card, Value
from uno_csp.questions.given_cards import require_text
from uno_csp.questions.wording import shown

MOST_WORDS = 4
"""Maximum number of words in the name of a card, as in *wild draw four card*."""

MOST_COPIES = 1000
"""Maximum number of copies in an expression such as ``2xR5``."""

_INTEGER = re.compile(r"-?[0-9]{1,4000}")
_SIGNED = re.compile(r"[+-]?[0-9]{1,4000}")
_SYMBOLS = ("+2", "+4")
"""Integers if all values are integers (``1,+2``), symbols next to a text (``pink,+2``)."""

_PRINTED = re.compile(r"\+?\[([^\[\]{}\",]+)\]")
"""A card as it is printed: ``[red 5]``, with a plus sign if it was added."""

_TIMES_SIGNS = frozenset("xX\N{MULTIPLICATION SIGN}")
_TIMES = "[xX\N{MULTIPLICATION SIGN}]"
_WORD_ENDS = r"(?=[,;]?(?:\s|$))"
_COUNTED = re.compile(
    rf"(?:^|[\s,;])[0-9]+\s*{_TIMES}(?:(?=\s)|[^0-9\s,;][^\s,;]*{_WORD_ENDS})"
    rf"|(?:\s|(?:^|\s)[^\s,;]+){_TIMES}\s*[0-9]+{_WORD_ENDS}"
)
_BEFORE, _BEHIND = re.compile(rf"([0-9]+){_TIMES}"), re.compile(rf"{_TIMES}([0-9]+)")
"""A number of copies before or after a card: ``2x R5``, ``R5 x2``."""

BETWEEN_HANDS = "/"
"""The word between the cards of two hands."""

_LETTERS = {
    name: letter for letter, word in codes.COLOURS.items() for name in (word, letter.lower())
}
_WILDS = dict.fromkeys(("w", "wild", "wildcard"), "W") | dict.fromkeys(
    (
        *("+4", "w4", "w+4", "wd4", "wdraw4", "d4", "draw4", "drawfour"),
        *("wild4", "wild+4", "wildd4", "wilddraw4", "wilddrawfour"),
    ),
    "+4",
)
_WILDS |= {f"black{word}": code for word, code in _WILDS.items()}
_WILD_CODES = frozenset(_WILDS.values())


def _written() -> dict[str, str]:
    """Map every accepted spelling, in lower case and without separators, to its code."""
    found = dict(_WILDS)
    for (colour, letter), (symbol, short) in product(_LETTERS.items(), codes.SYMBOLS.items()):
        found[colour + symbol] = letter + short
        if symbol not in ("s", "r"):  # ambiguous: in "rg" the r may mean red
            found[symbol + colour] = letter + short
    return found


_WRITTEN = _written()
"""The code of every accepted spelling."""


def cards_of_line(text: str) -> list[Card]:
    """Return the cards of a line: ``R5 R7, B7``, ``red 5``, or one card of values, ``red,5``.

    Values joined by commas without blanks may stand next to other cards: ``R5 pink,3``.

    Raises
    ------
    InstanceError
        If a word is not a card.

    Examples
    --------
    >>> cards_of_line("5R, wild"), cards_of_line("pink,5"), cards_of_line("1 3")
    ([('red', 5), ('*', '*')], [('pink', 5)], [(1, 3)])
    """
    text = text.replace("\N{NO-BREAK SPACE}", " ").strip()
    if "[" in text and looks_printed(text):
        return [_printed(inner) for inner in _PRINTED.findall(text)]
    if not _TIMES_SIGNS.isdisjoint(text) and _COUNTED.search(text):
        return [card for word in _expanded(text.split()) for card in _cards_of_item(word)]
    return _cards_of_cells(text)


def _cards_of_cells(text: str) -> list[Card]:
    """Return the cards of a line without copy counts and brackets."""
    if ";" in text and "," in text:
        return [card for part in text.split(";") if part.strip() for card in _cards_of_cells(part)]
    plain = ";" not in text and "\t" not in text
    cells = [*map(bare, text.split(",") if plain else re.split("[,;\t]", text))]
    if len(cells) > 1 and all(map(_SIGNED.fullmatch, cells)):
        return [card_of_cells(cells)]
    found = [[typed(word) for word in _grouped(cell.split())] for cell in cells]
    read = [card for cards in found for card in cards if card is not None]
    if all(found) and len(read) == sum(map(len, found)):
        return read
    words = text.split()
    apart = [*_grouped(words)]
    if len(apart) > 1 and all(typed(word) or _is_joined(word) for word in apart):
        return [card for word in apart for card in _cards_of_item(word)]
    if len(cells) > 1:
        _require_no_codes(cells)
        return [card_of_cells(cells)]
    if all(map(_INTEGER.fullmatch, words)):
        return [card_of_cells(words)]
    return [card for word in _grouped(words) for card in _cards_of_item(word)]


def looks_printed(text: str) -> bool:
    """Return True if a text consists of printed cards, in brackets, and is not JSON.

    >>> looks_printed("[red 5] +[wild]"), looks_printed("[1, 2]"), looks_printed("[5]")
    (True, False, False)
    """
    if not text.strip() or _PRINTED.sub("", text).strip():
        return False
    try:
        json.loads(text)
    except ValueError:
        return True
    return False


def _printed(inner: str) -> Card:
    """Return the card that is printed as the given words."""
    return typed(inner) or card_of_cells(inner.split())


def bare(cell: str) -> str:
    """Return a cell without surrounding blanks and quotes."""
    found = cell.strip()
    quoted = len(found) > 1 and found[0] == found[-1] == '"'
    return found[1:-1].strip() if quoted else found


def card_of_cells(cells: Sequence[str]) -> Card:
    """Return the card of some values; after a colour, symbols are read as in codes: ``Red,D2``.

    A wild card may have its name in one cell or in all: ``wild,``, ``wild,+4``, ``wild,wild``.
    """
    if _names_a_wild_card(cells):
        return (WILD,) * len(cells)
    _require_no_count(cells)
    among_texts = not all(map(_SIGNED.fullmatch, cells))
    values = tuple(cell if among_texts and cell in _SYMBOLS else _value(cell) for cell in cells)
    named = cells[-1] == "+2" or isinstance(values[-1], str)
    coloured = len(cells) == 2 and values[0] in codes.COLOURS.values()
    return (typed(" ".join(cells)) if coloured and named else None) or values


def _names_a_wild_card(cells: Sequence[str]) -> bool:
    """Return True if the cells together, or each of them, are the name of a wild card."""
    if not any("wild" in cell.lower() for cell in cells):
        return False
    names = (" ".join(cells),), cells
    return any(all(canonical(name) in _WILD_CODES for name in some) for some in names)


def _require_no_count(cells: Sequence[str]) -> None:
    """Raise if a number of copies is joined to the values of a card: ``red,5,x2``."""
    if len(cells) < 3:  # a colour, a number and a count
        return
    for count, first in ((cells[-1], cells[0]), (cells[0], cells[1])):
        counted = _BEHIND.fullmatch(count) or _BEFORE.fullmatch(count)
        if counted and first.lower() in codes.COLOURS.values():
            rest = ",".join(cell for cell in cells if cell is not count)
            raise InstanceError(f"{shown(','.join(cells))} has a count; write {rest} x{counted[1]}")


def _is_joined(word: str) -> bool:
    """Return True if a word consists of values joined by commas."""
    return "," in word and all(word.split(","))


def _require_no_codes(cells: Sequence[str]) -> None:
    """Raise if only some words are codes: then the others are misspelt codes, not values."""
    apart = [word for cell in cells for word in _grouped(cell.split())]
    coded = [word for word in apart if canonical(word) and not _INTEGER.fullmatch(word)]
    for word in apart if coded else ():
        if not canonical(word):
            raise InstanceError(f"{codes.no_card(word)} ({coded[0]} beside it is one)")


def cards_of_words(words: Sequence[str], place: str) -> list[Card]:
    """Return the cards of some words: codes of one or several words, and values joined by commas.

    A word with blanks is read as a line, and a comma at either end of a word separates cards.

    Raises
    ------
    InstanceError
        If a word is not a card, or looks like a typing mistake; the message names its place.

    Examples
    --------
    >>> cards_of_words(["R5,", "red", "7", "1,3", "B2 W"], "cards")
    [('red', 5), ('red', 7), (1, 3), ('blue', 2), ('*', '*')]
    """
    found: list[Card] = []
    if len(words) > 1 and all(map(_SIGNED.fullmatch, words)):
        raise InstanceError(
            f"{place}: numbers alone; a card of several values is joined by commas, as in 1,3"
        )
    if "[" in "".join(words):
        words = [" ".join(words)]
    for word in (word for run in _runs(words) for word in _expanded(run)):
        try:
            found += _cards_of_word(word)
        except InstanceError as error:
            raise InstanceError(f"{place}[{len(found)}]: {error}") from None
    require_unlike(found, [f"{place}[{index}]" for index in range(len(found))])
    return found


def parted(words: Sequence[str]) -> list[list[str]]:
    """Split the words into hands at the slashes."""
    hands: list[list[str]] = [[]]
    for word in words:
        if word == BETWEEN_HANDS:
            hands.append([])
        else:
            hands[-1].append(word)
    return hands


def codes_of_words(words: Sequence[str], place: str) -> list[str]:
    """Return the codes of official cards, which distinguish the two wild cards.

    >>> codes_of_words(["5r", "wild", "+4", "W,", "+4"], "hand")
    ['R5', '+4', 'W', '+4']
    """
    found: list[str] = []
    cells = " ".join(words).split(",")
    for word in (word for cell in cells for word in _grouped(cell.split())):
        code = canonical(word)
        if code is None:
            raise InstanceError(f"{place}[{len(found)}]: {codes.no_card(word)}")
        found.append(code)
    return found


OneT = TypeVar("OneT")


def the_only(found: Sequence[OneT], place: str) -> OneT:
    """Return the only card of a list.

    Raises
    ------
    InstanceError
        If there is not exactly one card.
    """
    if len(found) != 1:
        raise InstanceError(f"{place}: expected one card, found {len(found)}")
    return found[0]


def _cards_of_word(word: str) -> list[Card]:
    """Return the cards of a word from a program or a shell, which may be a whole line."""
    return cards_of_line(word) if len(word.split()) > 1 or "[" in word else _cards_of_item(word)


def _cards_of_item(word: str) -> list[Card]:
    """Return the cards of a code, or of values that are joined."""
    card = typed(word)
    if card is not None:
        return [card]
    if any(each in word for each in ",;\t"):
        return _cards_of_cells(word)
    if _INTEGER.fullmatch(word):
        return [(_value(word),)]
    named = word.isalpha() and len(word) <= codes.LONGEST_WORD
    hint = f"; other values are joined by commas, as in {word},5" if named else ""
    raise InstanceError(codes.no_card(word) + hint)


def _runs(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield runs of words between which no comma or quoting separates cards."""
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


def _expanded(words: Sequence[str]) -> list[str]:
    """Return the words of each card, repeated by the number of copies before or after it.

    Raises
    ------
    InstanceError
        If a number of copies has no card or is out of range.
    """
    if not _COUNTED.search(" ".join(words)):
        return [*_grouped(words)]
    found: list[str] = []
    copies = 1
    for word in _grouped(_apart(words)):
        before, behind = _BEFORE.fullmatch(word), _BEHIND.fullmatch(word)
        if before:
            copies = _copies(before[1])
        elif behind and found and not _INTEGER.fullmatch(found[-1]):
            found += [found[-1]] * (_copies(behind[1]) - 1)
        elif behind or (copies > 1 and _INTEGER.fullmatch(word)):
            raise InstanceError(f"{shown(' '.join(words))} is not a card with a count; 2xR5 is one")
        else:
            found += [word] * copies
            copies = 1
    if copies > 1:
        raise InstanceError("a number of copies without a card; 2xR5 is two red 5")
    return found


def _apart(words: Sequence[str]) -> list[str]:
    """Return the words, with each number of copies as a word of its own."""
    text = " ".join(word.strip(",; ") for word in words)
    large = re.search(r"(?<!\S)X[0-9]+(?!\S)", text)
    if large:  # more likely a misspelt code than a number of copies
        raise InstanceError(f"{codes.no_card(large[0])}; copies are written {large[0].lower()}")
    text = re.sub(rf"(?<!\S)([0-9]+)\s*{_TIMES}\s*(?=[^0-9\s,][^\s,]*(?:\s|$))", r"\1x ", text)
    return re.sub(rf"(?<=\S)\s*{_TIMES}\s*([0-9]+)(?!\S)", r" x\1", text).split()


def _copies(digits: str) -> int:
    if not 1 <= int(digits[:9]) <= MOST_COPIES:
        raise InstanceError(f"{digits[:20]} copies are not allowed; expected 1 to {MOST_COPIES}")
    return int(digits)


def _grouped(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, joined if they form one card; but ``W +4`` are two cards."""
    start = 0
    while start < len(words):
        for count in range(min(MOST_WORDS, len(words) - start), 0, -1):
            together = words[start : start + count]
            joined = " ".join(together)
            if canonical(joined) and not _begins_with_a_code(together):
                break
        yield joined
        start += count


def _begins_with_a_code(words: Sequence[str]) -> bool:
    """Return True if the first word is the code of a wild card and the others are cards too."""
    return len(words) > 1 and words[0].upper() == "W" and all(map(canonical, words))


def _value(cell: str) -> Value:
    if not cell:
        raise InstanceError("an empty value; a value is an integer or a text")
    require_text(cell)
    if _SIGNED.fullmatch(cell):
        return int(cell)
    return cell.lower() if cell.lower() in codes.COLOURS.values() else cell


def canonical(text: str) -> str | None:
    """Return the code in its official spelling, or None if the text is no code.

    >>> canonical("r5"), canonical("5R"), canonical("Red draw two"), canonical("wd4")
    ('R5', 'R5', 'R+2', '+4')
    """
    return _WRITTEN.get("".join(part for part in text.lower() if part not in " \t-_"))


def typed(text: str) -> Card | None:
    """Return the card that a typed text stands for, or None if it is no card.

    >>> typed("5R"), typed("red 10")
    (('red', 5), None)
    """
    code = canonical(text)
    return None if code is None else codes.decode(code)
