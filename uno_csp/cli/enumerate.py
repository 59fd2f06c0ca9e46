"""``uno-csp enumerate``: the plays of a hand one by one."""

from itertools import islice

import click

from uno_csp.cli.asking import asked, question_options
from uno_csp.cli.choices import QUESTION, TIME_LIMIT, option, style_of
from uno_csp.cli.output import print_json, print_rich, tell
from uno_csp.cli.showing import limited
from uno_csp.counting import plays
from uno_csp.errors import NotAccepted
from uno_csp.pipeline.timed import Timed
from uno_csp.questions.codes import count_draw_fours
from uno_csp.questions.wording import counted


@click.command(name="enumerate")
@QUESTION
@question_options
@option("--limit", "Maximum number that is listed.", click.IntRange(min=1), 100)
@TIME_LIMIT
@style_of("list")
def enumerate_command(
    question: tuple[str, ...],
    kind: str | None,
    after: str | None,
    limit: int,
    timed: Timed,
    style: str,
) -> int:
    """List the plays of a hand, each once, in the order of its cards.

    QUESTION is a file or cards such as R5 R7 B7. For uno-1 these are the sequences of the whole
    hand, for longest the longest sequences, and for fill-in the optimal sets of added cards.

    Exit code: 0 if all are listed, 1 if there are or may be more.
    """
    from uno_csp.formats.console import coloured

    found, why = [], ""
    with limited(style, plays=[], complete=False):
        with timed.during("reading", interrupted=True):
            instance = asked(question, kind, after)
        listed = plays(instance, time_limit_s=timed.deadline.limit_s)
        each = timed.within("listing answers", listed)
        try:
            for play in islice(each, limit):
                found.append(play)
                if style == "human":
                    print_rich(coloured(play, draw_fours=count_draw_fours(instance.cards)))
            if len(found) == limit and next(each, None) is not None:
                why = "there are more; raise --limit"
        except NotAccepted as error:
            if not found:
                raise
            why = str(error)
    if style == "json":
        print_json({"plays": [[*map(list, play)] for play in found], "complete": not why})
    else:
        tell(f"{counted(len(found), 'answer')}{f', and {why}' if why else ', and no more'}")
    return 1 if why else 0
