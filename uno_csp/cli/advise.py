"""``uno-csp advise``: recommend a card when the other hands are hidden."""

import re
import sys
from collections.abc import Sequence
from typing import Any

import click

from uno_csp.agents.advice import Advice
from uno_csp.agents.advising import LIMIT_S, advise, advisers
from uno_csp.agents.players import BEST
from uno_csp.agents.seats import Seat
from uno_csp.cli.choices import NameChoice, option, style_of
from uno_csp.cli.output import print_json, print_text
from uno_csp.errors import InstanceError
from uno_csp.formats.strategy_text import tell_advice
from uno_csp.formats.typed_cards import card_of_words, codes_of_words, official_code
from uno_csp.open_game import PRESETS
from uno_csp.open_game.rules import DEFAULT, FORMER_NAMES
from uno_csp.questions.cards import Hand
from uno_csp.questions.open_game import official_card


@click.command(name="advise")
@click.argument("cards", nargs=-1, required=True)
@option("--after", "The card on the pile.", value="CARD", required=True)
@option("--colour", "The colour in force if that card is wild.", value="COLOUR")
@option(
    "--others",
    "Hand sizes of the other players, in turn order, as in '7' or '5,6'.",
    value="SIZES",
    required=True,
)
@option("--seen", "Cards that were played before.", default="", value="CARDS", show_default=False)
@option("--rules", "The rule set.", NameChoice(list(PRESETS), FORMER_NAMES), DEFAULT)
@option(
    "--deals", "Number of deals to sample.  [default: 20000 to play, 200 to solve]", int, value="N"
)
@option("--time-limit", "Wall-clock limit for all deals, in seconds.", float, LIMIT_S, "S")
@option("--agent", "The agent whose view it is.", NameChoice(advisers()), BEST)
@option("--seed", "Random seed of the deals.", int, 0, "N")
@style_of("advice")
def advise_command(cards: tuple[str, ...], style: str, **options: Any) -> None:
    """Recommend which of the CARDS in your hand to play when the other hands are hidden.

    The agent play-outs makes each move in the same random deals and plays on by a simple policy;
    exact-deals solves them as if all cards were open. The output has the share of the deals that
    each move wins with a 95 % confidence interval, or the exact share where the deals are few.
    """
    if not re.fullmatch(r"[0-9]+((\s*,\s*|\s+)[0-9]+)*", options["others"].strip()):
        raise InstanceError(f"--others: {options['others']!r} is not allowed; write '7' or '5,6'")
    seat = Seat(
        _cards(cards, "cards"),
        official_card(
            official_code(card_of_words([options["after"]], "--after"), "--after"), "--after"
        ),
        tuple(map(int, re.findall("[0-9]+", options["others"]))),
        options["colour"],
        _cards((options["seen"],), "--seen"),
        PRESETS[options["rules"]],
    )
    watched = sys.stderr is not None and sys.stderr.isatty()
    found = advise(
        seat,
        agent=options["agent"],
        deals=options["deals"],
        time_limit_s=options["time_limit"],
        seed=options["seed"],
        on_deal=_progress if watched else None,
        on_first=_first if watched and options["agent"] == BEST else None,
    )
    if style == "json":
        print_json(found.to_dict())
    else:
        print_text(tell_advice(found))


def _cards(words: Sequence[str], place: str) -> Hand:
    return tuple(official_card(code, place) for code in codes_of_words(words, place))


def _progress(done: int, deals: int) -> None:
    click.echo(f"\r{done} of {deals} deals", nl=done == deals, err=True)


def _first(advice: Advice) -> None:
    click.echo(f"{tell_advice(advice)}\n", err=True)
