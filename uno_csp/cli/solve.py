"""``uno-csp solve``."""

from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import click

from uno_csp.cli.asking import asked, question_options
from uno_csp.cli.choices import ANSWER_STYLE, QUESTION, option
from uno_csp.cli.interrupts import answered
from uno_csp.cli.output import INTERRUPTED, keep_report, print_json, require_other
from uno_csp.cli.showing import reading, show
from uno_csp.cli.solver_options import solver_options
from uno_csp.errors import BackendUnavailable, CheckFailed, InstanceError, UnknownName, UnoCspError
from uno_csp.formats import parse_lines, read_text
from uno_csp.formats.text import plain_name
from uno_csp.pipeline import Options, solve, solve_many
from uno_csp.pipeline.timed import Timed
from uno_csp.questions import Instance
from uno_csp.questions.answers import Answer

WRONG = 70  # exit code of a bug: a rejected answer, or an unexpected exception
MOST_REPORTS = 10  # maximum number of rejected answers of a batch that are saved for a bug report


@click.command(name="solve")
@QUESTION
@solver_options()
@ANSWER_STYLE
@option("--plot", "Also draw hand and sequence (.svg, .png or .pdf).", value="OUT")
@option("--jsonl", "The file has one question per line (as *.jsonl).", is_flag=True)
@question_options
def solve_command(
    question: tuple[str, ...],
    style: str,
    plot: str | None,
    jsonl: bool,
    kind: str | None,
    after: str | None,
    **chosen: Any,
) -> int:
    """Answer a QUESTION: a file, or the cards of a hand, as in: uno-csp solve R5 R7 B7.

    For typed cards the question is whether the whole hand can be discarded, unless --question is
    given. Exit code: 10 yes, 20 no, 30 optimum found, 0 unknown.
    """
    if len(question) == 1 and (jsonl or plain_name(question[0]).endswith(".jsonl")):
        if plot is not None or style == "competition" or chosen["proof"] is not None:
            raise click.UsageError(
                "--plot, --proof and --format competition take one question, not many"
            )
        return _solve_lines(question[0], chosen)
    timed = Timed(Options.of(chosen))
    with reading(timed, style):
        instance = asked(question, kind, after)
    if plot is not None:
        from uno_csp.formats.pictures import require_file_type

        require_file_type(plot)
        require_other(plot, *question)
    answer, interrupted = answered(partial(solve, instance), timed)
    code = show(instance, answer, style)
    if plot is not None:
        from uno_csp.formats.pictures import draw

        draw(instance, answer, plot)
    return INTERRUPTED if interrupted else code


def _solve_lines(file: str, chosen: Mapping[str, Any]) -> int:
    """Solve each line and print its answer, or its error, in order; return the worst exit code."""
    lines = parse_lines(read_text(file, lenient=True))
    numbers: deque[int] = deque()

    def questions() -> Iterator[Instance | InstanceError]:
        for number, parsed in lines:
            numbers.append(number)
            yield parsed

    worst = reports = 0
    for outcome in solve_many(questions(), **chosen):
        line, code = _to_print(outcome, report=reports < MOST_REPORTS)
        number = numbers.popleft()
        reports += code == WRONG
        print_json(line if code == 0 else {**line, "line": number})
        worst = max(worst, code)
    return worst


def _to_print(outcome: Answer | Exception, *, report: bool) -> tuple[dict[str, Any], int]:
    """Return the answer or the error of one line as JSON, and its exit code."""
    match outcome:
        case Answer():
            return outcome.to_dict(), 0
        case UnknownName() | BackendUnavailable():
            raise outcome
        case CheckFailed():
            kept = f"; see {keep_report(outcome)}" if report else ""
            return {"error": f"{outcome}{kept}"}, WRONG
        case UnoCspError():
            return {"error": str(outcome)}, outcome.exit_code
    # an internal error fails one line, not the batch
    bug = f"a bug, please report it: {type(outcome).__name__}: {outcome}"
    return {"error": bug}, WRONG
