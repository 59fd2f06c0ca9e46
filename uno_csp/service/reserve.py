"""Disk space that is kept back, so that a full disk can still be cleared.

A row can only be deleted, or a job recorded as failed, by writing; on a full disk nothing can be
written. So a file of some size lies beside the database: it is removed when there is no other space
left, and laid again when there is.
"""

import os
from contextlib import suppress
from pathlib import Path

RESERVE_BYTES = 4 << 20
"""Size of the file; a transaction that ends or forgets a job writes far less."""

NAME = "reserve"


class Reserve:
    """The file that keeps space back.

    Parameters
    ----------
    folder
        Where it lies.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def lay(self) -> bool:
        """Allocate the file unless it is there; return False if there is no space for it."""
        with suppress(FileNotFoundError):
            if self._path.stat().st_size == RESERVE_BYTES:
                return True
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return False
        try:
            os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
        except OSError:
            self.release()
            return False
        finally:
            os.close(descriptor)
        return True

    def release(self) -> None:
        """Give the space back."""
        self._path.unlink(missing_ok=True)
