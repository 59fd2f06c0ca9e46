"""Output of answers in the formats that several commands share."""

from uno_csp.cli.output import print_json, print_rich, print_text
from uno_csp.formats import Answer, Status
from uno_csp.questions import Instance

EXIT_CODES = {
    Status.SATISFIABLE: 10,
    Status.UNSATISFIABLE: 20,
    Status.OPTIMAL: 30,
    Status.UNKNOWN: 0,
}
"""Exit code of each status."""


def show(instance: Instance, answer: Answer, style: str) -> None:
    """Write an answer in the given style."""
    if style == "json":
        print_json(answer.to_dict())
        return
    from uno_csp.formats import console  # rich loads slowly

    if style == "competition":
        print_text(console.competition(instance, answer))
    else:
        print_rich(console.human(instance, answer))
