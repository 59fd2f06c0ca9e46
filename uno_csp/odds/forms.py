"""Number of cards that a hand of the official deck lacks, fast enough for millions of hands.

Let s be the minimum number of sequences that the coloured cards of a hand split into. Copies are
played next to each other, and renaming symbols or colours does not change s. So a hand is reduced
to the set of colours of each of its symbols; of the symbols held in one colour only, one is kept
for each colour: such cards are pendant and are played next to each other. The *form* of a hand is
the smallest of the 24 results of permuting the colours in these sets. Hands with the same form have
the same s, which is computed once, by ``width``.

With w wild cards in the hand max(0, s - 1 - w) cards are *missing*. This is the objective of
``fill-in``, and 0 is a yes of ``uno-1``: a wild card joins any two sequences, and so does one added
card, which takes its colour from one and its symbol from the other.

*The number is the same whether any card may be added or only the rest of the deck.* A smaller
choice never needs fewer cards. Conversely, take the fewest freely chosen cards, made as above.
Their colours and symbols are those of the hand, so they are official. None of them is a copy of a
card in the hand or of another added card: a copy never makes s smaller and could be omitted. So
each is in the rest of the deck. Since the cards of one colour are one sequence, s is at most 4, and
at most 3 cards are missing.
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

Form: TypeAlias = bytes
"""Set of colours of each symbol, as a number below 16 with one bit per colour; ascending."""

_BITS = {colour: 1 << place for place, colour in enumerate(COLOURS.values())}
_SINGLE = frozenset(_BITS.values())

_REMEMBERED = 1 << 19
"""Size of each of the two caches, in entries; the least recently used are evicted."""


def _renaming(order: Sequence[int]) -> bytes:
    """Return the ``bytes.translate`` table that applies a colour permutation to sets of colours."""
    sets = (sum((own >> old & 1) << new for new, old in enumerate(order)) for own in range(16))
    return bytes(sets).ljust(256, b"\0")


_RENAMINGS = tuple(map(_renaming, permutations(range(4))))


def missing(cards: Sequence[Card]) -> int:
    """Return the number of cards to add until the whole hand can be discarded; 0 to 3.

    Raises
    ------
    InstanceError
        If a card is not of the official deck.

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
        held[symbol] = held.get(symbol, 0) | _BITS[str(colour)]
    sets = list(held.values())
    kept = {own for own in sets if own in _SINGLE}
    return _of_sets(bytes(sorted([*kept, *(own for own in sets if own not in _SINGLE)])))


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
        if own & bit
    ]
    witness = ALGORITHM.run(FillIn(tuple(cards))).witness
    # The four colour hubs cover all cards, so the width is at most 4: ``width`` never gives up.
    assert witness is not None and witness.objective is not None  # noqa: S101
    return witness.objective + 1
