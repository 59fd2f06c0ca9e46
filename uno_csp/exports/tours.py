"""Hamiltonian circuit problems of TSPLIB, and the tours of their solvers: TSPLIB and Concorde."""

import re
from collections.abc import Iterable

from uno_csp.errors import InstanceError, NotAccepted
from uno_csp.exports.outputs import Output
from uno_csp.modeling import unreadable
from uno_csp.questions import Instance, Uno1
from uno_csp.questions.cards import matches, neighbours
from uno_csp.questions.wording import printable

NAME_CHARS = 60  # maximum length of a problem's name: some readers have a fixed buffer

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


def write_hcp(instance: Instance, stream: Output, comments: Iterable[str]) -> None:
    """Write the hand as a TSPLIB Hamiltonian circuit problem in which matching cards are joined.

    Node 1 is the discard pile, adjacent to every card, and node i + 1 is card i. With ``after``
    there are two more nodes: the last node is adjacent to the cards that may come first, and the
    one before it, of degree 2, joins the last node to node 1.

    Raises NotAccepted if the question is not ``uno-1``.
    """
    if not isinstance(instance, Uno1):
        raise NotAccepted(f"hcp is for uno-1, not for {instance.question}")
    cards, after = instance.cards, instance.after
    nodes = hcp_nodes(instance)
    name = printable("_".join(instance.name.split()))[:NAME_CHARS] or "hand"
    stream.write(f"NAME : {name}\nTYPE : HCP\n")
    stream.writelines(f"COMMENT : {line}\n" for line in comments)
    stream.write(f"DIMENSION : {nodes}\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n")
    stream.writelines(f"1 {node}\n" for node in range(2, len(cards) + 2))
    if after is not None:
        stream.write(f"1 {nodes - 1}\n{nodes - 1} {nodes}\n")
        for index, card in enumerate(cards):
            if matches(after, card, instance.at_least):
                stream.write(f"{index + 2} {nodes}\n")
    for index, near in enumerate(neighbours(cards, instance.at_least)):
        stream.writelines(f"{index + 2} {other + 2}\n" for other in near if other > index)
    stream.write("-1\nEOF\n")


def hcp_nodes(instance: Uno1) -> int:
    """Return the number of nodes that :func:`write_hcp` writes."""
    if len(instance.cards) < (2 if instance.after is None else 1):
        raise NotAccepted("hcp is for hands of two cards or more, or one card and a pile")
    return len(instance.cards) + (1 if instance.after is None else 3)
