"""Tables of cards, as spreadsheets and people write them: one card or several codes per line.

The first line may name the columns. Attributes keep the order of their columns, except that a
colour comes before its number. A count column gives the number of copies of a card, and the column
``card`` holds codes. Cells are separated by commas, semicolons or tabs. ``#`` starts a comment.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from uno_csp.errors import InstanceError
from uno_csp.formats.typed_cards import bare, card_of_cells, cards_of_line, the_only, typed
from uno_csp.questions.cards import WILD, Card
from uno_csp.questions.wording import shown

COLOURS = ("color", "colour", "suit")
"""Names of a colour column; of two attributes the colour comes first, as in all other input."""

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
"""Names of a column of card codes."""

MOST_COPIES = 1_000_000
"""Maximum number of copies of a card in one line."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Column names of a table, in lower case, and the separator of its cells.

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
            If the number of cells differs from the heading, or a cell cannot be read.
        """
        cells = cells_of(line, self.separator)
        alone = typed(cells[0]) if len(cells) == 1 else None
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
    """Return the cell separator of a line: a semicolon, a tab, or else a comma."""
    return next((each for each in ";\t" if each in line), ",")


def heading_of(line: str) -> Heading | None:
    """Return the heading in a line; None if the line holds cards.

    Raises
    ------
    InstanceError
        If a column name is unknown, or the columns do not describe cards.

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
                f"unknown column {shown(name)}; columns of attributes are "
                f"{', '.join(ATTRIBUTES)}, of copies {', '.join(COUNTS)}, of codes {CARDS[0]}"
            )
    cards, attributes = ([name for name in names if name in some] for some in (CARDS, ATTRIBUTES))
    if len({*names}) < len(names) or len(cards) + bool(attributes) != 1:
        raise InstanceError("a table has a column of codes or columns of attributes, each once")
    if sum(name in COUNTS for name in names) > 1:
        raise InstanceError("a table has at most one count column")
    return Heading(names, separator)


def rows_of(text: str) -> Iterator[tuple[str, list[Card]]]:
    """Yield the place and the cards of each line that holds cards.

    Raises
    ------
    InstanceError
        If a line cannot be read; the message names the line.
    """
    heading: Heading | None = None
    first = True
    commas = _CommaUse()
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
            cards = heading.cards_of(content) if heading else cards_of_line(content)
            if heading is None:
                commas.note(place, content, cards)
            yield place, cards
        except InstanceError as error:
            raise InstanceError(f"{place}: {error}") from None


@dataclass(slots=True)
class _CommaUse:
    """Record of the uses of separators in a text without a heading.

    Parameters
    ----------
    values
        True if they join the values of a card in some line, as in ``red,5``.
    wild
        Place of the first line in which they stand between wild cards, as in ``wild,wild``.
    """

    values: bool = False
    wild: str = ""

    def note(self, place: str, line: str, cards: Sequence[Card]) -> None:
        """Note the use in a line; raise if other lines make ``wild,wild`` one card or two."""
        if not any(each in line for each in ",;\t"):
            return
        self.values = self.values or len(cards) == 1
        if len(cards) > 1 and all(value == WILD for card in cards for value in card):
            self.wild = self.wild or place
        if self.values and self.wild:
            where = "" if self.wild == place else f" ({self.wild})"
            raise InstanceError(
                f"wild cards with commas{where} beside values with commas; "
                "write W for one wild card, W W for two"
            )


def _copies(name: str, cell: str) -> int:
    if not cell.isdecimal() or int(cell[:20]) > MOST_COPIES:
        raise InstanceError(f"{name}: {shown(cell)} is not allowed; expected 0 to {MOST_COPIES}")
    return int(cell)
