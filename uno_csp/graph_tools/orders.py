"""Orders of a multiset by dynamic programming over its sub-multisets, on big integers.

An *order* lists elements of several classes; what it costs that one follows another depends on
their classes. For each class one integer has a field for every multiset: one bit that tells whether
an order of the multiset begins with this class, or more bits that count such orders. Multisets are
numbered in mixed radix, so one more element of a class is a shift, and a few operations on integers
extend all multisets of a size at once. With n elements that differ this is the dynamic program of
Bellman and of Held and Karp (1962): 2^n n^2 steps, 30 of them in each digit of an integer.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from math import prod
from operator import add, mul, or_
from typing import TypeAlias

Followers: TypeAlias = Sequence[Sequence[int]]  # for each class, the classes that may follow it


def cells_of(sizes: Iterable[int]) -> int:
    """Return the number of multisets with at most ``sizes`` elements of each class."""
    return prod(size + 1 for size in sizes)


class Orders:
    """The orders of the multisets of some classes, by the class they begin with.

    ``sizes`` has the number of elements of each class, ``followers`` for each cost from 0 on the
    classes that may follow each class at this cost. A field of 1 bit tells whether there is an
    order; more ``bits`` count the orders without cost. ``layers`` has for each cost so far, number
    of elements less 1, and class the fields of the multisets with that many elements. ``cells`` is
    the number of multisets, and ``whole`` the place of the field of all elements.
    """

    def __init__(self, sizes: Sequence[int], followers: Sequence[Followers], bits: int = 1) -> None:
        self.elements, self.cells = sum(sizes), cells_of(sizes)
        self.layers: list[list[list[int]]] = []
        self._shifts, self._rooms = _grid(tuple(sizes), bits)
        self.whole = self.place(sizes)
        self._followers, self._bits = followers, bits

    def extend(self) -> list[list[int]]:
        """Compute and return the layers of the next cost."""
        cost, join = len(self.layers), or_ if self._bits == 1 else add
        layers = [[0 if cost else 1 << shift for shift in self._shifts]]
        self.layers.append(layers)
        for size in range(1, self.elements):
            found = [0] * len(self._shifts)
            for paid, followers in enumerate(self._followers[: cost + 1]):
                fields = self.layers[cost - paid][size - 1].__getitem__
                for each, following in enumerate(followers):
                    found[each] = reduce(join, map(fields, following), found[each])
            layers.append(
                [
                    (fields & room) << shift
                    for fields, room, shift in zip(found, self._rooms, self._shifts, strict=True)
                ]
            )
        return layers

    def field(self, size: int, begin: int, multiset: int, cost: int = 0) -> int:
        """Return the field of a multiset of a size, given by its place, and of its first class."""
        return self.layers[cost][size - 1][begin] >> multiset & (1 << self._bits) - 1

    def place(self, multiset: Sequence[int]) -> int:
        """Return the place of a multiset, given by its elements of each class."""
        return sum(map(mul, multiset, self._shifts))

    def beginnings(self, multiset: Sequence[int]) -> list[int]:
        """Return for each class the field of a multiset, given by its elements of each class."""
        size, place = sum(multiset), self.place(multiset)
        return [self.field(size, each, place) if size else 0 for each in range(len(multiset))]

    def read(self, size: int, begin: int, multiset: int, cost: int = 0) -> Iterator[int]:
        """Yield the classes of an order of a multiset; there must be one."""
        yield begin
        for left in range(size - 1, 0, -1):
            multiset -= self._shifts[begin]
            cost, begin = next(
                (cost - paid, each)
                for paid, followers in enumerate(self._followers[: cost + 1])
                for each in followers[begin]
                if self.field(left, each, multiset, cost - paid)
            )
            yield begin


@lru_cache(256)
def _grid(sizes: tuple[int, ...], bits: int) -> tuple[list[int], list[int]]:
    """Return for each class the shift that adds an element, and the mask of what has room for it.

    The multisets with less than ``size`` elements of a class come in runs of size * shift bits,
    once in each period of (size + 1) * shift bits.
    """
    everything = (1 << bits * cells_of(sizes)) - 1
    shifts, rooms = [], []
    shift = bits
    for size in sizes:
        run, period = (1 << shift * size) - 1, shift * (size + 1)
        shifts.append(shift)
        rooms.append(run * (everything // ((1 << period) - 1)))
        shift = period
    return shifts, rooms
