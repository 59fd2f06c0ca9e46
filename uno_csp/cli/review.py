"""``uno-csp review``: what each turn of a game gave away."""

import sys

import click

from uno_csp.agents.advice import FEWEST_DEALS, MOST_DEALS
from uno_csp.agents.reviewing import DEALS, review
from uno_csp.cli.choices import option, style_of
from uno_csp.cli.output import print_json, print_text
from uno_csp.errors import InstanceError
from uno_csp.formats import parse_file, read_text
from uno_csp.formats.strict_json import loads
from uno_csp.questions.arguments import LARGEST_SEED
from uno_csp.questions.open_game import OpenGame
from uno_csp.questions.wording import shown


@click.command(name="review")
@click.argument("game")
@click.argument("plays")
@option(
    "--deals",
    "Number of deals from which a turn is estimated.",
    click.IntRange(FEWEST_DEALS, MOST_DEALS),
    DEALS,
)
@option("--seed", "Random seed of the deals.", click.IntRange(0, LARGEST_SEED), 0)
@style_of("reviews")
def review_command(game: str, plays: str, deals: int, seed: int, style: str) -> None:
    """Review the turns of the file PLAYS in the open game of the file GAME, the last turn first.

    PLAYS is a JSON list of turns, as in an answer, or an answer that has them. A turn is judged
    from the seat of the player who moved: by what could be forced with all cards open if a search
    ends, else by the share of the deals won in which all play for themselves.
    """
    instance = parse_file(game)
    if not isinstance(instance, OpenGame):
        raise InstanceError(f"{game}: question {instance.question} is no open-game")
    turns = _turns(plays)
    found = []
    for each in review(instance, turns, deals=deals, seed=seed):
        found.append(each)
        if style != "json":
            print_text(f"turn {each.turn}, player {each.player}: {each.words}")
        if sys.stderr is not None and sys.stderr.isatty():
            done = 100 * len(found) // len(turns)
            click.echo(f"\r{done} %", nl=done == 100, err=True)
    if style == "json":
        print_json([each.to_dict() for each in found])


def _turns(path: str) -> list[dict[str, object]]:
    """Return the turns of a file, which is a list of them, or an answer with a strategy."""
    try:
        data = loads(read_text(path))
    except InstanceError as error:
        raise InstanceError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None
    if isinstance(data, dict):
        strategy = data.get("strategy")
        data = (strategy if isinstance(strategy, dict) else data).get("plays")
    if not isinstance(data, list):
        raise InstanceError(f"{path}: expected a list of turns, or an answer with plays")
    for index, turn in enumerate(data):
        if not isinstance(turn, dict):
            raise InstanceError(f"{path}: plays[{index}]: {shown(turn)} is no turn, an object")
    return data
