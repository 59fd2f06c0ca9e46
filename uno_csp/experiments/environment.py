"""The environment of a run: package versions, the machine and the commit."""

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

from uno_csp.errors import UnoCspError
from uno_csp.methods import find_backend

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
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit() -> str | None:
    """Return the git commit, with the suffix ``-changed`` if files differ; None outside git."""
    folder = Path(__file__).parent
    git = ["git", "-C", str(folder)]
    found = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        return None
    changed = subprocess.run(
        [*git, "status", "--porcelain", "--untracked-files=no"],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() + ("-changed" if changed.stdout.strip() else "")
