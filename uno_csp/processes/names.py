"""Names of processes in the tables of the system, as ``top`` and ``ps -eo pid,comm`` show them."""

from contextlib import suppress
from pathlib import Path

FORK_SERVER = "uno:forks"  # name of a fork server
_LONGEST = 15  # maximum number of bytes of a name


def worker_name(module: str) -> str:
    """Return the name of workers of a module: that of its folder, for example ``uno:pipeline``."""
    folder = module.split(".")[-2] if "." in module else module
    return f"uno:{folder}"[:_LONGEST]


def name_process(name: str) -> None:
    """Name this process; no-op on systems where a process cannot name itself."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name, "utf-8")
