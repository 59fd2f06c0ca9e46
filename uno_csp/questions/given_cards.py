"""Cards as Python gives them: lists as well as tuples, codes as well as values, and nothing else.

Files are read by pydantic. What a program hands over is held to the same rules here, so that a hand
of codes is a hand of cards and not one of letters, and a true or a fraction is no value.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from numbers import Integral
from typing import Any

from uno_csp.cards import Card, Value
from uno_csp.errors import InstanceError
from uno_csp.questions import codes
from uno_csp.wording import NOT_TEXT, is_unicode, shown

MAX_VALUE_CHARS = 200
"""The longest text a single attribute value may be."""

MAX_DIGITS = 4000
"""The most digits an integer value may have."""

_LARGEST = 10**MAX_DIGITS - 1

Reader = Callable[[Any, str], Card]
"""Makes a card of what is given, or says what is wrong at a place."""


def settled(given: Any, depth: int, place: str, read: Reader) -> Any:
    """A card (depth 0), a list of them (1) or a list of lists (2), as tuples.

    Raises
    ------
    InstanceError
        When something is no card, with its place.
    """
    if depth == 0:
        return read(given, place)
    if isinstance(given, str) or not isinstance(given, Iterable):
        what = "cards" if depth == 1 else "hands"
        raise InstanceError(f"{place}: {shown(given)} is not allowed; a list of {what} is")
    if depth == 2:
        return tuple(settled(each, 1, f"{place}[{i}]", read) for i, each in enumerate(given))
    if isinstance(given, Mapping | Set):
        raise InstanceError(f"{place}: a {type(given).__name__} is not allowed; a list of cards is")
    if type(given) is tuple and _plain(given):
        return given
    return tuple(read(each, f"{place}[{i}]") for i, each in enumerate(given))


def _plain(cards: tuple[Any, ...]) -> bool:
    """Whether these are tuples of integers and texts already: most are, and there may be many."""
    if not {type(card) for card in cards} <= {tuple}:
        return False
    if not {type(value) for card in cards for value in card} <= {int, str}:
        return False
    values = {value for card in cards for value in card}
    texts = {value for value in values if isinstance(value, str)}
    numbers = values - texts
    if numbers and not -_LARGEST <= min(numbers) <= max(numbers) <= _LARGEST:
        return False
    return all(len(text) <= MAX_VALUE_CHARS and is_unicode(text) for text in texts)


def card_of(given: Any, place: str) -> Card:
    """A code, or a list of values, as a card.

    Raises
    ------
    InstanceError
        When it is none.

    Examples
    --------
    >>> card_of("R5", "after"), card_of(["red", 5], "after")
    (('red', 5), ('red', 5))
    """
    if isinstance(given, str):
        card = codes.decode(given)
        if card is None:
            raise InstanceError(f"{place}: {codes.no_card(given)}")
        return card
    if not isinstance(given, list | tuple):
        raise InstanceError(f"{place}: {shown(given)} is not allowed; a card is a list or a code")
    return tuple(_value(each, f"{place}[{i}]") for i, each in enumerate(given))


def require_text(value: str) -> None:
    """Nothing, if a text may be a value of a card.

    Raises
    ------
    InstanceError
        When it is too long, or no Unicode.
    """
    if len(value) > MAX_VALUE_CHARS:
        most = f"a value has at most {MAX_VALUE_CHARS} characters"
        raise InstanceError(f"{shown(value)} is too long; {most}")
    if not is_unicode(value):
        raise InstanceError(f"{shown(value)} {NOT_TEXT}")


def _value(given: Any, place: str) -> Value:
    if isinstance(given, str):
        try:
            require_text(given)
        except InstanceError as error:
            raise InstanceError(f"{place}: {error}") from None
        return given
    if isinstance(given, bool) or not isinstance(given, Integral):  # a true is an integer, else
        raise InstanceError(f"{place}: {shown(given)} is not allowed; an integer or a text is")
    if not -_LARGEST <= given <= _LARGEST:
        raise InstanceError(f"{place}: an integer has at most {MAX_DIGITS} digits")
    return int(given)
