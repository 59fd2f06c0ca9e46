"""Reserved disk space, so that jobs can still be ended and deleted on a full disk.

Deleting a row, or recording a job as failed, takes a write, which a full disk refuses. So a file
beside the database reserves some space: it is removed when no other space is left, and allocated
again when there is some.
"""

import os
from contextlib import suppress
from pathlib import Path

RESERVE_BYTES = 4 << 20  # far more than a transaction that ends or deletes a job writes
NAME = "reserve"


class Reserve:
    """The file in a folder that reserves space."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def lay(self) -> bool:
        """Allocate the file unless it exists; return False if there is no space for it."""
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
        """Remove the file to free its space."""
        self._path.unlink(missing_ok=True)
