"""Detection of values that look like typing mistakes.

Typed cards with such values are refused. In JSON every value is taken literally, and a note is
printed.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from uno_csp.errors import InstanceError
from uno_csp.questions.cards import WILD, Card
from uno_csp.questions.codes import COLOURS
from uno_csp.questions.wording import shown

ALIKE = 0.8
"""Minimum ratio of :class:`difflib.SequenceMatcher` at which a word resembles a colour."""

PAIR = 2
"""Number of attributes of a card with a colour and a number."""

WILD_NAMES = ("wild", "wildcard", "any")
"""Values that nobody takes for a colour or a number."""

MINUS = "\N{MINUS SIGN}"

_NAMES = (*COLOURS.values(),)
_FULL = {letter.lower(): name for letter, name in COLOURS.items()}


def require_unlike(cards: Sequence[Card], places: Sequence[str]) -> None:
    """Raise if a value looks like a typing mistake.

    Parameters
    ----------
    cards
        The cards of a question as they were typed.
    places
        Place of each card in the input, for messages.

    Raises
    ------
    InstanceError
        If :func:`find_slip` finds one.

    Examples
    --------
    >>> require_unlike([("red", 5), ("gren", 7)], ["line 1", "line 2"])
    Traceback (most recent call last):
    ...
    uno_csp.errors.InstanceError: line 2: value 1, "gren", is no colour; did you mean green?
    """
    slip = find_slip(cards)
    if slip is not None:
        index, words = slip
        raise InstanceError(f"{places[index]}: {words}")


def find_slip(cards: Sequence[Card]) -> tuple[int, str] | None:
    """Find a value that may be a typing mistake.

    Two values of a column differ only in case or in how a letter is encoded, or are a colour and
    its letter, or a number and a text of the same number; or a value resembles a colour in a column
    that has colours, has letters of two alphabets, or is the name of a wild card; or two cards have
    colour and number in different order.

    Returns
    -------
    tuple or None
        Index of the card with the value, and the message; None if there is none.
    """
    coloured = 0
    for column in range(min(map(len, cards), default=0)):
        values = [card[column] for card in cards]
        texts = {value for value in values if isinstance(value, str) and value != WILD}
        coloured += not texts.isdisjoint(_NAMES)
        numbers = {number: value for value in texts if (number := _number(value)) is not None}
        for number in numbers.keys() & {*values} if numbers else ():
            value = numbers[int(number)]
            words = f"value {column + 1}, {shown(value)}, is a text, not a number"
            return values.index(value), words
        for slip, words in _slips(texts):
            return max(map(values.index, slip)), f"value {column + 1}, {words}"
    return _turned(cards) if coloured > 1 else None


def _number(text: str) -> int | None:
    """Return the integer that a text may mean: ``5.0``, ``1e3``, or digits of another script."""
    if text.isdecimal():
        return int(text)
    if not text[-1:].isdecimal() and not text.endswith("."):
        return None
    try:
        number = float(text.replace(MINUS, "-"))
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def _alphabets(text: str) -> set[str]:
    """Return the alphabets of a text, of those with letters that look like those of another."""
    if text.isascii():
        return set()
    names = (unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    return {"LATIN", "CYRILLIC", "GREEK"}.intersection(names)


def _slips(texts: Iterable[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the values of a column that look alike, each time with the message."""
    colours = {*_NAMES}.intersection(texts)
    kept: dict[str, str] = {}
    for value in sorted(texts):
        small = unicodedata.normalize("NFKC", value).casefold()
        if small in WILD_NAMES:
            yield (
                (value,),
                f"{shown(value)}, is a text; a wild card is W, a value that fits all is *",
            )
        if len(_alphabets(value)) > 1:
            yield (value,), f"{shown(value)}, has letters of two alphabets"
        other = kept.setdefault(_FULL.get(small, small) if colours else small, value)
        if other != value:
            message = f"{shown(value)}, looks like {shown(other)}"
            yield (other, value), message
        near = get_close_matches(small, _NAMES, n=1, cutoff=ALIKE) if colours else []
        if near and value not in colours:
            yield (value,), f"{shown(value)}, is no colour; did you mean {near[0]}?"


def _turned(cards: Sequence[Card]) -> tuple[int, str] | None:
    """Find the first card with colour and number in another order than in a card before."""
    seen: set[int] = set()
    for index, card in enumerate(cards):
        for column, value in enumerate(card if len(card) == PAIR else ()):
            if value in _NAMES and isinstance(card[1 - column], int):
                seen.add(column)
        if len(seen) > 1:
            values = f"{shown(card[0])} and {shown(card[1])}"
            return index, f"{values} are in another order than in a card before"
    return None
