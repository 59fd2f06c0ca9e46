"""Writing files such that nothing is lost: a new one replaces the old when it is whole."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from uno_csp.errors import NotAccepted

OPEN = ("stdin", "stdout", "stderr", "fd")


def require_folder(path: str | Path) -> None:
    """Nothing, if there is a folder for a file of that path.

    Raises
    ------
    NotAccepted
        If there is none: what would be written is not even begun.
    """
    folder = Path(path).parent
    if not folder.is_dir():
        raise NotAccepted(f"{path}: there is no folder {folder}")


@contextmanager
def written(path: str | Path) -> Iterator[IO[bytes]]:
    """A stream of bytes that becomes the file of that path at the end.

    It is written beside it first, so a failure leaves what there was. Devices and pipes, and what
    is open already under a name such as ``/dev/stdout``, are written as they are: they are never
    replaced, cut short or removed.

    Raises
    ------
    NotAccepted
        If it cannot be written.
    """
    require_folder(path)
    target = Path(path)
    try:
        if _is_open_already(target) or (target.exists() and not target.is_file()):
            with target.open("ab" if _is_open_already(target) else "wb") as stream:
                yield stream
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise NotAccepted(f"{path}: it may not be written")
        with _beside(target.resolve()) as stream:
            yield stream
    except OSError as error:
        raise NotAccepted(f"{path}: {(error.strerror or str(error)).lower()}") from None


def _is_open_already(target: Path) -> bool:
    """Whether the path is a name of a descriptor, such as ``/dev/stdout`` or ``/dev/fd/5``."""
    return target.absolute().parts[1:3] in {("dev", name) for name in OPEN} or (
        target.absolute().parts[1:2] == ("proc",)
    )


@contextmanager
def _beside(target: Path) -> Iterator[IO[bytes]]:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
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
    """The permissions that new files are not given; there is no way to ask but to set them."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
