"""Reading of graphs from files, for callers that may read files: command line and suites."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uno_csp.errors import InstanceError
from uno_csp.formats.text import read_text

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
    if not (name and number.isascii() and number.isdecimal()):
        name, number = reference, "1"
    try:
        lines = read_text(str(folder / name)).split()
    except InstanceError as error:
        raise InstanceError(f"graph6: {error}") from None
    at = int(number[:20])
    if not 1 <= at <= len(lines):
        raise InstanceError(f"graph6: {name} has no line {at}; there are {len(lines)}")
    return lines[at - 1]
