"""What every part of the attack shares: drawn questions, the truth about them, what fell."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tests import brute_force, brute_force_games
from tests.open_games import drawn_game, fewest_turns, minimax
from uno_csp import Cooperative, FillIn, InstanceError, Longest, Uncooperative, Uno1
from uno_csp.cards import Card, Hand, Value
from uno_csp.formats import question_to_dict
from uno_csp.questions import Convention, Instance
from uno_csp.questions.open_game import Goal, OpenGame

Truth = tuple[str, int | None]
"""The status of the right answer, and its objective."""

KINDS = ("uno-1", "longest", "fill-in", "cooperative", "uncooperative")


class Fell(Exception):
    """A case that went wrong, JSON-ready, and what was wrong with it."""

    def __init__(self, what: str, case: Mapping[str, Any]) -> None:
        super().__init__(what)
        self.case = {"what": what, **case}


def draw(dice: random.Random, kind: str | None = None) -> Instance:
    """A small question of some kind, with every option there is, now and then an odd one."""
    kind = kind or dice.choice(KINDS)
    if kind == "open-game":
        return replace(drawn_game(dice), goal=dice.choice(tuple(Goal)))
    dimension = dice.choice((1, 2, 2, 2, 3, 4))
    k = dice.randint(1, dimension)
    card = _card_maker(dice, dimension, k)
    after = card() if dice.random() < 0.4 else None
    if kind in ("cooperative", "uncooperative"):
        players = (
            dice.choice((1, 2, 2, 2, 3, 4)) if kind == "cooperative" else dice.choice((2, 2, 3))
        )
        hands = tuple(_hand(dice, card, 1, 7 - players) for _ in range(players))
        if kind == "cooperative":
            return Cooperative(hands, at_least=k, after=after)
        return Uncooperative(hands, dice.choice(tuple(Convention)), at_least=k, after=after)
    cards = _hand(dice, card, 0, 7)
    if kind == "uno-1":
        return Uno1(cards, at_least=_rule(dice, k, cards, after), after=after)
    if kind == "longest":
        return Longest(cards, at_least=_rule(dice, k, cards, after), after=after)
    supply = _hand(dice, card, 0, 4) if dice.random() < 0.6 else None
    costs = tuple(dice.choice((0, 1, 1, 2, 5)) for _ in supply or ())
    priced = costs if supply is not None and dice.random() < 0.5 else None
    rule = _rule(dice, k, (*cards, *(supply or ())), after)
    return FillIn(cards, supply, priced, at_least=rule, after=after)


def _rule(dice: random.Random, k: int, cards: Hand, after: Card | None) -> int:
    """Without any card nothing bounds the number that must agree."""
    return k if cards or after else dice.randint(1, 64)


def _card_maker(dice: random.Random, dimension: int, k: int) -> Callable[[], Card]:
    values = dice.randint(1, 4)
    wild = dice.choice(("none", "none", "universal", "partial"))

    def value() -> Value:
        if wild == "partial" and dice.random() < 0.25:
            return "*"
        return dice.randrange(values)

    def card() -> Card:
        if wild == "universal" and dice.random() < 0.2:
            return ("*",) * max(k, 1) + tuple(dice.randrange(values) for _ in range(dimension - k))
        return tuple(value() for _ in range(dimension))

    return card


def _hand(dice: random.Random, card: Callable[[], Card], fewest: int, most: int) -> Hand:
    size = dice.randint(fewest, max(fewest, most))
    if dice.random() < 0.1:
        return (card(),) * size
    return tuple(card() for _ in range(size))


def truth(instance: Instance) -> Truth:
    """The right answer, by looking at everything."""
    k = instance.at_least
    if isinstance(instance, OpenGame):
        return _truth_of_game(instance)
    if isinstance(instance, Uncooperative):
        empty_wins = instance.convention is Convention.EMPTY_HAND_WINS
        return _yes(
            brute_force_games.avoids_losing(
                instance.hands, k, empty_wins=empty_wins, after=instance.after
            )
        )
    if isinstance(instance, Cooperative):
        return _yes(brute_force_games.cooperative(instance.hands, k, instance.after))
    if isinstance(instance, Uno1):
        return _yes(brute_force.playable(instance.cards, k, instance.after))
    if isinstance(instance, Longest):
        return "OPTIMAL", brute_force_games.longest(instance.cards, k, instance.after)
    if instance.supply is None:
        best = brute_force_games.fewest_added(instance.cards, k, instance.after)
    else:
        costs = tuple(cost for _, cost in instance.offers)
        best = brute_force_games.cheapest_supply(
            instance.cards, instance.supply, costs, k, instance.after
        )
    return ("UNSATISFIABLE", None) if best is None else ("OPTIMAL", best)


def _truth_of_game(instance: OpenGame) -> Truth:
    """Who wins the real game, or in how few turns with everybody's help; for small ones."""
    wins, turns = minimax(instance), fewest_turns(instance)
    if wins is None or turns is None:
        raise ValueError("the game is too large to look at everything")
    if not instance.optimises:
        return _yes(wins[0])
    return ("OPTIMAL", turns) if turns else ("UNSATISFIABLE", None)


def _yes(holds: bool) -> Truth:
    return ("SATISFIABLE" if holds else "UNSATISFIABLE"), None


def smallest(instance: Instance, falls: Callable[[Instance], bool]) -> Instance:
    """A question as small as can be of which the same is true: parts are left out while it is."""
    while True:
        smaller = next((each for each in _without_a_part(instance) if falls(each)), None)
        if smaller is None:
            return instance
        instance = smaller


def _without_a_part(instance: Instance) -> list[Instance]:
    found: list[Instance] = []
    asked = question_to_dict(instance)
    if "after" in asked:
        found += _made(instance, after=None)
    if isinstance(instance, Cooperative | Uncooperative):
        for player, hand in enumerate(instance.hands):
            for index in range(len(hand)):
                left = (*hand[:index], *hand[index + 1 :])
                hands = (*instance.hands[:player], left, *instance.hands[player + 1 :])
                found += _made(instance, hands=hands)
        return found
    for index in range(len(instance.cards)):
        found += _made(instance, cards=(*instance.cards[:index], *instance.cards[index + 1 :]))
    if isinstance(instance, FillIn) and instance.supply is not None:
        for index in range(len(instance.supply)):
            supply = (*instance.supply[:index], *instance.supply[index + 1 :])
            costs = instance.costs
            left_costs = None if costs is None else (*costs[:index], *costs[index + 1 :])
            found += _made(instance, supply=supply, costs=left_costs)
    return found


def _made(instance: Instance, **changes: Any) -> list[Instance]:
    try:
        return [replace(instance, **changes)]
    except InstanceError:
        return []
