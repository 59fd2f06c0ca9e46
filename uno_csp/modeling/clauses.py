"""Clauses in little memory: four bytes for each literal, or none.

A model may have 10^8 literals, of which Python's lists take 40 bytes each. So clauses are kept as
flat arrays in which a 0 ends each clause, as in DIMACS, and blocks of regular clauses are computed
whenever they are read.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Clause: TypeAlias = Sequence[int]  # a disjunction of literals
CHUNK = 1 << 20  # number of literals of a model that are looked at together


@dataclass(frozen=True, slots=True)
class Block:
    """Clauses without repeated variables that a function makes whenever they are read."""

    count: int  # number of clauses
    # function that yields matrices of about `CHUNK` literals, with one clause per row and 0 where
    # it ends before the row. No clause is empty.
    make: Callable[..., Iterator[NDArray[np.int32]]]
    arguments: tuple[Any, ...]  # its arguments

    def __iter__(self) -> Iterator[list[int]]:
        for literals in self.flat():
            yield from _split(literals.tolist())

    def flat(self) -> Iterator[NDArray[np.int32]]:
        """Yield the literals in chunks; a 0 ends each clause."""
        import numpy as np

        for matrix in self.make(*self.arguments):
            literals = np.pad(matrix, ((0, 0), (0, 1))).ravel()
            kept = literals != 0
            kept[1:] |= kept[:-1].copy()
            yield literals[kept]


class Clauses:
    """A sequence of clauses that grows at its end.

    >>> clauses = Clauses([(1, -2)])
    >>> clauses.append(())
    >>> clauses
    [[1, -2], []]
    """

    __slots__ = ("_count", "_last", "_parts")

    def __init__(self, clauses: Iterable[Clause] = ()) -> None:
        self._last = array("i")
        self._parts: list[array[int] | Block] = [self._last]
        self._count = 0
        self.extend(clauses)

    @classmethod
    def of_literals(cls, literals: Sequence[int]) -> Clauses:
        """Return the clauses in literals in which a 0 ends each of them.

        >>> Clauses.of_literals([1, -2, 0, 3, 0])
        [[1, -2], [3]]
        """
        clauses = cls()
        clauses._last.extend(literals)
        clauses._count = literals.count(0)
        return clauses

    def __len__(self) -> int:
        return self._count

    @property
    def num_literals(self) -> int:
        """The number of literals that are kept since the last block, and of ends of clauses."""
        return len(self._last)

    def __iter__(self) -> Iterator[list[int]]:
        for part in self._chunks():
            yield from part if isinstance(part, Block) else _split(part.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clauses | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(
            own == list(clause) for own, clause in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def append(self, clause: Clause) -> None:
        """Add a clause; raise ValueError if 0 is in it."""
        self.extend((clause,))

    def extend(self, clauses: Iterable[Clause]) -> None:
        """Add clauses; raise ValueError if 0 is in one of them."""
        if not isinstance(clauses, Clauses):
            for clause in clauses:
                if 0 in clause:
                    raise ValueError(f"a literal of {clause} is 0")
                self._last.extend((*clause, 0))
                self._count += 1
            return
        self._count += len(clauses)
        for part in tuple(clauses._parts):
            if isinstance(part, Block):
                self._append(part)
            else:
                self._last.extend(part)

    def add_block(self, block: Block) -> None:
        """Add the clauses of a block, which are computed when they are read."""
        self._append(block)
        self._count += block.count

    def _append(self, block: Block) -> None:
        self._last = array("i")
        self._parts += (block, self._last)

    def copy(self) -> Clauses:
        """Return a copy that can be extended."""
        other = Clauses()
        other._parts = [part if isinstance(part, Block) else part[:] for part in self._parts]
        other._last = other._parts[-1]  # type: ignore[assignment]
        other._count = self._count
        return other

    def parts(self) -> Iterator[Block | NDArray[np.int32]]:
        """Yield the blocks, and the other literals in chunks in which a 0 ends each clause."""
        import numpy as np

        for part in self._chunks():
            yield part if isinstance(part, Block) else np.array(part, dtype=np.int32)

    def _chunks(self) -> Iterator[Block | array[int]]:
        for part in self._parts:
            if isinstance(part, Block):
                yield part
                continue
            start = 0
            while start < len(part):
                end = part.index(0, min(start + CHUNK, len(part) - 1)) + 1
                yield part[start:end]
                start = end


def _split(literals: list[int]) -> Iterator[list[int]]:
    """Yield the clauses in literals in which a 0 ends each of them."""
    start, end = 0, len(literals)
    while start < end:
        stop = literals.index(0, start)
        yield literals[start:stop]
        start = stop + 1
