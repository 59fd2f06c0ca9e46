"""``uno-csp puzzle``: hands with exactly one play."""

from functools import partial

import click

from uno_csp.cli.choices import SEED, TIME_LIMIT, option, style_of
from uno_csp.cli.output import print_json, print_rich, print_text
from uno_csp.cli.showing import limited
from uno_csp.pipeline.timed import Timed
from uno_csp.puzzles import Level, Puzzle, booklet, puzzle
from uno_csp.puzzles.making import FEWEST_CARDS, MOST_MISSING, SIZES
from uno_csp.questions.wording import counted, describe


@click.command(name="puzzle")
@option("--cards", "Number of cards.", click.IntRange(FEWEST_CARDS, SIZES[None][1]), 10)
@option("--level", "The level; any if left out.", click.Choice([*map(str, Level)]))
@option(
    "--missing",
    "Number of missing cards, to be found among six.",
    click.IntRange(0, MOST_MISSING),
    0,
)
@SEED
@option("--count number", "Number of puzzles.", click.IntRange(1, 1000), 1)
@option("--to folder", "Write JSON and a page to print into this folder.", value="DIR")
@option("--solution", "Show the solution as well.", is_flag=True)
@TIME_LIMIT
@style_of("puzzle")
def puzzle_command(
    cards: int,
    level: str | None,
    missing: int,
    seed: int,
    number: int,
    folder: str | None,
    solution: bool,
    timed: Timed,
    style: str,
) -> None:
    """Make puzzles: a hand and a card on the pile, with exactly one play of the whole hand.

    In an easy puzzle (up to 10 cards) every wrong card shows at once; in a medium one (5 to 14) the
    card with the fewest matches is right; in a hard one (9 to 12) it leads astray. With --missing
    K, the hand has no play until K of six cards are added, and only one choice of them will do.
    Several puzzles have the seeds that follow.

    Exit code: 0, or 1 if the time limit came first.
    """
    make = partial(puzzle, cards, level=level, missing=missing)
    with limited(style), timed.during("making puzzles"):
        seeds = range(seed, seed + number)
        made = [make(seed=each, time_limit_s=timed.deadline.limit_s) for each in seeds]
    if folder is not None:
        booklet(made, folder, f"{counted(number, 'puzzle')} of {cards} cards")
    if folder is not None and style == "json":
        print_json({"puzzles": number, "folder": folder})
    elif folder is not None:
        print_text(f"{counted(number, 'puzzle')} in {folder}")
    elif style == "json":
        for each in made:
            print_json(each.to_dict())
    else:
        for each in made:
            _show(each, solution=solution)


def _show(made: Puzzle, *, solution: bool) -> None:
    from uno_csp.formats.console import coloured

    hand = made.question
    print_text(f"seed {made.seed}, {made.level}, {counted(len(hand.cards), 'card')}")
    print_text(f"after {describe(hand.after or ())}, play")
    print_rich(coloured(hand.cards))
    if made.missing:
        verb = "is" if len(made.missing) == 1 else "are"
        print_text(f"{counted(len(made.missing), 'card')} {verb} missing, among these")
        print_rich(coloured(hand.supply or ()))
    if solution:
        print_text("solution")
        print_rich(coloured(made.solution))
