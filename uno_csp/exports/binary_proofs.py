"""Read binary DRAT, which solvers write by default, as the text that proof checkers take.

A step is the letter a (add) or d (delete), the literals of its clause, and 0. A literal is twice
its variable, plus 1 if it is negative, in groups of seven bits, the lowest first; the highest bit
of a byte says that another one follows (Wetzler, Heule, Hunt 2014).
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from uno_csp.errors import NotAccepted

_STARTS = {ord("a"): "", ord("d"): "d "}
_READ_AT_ONCE = 1 << 20  # bytes
_MOST_BITS = 63  # of a literal


def text_proof(proof: Path, folder: Path) -> Path:
    """Return a proof as text: the given file, or one in a folder if that is binary.

    Only a binary proof has a zero byte, at the end of each step. Raises NotAccepted if it is cut,
    or the file is neither.
    """
    with proof.open("rb") as stream:
        first = stream.read(_READ_AT_ONCE)
        if b"\0" not in first:
            if not first.isascii():
                raise NotAccepted("it is neither text nor binary DRAT")
            return proof
        text = folder / "text.drat"
        with text.open("w", encoding="ascii") as out:
            out.writelines(_steps(chain([first], stream)))
    return text


def _steps(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of the steps."""
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
