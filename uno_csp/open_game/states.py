"""States of a game as rows of integers: what solving works on, in plain Python or compiled.

A state has first the hands, as counts of cards in bit fields; then the other fields of a position;
then the number of cards of each hand; then the kinds in each hand, as a bit mask. The draw pile
after a reshuffle is in order, so it is the hand of one more player: the *stock*. In plain Python a
hand is one integer of any size (:func:`uno_csp.open_game.deck.pack`), so that it is that of a
:class:`uno_csp.open_game.positions.Position`; for machine code (:func:`narrow`) fields are as
wide as all cards of the kind in the game need, in words of 62 bits.
"""

from collections.abc import Collection, MutableSequence, Sequence
from dataclasses import asdict
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from uno_csp.open_game.compiling import compiled
from uno_csp.open_game.deck import FIELD_BITS, unpack
from uno_csp.open_game.rules import Rules

Array: TypeAlias = MutableSequence[int]  # a list, or an array of 64-bit integers
Rows: TypeAlias = Sequence[Array]  # lists in a list, or an array with two dimensions

COLOUR, SYMBOL, AT, PLAYER, DIRECTION, PENDING, PASSES, FILLED, FIELDS = range(9)
"""Places of the fields of a position, after the hands; FIELDS is their number."""

KINDS = 54
WORD_BITS = 62  # the sign bit stays free
MUST, MAY, NEVER = 0, 1, 2
SAME, DRAWS = 1, 2
FREE, LAST_RESORT = 1, 2


class Setup(NamedTuple):
    """The rules, the draw pile, and the places of the counts in a state.

    ``word`` and ``shift`` have the place of the count of each player's cards of each kind, one
    player after the other, and ``mask`` its bits; ``words`` is the number of integers of the hands.
    ``side`` has 1 for the players who try to win, and 0 for the others. The other fields are the
    switches of the rules, as integers; if there are reshuffles, ``cards`` has the number of cards
    of each kind in the game, and ``total`` that of all. ``luck`` has a random number if the order
    after a reshuffle is not known, else none. ``spare`` is a state that is written.
    """

    players: int
    words: int
    word: Array
    shift: Array
    mask: Array
    pile: Array
    cards: Array
    total: int
    luck: Array
    spare: Array
    side: Array
    must_play: int
    play_drawn: int
    drawn_by_colour: int
    plus_four: int
    stacking: int
    last_card: int
    skip_answered_by_skip: int
    reverse_skips: int
    effects_wear_off: int
    draw: int
    first_card: int
    last_draws: int
    reshuffles: int


def setup_of(rules: Rules, draw: Sequence[int], players: int, everything: int) -> Setup:
    """Return a game for plain Python; ``everything`` is all its cards, packed, for reshuffles."""
    hands = range(players + 1)
    cards = [everything >> FIELD_BITS * kind & (1 << FIELD_BITS) - 1 for kind in range(KINDS)]
    return Setup(
        players=players,
        words=players + 1,
        word=[player for player in hands for _ in range(KINDS)],
        shift=[FIELD_BITS * kind for kind in range(KINDS)] * len(hands),
        mask=[(1 << FIELD_BITS) - 1] * KINDS,
        pile=list(draw),
        cards=cards,
        total=sum(cards),
        luck=[],
        spare=[0] * (len(hands) + FIELDS + 2 * len(hands)),
        side=[0] * players,
        **_switches(rules),
    )


@lru_cache
def _switches(rules: Rules) -> dict[str, int]:
    """Return the values of the switches as integers: that of a word is its place."""
    return {
        name: list(type(value)).index(value) if isinstance(value, StrEnum) else int(value)
        for name, value in asdict(rules).items()
    }


