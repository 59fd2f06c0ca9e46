"""Check a CNF file for a competition, and count what is in it."""

import hashlib
import lzma
from dataclasses import dataclass
from pathlib import Path

from uno_csp.errors import UnoCspError


@dataclass(frozen=True, slots=True)
class CnfFacts:
    """Sizes of a CNF file and its hashes, in hexadecimal."""

    # as its header gives them
    variables: int
    clauses: int
    # key of the Global Benchmark Database (Iser, Sinz 2018): MD5 of the clauses, joined by one
    # space, without header and comments
    gbd_hash: str
    md5: str  # MD5 of the compressed file


def inspect(path: Path) -> CnfFacts:
    """Read a compressed DIMACS file, one clause a line; raise UnoCspError if it is irregular."""
    digest = hashlib.md5(usedforsecurity=False)
    header = (0, -1)
    count = largest = 0
    with lzma.open(path, "rt", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("c"):
                continue
            words = line.split()
            if words[0] == "p":
                header = (int(words[2]), int(words[3]))
                continue
            variables = {abs(int(word)) for word in words[:-1]}
            if not variables or len(variables) < len(words) - 1 or words[-1] != "0":
                raise UnoCspError(f"{path.name}: a clause is empty or repeats a variable: {line}")
            largest = max(largest, *variables)
            digest.update((" " if count else "").encode() + " ".join(words).encode())
            count += 1
    if header[1] != count or header[0] < largest:
        raise UnoCspError(
            f"{path.name}: the header says {header[0]} variables and {header[1]} clauses, but "
            f"there are {largest} and {count}"
        )
    whole = hashlib.md5(path.read_bytes(), usedforsecurity=False)
    return CnfFacts(*header, digest.hexdigest(), whole.hexdigest())
