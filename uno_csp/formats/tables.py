"""Tables of cards, as spreadsheets and programs write them.

A table is a file ``.csv`` or ``.tsv``, or a text that begins with a heading, with ``sep=`` or with
a quotation mark. Its cells are separated by commas, semicolons or tabs and may be quoted. The
heading names the columns: attributes keep the order of their columns, except that a colour comes
before its number; a count column gives the number of copies of a card, and the column ``card`` has
codes. Without a heading, every cell is a code, or every row is the values of a card.
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import StringIO
from typing import TypeVar

from uno_csp.errors import InstanceError
from uno_csp.formats.card_values import card_of_cells, find_heading, find_slip, unnamed_card
from uno_csp.formats.columns import ATTRIBUTES, CARDS, COLOURS, COUNTS, NUMBER_OR_COUNT, SYMBOLS
from uno_csp.formats.official_cards import official_cards
from uno_csp.formats.phrases import BLANK, Refused
from uno_csp.formats.text import is_missing
from uno_csp.questions import codes
from uno_csp.questions.cards import Card
from uno_csp.questions.codes import quoted

ResultT = TypeVar("ResultT")

MOST_COPIES = 1_000_000  # maximum number of copies of a card in one line
_MARK = "sep="  # beginning of a first line that names the separator, as Excel writes it
_EMPTY_LINES = re.compile(rf"\A(?:[{BLANK}]*\n)+")

_INTEGER = re.compile("[+-]?[0-9]+")
_WHOLE = re.compile(r"\A([0-9]+)\.0\Z")  # an integer as programs write it that compute with floats
_LONGEST_HEADING = 1000  # number of characters of a text among which a heading is looked for
_SEPARATORS = ";\t"  # separators of cells that are looked for before the comma
_ROLES = {
    **dict.fromkeys(CARDS, "card"),
    **dict.fromkeys(COUNTS, "count"),
    **dict.fromkeys(ATTRIBUTES, "attribute"),
}
"""Role of a column, by its name."""


def is_table(text: str) -> bool:
    r"""Return True if a text begins as a table does.

    >>> is_table("Color;Number\nred;5"), is_table("red,5"), is_table("sep=;\nred;5")
    (True, False, True)
    """
    first = text.lstrip(" \n").partition("\n")[0][:_LONGEST_HEADING]
    if first.lower().startswith(('"', _MARK)):
        return True
    return _is_heading(next(csv.reader([first], delimiter=_separator_of(first)), []))


def cards_of_table(text: str) -> tuple[Card, ...]:
    r"""Return the cards of a table.

    Raises InstanceError if a row cannot be read; the message names the line.

    >>> cards_of_table("Color;Number;Count\nred;5;2\nblack;wild;1")
    (('red', 5), ('red', 5), ('*', '*'))
    """
    rows = [*_rows(text)]
    headed = bool(rows) and _is_heading(rows[0][1])
    if headed:
        (number, names), *below = _without_margins(rows)
        read = cache(_at(number, _heading_of, names).cards_of)
        found = [(number, card) for number, cells in below for card in _at(number, read, cells)]
    else:
        found = _codes(rows) or [
            (number, _at(number, _card_of_row, cells)) for number, cells in rows
        ]
    cards = tuple(card for _, card in found)
    slip = (None if headed else find_heading(cards)) or find_slip(cards)
    if slip is not None:
        raise InstanceError(f"line {found[slip[0]][0]}: {slip[1]}")
    return cards


def _without_margins(
    rows: Sequence[tuple[int, tuple[str, ...]]],
) -> Sequence[tuple[int, tuple[str, ...]]]:
    """Return the rows of a table without what programs write around it.

    That is blank rows, empty columns at the end, and an index: a first column without a name that
    counts the rows from 0 or 1.
    """
    kept = [row for row in rows if any(row[1])]
    heading, *below = (cells for _, cells in kept)
    size = max(end for _, cells in kept for end, cell in enumerate(cells, start=1) if cell)
    if size < len(heading):
        kept = [(number, cells[:size]) for number, cells in kept]
    counted = [cells[0] for cells in below]
    indices = ([*map(str, range(first, first + len(below)))] for first in (0, 1))
    if not heading[0] and any(counted == index for index in indices):
        kept = [(number, cells[1:]) for number, cells in kept]
    return kept


def _separator_of(text: str) -> str:
    """Return the cell separator of a text: a semicolon, a tab, or else a comma."""
    first = text.lstrip("\n").partition("\n")[0]
    return next((each for each in _SEPARATORS if each in first), ",")


def _rows(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the line number and the cells of each row that is not empty."""
    start = _EMPTY_LINES.sub("", text, count=1)
    separator, skipped = _separator_of(start), text.count("\n") - start.count("\n")
    if start[: len(_MARK)].lower() == _MARK:
        separator, start = _named_separator(start)
        skipped += 1
    reader = csv.reader(StringIO(start), delimiter=separator, strict=True, skipinitialspace=True)
    number = skipped
    try:
        for row in reader:
            number, first = skipped + reader.line_num, number + 1
            cells = tuple(cell.strip(BLANK) for cell in row)
            if len(cells) == 1 and "," in cells[0]:  # a row that was quoted whole
                cells = tuple(cell.strip(BLANK) for cell in cells[0].split(","))
            if any(cells) or len(cells) > 1:
                yield first, cells
    except csv.Error as error:
        fault = "a quoted cell has no end"
        if "expected after" in str(error):
            fault = (
                f"a quoted cell ends without a separator behind it; expected {quoted(separator)}"
            )
        raise InstanceError(f"line {skipped + reader.line_num}: {fault}") from None