def narrow(setup: Setup, cards: Sequence[int]) -> Setup:
    """Return a game of some cards for machine code; each count gets as many bits as it may need."""
    counts = [max(cards.count(kind), setup.cards[kind]) for kind in range(KINDS)]
    bits = [count.bit_length() for count in counts]
    hands = setup.players + 1
    word, shift = [0] * (hands * KINDS), [0] * (hands * KINDS)
    words, used = 0, WORD_BITS
    for at in range(hands * KINDS):
        player, kind = divmod(at, KINDS)
        if not bits[kind] or (player == setup.players and not setup.reshuffles):
            continue
        if used + bits[kind] > WORD_BITS:
            words, used = words + 1, 0
        word[at], shift[at] = words - 1, used
        used += bits[kind]
    mask = [(1 << width) - 1 for width in bits]
    spare = [0] * (words + FIELDS + 2 * hands)
    return setup._replace(words=words, word=word, shift=shift, mask=mask, spare=spare)


def as_arrays(fields: Any) -> Any:
    """Return a list as an array, or a named tuple with its lists as arrays, for machine code."""
    import numpy as np

    if isinstance(fields, tuple):
        return type(fields)(*map(as_arrays, fields))
    return np.array(fields, dtype=np.int64) if isinstance(fields, list) else fields


def zeros(*shape: int, fast: bool) -> Any:
    """Return zeros in an array, for machine code, or in lists."""
    if fast:
        import numpy as np

        return np.zeros(shape, dtype=np.int64)
    first, *others = shape
    return [zeros(*others, fast=False) for _ in range(first)] if others else [0] * first


def fill(setup: Setup, state: Array, hands: Collection[int], fields: Sequence[int]) -> None:
    """Write the packed hands, that of the stock last, and the fields of a position to a state."""
    for player, hand in enumerate(hands):
        for kind in unpack(hand):
            add(setup, state, player, kind, 1)
    for place, value in enumerate(fields):
        state[setup.words + place] = value


def _copy(state: Array, to: Array) -> None:
    for place in range(len(state)):
        to[place] = state[place]


def copy(state: Array, to: Array) -> None:
    """Copy a state into another one."""
    to[:] = state


compiled(copy, instead=_copy)  # Numba checks whether slices overlap


@compiled
def held(setup: Setup, state: Array, player: int, kind: int) -> int:
    """Return how many cards of a kind a player holds."""
    at = KINDS * player + kind
    return state[setup.word[at]] >> setup.shift[at] & setup.mask[kind]


@compiled
def size_of(setup: Setup, state: Array, player: int) -> int:
    """Return how many cards a player holds."""
    return state[setup.words + FIELDS + player]


@compiled
def kinds_of(setup: Setup, state: Array, player: int) -> int:
    """Return the kinds that a player holds, as a bit mask."""
    return state[setup.words + FIELDS + setup.players + 1 + player]


def _lowest(kinds: int) -> int:
    return count_kinds((kinds & -kinds) - 1)


def lowest(kinds: int) -> int:
    """Return the first kind of a bit mask that is not empty."""
    return (kinds & -kinds).bit_length() - 1


compiled(lowest, instead=_lowest)


def _count_kinds(kinds: int) -> int:
    """Add the bits of pairs, of fours and of bytes, which is compiled to one instruction."""
    kinds -= kinds >> 1 & 0x5555555555555555
    kinds = (kinds & 0x3333333333333333) + (kinds >> 2 & 0x3333333333333333)
    kinds = kinds + (kinds >> 4) & 0x0F0F0F0F0F0F0F0F
    return (kinds * 0x0101010101010101 >> 56) & 0xFF


def count_kinds(kinds: int) -> int:
    """Return the number of kinds of a bit mask."""
    return kinds.bit_count()


compiled(count_kinds, instead=_count_kinds)


@compiled
def add(setup: Setup, state: Array, player: int, kind: int, count: int) -> None:
    """Add cards to a hand, or take them away."""
    at, sizes = KINDS * player + kind, setup.words + FIELDS
    word, shift = setup.word[at], setup.shift[at]
    state[word] += count << shift
    state[sizes + player] += count
    kinds = sizes + setup.players + 1 + player
    if state[word] >> shift & setup.mask[kind]:
        state[kinds] |= 1 << kind
    else:
        state[kinds] &= ~(1 << kind)
