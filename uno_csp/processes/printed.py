"""The output of a program in a file, of which only a part is ever held."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from uno_csp.errors import InstanceError

TAIL_BYTES = 4096  # size of the end of an output in which the last line is looked for
PIECE_BYTES = 1 << 16  # maximum number of bytes that are read at once


def last_line(stream: IO[bytes]) -> str:
    """Return the last line of a file, or the end of a long one; empty if there is none."""
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - TAIL_BYTES))
    lines = stream.read(TAIL_BYTES).decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def lines_of(path: Path, mark: "re.Pattern[bytes]", most_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a file that begin with a mark, and pass over all others.

    Raises InstanceError if one has more bytes than are allowed.
    """
    with path.open("rb") as stream:
        while piece := stream.readline(PIECE_BYTES):
            line = bytearray()
            wanted = mark.match(piece) is not None
            while piece:
                if wanted:
                    line += piece
                if len(line) > most_bytes:
                    raise InstanceError(f"solver output: a line has more than {most_bytes:,} bytes")
                piece = b"" if piece.endswith(b"\n") else stream.readline(PIECE_BYTES)
            if wanted:
                yield bytes(line)
