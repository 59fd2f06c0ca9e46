"""The environment of a run: package versions, the machine and the commit."""

import json
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any

import psutil

from uno_csp.errors import UnoCspError
from uno_csp.methods import find_backend
from uno_csp.processes.notes import note

_PACKAGES = ("uno-csp", "python-sat", "ortools", "PuLP", "highspy", "clingo", "elkai")


@cache
def environment() -> dict[str, Any]:
    """Return the Python and package versions, the machine and the commit of this process."""
    return {
        "python": platform.python_version(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
        "machine": {
            "system": f"{platform.system()} {platform.release()}",
            "processor": _processor(),
            "cores": psutil.cpu_count() or 0,
            "memory_mb": psutil.virtual_memory().total >> 20,
        },
        "commit": _commit(),
    }


@cache
def backend_version(name: str | None) -> str | None:
    """Return the version of a backend; None if there is no backend or it is unavailable."""
    if name is None:
        return None
    try:
        backend = find_backend(name)
        return backend.version() if backend.available() else None
    except (UnoCspError, OSError):
        return None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit() -> str | None:
    """Return the commit of this package, with the suffix ``-changed`` if files differ.

    It is that of the repository which the files lie in if that tracks them, or the one that pip
    wrote down when it installed the package from a repository; None if neither is known.
    """
    file = Path(__file__)
    git = ["git", "-C", str(file.parent)]
    if note([*git, "ls-files", file.name]):
        commit = note(
            [*git, "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=-changed"]
        )
        if commit:
            return commit
    try:
        installed = json.loads(distribution("uno-csp").read_text("direct_url.json") or "{}")
        return str(installed["vcs_info"]["commit_id"])
    except (PackageNotFoundError, KeyError, ValueError):
        return None
