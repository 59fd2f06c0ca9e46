"""Scratch folders for temporary files: one for each child process, removed after its end.

A solver program that is killed cannot clean up. So TMPDIR of a child and its descendants points to
a scratch folder, which the parent removes when the child has ended. If the parent is killed too,
the next process that starts a child removes the folder: an owner holds a lock on its folder, which
the kernel releases when the owner ends for any reason.
"""

import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from uno_csp.processes.locks import Taken, lock

PREFIX = "uno-csp-of-"
FRESH_S = 60.0  # minimum age in seconds of a folder to sweep; a new one may not be locked yet


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Return a scratch folder that exists for the duration of a ``with`` block."""
    sweep()
    path = Path(tempfile.gettempdir(), f"{PREFIX}{secrets.token_hex(8)}")
    with ExitStack() as left:
        left.callback(_remove, path, os.getpid())
        path.mkdir(mode=0o700)
        descriptor = os.open(path, os.O_RDONLY)
        left.callback(os.close, descriptor)
        lock(descriptor)  # without a lock, the folder of a process that is killed stays
        yield path


def _remove(path: Path, owner: int) -> None:
    """Remove a folder, unless this process is a forked copy of its owner."""
    if os.getpid() == owner:
        shutil.rmtree(path, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of owners that have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError, Taken):  # another user's, or removed meanwhile
            if time.time() - folder.lstat().st_mtime > FRESH_S:
                _remove_unless_locked(folder)


def _remove_unless_locked(folder: Path) -> None:
    """Remove a folder without an owner; a link, a pipe or a file of that name is left alone."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if not lock(descriptor, wait=False):
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)
