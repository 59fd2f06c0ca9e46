"""Folders for what a child process writes: one for each child, removed by whoever outlives it.

A solver program that is killed cannot tidy up. So a child and all programs below it find their
own folder in TMPDIR, and its parent removes that when the child is gone. Should the parent be
killed as well, the next one that starts a child removes what it left: a folder's name has the
number of its owner, and an owner that is no longer there needs no folder.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

_PREFIX = "uno-csp-of-"
_NAME = re.compile(rf"{_PREFIX}([0-9]+)-.*")


class ScratchFolder:
    """A folder for one child."""

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the child: temporary files go into the folder."""
        return {**os.environ, "TMPDIR": str(self.path)}

    def remove(self) -> None:
        """Remove it with everything in it; nothing if it is gone."""
        shutil.rmtree(self.path, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of owners that are gone."""
    with os.scandir(tempfile.gettempdir()) as entries:
        found = [(entry.path, _NAME.fullmatch(entry.name)) for entry in entries]
    for path, name in found:
        if name is not None and not _alive(int(name[1])):
            shutil.rmtree(path, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
