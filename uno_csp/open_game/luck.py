"""Random numbers that are the same in plain Python and as machine code."""

from uno_csp.open_game.compiling import compiled

_WORD = 0xFFFFFFFF


@compiled
def following(word: int) -> int:
    """Return the random number after another one (xorshift with 32 bits, Marsaglia 2003)."""
    word ^= word << 13 & _WORD
    word ^= word >> 17
    return word ^ (word << 5 & _WORD)


@compiled
def remainder(word: int, most: int) -> int:
    """Return the remainder of a division; the masks say that no number is negative or large."""
    return (word & _WORD) % (most & _WORD)


@compiled
def nth(start: int, number: int) -> int:
    """Return a random number for each number; those of different numbers tell nothing of another.

    It is not 0, which only 0 follows (Knuth's multiplicative hash, and two steps).
    """
    mixed = (start + number & _WORD) * 1_640_531_527
    return following(following(mixed & _WORD | 1 << 31))
