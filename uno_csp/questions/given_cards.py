"""Validation of cards, from files and from Python: lists or tuples of values, or card codes.

A code is read as a card, not as a sequence of letters, and booleans and non-integers are rejected.
"""

from collections.abc import Callable, Collection, Iterator, Set
from typing import Any

from uno_csp.errors import InstanceError
from uno_csp.questions import codes
from uno_csp.questions.arguments import described, iterated, listed, plain_value
from uno_csp.questions.cards import Card, Value
from uno_csp.questions.wording import NOT_TEXT, is_unicode, shown

MAX_VALUE_CHARS = 200  # maximum length of a text value of an attribute, in characters
MAX_DIGITS = 4000  # maximum number of digits of an integer value
_LARGEST = 10**MAX_DIGITS - 1
NO_VALUES = frozenset(("nan", "NaN", "NaT", "<NA>"))
"""Texts that arrays and data frames have where a value is missing."""

WANTED = (
    "a card is a list or a card code",
    "expected a list of cards",
    "expected a list of hands",
)  # what is allowed for a card, cards and hands

Reader = Callable[[Any, str], Card]  # reads an argument as a card; errors name the place


def normalised(raw: Any, depth: int, place: str, read: Reader) -> Any:
    """Return a card (depth 0), a list of cards (1) or of hands (2) as tuples; or raise."""
    if depth == 0:
        return read(raw, place)
    if hasattr(raw, "to_csv") and getattr(raw, "ndim", 0) > 1:
        way = "uno_csp.parse(table) reads its columns"
        raise InstanceError(f"{place}: a table is not allowed; {WANTED[depth]}; {way}")
    if not iterated(raw):
        given = f"a {type(raw).__name__}" if isinstance(raw, Set) else described(raw)
        raise InstanceError(f"{place}: {given} is not allowed; {WANTED[depth]}")
    if depth == 1 and (type(raw) is tuple or (type(raw) is list and read is card_of)):
        own = type(raw) is tuple
        plain = raw if own else [tuple(card) if type(card) is list else card for card in raw]
        if _plain(plain):
            return tuple(plain)
    cards = tuple(normalised(each, depth - 1, f"{place}[{i}]", read) for i, each in enumerate(raw))
    if not cards and isinstance(raw, Iterator):
        kind = type(raw).__name__
        raise InstanceError(f"{place}: the {kind} yields nothing: is it used up?")
    return cards


def _plain(cards: Collection[Any]) -> bool:
    """Return True if all cards are already valid tuples: a fast path for the common case."""
    if not {type(card) for card in cards} <= {tuple}:
        return False
    if not {type(value) for card in cards for value in card} <= {int, str}:
        return False
    values = {value for card in cards for value in card}
    texts = {value for value in values if isinstance(value, str)}
    numbers = values - texts
    if numbers and not -_LARGEST <= min(numbers) <= max(numbers) <= _LARGEST:
        return False
    texts_allowed = all(len(text) <= MAX_VALUE_CHARS and is_unicode(text) for text in texts)
    return texts_allowed and texts.isdisjoint(NO_VALUES)


def card_of(raw: Any, place: str) -> Card:
    """Convert a code, or a list of values, to a card.

    Raises InstanceError if the argument is neither, or contains a value that is not allowed.

    >>> card_of("R5", "after"), card_of(["red", 5], "after")
    (('red', 5), ('red', 5))
    """
    if isinstance(raw, str):
        card = codes.decode(plain_value(raw))
        if card is None:
            raise InstanceError(f"{place}: {codes.no_card(raw)}")
        return card
    raw = listed(raw)
    if not isinstance(raw, list | tuple):
        raise InstanceError(f"{place}: {described(raw)} is not allowed; {WANTED[0]}")
    card = tuple(_value(each, f"{place}[{i}]") for i, each in enumerate(raw))
    return codes.DRAW_FOUR if raw is codes.DRAW_FOUR else card  # a copy would be a plain wild card


def require_text(value: str) -> None:
    """Raise InstanceError unless a text is allowed as an attribute value."""
    if len(value) > MAX_VALUE_CHARS:
        most = f"a text value has at most {MAX_VALUE_CHARS} characters"
        raise InstanceError(f"{shown(value)} is too long; {most}")
    if not is_unicode(value):
        raise InstanceError(f"{shown(value)} {NOT_TEXT}")
    if value in NO_VALUES:
        raise InstanceError(f"{shown(value)} is a missing value")


def _value(raw: Any, place: str) -> Value:
    value = plain_value(raw)
    if isinstance(value, str):
        try:
            require_text(value)
        except InstanceError as error:
            raise InstanceError(f"{place}: {error}") from None
        return value
    if type(value) is not int:
        raise InstanceError(
            f"{place}: {described(raw)} is not allowed; a value is an integer or a string"
        )
    if not -_LARGEST <= value <= _LARGEST:
        raise InstanceError(f"{place}: an integer has at most {MAX_DIGITS} digits")
    return value
