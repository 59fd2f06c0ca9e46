"""How many cards a hand of the official deck lacks, fast enough for millions of hands.

The fewest sequences s that the coloured cards of a hand split into depend on little: copies play
beside their twins, symbols may change names, and so may colours. So a hand is, for each of its
symbols, the set of the colours it is held in, and of symbols in one colour only one is kept for
each colour: such cards are pendant, and play beside each other. Hands with the same *form*, the
least of what the 24 renamings of the colours make of these sets, have the same s, which is found
once, by ``width``.

With w wild cards in the hand max(0, s - 1 - w) cards are *missing*, which is the objective of
``fill-in``, and 0 is the yes of ``uno-1``: a wild card joins any two sequences, and so does one
new card, which takes its colour from one and its symbol from the other.

*It is the same whether cards are free or come from the rest of the deck.* No fewer cards do when
there is less to choose from. Conversely, take the fewest free cards as they are made above. Their
colours and symbols are those of the hand, so they are official; and none of them is a copy of one
in the hand or of another, for a copy never makes s smaller, and could be left out. So each is in
the rest of the deck. Since the cards of one colour are one sequence, s is at most 4, and never are
more than 3 cards missing.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations
from typing import TypeAlias

from uno_csp.algorithms.width import ALGORITHM
from uno_csp.cards import WILD, Card, Value
from uno_csp.errors import InstanceError
from uno_csp.questions import FillIn
from uno_csp.questions.codes import COLOURS, all_official
from uno_csp.wording import describe

Form: TypeAlias = bytes
"""For each symbol its colours, as a number below 16 with a bit for each; ascending."""

_BITS = {colour: 1 << place for place, colour in enumerate(COLOURS.values())}
_SINGLE = frozenset(_BITS.values())

_REMEMBERED = 1 << 19
"""So many forms are remembered, the last ones."""


def _renaming(order: Sequence[int]) -> bytes:
    """What a renaming of the colours makes of each set of colours, for ``bytes.translate``."""
    sets = (sum((own >> old & 1) << new for new, old in enumerate(order)) for own in range(16))
    return bytes(sets).ljust(256, b"\0")


_RENAMINGS = tuple(map(_renaming, permutations(range(4))))


def missing(cards: Sequence[Card]) -> int:
    """How many cards have to be added until the whole hand can be discarded; 0 to 3.

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
    """The fewest sequences that coloured cards of the official deck split into; 0 to 4.

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
    # Four hubs meet all cards, so the width is 4 at most, and ``width`` never gives up.
    assert witness is not None and witness.objective is not None  # noqa: S101
    return witness.objective + 1
