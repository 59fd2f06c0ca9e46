"""Cards whose values look like one another: a slip of the finger is told, not answered in silence.

What is typed is refused. In JSON every value is what it is, and a note is all there can be.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from uno_csp.cards import WILD, Card
from uno_csp.errors import InstanceError
from uno_csp.questions.codes import COLOURS
from uno_csp.wording import shown

ALIKE = 0.8
"""Words are near to a colour from this ratio of :class:`difflib.SequenceMatcher` on."""

PAIR = 2
"""A colour and a number."""

_NAMES = (*COLOURS.values(),)
_FULL = {letter.lower(): name for letter, name in COLOURS.items()}


def require_unlike(cards: Sequence[Card], places: Sequence[str]) -> None:
    """Nothing, if no value of a column looks like another one that was meant.

    Parameters
    ----------
    cards
        The cards of a question as they were typed.
    places
        Where each of them stands.

    Raises
    ------
    InstanceError
        For what :func:`find_slip` finds.

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
    """Values of which one may have been meant for the other.

    They differ in capitals alone; or are a colour and its letter, what is nearly a colour where
    there are colours, a number and a text of its digits; or a colour stands before its number here
    and behind it there.

    Returns
    -------
    tuple or None
        The index of a card that has one, and what to say of it.
    """
    coloured = 0
    for column in range(min(map(len, cards), default=0)):
        values = [card[column] for card in cards]
        texts = {value for value in values if isinstance(value, str) and value != WILD}
        coloured += not texts.isdisjoint(_NAMES)
        digits = {int(value): value for value in texts if value.isdecimal()}
        for number in digits.keys() & {*values} if digits else ():
            value = digits[int(number)]
            words = f"value {column + 1}, {shown(value)}, is a text and no number"
            return values.index(value), words
        for slip, words in _slips(texts):
            return max(map(values.index, slip)), f"value {column + 1}, {words}"
    return _turned(cards) if coloured > 1 else None


def _slips(texts: Iterable[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The values of a column that look alike, and what to say of them."""
    colours = {*_NAMES}.intersection(texts)
    kept: dict[str, str] = {}
    for value in sorted(texts):
        small = value.casefold()
        other = kept.setdefault(_FULL.get(small, small) if colours else small, value)
        if other != value:
            told = f"{shown(value)}, looks like {shown(other)}"
            yield (other, value), told
        near = get_close_matches(small, _NAMES, n=1, cutoff=ALIKE) if colours else []
        if near and value not in colours:
            yield (value,), f"{shown(value)}, is no colour; did you mean {near[0]}?"


def _turned(cards: Sequence[Card]) -> tuple[int, str] | None:
    """The first card with its colour before the number where others have it behind, or so."""
    seen: set[int] = set()
    for index, card in enumerate(cards):
        for column, value in enumerate(card if len(card) == PAIR else ()):
            if value in _NAMES and isinstance(card[1 - column], int):
                seen.add(column)
        if len(seen) > 1:
            values = f"{shown(card[0])} and {shown(card[1])}"
            return index, f"{values} are the other way round than in a card before"
    return None
