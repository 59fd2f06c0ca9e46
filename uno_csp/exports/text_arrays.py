"""Text of many numbers at once: five times as fast as ``str`` for each of them.

A text is made as a matrix of bytes with one row per number, in which NUL stands for nothing, so
that numbers of different lengths fit into it.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Chars: TypeAlias = NDArray[np.uint8]  # A matrix of bytes
Integers: TypeAlias = NDArray[np.integer]

_GROUP = 10_000  # digits are looked up four at a time


def _tables() -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
    """Return four digits of each number: all, without leading zeros, and with 0 as nothing."""
    numbers = np.arange(_GROUP)[:, None]
    powers = np.array((1000, 100, 10, 1))
    whole = (numbers // powers % 10 + ord("0")).astype(np.uint8)
    short = np.where((numbers < powers) & (powers > 1), 0, whole).astype(np.uint8)
    nothing = np.where(numbers == 0, 0, short).astype(np.uint8)
    return whole.view(np.uint32)[:, 0], short.view(np.uint32)[:, 0], nothing.view(np.uint32)[:, 0]


_WHOLE, _SHORT, _NOTHING = _tables()


def decimal(numbers: Integers) -> Chars:
    """Return the digits of numbers that are not negative."""
    rest, last = np.divmod(numbers, _GROUP)
    first, groups = _SHORT, []
    while rest.any():
        groups.append(np.where(rest > 0, _WHOLE[last], first[last]))
        rest, last = np.divmod(rest, _GROUP)
        first = _NOTHING
    groups.append(first[last])
    return np.stack(groups[::-1], axis=1).view(np.uint8)


def signed(numbers: Integers, plus: bytes = b"\0") -> Chars:
    """Return numbers with a minus sign where they are negative, else with ``plus``."""
    return np.hstack((signs(numbers, plus), decimal(np.abs(numbers))))


def signs(numbers: Integers, plus: bytes = b"+") -> Chars:
    """Return the sign of each number."""
    return np.where(numbers < 0, ord("-"), plus[0]).astype(np.uint8)[:, None]


def padding(chars: Chars, width: int) -> Chars:
    """Return the blanks that make each row as wide as ``width``."""
    lengths = np.count_nonzero(chars, axis=1)
    return np.where(np.arange(width) < width - lengths[:, None], ord(" "), 0).astype(np.uint8)


def side_by_side(*pieces: Chars | bytes) -> Chars:
    """Return rows in which pieces follow each other; bytes are the same in each row."""
    count = next(len(piece) for piece in pieces if not isinstance(piece, bytes))
    return np.hstack(
        [
            np.broadcast_to(np.frombuffer(piece, np.uint8), (count, len(piece)))
            if isinstance(piece, bytes)
            else piece
            for piece in pieces
        ]
    )


def text_of(chars: Chars) -> bytes:
    r"""Return the rows of a matrix one after the other.

    >>> text_of(side_by_side(b"x", decimal(np.array([7, 123456])), b"\n"))
    b'x7\nx123456\n'
    """
    return chars.tobytes().translate(None, b"\0")
