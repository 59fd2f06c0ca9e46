"""Atomic file writing: a new file replaces the old one only when it is complete."""

import errno
import io
import os
import re
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO, TextIO

from uno_csp.errors import DiskFull, NotAccepted
from uno_csp.questions.wording import shown

OPEN = ("stdin", "stdout", "stderr", "fd")
PACKED = re.compile(
    r"\.(7z|br|bz2?|gz|lz[4ho]?|lzma|rar|sz|tar|t[bglx]z|tbz2|tzst|xz|z|zip|zstd?)", re.IGNORECASE
)
"""Suffixes of files that are compressed or packed."""

_LONGEST_NAME = 255  # maximum length of a file's name in bytes, on the usual file systems
_LONGEST_PATH = 4096  # length of a path in bytes that Linux does not take


def require_target(path: str | Path, forms: Collection[str] = ()) -> None:
    """Raise NotAccepted unless the folder of a path exists and its suffix fits what is written.

    The forms are the suffixes of compressed or packed files that can be written there.
    """
    require_name(path)
    folder = Path(path).parent
    if not Path(path).name:
        raise NotAccepted(f"{shown(str(path))} is no name of a file")
    if not folder.is_dir():
        raise NotAccepted(f"{path}: there is no folder {folder}")
    *_, before, suffix = ["", "", *(each.lower() for each in Path(path).suffixes)]
    if PACKED.fullmatch(suffix) and (suffix not in forms or PACKED.fullmatch(before)):
        suffix = before + suffix if PACKED.fullmatch(before) else suffix
        allowed = f" (but {', '.join(forms)})" if forms else ""
        raise NotAccepted(f"{path}: a {suffix} file is not written{allowed}; give another name")


def require_name(path: str | PathLike[str]) -> None:
    """Raise NotAccepted if the system can have no file of this name."""
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError:
        name = b"\0"
    possible = b"\0" not in name and len(name) < _LONGEST_PATH
    possible = possible and max(map(len, name.split(b"/"))) <= _LONGEST_NAME
    if not possible:
        raise NotAccepted(f"{shown(os.fspath(path))} is no name of a file")


def require_new(path: str | Path) -> None:
    """Raise NotAccepted if a path names a file, which must not be overwritten."""
    if Path(path).is_file():
        raise NotAccepted(f"{path}: the file exists already; give another name")


@contextmanager
def utf8_output() -> Iterator[TextIO]:
    """Yield standard output, meanwhile in UTF-8 in every locale: for text that programs read."""
    stream = sys.stdout
    if not isinstance(stream, io.TextIOWrapper):
        yield stream
        return
    encoding, errors = stream.encoding, stream.errors
    stream.reconfigure(encoding="utf-8", errors=errors)
    try:
        yield stream
    finally:
        stream.reconfigure(encoding=encoding, errors=errors)


@contextmanager
def written(path: str | Path, forms: Collection[str] = ()) -> Iterator[IO[bytes]]:
    """Yield a binary stream that becomes the file at a path when it is complete.

    The data go to a temporary file beside it first, so a failure leaves the old file intact.
    Devices, pipes and open descriptors such as ``/dev/stdout`` are written directly. Raises
    NotAccepted if the file cannot be written; for the forms see :func:`require_target`.
    """
    require_target(path, forms)
    target = Path(path)
    try:
        if _is_open_already(target) or (target.exists() and not target.is_file()):
            with target.open("ab" if _is_open_already(target) else "wb") as stream:
                yield stream
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise NotAccepted(f"{path}: the file is read-only")
        with _beside(target.resolve()) as stream:
            yield stream
    except OSError as error:
        kind = DiskFull if error.errno in (errno.ENOSPC, errno.EDQUOT) else NotAccepted
        raise kind(f"{path}: {(error.strerror or str(error)).lower()}") from None


def _is_open_already(target: Path) -> bool:
    """Return True if the path names a descriptor, such as ``/dev/stdout`` or ``/dev/fd/5``."""
    parts = target.absolute().parts
    return parts[1:2] == ("proc",) or parts[1:3] in {("dev", name) for name in OPEN}


@contextmanager
def _beside(target: Path) -> Iterator[IO[bytes]]:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:50]}.", dir=target.parent)
    try:
        with open(descriptor, "wb") as stream:  # noqa: PTH123 (it is open already)
            yield stream
        Path(name).chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        Path(name).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise


def _umask() -> int:
    """Return the umask of the process; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
