"""Shared by all parts of the attack: random questions, their true answers, failures."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tests.support import brute_force, brute_force_games
from tests.support.open_games import drawn_game, fewest_turns, minimax
from uno_csp import Cooperative, FillIn, InstanceError, Longest, Uncooperative, Uno1
from uno_csp.formats import question_to_dict
from uno_csp.questions import Convention, Instance
from uno_csp.questions.cards import Card, Hand, Value
from uno_csp.questions.open_game import Goal, OpenGame

Truth = tuple[str, int | None]
"""Status and objective of the right answer."""

KINDS = ("uno-1", "longest", "fill-in", "cooperative", "uncooperative")


class Counterexample(Exception):
    """A failing case, as JSON data with a description of the failure."""

    def __init__(self, what: str, case: Mapping[str, Any]) -> None:
        super().__init__(what)
        self.case = {"what": what, **case}


def random_question(rng: random.Random, kind: str | None = None) -> Instance:
    """Generate a small random question with any options, including degenerate ones."""
    kind = kind or rng.choice(KINDS)
    if kind == "open-game":
        return replace(drawn_game(rng), goal=rng.choice(tuple(Goal)))
    dimension = rng.choice((1, 2, 2, 2, 3, 4))
    k = rng.randint(1, dimension)
    card = _card_maker(rng, dimension, k)
    after = card() if rng.random() < 0.4 else None
    if kind in ("cooperative", "uncooperative"):
        players = rng.choice((1, 2, 2, 2, 3, 4)) if kind == "cooperative" else rng.choice((2, 2, 3))
        hands = tuple(_hand(rng, card, 1, 7 - players) for _ in range(players))
        if kind == "cooperative":
            return Cooperative(hands, at_least=k, after=after)
        return Uncooperative(hands, rng.choice(tuple(Convention)), at_least=k, after=after)
    cards = _hand(rng, card, 0, 7)
    if kind == "uno-1":
        return Uno1(cards, at_least=_rule(rng, k, cards, after), after=after)
    if kind == "longest":
        return Longest(cards, at_least=_rule(rng, k, cards, after), after=after)
    supply = _hand(rng, card, 0, 4) if rng.random() < 0.6 else None
    costs = tuple(rng.choice((0, 1, 1, 2, 5)) for _ in supply or ())
    priced = costs if supply is not None and rng.random() < 0.5 else None
    rule = _rule(rng, k, (*cards, *(supply or ())), after)
    return FillIn(cards, supply, priced, at_least=rule, after=after)


def _rule(rng: random.Random, k: int, cards: Hand, after: Card | None) -> int:
    """Return ``at_least``; any value is allowed if there are no cards."""
    return k if cards or after else rng.randint(1, 64)


def _card_maker(rng: random.Random, dimension: int, k: int) -> Callable[[], Card]:
    values = rng.randint(1, 4)
    wild = rng.choice(("none", "none", "universal", "partial"))

    def value() -> Value:
        if wild == "partial" and rng.random() < 0.25:
            return "*"
        return rng.randrange(values)

    def card() -> Card:
        if wild == "universal" and rng.random() < 0.2:
            return ("*",) * max(k, 1) + tuple(rng.randrange(values) for _ in range(dimension - k))
        return tuple(value() for _ in range(dimension))

    return card


def _hand(rng: random.Random, card: Callable[[], Card], fewest: int, most: int) -> Hand:
    size = rng.randint(fewest, max(fewest, most))
    if rng.random() < 0.1:
        return (card(),) * size
    return tuple(card() for _ in range(size))


def truth(instance: Instance) -> Truth:
    """Return the right answer by brute force."""
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
    """Solve a small real game by brute force: the winner, or the fewest turns together."""
    wins, turns = minimax(instance), fewest_turns(instance)
    if wins is None or turns is None:
        raise ValueError("the game is too large for brute force")
    if not instance.optimises:
        return _yes(wins[0])
    return ("OPTIMAL", turns) if turns else ("UNSATISFIABLE", None)


def _yes(holds: bool) -> Truth:
    return ("SATISFIABLE" if holds else "UNSATISFIABLE"), None


def smallest(instance: Instance, falls: Callable[[Instance], bool]) -> Instance:
    """Minimise a failing question: remove parts as long as it still fails."""
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
