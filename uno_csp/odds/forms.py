"""Number of cards that a hand of the official deck lacks, fast enough for millions of hands.

Let s be the minimum number of sequences that the coloured cards of a hand split into. Renaming
symbols or colours does not change s, nor does a third copy of a card. A symbol that is held in one
colour only is pendant: its cards, and their copies, are played next to each other and to any other
card of that colour, so one such card is kept for each colour. So a hand is reduced to the colours
of each of its symbols, and to those held twice. Its *form* is the smallest of the 24 results of
permuting the colours. Hands with the same form have the same s, which is computed once, by
``width``. Copies never make s larger, so they are left out first; most hands are one sequence then.

With w wild cards in the hand max(0, s - 1 - w) cards are *missing*. This is the objective of
``fill-in``, and 0 is a yes of ``uno-1``: a wild card joins any two sequences, and so does one added
card, which takes its colour from one and its symbol from the other. Since the cards of one colour
are one sequence, s is at most 4, and at most 3 cards are missing.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations
from typing import TypeAlias

from uno_csp.algorithms.width import ALGORITHM
from uno_csp.errors import InstanceError
from uno_csp.questions import FillIn
from uno_csp.questions.cards import WILD, Card, Value
from uno_csp.questions.codes import COLOURS, all_official
from uno_csp.questions.wording import describe

Form: TypeAlias = bytes  # colours of each symbol by bits, then those held twice; ascending
_BITS = {colour: 1 << place for place, colour in enumerate(COLOURS.values())}
_SINGLE = frozenset(_BITS.values())
_HELD, _TWICE = 15, 4  # the bits of the colours held, and the place of those held twice
_REMEMBERED = 1 << 19  # size of each of the two caches, in entries


def _renaming(order: Sequence[int]) -> bytes:
    """Return the ``bytes.translate`` table that applies a colour permutation to sets of colours."""
    places = [*enumerate(order), *((_TWICE + new, _TWICE + old) for new, old in enumerate(order))]
    return bytes(sum((own >> old & 1) << new for new, old in places) for own in range(256))


_RENAMINGS = tuple(map(_renaming, permutations(range(4))))


def missing(cards: Sequence[Card]) -> int:
    """Return the number of cards to add until the whole hand can be discarded; 0 to 3.

    Raises InstanceError if a card is not of the official deck.

    >>> missing([("red", 5), ("blue", 7)]), missing([("red", 5), ("*", "*"), ("blue", 7)])
    (1, 0)
    """
    if not all_official(cards):
        place, card = next((i, c) for i, c in enumerate(cards) if not all_official([c]))
        raise InstanceError(f"cards[{place}]: {describe(card)} is not in the official deck")
    coloured = [card for card in cards if card[0] != WILD]
    wild = len(cards) - len(coloured)
    return max(0, fewest_sequences(coloured) - 1 - wild)


def fewest_sequences(cards: Iterable[Card]) -> int:
    """Return the fewest sequences that coloured cards of the official deck split into; 0 to 4.

    >>> fewest_sequences([("red", 5), ("blue", 7), ("blue", 5), ("green", "skip")])
    2
    """
    held: dict[Value, int] = {}
    for colour, symbol in cards:
        own, bit = held.get(symbol, 0), _BITS[str(colour)]
        held[symbol] = own | (bit << _TWICE if own & bit else bit)
    found = _of_sets(_kept(own & _HELD for own in held.values()))
    if found > 1 and any(own > _HELD for own in held.values()):
        found = _of_sets(_kept(held.values()))
    return found


def _kept(sets: Iterable[int]) -> Form:
    """Return the sets of colours, with one of those of each colour alone."""
    alone, others = set(), []
    for own in sets:
        if own & _HELD in _SINGLE:
            alone.add(own & _HELD)
        else:
            others.append(own)
    return bytes(sorted([*alone, *others]))


@lru_cache(maxsize=_REMEMBERED)
def _of_sets(sets: bytes) -> int:
    return _of_form(min(bytes(sorted(sets.translate(renaming))) for renaming in _RENAMINGS))


@lru_cache(maxsize=_REMEMBERED)
def _of_form(form: Form) -> int:
    if not form:
        return 0
    cards = [
        (colour, symbol)
        for symbol, own in enumerate(form)
        for colour, bit in _BITS.items()
        for copy in (bit, bit << _TWICE)
        if own & copy
    ]
    witness = ALGORITHM.run(FillIn(tuple(cards))).witness
    # The four colour hubs cover all cards, so the width is at most 4: ``width`` never gives up.
    assert witness is not None and witness.objective is not None  # noqa: S101
    return witness.objective + 1
