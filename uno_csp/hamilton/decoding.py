"""Answers of other solvers for the exported hand of a graph, as answers about the graph."""

from dataclasses import replace

from uno_csp.errors import InstanceError
from uno_csp.exports import decode
from uno_csp.exports.heads import head_of
from uno_csp.hamilton.hands import hand_of
from uno_csp.hamilton.problems import HamiltonAnswer, HamiltonProblem
from uno_csp.hamilton.solving import answer_of, translate


def decode_problem(
    problem: HamiltonProblem, output: str, exported: str | None = None, method: str | None = None
) -> HamiltonAnswer:
    """Return the answer about a graph in a solver's output for the hand of the graph, checked.

    Parameters
    ----------
    output
        What the solver printed or wrote.
    exported
        The text of the exported file; a no needs it.
    method
        The encoding of the exported file.

    Raises
    ------
    InstanceError
        If the exported file is of another graph or goal, or the output cannot be read.
    NotAccepted
        If the output is a no, and there is no exported file.
    """
    hand = hand_of(problem, for_file=True)
    if exported is not None and head_of(exported).instance != hand.question:
        raise InstanceError("the exported file is of another graph or goal")
    answer = decode(exported or hand.question, output, method=method)
    return answer_of(problem, replace(translate(hand, answer), reason=answer.reason))