def _named_separator(text: str) -> tuple[str, str]:
    """Return the separator that a first line ``sep=;`` names, and the text behind that line."""
    first, _, others = text.partition("\n")
    named = first[len(_MARK) :].strip(" ") or "\t"
    if named not in (",", *_SEPARATORS):
        raise InstanceError(f"line 1: {quoted(first)}; a separator is a comma, semicolon or tab")
    return named, others


def _at(line: int, read: Callable[[tuple[str, ...]], ResultT], cells: tuple[str, ...]) -> ResultT:
    """Return what is read from some cells; an error names the line."""
    try:
        return read(cells)
    except InstanceError as error:
        raise InstanceError(f"line {line}: {error}") from None


def _codes(rows: Sequence[tuple[int, tuple[str, ...]]]) -> list[tuple[int, Card]]:
    """Return the cards of cells that are all codes, one or several to a cell; else nothing."""
    try:
        found = [
            (number, card) for number, cells in rows for cell in cells for card in _official(cell)
        ]
    except Refused:
        return []
    double = next((number for number, cells in rows if len(cells) > 1), None)
    if double and {card for _, card in found} == {codes.DRAW_FOUR}:
        raise InstanceError(f"line {double}: it may be one wild card or several; write one a line")
    return found


@lru_cache(maxsize=10_000)
def _official(cell: str) -> tuple[Card, ...]:
    found = official_cards(cell)
    if not found:
        raise Refused("an empty cell", 0)
    return found


@lru_cache(maxsize=10_000)
def _card_of_row(cells: tuple[str, ...]) -> Card:
    """Return the card of the values in a row, or of a code alone."""
    return (codes.decode(cells[0]) if len(cells) == 1 else None) or unnamed_card(cells)


def _is_heading(cells: Sequence[str]) -> bool:
    """Return True if a row names columns: it has a known name and no number, or several names."""
    names = {cell.strip().lower() for cell in cells}
    known = names & _ROLES.keys()
    return len(known) > 1 or bool(known and not any(map(_INTEGER.fullmatch, names)))


@dataclass(frozen=True, slots=True)
class _Heading:
    """Places of the columns of a table; the attributes are in the order of a card's values."""

    size: int
    names: str
    attributes: tuple[int, ...]
    count: int | None
    card: int | None

    def cards_of(self, cells: tuple[str, ...]) -> tuple[Card, ...]:
        """Return the copies of a row's card."""
        return (self.card_of(cells),) * self.copies_of(cells)

    def card_of(self, cells: tuple[str, ...]) -> Card:
        """Return the card of a row; a row may also be one code alone."""
        if len(cells) == 1 < self.size and codes.canonical(cells[0]) is not None:
            return _card_of_row(cells)
        if ", ".join(cells).lower() == self.names:
            raise InstanceError("the heading stands here again; a table has one")
        if len(cells) != self.size:
            raise InstanceError(
                f"{len(cells)} cells, not {self.size} where the heading has {self.names}"
            )
        if self.card is None:
            values = [cells[place] for place in self.attributes]
            return card_of_cells([_WHOLE.sub(r"\1", value) for value in values])
        card = codes.decode(cells[self.card])
        if card is None:
            raise InstanceError(f"card: {codes.no_card(cells[self.card])}")
        return card

    def copies_of(self, cells: tuple[str, ...]) -> int:
        """Return the number of copies of a row's card."""
        if self.count is None or len(cells) == 1:
            return 1
        cell = cells[self.count]
        if is_missing(cell):
            raise InstanceError(f"the count is missing{f' ({cell})' if cell else ''}")
        if not (cell.isascii() and cell.isdecimal()) or int(cell[:20]) > MOST_COPIES:
            raise InstanceError(
                f"count: {quoted(cell)} is not allowed; expected 0 to {MOST_COPIES}"
            )
        return int(cell)


def _heading_of(cells: tuple[str, ...]) -> _Heading:
    """Return the heading in a row; raise InstanceError if it describes no cards."""
    names = [cell.lower() for cell in cells]
    for name in names:
        if name not in _ROLES:
            raise InstanceError(
                f"unknown column {quoted(name)}; columns of attributes are "
                f"{', '.join(ATTRIBUTES)}, of copies {', '.join(COUNTS)}, of codes {CARDS[0]}"
            )
    roles = [_role(name, names) for name in names]
    attributes = [place for place, role in enumerate(roles) if role == "attribute"]
    for synonyms in (COLOURS[:2], SYMBOLS):
        if len(both := [*dict.fromkeys(name for name in names if name in synonyms)]) > 1:
            raise InstanceError(f"the columns {' and '.join(both)} name the same attribute")
    if len({*names}) < len(names) or roles.count("card") + bool(attributes) != 1:
        raise InstanceError("a table has a column of codes or columns of attributes, each once")
    if roles.count("count") > 1:
        raise InstanceError("a table has at most one count column")
    if len(attributes) == 2:
        attributes.sort(key=lambda place: names[place] not in COLOURS)
    count, card = (roles.index(role) if role in roles else None for role in ("count", "card"))
    return _Heading(len(names), ", ".join(names), tuple(attributes), count, card)


def _role(name: str, names: Sequence[str]) -> str:
    """Return what a column is; ``n`` is the number of cards that have a colour and nothing else."""
    if name == NUMBER_OR_COUNT:
        others = {*names} - {*COUNTS[:-1], NUMBER_OR_COUNT}
        return "attribute" if others and others <= {*COLOURS} else "count"
    return _ROLES[name]
