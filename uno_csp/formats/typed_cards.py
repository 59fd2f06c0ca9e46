"""Cards as people type them: codes in every usual spelling, or values joined by commas.

A word that is neither is an error. It used to become a card of its own kind, which matches nothing
else: a slip of the finger would then change the answer without a word.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from uno_csp.cards import Card, Value
from uno_csp.errors import InstanceError
from uno_csp.formats.lookalikes import require_unlike
from uno_csp.questions import codes
from uno_csp.questions.given_cards import require_text
from uno_csp.wording import shown

MOST_WORDS = 4
"""So many words make a card at most: wild draw four card."""

MOST_COPIES = 1000
"""The most copies of a card that ``2xR5`` may ask for."""

_INTEGER = re.compile(r"-?[0-9]{1,4000}")
_SIGNED = re.compile(r"[+-]?[0-9]{1,4000}")
_SYMBOLS = ("+2", "+4")
"""Integers among integers, and symbols beside a text: ``1,+2`` and ``pink,+2``."""

_PRINTED = re.compile(r"\+?\[([^\[\]{}\",]+)\]")
"""A card as it is printed: ``[red 5]``, with a plus sign where it was added."""

_TIMES_SIGNS = frozenset("xX\N{MULTIPLICATION SIGN}")
_TIMES = "[xX\N{MULTIPLICATION SIGN}]"
_WORD_ENDS = r"(?=[,;]?(?:\s|$))"
_COUNTED = re.compile(
    rf"(?:^|[\s,;])[0-9]+\s*{_TIMES}(?:(?=\s)|[^0-9\s,;][^\s,;]*{_WORD_ENDS})"
    rf"|(?:\s|(?:^|\s)[^\s,;]+){_TIMES}\s*[0-9]+{_WORD_ENDS}"
)
_BEFORE, _BEHIND = re.compile(rf"([0-9]+){_TIMES}"), re.compile(rf"{_TIMES}([0-9]+)")
"""A number of copies before a card and behind it: ``2x R5``, ``R5 x2``."""


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
    text = text.replace("\N{NO-BREAK SPACE}", " ").strip()
    if "[" in text and looks_printed(text):
        return [_printed(inner) for inner in _PRINTED.findall(text)]
    if not _TIMES_SIGNS.isdisjoint(text) and _COUNTED.search(text):
        return [card for word in _expanded(text.split()) for card in _cards_of_item(word)]
    return _cards_of_cells(text)


def _cards_of_cells(text: str) -> list[Card]:
    """The cards of a line without copies and brackets."""
    if ";" in text and "," in text:
        return [card for part in text.split(";") if part.strip() for card in _cards_of_cells(part)]
    plain = ";" not in text and "\t" not in text
    cells = [*map(bare, text.split(",") if plain else re.split("[,;\t]", text))]
    if len(cells) > 1 and all(map(_SIGNED.fullmatch, cells)):
        return [card_of_cells(cells)]
    found = [[codes.typed(word) for word in _grouped(cell.split())] for cell in cells]
    read = [card for cards in found for card in cards if card is not None]
    if all(found) and len(read) == sum(map(len, found)):
        return read
    words = text.split()
    apart = [*_grouped(words)]
    if len(apart) > 1 and all(codes.typed(word) or _is_joined(word) for word in apart):
        return [card for word in apart for card in _cards_of_item(word)]
    if len(cells) > 1:
        _require_no_codes(cells)
        return [card_of_cells(cells)]
    if all(map(_INTEGER.fullmatch, words)):
        return [card_of_cells(words)]
    return [card for word in _grouped(words) for card in _cards_of_item(word)]


def looks_printed(text: str) -> bool:
    """Return True if a text is nothing but cards as they are printed, in brackets, and no JSON.

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
    """The card that is printed as these words."""
    return codes.typed(inner) or card_of_cells(inner.split())


def bare(cell: str) -> str:
    """Return a cell without blanks around it, and without the quotes tables are written with."""
    found = cell.strip()
    quoted = len(found) > 1 and found[0] == found[-1] == '"'
    return found[1:-1].strip() if quoted else found


def card_of_cells(cells: Sequence[str]) -> Card:
    """Return the card of some values; behind a colour, what codes write as well: ``Red,Draw2``."""
    among_texts = not all(map(_SIGNED.fullmatch, cells))
    values = tuple(cell if among_texts and cell in _SYMBOLS else _value(cell) for cell in cells)
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
    if "[" in "".join(words):
        words = [" ".join(words)]
    for word in (word for run in _runs(words) for word in _expanded(run)):
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
    """The cards of a word as a program or a shell hands it over: it may be a whole line."""
    return cards_of_line(word) if len(word.split()) > 1 or "[" in word else _cards_of_item(word)


def _cards_of_item(word: str) -> list[Card]:
    """A card by its code, or values that are joined."""
    card = codes.typed(word)
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


def _expanded(words: Sequence[str]) -> list[str]:
    """The words of each card, as often as is said before or behind it.

    Raises
    ------
    InstanceError
        When a number of copies has no card, or is not allowed.
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
            raise InstanceError(f"{shown(' '.join(words))} are no copies of a card; 2xR5 are")
        else:
            found += [word] * copies
            copies = 1
    if copies > 1:
        raise InstanceError("a number of copies stands before no card; 2xR5 is two red 5")
    return found


def _apart(words: Sequence[str]) -> list[str]:
    """The words with a number of copies as a word of its own."""
    text = " ".join(word.strip(",; ") for word in words)
    text = re.sub(rf"(?<!\S)([0-9]+)\s*{_TIMES}\s*(?=[^0-9\s,][^\s,]*(?:\s|$))", r"\1x ", text)
    return re.sub(rf"(?<=\S)\s*{_TIMES}\s*([0-9]+)(?!\S)", r" x\1", text).split()


def _copies(digits: str) -> int:
    if not 1 <= int(digits[:9]) <= MOST_COPIES:
        raise InstanceError(f"{digits[:20]} copies are not allowed; 1 to {MOST_COPIES} are")
    return int(digits)


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
    if _SIGNED.fullmatch(cell):
        return int(cell)
    return cell.lower() if cell.lower() in codes.COLOURS.values() else cell
