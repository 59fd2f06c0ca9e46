"""Write models as DIMACS CNF and WCNF, and hands as Hamiltonian circuit problems (HCP).

All output is streamed, and comments are lazy iterables, so that large files need little memory.
"""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from uno_csp.errors import NotAccepted
from uno_csp.exports.clause_streams import ClauseStream, Literals
from uno_csp.exports.outputs import Output
from uno_csp.exports.text_arrays import side_by_side, signed, text_of
from uno_csp.modeling import Model
from uno_csp.modeling.cnf import lower
from uno_csp.questions import Instance, Uno1
from uno_csp.questions.cards import matches, neighbours
from uno_csp.questions.wording import printable

Size: TypeAlias = tuple[int, int]
"""The numbers of variables and constraints of a file."""

NAME_CHARS = 60  # maximum length of a problem's name: some readers have a fixed buffer


def write_dimacs(model: Model, out: Output, comments: Iterable[str]) -> Size:
    """Write a model as DIMACS CNF, with comments as ``c`` lines; return the formula's size."""
    with out.waiting() as body:
        formula = ClauseStream(model.num_vars, lambda chunk: body.write(_clause_lines(chunk)))
        lower(model, formula)
        formula.flush()
        out.writelines(f"c {line}\n" for line in comments)
        out.write(f"p cnf {formula.num_vars} {formula.num_clauses}\n")
        out.append(body)
    return formula.num_vars, formula.num_clauses


def write_wcnf(model: Model, out: Output, comments: Iterable[str], style: str = "mse22") -> Size:
    """Write a model as WCNF with a soft clause for each term; return the size of the hard part.

    A term c * x costs c when x is true, so its clause is (not x) of weight c; for a negative c it
    is (x) of weight -c, and the sum starts at c. Soft clauses come first. The style is ``mse22``,
    or ``legacy`` for a header. Raises NotAccepted without an objective.
    """
    if model.objective is None:
        raise NotAccepted("wcnf is for questions with an objective; use dimacs for this one")
    terms = zip(model.objective.coefficients, model.objective.literals, strict=True)
    soft = [(abs(c), -literal if c > 0 else literal) for c, literal in terms if c]
    top = str(sum(weight for weight, _ in soft) + 1) if style == "legacy" else "h"
    with out.waiting() as body:
        formula = ClauseStream(
            model.num_vars, lambda chunk: body.write(_clause_lines(chunk, f"{top} ".encode()))
        )
        lower(model, formula)
        formula.flush()
        out.writelines(f"c {line}\n" for line in comments)
        if style == "legacy":
            number = len(soft) + formula.num_clauses
            out.write(f"p wcnf {formula.num_vars} {number} {top}\n")
        out.writelines(f"{weight} {literal} 0\n" for weight, literal in soft)
        out.append(body)
    return formula.num_vars, formula.num_clauses


def _clause_lines(literals: Literals, start: bytes = b"") -> bytes:
    """Return the lines of clauses, each of which ends with 0."""
    ends = literals == 0
    blank = np.where(ends, ord("\n"), ord(" ")).astype(np.uint8)[:, None]
    starts = np.zeros((len(literals), len(start)), dtype=np.uint8)
    starts[np.concatenate(([True], ends[:-1]))] = np.frombuffer(start, np.uint8)
    return text_of(side_by_side(len(literals), starts, signed(literals), blank))


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
