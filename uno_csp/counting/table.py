"""Plays by dynamic programming over the multisets of cards that are left, and the last card.

The table holds, for every multiset of classes of kinds and every class, in how many ways the
multiset can be played after a card of that class. Numbers beyond 64 bits are kept as remainders
modulo several primes (the Chinese remainder theorem), since the recurrence only adds.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from math import factorial, prod
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uno_csp.counting.exact import number_of
from uno_csp.counting.kinds import Classes, Kinds, classes_of
from uno_csp.graph_tools.fragments import draw
from uno_csp.graph_tools.orders import Orders, cells_of
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions.cards import Card

MOST_CELLS = 1 << 25  # maximum size of a table: multisets, times classes and primes (256 MiB)
PRIMES = tuple((1 << 58) - below for below in (27, 57, 63, 137, 141, 147, 161, 203, 213, 251))
"""The largest primes below 2^58, so that sums of 32 remainders fit into 63 bits."""

_PRIME_BITS, _WORD_BITS = 57, 62

FEW_BITS = 1 << 16  # maximum size of an integer of all counts; above it an array is quicker
MOST_CARDS = 120
"""Maximum number of cards. A table of that many entries has 24 classes or fewer, so numbers of
plays have no more than 120 log2(24) < 570 bits, and the primes are enough."""

Array = NDArray[np.int64]


class Table:
    """The number of ways to play each multiset of classes after each class of a hand's kinds."""

    def __init__(self, kinds: Kinds, deadline: Deadline = NEVER) -> None:
        self.kinds, self._deadline = kinds, deadline
        self.classes = classes_of(kinds)
        self._strides = _strides(self.classes.sizes)
        self._moduli = _moduli(self.classes.sizes)
        self._orders = _orders(self.classes)
        self._after: list[Array] = []
        if kinds.cards and self._orders is None:
            self._after = [self._fill(modulus) for modulus in self._moduli]

    @cached_property
    def total(self) -> int:
        """Number of plays of the whole hand; an empty hand has one, without a card."""
        if not self.classes.sizes:
            return 1
        return self.classes.orders * sum(self._beginning)

    @property
    def first(self) -> dict[Card, int]:
        """For each kind of card, how many plays begin with it."""
        found = {}
        for group, size, count in zip(
            self.classes.members, self.classes.sizes, self._beginning, strict=True
        ):
            for kind in group:
                copies = self.kinds.copies[kind]
                found[self.kinds.cards[kind]] = count * self.classes.orders * copies // size
        return found

    @cached_property
    def _beginning(self) -> list[int]:
        """Number of plays of classes that begin with each class."""
        start = self._state(self.classes.sizes)
        ways = self._onward(self.classes.sizes, start)
        return [ways[each] if each in self.classes.first else 0 for each in range(len(ways))]

    def sample(self, rng: random.Random, number: int) -> list[tuple[Card, ...]]:
        """Draw plays, each with the same probability."""
        return [self._draw(rng) for _ in range(number)]

    def _draw(self, rng: random.Random) -> tuple[Card, ...]:
        self._deadline.check()
        left, copies = list(self.classes.sizes), list(self.kinds.copies)
        weights = self._beginning
        play = []
        for _ in range(sum(left)):
            chosen = draw(weights, rng)
            left[chosen] -= 1
            group = self.classes.members[chosen]
            kind = group[draw([copies[each] for each in group], rng)]
            copies[kind] -= 1
            play.append(self.kinds.cards[kind])
            ways = self._onward(left, self._state(left))
            weights = [
                ways[each] if each in self.classes.near[chosen] else 0 for each in range(len(left))
            ]
        return tuple(play)

    def _state(self, left: Sequence[int]) -> int:
        return sum(n * stride for n, stride in zip(left, self._strides, strict=True))

    def _onward(self, left: Sequence[int], state: int) -> list[int]:
        """For each class, the number of ways to play a multiset that begin with it."""
        if self._orders is not None:
            return self._orders.beginnings(left)
        return [
            self._value(state - self._strides[each], each) if left[each] else 0
            for each in range(len(left))
        ]

    def _value(self, state: int, last: int) -> int:
        rests = [int(table[state, last]) for table in self._after]
        if self._moduli == [0]:
            return rests[0]
        return number_of(rests, self._moduli)

    def _fill(self, modulus: int) -> Array:
        """Return the table, modulo a prime unless it is 0."""
        sizes, strides = self.classes.sizes, self._strides
        count = len(sizes)
        after = np.zeros((prod(size + 1 for size in sizes), count), dtype=np.int64)
        after[0] = 1
        near = np.zeros((count, count), dtype=np.int64)
        for one, others in enumerate(self.classes.near):
            near[list(others), one] = 1
        for states, digits in self._layers():
            self._deadline.check()
            onward = np.zeros((len(states), count), dtype=np.int64)
            for each in range(count):
                there = digits[:, each] > 0
                onward[there, each] = after[states[there] - strides[each], each]
            ways = onward @ near
            after[states] = ways % modulus if modulus else ways
        return after

    def _layers(self) -> Iterator[tuple[Array, NDArray[np.uint8]]]:
        """Yield the multisets of 1, 2, ... cards, as numbers and by class."""
        sizes: Any = self.classes.sizes
        shape = tuple(size + 1 for size in reversed(sizes))
        everything = np.arange(prod(shape))
        digits = np.empty((len(everything), len(sizes)), dtype=np.uint8)
        for each, column in enumerate(reversed(np.unravel_index(everything, shape))):
            digits[:, each] = column
        totals = digits.sum(axis=1, dtype=np.int32)
        order = np.argsort(totals, kind="stable")
        bounds = np.searchsorted(totals[order], np.arange(1, totals.max() + 2))
        for begin, end in pairwise(bounds):
            states = order[begin:end]
            yield states, digits[states]


def refusal(kinds: Kinds, most: int = MOST_CELLS) -> str:
    """Return why a hand has no table of up to ``most`` entries; empty if it has one."""
    sizes = classes_of(kinds).sizes
    if sum(sizes) > MOST_CARDS:
        return f"a table is for hands of up to {MOST_CARDS} cards"
    cells = prod(size + 1 for size in sizes) * len(sizes) * len(_moduli(sizes))
    return f"the table would have more than {most} entries" if cells > most else ""


def _orders(classes: Classes) -> Orders | None:
    """Return the plays of the classes of a small hand; None if an array takes less time."""
    bits = _orders_of(classes.sizes).bit_length()
    if bits * cells_of(classes.sizes) > FEW_BITS:
        return None
    found = Orders(classes.sizes, [classes.near], bits)
    if classes.sizes:
        found.extend()
    return found


def _orders_of(sizes: Sequence[int]) -> int:
    """Return the number of orders of classes, if all of them match: no count is larger."""
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def _strides(sizes: Sequence[int]) -> list[int]:
    return list(accumulate((size + 1 for size in sizes), mul, initial=1))[:-1]


def _moduli(sizes: Sequence[int]) -> list[int]:
    """Return [0] if no number needs more than 62 bits, or else enough primes."""
    bits = _orders_of(sizes).bit_length()
    if bits <= _WORD_BITS:
        return [0]
    return list(PRIMES[: -(-bits // _PRIME_BITS)])
