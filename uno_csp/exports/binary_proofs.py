"""Read binary DRAT, which solvers write by default, as the text that proof checkers take.

A step is the letter a (add) or d (delete), the literals of its clause, and 0. A literal is twice
its variable, plus 1 if it is negative, in groups of seven bits, the lowest first; the highest bit
of a byte says that another one follows (Wetzler, Heule, Hunt 2014).
"""

import shutil
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from uno_csp.errors import NotAccepted
from uno_csp.formats.compression import DAMAGED, opened, suffix_of

_STARTS = {ord("a"): "", ord("d"): "d "}
_READ_AT_ONCE = 1 << 20  # bytes
_MOST_BITS = 63  # of a literal


def text_proof(proof: Path, folder: Path) -> Path:
    """Return a proof as text: the given file, or one in a folder if that is binary or compressed.

    Only a binary proof has a zero byte, at the end of each step. Raises NotAccepted if it is cut or
    damaged, or the file is neither.
    """
    try:
        with opened(proof, "rb") as stream:
            return _text_of(stream, proof, folder / "text.drat")
    except DAMAGED as error:
        suffix = suffix_of(proof)
        if not suffix:
            raise
        raise NotAccepted(f"it is damaged, or no {suffix} file: {error}") from None


def _text_of(stream: BinaryIO, proof: Path, text: Path) -> Path:
    """Return the file of a proof as text, into which it is written if need be."""
    first = stream.read(_READ_AT_ONCE)
    if b"\0" in first:
        with text.open("w", encoding="ascii") as out:
            out.writelines(_steps(chain([first], stream)))
        return text
    if not first.isascii():
        raise NotAccepted("it is neither text nor binary DRAT")
    if not suffix_of(proof):
        return proof
    with text.open("wb") as plain:
        plain.write(first)
        shutil.copyfileobj(stream, plain)
    return text


def _steps(chunks: Iterable[bytes]) -> Iterator[str]:
    start, literals = "", list[str]()
    inside = False
    value = shift = place = 0
    for chunk in chunks:
        for byte in chunk:
            place += 1
            if not inside:
                if byte not in _STARTS:
                    raise NotAccepted(f"byte {place} of the binary proof begins no step: {byte:#x}")
                start, literals, inside = _STARTS[byte], [], True
                continue
            value |= (byte & 127) << shift
            shift += 7
            if byte & 128 and shift > _MOST_BITS:
                raise NotAccepted(f"byte {place} of the binary proof: the literal is too large")
            if byte & 128:
                continue
            literals.append(f"{'-' * (value & 1)}{value >> 1}")
            if value == 0:
                yield f"{start}{' '.join(literals)}\n"
                inside = False
            value = shift = 0
    if inside:
        raise NotAccepted(f"the binary proof ends at byte {place} within a step")
