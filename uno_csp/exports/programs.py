"""Write models as DIMACS CNF and WCNF, and hands as Hamiltonian circuit problems (HCP).

PySAT writes CNF and WCNF (in the format of the MaxSAT Evaluation 2022). All output is streamed line
by line, and comments are lazy iterables, so that large files need little memory.
"""

from collections.abc import Iterable
from typing import TextIO

from uno_csp.errors import NotAccepted
from uno_csp.modeling import Cnf, Model, to_cnf
from uno_csp.questions import Instance, Uno1
from uno_csp.questions.cards import matches, neighbours
from uno_csp.questions.wording import printable

NAME_CHARS = 60  # maximum length of a problem's name: some readers have a fixed buffer


def write_dimacs(cnf: Cnf, stream: TextIO, comments: Iterable[str]) -> None:
    """Write clauses as DIMACS CNF, with comments as ``c`` lines."""
    from pysat.formula import CNF  # a solver package: loaded when it is needed

    formula = CNF()
    formula.clauses = cnf.clauses
    formula.nv = cnf.num_vars
    formula.to_fp(stream, comments=(f"c {line}" for line in comments))


def write_wcnf(model: Model, stream: TextIO, comments: Iterable[str], style: str = "mse22") -> Cnf:
    """Write a model as WCNF with a soft clause for each term; return the hard clauses.

    A term c * x costs c when x is true, so its clause is (not x) of weight c; for a negative c it
    is (x) of weight -c, and the sum starts at c. Raises NotAccepted without an objective.
    """
    from pysat.formula import WCNF  # a solver package: loaded when it is needed

    if model.objective is None:
        raise NotAccepted("wcnf is for questions with an objective; use dimacs for this one")
    cnf = to_cnf(model)
    formula = WCNF()
    formula.hard = cnf.clauses
    formula.nv = cnf.num_vars
    terms = zip(model.objective.coefficients, model.objective.literals, strict=True)
    for coefficient, literal in terms:
        if coefficient:
            formula.soft.append([-literal if coefficient > 0 else literal])
            formula.wght.append(abs(coefficient))
    formula.topw = sum(formula.wght) + 1
    formula.to_fp(stream, comments=(f"c {line}" for line in comments), format=style)
    return cnf


def write_hcp(instance: Instance, stream: TextIO, comments: Iterable[str]) -> None:
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
