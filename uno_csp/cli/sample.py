"""``uno-csp sample``: plays drawn at random."""

import click

from uno_csp.cli.asking import asked
from uno_csp.cli.choices import AFTER, QUESTION, SEED, TIME_LIMIT, option, style_of
from uno_csp.cli.output import print_json, print_rich
from uno_csp.cli.showing import limited
from uno_csp.counting import sample
from uno_csp.pipeline.timed import Timed
from uno_csp.questions.codes import count_draw_fours


@click.command(name="sample")
@QUESTION
@AFTER
@option("--count number", "Number of plays.", click.IntRange(min=0), 1)
@SEED
@TIME_LIMIT
@style_of("plays")
def sample_command(
    question: tuple[str, ...], after: str | None, number: int, seed: int, timed: Timed, style: str
) -> None:
    """Draw plays of a hand, each with the same probability and independent of the others.

    QUESTION is a file with a uno-1 question, or cards such as R5 R7 B7.

    Exit code: 0, or 1 if the time limit came first.
    """
    from uno_csp.formats.console import coloured

    with limited(style, plays=[]):
        with timed.during("reading", interrupted=True):
            hand = asked(question, None, after)
        with timed.during("drawing plays"):
            found = sample(hand, number, seed=seed, time_limit_s=timed.deadline.limit_s)
    if style == "json":
        print_json({"plays": [[*map(list, play)] for play in found]})
        return
    for play in found:
        print_rich(coloured(play, draw_fours=count_draw_fours(hand.cards)))
