"""Tables of cards, as spreadsheets and people write them: a card or some codes a line.

The first line may name the columns. Attributes stand in the order of their columns, but for a
number before its colour; a column that counts says how often each card is there; under
``card`` stand codes. Cells are separated by commas,
semicolons or tabs. ``#`` opens a comment.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from uno_csp.cards import Card
from uno_csp.errors import InstanceError
from uno_csp.formats.typed_cards import bare, card_of_cells, cards_of_line, the_only
from uno_csp.questions import codes
from uno_csp.wording import shown

COLOURS = ("color", "colour", "suit")
"""Of two attributes the one that comes first wherever its column stands, as in all other input."""

PAIR = 2

ATTRIBUTES = (
    *COLOURS,
    "number",
    "value",
    "rank",
    "symbol",
    "face",
    "kind",
    "shape",
    "size",
    "pattern",
    "fill",
    "texture",
)
COUNTS = ("count", "quantity", "qty", "copies", "n")
CARDS = ("card", "cards", "code")
"""Names of columns."""

MOST_COPIES = 1_000_000
"""The most copies of a card that one line may ask for."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Columns of a table, by their names in small letters.

    Parameters
    ----------
    separator
        What separates the cells.
    """

    names: tuple[str, ...]
    separator: str

    @property
    def attributes(self) -> int:
        """Number of columns that hold attributes."""
        return sum(name in ATTRIBUTES for name in self.names)

    def cards_of(self, line: str) -> list[Card]:
        """Return the cards of a line below the heading.

        Raises
        ------
        InstanceError
            When it has other cells than the heading, or one of them cannot be read.
        """
        cells = cells_of(line, self.separator)
        alone = codes.typed(cells[0]) if len(cells) == 1 else None
        if alone is not None:
            return [alone]
        if len(cells) != len(self.names):
            expected = f"{len(self.names)} where the heading has {', '.join(self.names)}"
            raise InstanceError(f"{len(cells)} cells, not {expected}")
        values: list[str] = []
        copies, card = 1, None
        for name, cell in zip(self.names, cells, strict=True):
            if name in COUNTS:
                copies = _copies(name, cell)
            elif name in CARDS:
                card = the_only(cards_of_line(cell), name)
            elif name in COLOURS and len(values) == 1 and self.attributes == PAIR:
                values.insert(0, cell)
            else:
                values.append(cell)
        return [card or card_of_cells(values)] * copies


def cells_of(line: str, separator: str) -> list[str]:
    """Return the cells of a line, without blanks and quotes around them."""
    return [bare(cell) for cell in line.split(separator)]


def separator_of(line: str) -> str:
    """Return what separates the cells of a line: a semicolon, a tab, or else a comma."""
    return next((each for each in ";\t" if each in line), ",")


def heading_of(line: str) -> Heading | None:
    """Return the heading that a line is; None if it is a card, or several.

    Raises
    ------
    InstanceError
        When a column has a name that is not known, or no column holds cards.

    Examples
    --------
    >>> heading_of("Color;Number;Count").names
    ('color', 'number', 'count')
    >>> heading_of("red,5") is None
    True
    """
    separator = separator_of(line)
    names = tuple(cell.lower() for cell in cells_of(line, separator))
    known = (*ATTRIBUTES, *COUNTS, *CARDS)
    if not any(name in known for name in names) or any(
        name.lstrip("+-").isdecimal() for name in names
    ):
        return None
    for name in names:
        if name not in known:
            raise InstanceError(
                f"a column {shown(name)} is not known; attributes are called "
                f"{', '.join(ATTRIBUTES)}, copies {', '.join(COUNTS)}, codes {CARDS[0]}"
            )
    cards, attributes = ([name for name in names if name in some] for some in (CARDS, ATTRIBUTES))
    if len({*names}) < len(names) or len(cards) + bool(attributes) != 1:
        raise InstanceError("a table has a column of codes or columns of attributes, each once")
    if sum(name in COUNTS for name in names) > 1:
        raise InstanceError("a table has one column that counts")
    return Heading(names, separator)


def rows_of(text: str) -> Iterator[tuple[str, list[Card]]]:
    """Yield the place and the cards of each line that holds some.

    Raises
    ------
    InstanceError
        When a line cannot be read, with its place.
    """
    heading: Heading | None = None
    first = True
    for number, line in enumerate(text.split("\n"), start=1):
        content = line.split("#", 1)[0].strip(" \r")
        if not content.strip():
            continue
        place = f"line {number}"
        try:
            if first:
                first = False
                heading = heading_of(content)
                if heading is not None:
                    continue
            yield place, heading.cards_of(content) if heading else cards_of_line(content)
        except InstanceError as error:
            raise InstanceError(f"{place}: {error}") from None


def _copies(name: str, cell: str) -> int:
    if not cell.isdecimal() or int(cell[:20]) > MOST_COPIES:
        raise InstanceError(f"{name}: {shown(cell)} is not allowed; 0 to {MOST_COPIES} are")
    return int(cell)
