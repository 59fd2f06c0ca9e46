"""``uno-csp count``: the number of plays of a hand."""

import click

from uno_csp.cli.asking import asked
from uno_csp.cli.choices import AFTER, QUESTION, TIME_LIMIT, NameChoice, option, style_of
from uno_csp.cli.output import print_json, print_text
from uno_csp.cli.showing import EXIT_CODES, reading
from uno_csp.counting import METHODS, CountAnswer, count
from uno_csp.counting.answering import digits
from uno_csp.pipeline.timed import Timed
from uno_csp.questions.answers import Status
from uno_csp.questions.wording import describe

SHOWN_KINDS = 12  # maximum number of kinds of cards that are listed


@click.command(name="count")
@QUESTION
@AFTER
@option(
    "--method",
    "Chosen by the size of the hand if left out; models needs the package pyganak.",
    NameChoice(METHODS),
)
@TIME_LIMIT
@style_of("number")
def count_command(
    question: tuple[str, ...], after: str | None, method: str | None, timed: Timed, style: str
) -> int:
    """Count the plays of a hand: the sequences of all its cards in which neighbours match.

    QUESTION is a file with a uno-1 question, or cards such as R5 R7 B7. Equal cards are
    indistinguishable, and so are the two kinds of wild cards; a sequence and its reverse are two.

    Exit code: 30 if the number is known, 0 if it is not.
    """
    with reading(timed, style, CountAnswer(Status.UNKNOWN, None, 0), {}):
        hand = asked(question, None, after)
    left = timed.left()
    answer = timed.name_limit(count(hand, method, time_limit_s=left.time_limit_s), left)
    if style == "json":
        print_json(answer.to_dict())
    else:
        print_text(_as_text(answer))
    return EXIT_CODES[answer.status]


def _as_text(answer: CountAnswer) -> str:
    if answer.status is not Status.OPTIMAL or answer.objective is None:
        return f"UNKNOWN  {answer.bound} plays or more: {answer.reason}"
    checked = ", checked" if answer.checked else ""
    lines = [
        f"{digits(answer.objective)} {'play' if answer.objective == 1 else 'plays'}",
        f"{answer.method}, {answer.wall_s:.2f} s{checked}",
        *filter(None, [answer.reason]),
    ]
    begin = [(card, number) for card, number in (answer.first or {}).items() if number]
    if begin and answer.objective:
        begin.sort(key=lambda pair: -pair[1])
        named = [f"{describe(card)} {number / answer.objective:.0%}" for card, number in begin]
        more = ["..."] if len(named) > SHOWN_KINDS else []
        lines.append(f"beginning with {', '.join(named[:SHOWN_KINDS] + more)}")
    return "\n".join(lines)
