"""Read the tours of solvers for the travelling salesman problem: TSPLIB and Concorde."""

import re

from uno_csp.errors import InstanceError
from uno_csp.modeling import unreadable

_HEADER = re.compile(r"\s*(NAME|TYPE|COMMENT|DIMENSION)\s*:\s*(.*?)\s*")
_NODE = re.compile(r"[0-9]{1,18}")


def read_tour(text: str) -> list[int]:
    r"""Return the nodes of a TSPLIB tour in order, counted from 1.

    Raises InstanceError if a line is neither a header nor a list of nodes, or the header
    contradicts the nodes.

    >>> read_tour("TYPE : TOUR\nTOUR_SECTION\n1 3\n2\n-1\nEOF\n")
    [1, 3, 2]
    """
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if line.strip() == "TOUR_SECTION"), None)
    if start is None:
        raise InstanceError("solver output: no line TOUR_SECTION")
    header: dict[str, str] = {}
    for number, line in enumerate(lines[:start], start=1):
        found = _HEADER.fullmatch(line)
        if found is None and line.strip():
            raise unreadable(number, line, "is no header of a tour: NAME, TYPE, COMMENT, DIMENSION")
        if found is not None:
            header[found[1]] = found[2]
    nodes = _nodes(lines, start + 1)
    if header.get("TYPE", "TOUR") != "TOUR":
        raise InstanceError(f"solver output: TYPE must be TOUR, not {header['TYPE']}")
    if header.get("DIMENSION", str(len(nodes))) != str(len(nodes)):
        raise InstanceError(f"solver output: DIMENSION is not {len(nodes)}, the number of nodes")
    return nodes


def _nodes(lines: list[str], start: int) -> list[int]:
    """Return the nodes after the line TOUR_SECTION, up to -1 and EOF."""
    nodes: list[int] = []
    ends: list[str] = []
    for number, line in enumerate(lines[start:], start=start + 1):
        for word in line.split():
            if word in ("-1", "EOF") and word not in ends:
                ends.append(word)
            elif ends or _NODE.fullmatch(word) is None:
                raise unreadable(number, word, "is not a node, or the only -1 and EOF at the end")
            else:
                nodes.append(int(word))
    return nodes


def read_concorde_tour(text: str) -> list[int]:
    r"""Return the nodes of a tour of Concorde in order, counted from 1.

    Raises InstanceError if the first number is not that of the others.

    >>> read_concorde_tour("3\n0 2 1\n")
    [1, 3, 2]
    """
    words = text.split()
    for word in words:
        if _NODE.fullmatch(word) is None:
            raise InstanceError(f"solver output: {word[:40]!r} is not a node")
    if not words or int(words[0]) != len(words) - 1:
        raise InstanceError("solver output: the first number must be the number of nodes after it")
    return [int(word) + 1 for word in words[1:]]
