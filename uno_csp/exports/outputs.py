"""Targets of exported text: a stream whose bytes are counted, so that a file has a limit."""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Protocol, TextIO, TypeAlias, cast

from uno_csp.errors import NotAccepted
from uno_csp.formats.compression import OPENERS, suffix_of, text_into
from uno_csp.formats.files import utf8_output, written


class Writable(Protocol):
    """A stream of text, as ``open(path, "w")`` returns it."""

    def write(self, text: str, /) -> object:
        """Write a text."""


Target: TypeAlias = str | PathLike[str] | Writable | None
"""A path, ``-`` for standard output, a stream of text, or None to learn the size only."""

Size: TypeAlias = tuple[int, int]  # the numbers of variables and constraints of a file
STDOUT = "-"
LIMIT_MB = 4000  # default limit of a file's size
_COPIED = 1 << 22  # bytes that are copied at once


class TooLarge(NotAccepted):
    """A file that would have more bytes than its limit."""


class Output:
    """A stream of text or bytes that counts what it gets, ``most_bytes`` at most.

    Without a ``stream`` the text is counted only. Files of what has to wait are made in ``folder``,
    by default in that of temporary files.
    """

    def __init__(
        self, stream: Writable | None, most_bytes: int, folder: Path | None = None
    ) -> None:
        self.size = 0
        self._stream, self._most, self._folder = stream, most_bytes, folder

    def write(self, data: str | bytes) -> None:
        """Write text, or the bytes of ASCII text; raise NotAccepted if the limit is exceeded."""
        text = data if isinstance(data, str) else data.decode("ascii")
        self.size += len(text) if text.isascii() else len(text.encode())
        if self.size > self._most:
            raise TooLarge(f"the file would be larger than {self._most / 10**6:,.0f} MB")
        if self._stream is not None:
            self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts."""
        for line in lines:
            self.write(line)

    @contextmanager
    def waiting(self) -> Iterator["Output"]:
        """Yield an output for what comes after text that is not known yet; see :meth:`append`."""
        if self._stream is None:
            yield Output(None, self._most)
            return
        # a file without a name, so that nothing is left of it after a crash
        with tempfile.TemporaryFile("w+", dir=self._folder, encoding="ascii") as file:
            yield Output(file, self._most, self._folder)

    def append(self, other: "Output") -> None:
        """Write what an output has that waited."""
        if self._stream is None or other._stream is None:
            self.size += other.size
            return
        waited = cast("TextIO", other._stream)
        waited.seek(0)
        while text := waited.read(_COPIED):
            self.write(text)


@contextmanager
def opened(out: Target, most_bytes: int) -> Iterator[Output]:
    """Yield the output for a path, compressed according to its suffix, or for a text stream."""
    if out == STDOUT:
        with utf8_output() as stream:
            yield Output(stream, most_bytes)
    elif isinstance(out, str | PathLike):
        path = Path(out)
        with written(path, OPENERS) as raw, text_into(raw, suffix_of(path)) as stream:
            yield Output(stream, most_bytes, _folder_of(path))
    else:
        yield Output(out, most_bytes)


def _folder_of(path: Path) -> Path | None:
    """Return the folder of a file; None for a pipe or a device, whose folder takes no files."""
    return None if path.exists() and not path.is_file() else path.resolve().parent
