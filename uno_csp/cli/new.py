"""``uno-csp new``: write a question as JSON."""

from typing import Any

import click

from uno_csp.cli.asking import card_on_pile, cards_or_hands, keys
from uno_csp.cli.choices import TEXT, NameChoice, option
from uno_csp.cli.output import print_json
from uno_csp.errors import InstanceError
from uno_csp.formats import parse, question_to_dict
from uno_csp.formats.typed_cards import cards_of_words, codes_of_words, official_code, split_hands
from uno_csp.open_game import PRESETS
from uno_csp.open_game.rules import DEFAULT, FORMER_NAMES
from uno_csp.questions import Convention, Instance, question_types
from uno_csp.questions.cards import Card, Hand
from uno_csp.questions.codes import rest_of_deck
from uno_csp.questions.open_game import Goal, dealt


@click.command(name="new")
@click.argument("kind", type=NameChoice(list(question_types())))
@click.argument("cards", nargs=-1)
@option("--after", "The card on the discard pile; the first card must match it.", value="CARD")
@option(
    "--at-least",
    "Number of attributes in which neighbouring cards must agree.",
    click.IntRange(min=1),
    1,
    "K",
)
@option(
    "--supply",
    "fill-in: the cards that may be added, separated by blanks, as in 'R5 B7 W'.",
    value="CARDS",
)
@option(
    "--rest-of-deck",
    "fill-in: the supply is all official cards that are neither in the hand nor on the pile.",
    is_flag=True,
)
@option("--costs", "fill-in: a cost for each card of the supply, as in '1 1 5'.", value="COSTS")
@option(
    "--convention",
    f"uncooperative: who loses. If left out, {Convention.EMPTY_HAND_WINS} for cards of the "
    f"official deck, {Convention.LAST_MOVER} for others.",
    click.Choice([str(each) for each in Convention]),
)
@option("--deal", "open-game: deal hands of these sizes, as in '7,7'.", value="SIZES")
@option("--seed", "open-game: random seed of the deal.", click.IntRange(min=0), value="N")
@option("--draw", "open-game: the draw pile, the next card first.", value="CARDS")
@option(
    "--rules",
    f"open-game: the rule set; {DEFAULT} if left out.",
    NameChoice(list(PRESETS), FORMER_NAMES),
)
@option(
    "--turned-up", "open-game: the card on the pile was turned up to begin the game.", is_flag=True
)
@option(
    "--colour", "open-game: the colour in force if a wild card lies on the pile.", value="COLOUR"
)
@option(
    "--goal",
    "open-game: win against all (if left out), or cooperate in the fewest turns.",
    click.Choice([*map(str, Goal)]),
)
@option(
    "--to-move",
    "open-game: the player to move; player 1 if left out.",
    click.IntRange(min=1),
    value="PLAYER",
)
@option("--name", "A name for the question.", TEXT, value="TEXT", default="", show_default=False)
@option(
    "--comment", "A comment on the question.", TEXT, value="TEXT", default="", show_default=False
)
def new_command(kind: str, cards: tuple[str, ...], **options: Any) -> None:
    """Write a question as JSON, as in: uno-csp new uno-1 R5 R7 B7 W --after Y5.

    A card is a code of the official deck (R5, YS, GR, B+2, W, +4) or its values, separated by
    commas (red,5 or 1,3). Hands of several players are separated by a slash: new cooperative R5 R7
    / B5 B7. A real game is dealt, new open-game --deal 7,7 --seed 3, or laid out card by card. Put
    -- before cards that begin with a minus sign.
    """
    _refuse_foreign(kind, options)
    if options["seed"] is not None and options["deal"] is None:
        raise click.UsageError("--seed is the seed of the deal; it needs --deal")
    if kind == "open-game":
        print_json(question_to_dict(_open_game(cards, options)))
        return
    asked: dict[str, Any] = {key: options[key] for key in ("name", "comment", "at_least")}
    if options["after"] is not None:
        asked["after"] = card_on_pile(options["after"])
    asked |= cards_or_hands(kind, cards)
    if options["convention"] is not None:
        asked["convention"] = options["convention"]
    if "cards" in asked:
        asked |= _supply(asked["cards"], asked.get("after"), options)
    print_json(question_to_dict(parse({"question": kind, **asked}), draw_fours=True))


def _open_game(cards: tuple[str, ...], options: dict[str, Any]) -> Instance:
    """Return a game that is dealt, or laid out with card codes."""
    keys = ("name", "comment", "rules", "colour", "goal", "turned_up", "to_move", "at_least")
    given = {key: options[key] for key in keys if options[key]}
    if options["deal"] is not None:
        if cards or options["after"] or options["draw"]:
            raise click.UsageError("--deal deals all cards; give no hands, --after or --draw")
        sizes = options["deal"].replace(",", " ").split()
        if not all(size.isdecimal() for size in sizes):
            raise InstanceError(
                f"--deal: {options['deal']!r} is not allowed; write '7,7' or '5,5,5'"
            )
        rules = PRESETS[options["rules"] or DEFAULT]
        game = question_to_dict(dealt([int(size) for size in sizes], options["seed"] or 0, rules))
        return parse({**game, **given})
    if options["after"] is None:
        raise click.UsageError("open-game needs --after, the card on the pile, or --deal")
    asked = {
        "question": "open-game",
        "hands": [codes_of_words(hand, f"hands[{i}]") for i, hand in enumerate(split_hands(cards))],
        "after": official_code(card_on_pile(options["after"]), "after"),
        "draw": codes_of_words((options["draw"] or "").split(), "draw"),
    }
    return parse({**asked, **given})


_FIELDS = ("supply", "costs", "convention", "after", "draw", "rules", "colour", "goal", "to_move")
_KEYS = {
    **{name: name for name in (*_FIELDS, "turned_up")},
    "rest_of_deck": "supply",
    "deal": "draw",
}
"""The question field that each option sets."""


def _refuse_foreign(kind: str, options: dict[str, Any]) -> None:
    """Raise if an option does not apply to this kind of question."""
    for name, key in _KEYS.items():
        if options[name] is not None and options[name] is not False and key not in keys(kind):
            flag = f"--{name.replace('_', '-')}"
            kinds = ", ".join(name for name in question_types() if key in keys(name))
            raise click.UsageError(f"{flag} is for {kinds}, not for {kind}")
    if options["rest_of_deck"] and options["supply"]:
        raise click.UsageError("--rest-of-deck is a supply; it excludes --supply")


def _supply(hand: Hand, after: Card | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return the fields ``supply`` and ``costs``, if the options give them."""
    found: dict[str, Any] = {}
    if options["rest_of_deck"]:
        elsewhere = hand if after is None else (*hand, after)
        places = [f"cards[{i}]" for i in range(len(hand))] + ["after"]
        found["supply"] = rest_of_deck(elsewhere, places)
    elif options["supply"] is not None:
        found["supply"] = cards_of_words([options["supply"]], "supply")
    if options["costs"] is not None:
        costs = options["costs"].replace(",", " ").split()
        for i, text in enumerate(costs):
            if not text.isdecimal():
                raise InstanceError(f"costs[{i}]: {text!r} is not an integer of 0 or more")
        found["costs"] = tuple(map(int, costs))
    return found
