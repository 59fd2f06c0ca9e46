"""Typed cards whose values look like one another: a slip of the finger is told, not answered.

Only what is typed is read so strictly. In JSON every value is what it is.
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
        For values that differ in capitals alone, for a colour and its letter, for what is nearly a
        colour where there are colours, and for colours before and behind their numbers.

    Examples
    --------
    >>> require_unlike([("red", 5), ("gren", 7)], ["line 1", "line 2"])
    Traceback (most recent call last):
    ...
    uno_csp.errors.InstanceError: line 2: value 1, "gren", is no colour; did you mean green?
    """
    for column, values in enumerate(zip(*cards, strict=False)):
        texts = {value for value in values if isinstance(value, str) and value != WILD}
        for slip, words in _slips(texts):
            index = max(map(values.index, slip))
            raise InstanceError(f"{places[index]}: value {column + 1}, {words}")
    _require_one_order(cards, places)


def _slips(texts: Iterable[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The values of a column that look alike, and what to say of them."""
    colours = {*_NAMES}.intersection(texts)
    kept: dict[str, str] = {}
    for value in sorted(texts):
        small = value.casefold()
        other = kept.setdefault(_FULL.get(small, small) if colours else small, value)
        if other != value:
            told = f"{shown(value)}, looks like {shown(other)}; write them alike, or in JSON"
            yield (other, value), told
        near = get_close_matches(small, _NAMES, n=1, cutoff=ALIKE) if colours else []
        if near and value not in colours:
            yield (value,), f"{shown(value)}, is no colour; did you mean {near[0]}?"


def _require_one_order(cards: Sequence[Card], places: Sequence[str]) -> None:
    """Nothing, if the colour is the first of two values in all cards, or the second in all."""
    first: dict[int, str] = {}
    for card, place in zip(cards, places, strict=True):
        for column, value in enumerate(card if len(card) == PAIR else ()):
            if value in _NAMES and isinstance(card[1 - column], int):
                first.setdefault(column, place)
        if len(first) > 1:
            turned = f"{shown(card[0])} and {shown(card[1])} are the other way round"
            raise InstanceError(
                f"{place}: {turned} than in {min(first.values(), key=places.index)}"
            )
