"""``uno-csp new``: a question from the command line."""

from dataclasses import fields
from typing import Any

import click

from uno_csp.cards import Card, Hand
from uno_csp.cli.output import print_json
from uno_csp.errors import InstanceError
from uno_csp.formats import parse, question_to_dict
from uno_csp.formats.questions import parse_card
from uno_csp.questions import Convention, question_types
from uno_csp.questions.codes import rest_of_deck

BETWEEN_HANDS = "/"


@click.command(name="new")
@click.argument("kind", type=click.Choice(list(question_types())))
@click.argument("cards", nargs=-1)
@click.option(
    "--after", metavar="CARD", help="A card on the discard pile; the first must match it."
)
@click.option(
    "--at-least",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="K",
    help="In how many attributes neighbours must agree.",
)
@click.option(
    "--supply",
    metavar="CARDS",
    help="fill-in: the cards that may be added, separated by blanks, as in 'R5 B7 W'.",
)
@click.option(
    "--rest-of-deck",
    is_flag=True,
    help="fill-in: only the official cards that are neither in the hand nor on the pile.",
)
@click.option(
    "--costs", metavar="COSTS", help="fill-in: a cost for each card of the supply, as in '1 1 5'."
)
@click.option(
    "--convention",
    type=click.Choice([str(each) for each in Convention]),
    default=None,
    help=f"uncooperative: when a game is lost; {Convention.LAST_MOVER} when left out.",
)
@click.option("--name", default="", help="A name for the question.")
@click.option("--comment", default="", help="A remark.")
def new_command(kind: str, cards: tuple[str, ...], **options: Any) -> None:
    """Write a question as JSON, as in: uno-csp new uno-1 R5 R7 B7 W --after Y5.

    A card is a code of the official deck (R5, YS, GR, B+2, W, +4) or its values, separated by
    commas (red,5 or 1,3). Hands of several players are separated by a slash: new cooperative R5 R7
    / B5 B7. Put -- before cards that begin with a minus sign.
    """
    _refuse_foreign(kind, cards, options)
    pile = options["after"]
    asked: dict[str, Any] = {key: options[key] for key in ("name", "comment", "at_least")}
    if pile is not None:
        asked["after"] = _card("after", pile)
    if options["convention"] is not None:
        asked["convention"] = options["convention"]
    if "hands" in _keys(kind):
        asked["hands"] = _hands(cards)
    else:
        asked["cards"] = tuple(_card(f"cards[{i}]", text) for i, text in enumerate(cards))
        asked |= _supply(asked["cards"], asked.get("after"), options)
    print_json(question_to_dict(parse({"question": kind, **asked})))


def _keys(kind: str) -> set[str]:
    """The keys of a kind of question."""
    return {each.name for each in fields(question_types()[kind])}


_KEYS = {
    "supply": "supply",
    "costs": "costs",
    "rest_of_deck": "supply",
    "convention": "convention",
    "after": "after",
}
"""The key of a question that an option is for."""


def _refuse_foreign(kind: str, cards: tuple[str, ...], options: dict[str, Any]) -> None:
    """Options that mean nothing for this kind of question are not passed over."""
    for option, key in _KEYS.items():
        if options[option] and key not in _keys(kind):
            flag = f"--{option.replace('_', '-')}"
            kinds = ", ".join(name for name in question_types() if key in _keys(name))
            raise click.UsageError(f"{flag} is for {kinds}, not for {kind}")
    if options["rest_of_deck"] and options["supply"]:
        raise click.UsageError("--rest-of-deck is a supply; --supply cannot be given beside it")
    if BETWEEN_HANDS in cards and "hands" not in _keys(kind):
        raise click.UsageError(f"{kind} has one hand; {BETWEEN_HANDS} separates several")


def _hands(cards: tuple[str, ...]) -> tuple[Hand, ...]:
    hands: list[list[Card]] = [[]]
    for text in cards:
        if text == BETWEEN_HANDS:
            hands.append([])
        else:
            hands[-1].append(_card(f"hands[{len(hands) - 1}][{len(hands[-1])}]", text))
    return tuple(map(tuple, hands))


def _supply(hand: Hand, after: Card | None, options: dict[str, Any]) -> dict[str, Any]:
    """The keys for the cards that may be added, as far as they are given."""
    found: dict[str, Any] = {}
    if options["rest_of_deck"]:
        elsewhere = hand if after is None else (*hand, after)
        places = [f"cards[{i}]" for i in range(len(hand))] + ["after"]
        found["supply"] = rest_of_deck(elsewhere, places)
    elif options["supply"] is not None:
        texts = options["supply"].split()
        found["supply"] = tuple(_card(f"supply[{i}]", text) for i, text in enumerate(texts))
    if options["costs"] is not None:
        costs = []
        for i, text in enumerate(options["costs"].replace(",", " ").split()):
            if not text.isdecimal():
                raise InstanceError(f"costs[{i}]: {text!r} is not an integer of 0 or more")
            costs.append(int(text))
        found["costs"] = tuple(costs)
    return found


def _card(place: str, text: str) -> Card:
    try:
        return parse_card(text)
    except InstanceError as error:
        raise InstanceError(f"{place}: {error}") from None
