"""Compressed files: the one place that reads and writes them, by the suffixes of their names."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, TextIO

from uno_csp.errors import InstanceError

OPENERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
)
"""Functions that open a compressed file, by its suffix."""

DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""Errors of reading a compressed file that is damaged or cut off."""

_DECOMPRESSORS: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        ".gz": partial(zlib.decompressobj, zlib.MAX_WBITS | 16),
        ".bz2": bz2.BZ2Decompressor,
        ".xz": lzma.LZMADecompressor,
    }
)


def suffix_of(path: str | PathLike[str]) -> str:
    """Return the suffix of a compressed file in lower case; an empty text for any other file.

    >>> suffix_of("Hand.JSON.Gz"), suffix_of("hand.json")
    ('.gz', '')
    """
    suffix = Path(path).suffix.lower()
    return suffix if suffix in OPENERS else ""


def opened(path: str | PathLike[str], mode: str, **options: Any) -> Any:
    """Open a file for reading, decompressed if its name says that it is compressed.

    Reading may raise the errors of :data:`DAMAGED`.
    """
    return OPENERS.get(suffix_of(path), open)(path, mode, **options)


def decompressed(raw: bytes, suffix: str, most_bytes: int) -> bytes:
    """Return the bytes of a compressed file; all of its streams have to be whole.

    Of more than ``most_bytes`` it returns the first, one more than these.
    """
    make = _DECOMPRESSORS.get(suffix)
    if make is None:
        return raw
    found = bytearray()
    while True:
        stream = make()
        try:
            found += stream.decompress(raw, most_bytes + 1 - len(found))
        except DAMAGED:
            raise InstanceError(f"it is damaged, or no {suffix} file") from None
        raw = stream.unused_data.lstrip(b"\0")  # which some tools write between streams
        if len(found) > most_bytes or (stream.eof and not raw):
            return bytes(found)
        if not stream.eof:
            raise InstanceError(f"it is cut off, or no {suffix} file")


def text_into(raw: IO[bytes], suffix: str) -> TextIO:
    """Return a stream of text into a file, compressed by its suffix; gzip has no time stamp."""
    packed: Any = raw
    if suffix == ".gz":
        packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
    elif suffix in OPENERS:
        packed = OPENERS[suffix](raw, "wb")
    return io.TextIOWrapper(packed, encoding="utf-8")
