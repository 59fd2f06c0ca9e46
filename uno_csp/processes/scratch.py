"""Folders for what a child process writes: one for each child, removed by whoever outlives it.

A solver program that is killed cannot tidy up. So a child and all programs below it find their
own folder in TMPDIR, and its parent removes that when the child is gone. Should the parent be
killed as well, the next one that starts a child removes what it left: a folder is locked as long
as its owner lives, however that ends.
"""

import fcntl
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

PREFIX = "uno-csp-of-"
FRESH_S = 60.0
"""A folder that has just been made may not be locked yet."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for as long as the block lasts, however it is left."""
    sweep()
    path = Path(tempfile.gettempdir(), f"{PREFIX}{secrets.token_hex(8)}")
    with ExitStack() as left:
        left.callback(_remove, path, os.getpid())
        path.mkdir(mode=0o700)
        lock = os.open(path, os.O_RDONLY)
        left.callback(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield path


def _remove(path: Path, owner: int) -> None:
    """A forked copy of the owner must not take its folders away."""
    if os.getpid() == owner:
        shutil.rmtree(path, ignore_errors=True)


class ScratchFolder:
    """A folder for one child."""

    def __init__(self) -> None:
        self._held = ExitStack()
        self.path = self._held.enter_context(scratch_folder())

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the child: temporary files go into the folder."""
        return {**os.environ, "TMPDIR": str(self.path)}

    def remove(self) -> None:
        """Remove it with everything in it; nothing if it is gone."""
        self._held.close()


def sweep() -> None:
    """Remove the folders of owners that are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # somebody else's, or gone meanwhile
            if time.time() - folder.stat().st_mtime > FRESH_S:
                _remove_unless_locked(folder)


def _remove_unless_locked(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
