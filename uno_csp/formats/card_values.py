"""Cards of values: the grammar of a hand of them, and what a value in a text or table may be.

::

    hand  = [ card, { gap, card } ]
    card  = [ number, "x" ], value, ",", value, { ",", value }, [ "x", number ]
    value = integer | name | "*"
    gap   = blank | ";" | line end

A name has no blank, bracket, colon, quote, slash or ``#``, and begins with no digit or sign. Blanks
stand between a card and the number of copies behind it.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache

from uno_csp.errors import InstanceError
from uno_csp.formats.columns import ATTRIBUTES, CARDS, COUNTS, TOTALS
from uno_csp.formats.phrases import BLANK, JOINED_COUNT, Phrase, Refused
from uno_csp.formats.text import fault_of, is_missing, shape_of
from uno_csp.questions import codes
from uno_csp.questions.cards import WILD, Card, Value
from uno_csp.questions.codes import quoted
from uno_csp.questions.fields import MAX_DIMENSION
from uno_csp.questions.given_cards import require_text
from uno_csp.questions.wording import counted, printable

ALIKE = 0.75  # least ratio of difflib at which a word resembles another: one letter of four
_PHRASE = re.compile(r"[^;\n]+")
_WORD = re.compile(rf"{JOINED_COUNT}|[^{BLANK}]+")
_SIMPLE = re.compile(rf"[^{BLANK}\n;]+")
_COPIES = re.compile(JOINED_COUNT)
_INTEGER = re.compile(r"-?[0-9]{1,4000}|\+(?!4\Z)[1-9][0-9]{0,3999}")  # +4 is a wild card
_NUMERIC = re.compile(r"[+\-.=\N{MINUS SIGN}0-9]")
_NOT_TYPED = re.compile(rf"[{BLANK}\[\](){{}}<>:\"'`/\\#]")
_ODD_END = re.compile("^[\\[({<|`\"']|[\\])}>|`\"']$")
"""A bracket or quote at an end of a cell, which belongs to another notation of tables or lists."""

_CODE = re.compile(
    r"([^\W\d_]+)[ _-]?(?:\+?[0-9]+[^\W_]?|skip|rev|reverse)|(red|yellow|green|blue)[ _-]?(\D+)"
    r"|(?-i:[RYGB][RS]\w)",
    re.IGNORECASE,
)
"""A word and a number or symbol, or an official colour and a word, as in the code of a card."""

_DIGITS = str.maketrans("OoIl", "0011")  # letters that look like digits
_COUNT = re.compile(r"x[0-9]+")
_COLOURS = frozenset(codes.COLOURS.values())
_SYMBOLS = frozenset(word for word in codes.SYMBOLS if len(word) > 2)


def cards_of_values(text: str) -> tuple[Card, ...]:
    """Return the cards of a text of cards of values.

    Raises Refused if it is not in the grammar, or values look like slips.

    >>> cards_of_values("pink,5; 2x pink,7")
    (('pink', 5), ('pink', 7), ('pink', 7))
    """
    simple = _of_simple_words(text)
    found = [] if simple else _cards_of_phrases(text)
    cards = simple or [card for card, _ in found]
    slip = find_heading(cards) or find_slip(cards)
    if slip is not None:
        index, message = slip
        position = found[index][1] if found else [*_SIMPLE.finditer(text)][index].start()
        raise Refused(message, position, index)
    return tuple(cards)


def _of_simple_words(text: str) -> list[Card]:
    """Return the cards of words that are cards without copies; else nothing."""
    words = _SIMPLE.findall(text)
    kinds = {*words}
    if any("," not in word or _COPIES.match(word) for word in kinds):
        return []
    try:
        return [_card_of_word(word) for word in words]
    except ValueError:
        return []


def _cards_of_phrases(text: str) -> list[tuple[Card, int]]:
    found: list[tuple[Card, int]] = []
    for match in _PHRASE.finditer(text):
        words = _WORD.finditer(text, *match.span())
        found += Phrase(words, len(found), lambda words: (_card_of_word(words[0]), 1)).cards()
    return found


@lru_cache(maxsize=10_000)
def _card_of_word(word: str) -> Card:
    """Return the card of values that are joined by commas."""
    cells = word.split(",")
    for cell in cells:
        banned = _NOT_TYPED.search(cell)
        if banned and not is_missing(cell):
            raise ValueError(f"{quoted(cell)}: {banned[0]} is not allowed in a typed value")
    if len(cells) == 1:
        raise ValueError(f"{codes.no_card(word)} (values are joined by commas, as in {word},5)")
    if all(map(codes.wild_code, cells)):
        raise ValueError(f"{quoted(word)} may be one card or two; write W for a wild card, or *,*")
    return unnamed_card(cells)


def unnamed_card(cells: Sequence[str]) -> Card:
    """Return the card of values whose columns have no names.

    Raises InstanceError as :func:`card_of_cells`; or if they may be several cards, or a card and a
    number of copies.

    >>> unnamed_card(["red", "5", "blue", "7"])
    Traceback (most recent call last):
    ...
    uno_csp.errors.InstanceError: red,5,blue,7 may be one card or several; write red,5 blue,7
    """
    if len(cells) < 2:
        raise InstanceError(
            f"{quoted(cells[0])} is one value; a card has two or more, or is a code"
        )
    fault = _fault_of_row(cells)
    if fault:
        raise InstanceError(fault)
    return card_of_cells(cells)


NEAR = 20  # maximum number of values before and behind one that a message about it names


def _fault_of_row(cells: Sequence[str]) -> str:
    """Return an error message for values that may be several cards, or copies of one; else ""."""
    if all(map(_CODE.fullmatch, cells)) and min(map(len, cells)) > 2:
        return codes.no_card(cells[0])
    if len(cells) == 2:
        return ""
    written = printable(",".join(cells))
    pairs = [cells[place : place + 2] for place in range(0, len(cells), 2)]
    if all(map(_is_official, pairs)):
        several = printable(" ".join(map(",".join, pairs)))
        return f"{written} may be one card or several; write {several}"
    if sum(cell.lower() in _COLOURS for cell in cells) > 1:
        return f"{written} may be one card or several; a heading names the columns"
    parts = [(cells[-1], cells[:-1]), (cells[0], cells[1:])]
    for count, card in sorted(parts, key=lambda part: not codes.code_of_values(part[1])):
        if len(cells) == 3 and _INTEGER.fullmatch(count) and _is_official(card):
            number = "1 copy" if count == "1" else f"{count} copies"
            copies = f"{number} of {printable(','.join(card))}"
            return f"{written} may be {copies}; a heading names the columns"
    return ""


def _is_official(cells: Sequence[str]) -> bool:
    """Return True if two values are those of an official card, in any order."""
    return len(cells) == 2 and any(map(codes.code_of_values, (cells, cells[::-1])))


def card_of_cells(cells: Sequence[str]) -> Card:
    """Return the card of some values as they are written.

    A card whose values are an official colour and symbol, or the name of a wild card and a word for
    no colour, is that official card.

    Raises InstanceError if a value is missing or not allowed, or a whole card stands where a value
    should.

    >>> card_of_cells(["Red", "D2"]), card_of_cells(["black", "wild"]), card_of_cells(["1", "+2"])
    (('red', '+2'), ('*', '*'), (1, 2))
    """
    numbers = all(map(_INTEGER.fullmatch, cells))
    code = None if numbers else codes.code_of_values(cells)
    if code is not None:
        return codes.card_of_code(code) if len(cells) == 2 else (WILD,) * len(cells)
    for number, cell in enumerate(cells, start=1):
        # A message names the values nearby, so that a card of many values is read in linear time.
        near = [*cells[max(0, number - 1 - NEAR) : number - 1], *cells[number : number + NEAR]]
        fault = _fault(cell, near, numbers=numbers)
        if fault:
            raise InstanceError(f"value {number}: {fault}")
    return tuple(_value(cell, number=numbers) for cell in cells)


def _fault(cell: str, others: Sequence[str], *, numbers: bool) -> str:
    """Return an error message for a value beside others; empty if it is allowed."""
    if is_missing(cell):
        return f"it is missing ({cell})" if cell else "it is missing"
    if fault := fault_of(cell):
        return f"{quoted(cell)}: {fault}"
    if odd := _ODD_END.search(cell):
        return f'{quoted(cell)}: {odd[0]} is not allowed at an end; cells are quoted by "'
    if not numbers and (code := codes.canonical(cell)) is not None:
        beside = " and ".join(map(quoted, others)) or "nothing"
        kind = "wild" if code in codes.WILD_CODES else "whole"
        return f"{quoted(cell)} is a {kind} card, {code}, but {beside} stands beside it"
    if _is_nearly_a_code(cell):
        return codes.no_card(cell)
    if _COUNT.fullmatch(cell) and codes.code_of_values(others):
        return f"{quoted(cell)} is a count; write {','.join(others)} {cell}"
    if _NUMERIC.match(cell) and not _INTEGER.fullmatch(cell):
        return f"{quoted(cell)} is no whole number, and a name begins with no digit or sign"
    return ""


def _is_nearly_a_code(cell: str) -> bool:
    """Return True if a value is nearly a colour and a symbol, such as ``R10`` or ``blue skp``."""
    code = _CODE.fullmatch(cell)
    if code is None:
        return False
    word, symbol = code[1], code[3]
    if word is None:
        return bool(symbol and _near(symbol, _SYMBOLS))
    begins = any(colour.startswith(word.lower()) for colour in _COLOURS)
    return begins or bool(_near(word, _COLOURS))


def _near(word: str, known: Collection[str]) -> str:
    """Return a known word that a word resembles; empty if there is none."""
    return next(iter(get_close_matches(word.lower(), sorted(known), n=1, cutoff=ALIKE)), "")


def _value(cell: str, *, number: bool) -> Value:
    require_text(cell)
    if _INTEGER.fullmatch(cell) and (number or cell != "+2"):  # a symbol next to a text
        return int(cell)
    return cell.lower() if cell.lower() in _COLOURS else cell


def find_heading(cards: Sequence[Card]) -> tuple[int, str] | None:
    """Find a card that is more likely the heading of a table: names of columns, or no values."""
    first, *others = kinds = [*dict.fromkeys(cards)] or [()]
    names = {*ATTRIBUTES, *COUNTS, *CARDS}
    found = next((card for card in kinds if {str(v).lower() for v in card} <= names), None)
    columns = [*zip(*others, strict=False)]
    if not found and len(first) == len(columns) and all(isinstance(value, str) for value in first):
        known = any(value in column for value, column in zip(first, columns, strict=True))
        usual = any(codes.key_of(str(v)) in (WILD, *codes.SYMBOLS, *_COLOURS) for v in first)
        below = any(codes.code_of(card) or any(isinstance(v, int) for v in card) for card in others)
        twice = cards.count(first) > 1
        found = first if below and not known and not usual and not twice else None
    if not found:
        return None
    words = quoted(",".join(map(str, found)))
    columns_are = "columns are called color, number, count and more, in the first line"
    return cards.index(found), f"{words} looks like a heading; {columns_are}"


def find_slip(cards: Sequence[Card]) -> tuple[int, str] | None:
    """Return the index of a card with a slip, and a message; None if all values are distinct."""
    kinds = [*dict.fromkeys(cards)]
    slip = _slip_among(kinds)
    return None if slip is None else (cards.index(kinds[slip[0]]), slip[1])


def _slip_among(kinds: Sequence[Card]) -> tuple[int, str] | None:
    """Find a slip in cards of which each stands there once."""
    for index, card in enumerate(kinds):
        if len(card) > MAX_DIMENSION:
            return index, f"{len(card)} values; a card has 1 to {MAX_DIMENSION}"
        if len(card) != len(kinds[0]):
            return index, f"{counted(len(card), 'value')}, but the first card has {len(kinds[0])}"
    official = [*map(bool, map(codes.code_of, kinds))]
    numeric = {type(value) for card in kinds for value in card} == {int}
    if all(official) or numeric:
        return None
    for index, (first, *others) in enumerate(kinds):
        if str(first).lower() in TOTALS and all(isinstance(value, int) for value in others):
            return index, f"{quoted(str(first))} begins a row of sums, not a card"
    for column, values in enumerate(zip(*kinds, strict=True), start=1):
        symbols = column == 2 and any(official)
        slip = _slip_of(values, symbols=symbols)
        if slip is not None:
            return values.index(slip[0]), f"value {column}, {slip[1]}"
    return _find_turned(kinds) or (find_hidden_wild(kinds) if any(official) else None)


def _slip_of(values: Sequence[Value], *, symbols: bool) -> tuple[Value, str] | None:
    """Return the first value of a column, of ``symbols`` or not, that looks like another."""
    kinds = dict.fromkeys(values)
    coloured = not _COLOURS.isdisjoint(kinds)
    kept: dict[object, Value] = {}
    for value in kinds:
        other = kept.setdefault(_meaning(value, coloured=coloured), value)
        if other != value:
            return value, f"{quoted(str(value))}, looks like {quoted(str(other))}"
        if not isinstance(value, str):
            continue
        if coloured and value not in _COLOURS and (near := _near(value, _COLOURS)):
            return value, f"{quoted(value)}, is no colour; did you mean {near}?"
        if symbols and codes.key_of(value) not in codes.SYMBOLS:
            digits = value.translate(_DIGITS)
            near = digits if digits.isdecimal() else _near(value, _SYMBOLS)
            if near:
                return value, f"{quoted(value)}, is no symbol; did you mean {near}?"
    return None


def _meaning(value: Value, *, coloured: bool) -> object:
    """Return an object that is equal for values which are the same word, or look the same."""
    shape = shape_of(str(value))
    digits, word = shape.translate(_DIGITS), shape.casefold()
    if coloured and word in codes.COLOUR_WORDS:
        return codes.COLOUR_WORDS[word]
    word = digits if digits.isdecimal() else word
    symbol = codes.SYMBOLS.get(codes.key_of(word))
    return word if symbol is None else ("symbol", symbol)


def find_hidden_wild(cards: Sequence[Card]) -> tuple[int, str] | None:
    """Find a card that seems to be a wild card in other words."""
    for index, card in enumerate(cards):
        if codes.code_of(card) is None and codes.looks_wild(card):
            name = quoted(" ".join(map(str, card)))
            return index, f"{name} looks like a wild card; write W, or +4 for a draw four"
    return None


def _find_turned(cards: Sequence[Card]) -> tuple[int, str] | None:
    """Find the first card with colour and number in another order than in a card before."""
    seen: set[int] = set()
    for index, card in enumerate(cards):
        seen.update(_colour_places(card))
        if len(seen) > 1:
            values = " and ".join(map(str, card))
            return index, f"{values} are in another order than in a card before"
    return None


def _colour_places(card: Card) -> Iterator[int]:
    """Yield the place of an official colour in a card of a colour and a number or symbol."""
    for place, value in enumerate(card if len(card) == 2 else ()):
        other = card[1 - place]
        words = value in _COLOURS or (isinstance(other, str) and len(other) > 1)
        symbol = isinstance(other, int) or (words and other in codes.SYMBOLS)
        if symbol and str(value).lower() in codes.COLOUR_WORDS:
            yield place
