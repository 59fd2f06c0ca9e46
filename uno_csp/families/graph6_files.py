"""Reading of graphs from files, for callers that may read files: command line and suites."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uno_csp.errors import InstanceError

PARAMETER = "graph6"
FROM_FILE = "@"


def with_graphs_read(parameters: Mapping[str, Any], folder: Path = Path()) -> dict[str, Any]:
    """Return the parameters with ``@FILE`` or ``@FILE:LINE`` replaced by that line."""
    read = dict(parameters)
    given = read.get(PARAMETER)
    if isinstance(given, str) and given.startswith(FROM_FILE):
        read[PARAMETER] = _line(given.removeprefix(FROM_FILE), folder)
    return read


def _line(reference: str, folder: Path) -> str:
    name, _, number = reference.rpartition(":")
    if not (name and number.isdigit()):
        name, number = reference, "1"
    try:
        lines = (folder / name).read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError) as error:
        raise InstanceError(f"graph6: {name}: {error}") from None
    if not 1 <= int(number) <= len(lines):
        raise InstanceError(f"graph6: {name} has no line {number}; there are {len(lines)}")
    return lines[int(number) - 1]
