"""Exact numbers of plays from their residues modulo primes."""

from collections.abc import Sequence
from math import prod


def number_of(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the number with these residues modulo primes (the Chinese remainder theorem).

    >>> number_of([2, 3], [5, 7])
    17
    """
    whole = prod(moduli)
    parts = (
        residue * (whole // modulus) * pow(whole // modulus, -1, modulus)
        for residue, modulus in zip(residues, moduli, strict=True)
    )
    return sum(parts) % whole
