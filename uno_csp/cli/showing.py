"""Answers in the styles the commands have in common."""

from uno_csp.cli.output import print_json, print_rich, print_text
from uno_csp.formats import Answer, Status
from uno_csp.questions import Instance

EXIT_CODES = {
    Status.SATISFIABLE: 10,
    Status.UNSATISFIABLE: 20,
    Status.OPTIMAL: 30,
    Status.UNKNOWN: 0,
}
"""The exit code that goes with a status."""


def show(instance: Instance, answer: Answer, style: str, draw_fours: int = 0) -> None:
    """Write an answer in one of the styles; so many of the hand's wild cards are draw-fours."""
    from uno_csp.formats import console

    if style == "json":
        print_json(answer.to_dict())
    elif style == "competition":
        print_text(console.competition(instance, answer))
    else:
        print_rich(console.human(instance, answer, draw_fours))
