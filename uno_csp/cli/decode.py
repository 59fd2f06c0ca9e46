"""``uno-csp decode``: read the answers of other solvers."""

from typing import Any

import click

from uno_csp.cli.choices import ANSWER_STYLE, TIME_LIMIT, NameChoice, option
from uno_csp.cli.files import BOUND, CONNECTIVITY, METHOD
from uno_csp.cli.showing import reading, show
from uno_csp.cli.solve import WRONG
from uno_csp.errors import InstanceError
from uno_csp.exports import OUTPUT_NAMES, decode
from uno_csp.exports.heads import exported_text, head_of
from uno_csp.formats import parse_file, read_text
from uno_csp.pipeline.timed import Timed
from uno_csp.questions.decisions import decided


@click.command(name="decode")
@click.argument("file")
@click.argument("output")
@METHOD
@CONNECTIVITY
@BOUND
@option(
    "--output-format",
    f"Format of OUTPUT, if its mark is not to decide: {', '.join(OUTPUT_NAMES)}.",
    NameChoice(OUTPUT_NAMES),
    value="FORMAT",
)
@option(
    "--proof",
    "The solver's DRAT proof of unsatisfiability, text or binary; it is checked.",
    value="DRAT",
)
@TIME_LIMIT
@ANSWER_STYLE
def decode_command(
    file: str, output: str, bound: int | None, timed: Timed, style: str, **chosen: Any
) -> int:
    """Turn a solver's output for an exported question back into an answer, and check it.

    FILE is the exported file, or the question with the same method, connectivity and bound as for
    export. OUTPUT is what a solver printed or wrote ('-' is standard input), in a format that its
    mark tells: lines s, v and o, a solution file, or a tour.

    Exit code: 10 yes, 20 no, 30 optimum found, 0 unknown; for a file with a bound, 10 if the bound
    can be met and 20 if not. 70 if the output contradicts the proved answer of the question.
    """
    with reading(timed, style) as known:
        exported = exported_text(file)
        try:
            head = None if exported is None else head_of(exported)
        except InstanceError as error:
            raise InstanceError(f"{file}: {error}") from None
        instance = parse_file(file) if head is None else head.instance
        known["question"] = instance.question
        bound = bound if head is None or bound is not None else head.bound
        text = read_text(output)
        try:
            answer = decode(exported or instance, text, bound=bound, **chosen)
        except InstanceError as error:
            raise InstanceError(f"{output}: {error}") from None
    decision = None if bound is None else decided(instance, answer, bound)
    code = show(instance, answer, style, decision)
    if instance.expected is not None and instance.expected.CONTRADICTS in answer.reason:
        return WRONG
    return code
