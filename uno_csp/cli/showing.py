"""Output of answers in the formats that several commands share."""

from dataclasses import replace

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


def show(instance: Instance, answer: Answer, style: str, decision: Status | None = None) -> int:
    """Write an answer in the given style; return the exit code of its status.

    A decision takes the place of the status, which JSON has beside it.
    """
    if style == "json":
        print_json(answer.to_dict() | ({} if decision is None else {"decision": decision}))
        return EXIT_CODES[answer.status if decision is None else decision]
    from uno_csp.formats import console  # rich loads slowly

    answer = answer if decision is None else replace(answer, status=decision)
    if style == "competition":
        print_text(console.competition(instance, answer))
    else:
        print_rich(console.human(instance, answer))
    return EXIT_CODES[answer.status]
