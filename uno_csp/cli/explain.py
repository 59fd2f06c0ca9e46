"""``uno-csp explain``."""

import click

from uno_csp.certificates import certify
from uno_csp.cli.asking import asked, question_options
from uno_csp.cli.choices import QUESTION, option, time_limit
from uno_csp.cli.output import print_text
from uno_csp.cli.showing import EXIT_CODES, reading
from uno_csp.pipeline import explain, explain_plan, solve
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.scratch import scratch_folder

PROOF_S = 20.0  # maximum time limit of the search for a proof, in seconds


@click.command(name="explain")
@QUESTION
@time_limit("Wall-clock time limit for the answer, in seconds.")
@option(
    "--plan",
    "Only print which methods would run, in which order, and why; nothing is solved.",
    is_flag=True,
)
@question_options
def explain_command(
    question: tuple[str, ...], timed: Timed, plan: bool, kind: str | None, after: str | None
) -> int:
    """Explain the answer to a QUESTION in plain words; QUESTION is a file, or cards of a hand.

    A no has a short reason if the cards fall into groups, if too many parts of the hand are dead
    ends, or if a matching decides. Otherwise the output says that no short reason is known, and how
    large a proof is. Exit codes are those of solve.
    """
    with reading(timed, "human"):
        instance = asked(question, kind, after)
    if plan:
        print_text("\n".join(explain_plan(instance)))
        return 0
    with scratch_folder() as folder:
        left = timed.left()
        answer = timed.name_limit(solve(instance, left), left)
        limit_s = min(timed.deadline.left_s, PROOF_S)
        answer = certify(instance, answer, folder, time_limit_s=limit_s)
    print_text("\n".join(explain(instance, answer)))
    return EXIT_CODES[answer.status]
