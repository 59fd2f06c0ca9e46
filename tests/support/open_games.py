"""Small games with open cards, and the truth about them by looking at everything."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache
from typing import Any

from tests.support.hands import Proved
from uno_csp.checker.open_game import Referee, TableState
from uno_csp.open_game import PRESETS, Rules
from uno_csp.open_game.deck import MOST_DECKS, deck
from uno_csp.open_game.rules import FirstCard
from uno_csp.questions.open_game import Goal, OpenGame, card_of

CHOICES: Mapping[str, tuple[Any, ...]] = {
    name: (False, True) if isinstance(value, bool) else tuple(type(value).__members__.values())
    for name, value in asdict(Rules()).items()
    if name != "reshuffles"
}


def drawn_rules(rng: random.Random) -> Rules:
    """A preset, now and then with other switches."""
    rules = rng.choice(tuple(PRESETS.values()))
    changed = {name: rng.choice(values) for name, values in CHOICES.items()}
    if rng.random() < 0.5:
        rules = replace(rules, reshuffles=0, **changed)
    known = not rules.effects_wear_off and rules.first_card is not FirstCard.NO_DRAW
    return replace(rules, reshuffles=rng.choice((0, 0, 1, 2))) if known else rules


def drawn_game(rng: random.Random, *, most_cards: int = 4, most_drawn: int = 6) -> OpenGame:
    """A small game of few colours and symbols, so that cards match, with many action cards."""
    kinds = [
        kind
        for kind in deck()
        if kind >= 52 or (kind // 13 < 3 and kind % 13 in (1, 2, 10, 11, 12))
    ]
    rng.shuffle(kinds)
    players = rng.choice((2, 2, 2, 3, 4))
    most = most_cards if players == 2 else 3
    hands = tuple(
        tuple(card_of(kinds.pop()) for _ in range(rng.randint(1, most))) for _ in range(players)
    )
    after = card_of(kinds.pop())
    return OpenGame(
        hands,
        after=after,
        colour=rng.choice(("red", "green")) if after[0] == "*" else None,
        draw=tuple(card_of(kinds.pop()) for _ in range(rng.randint(0, most_drawn))),
        rules=drawn_rules(rng),
        to_move=rng.randint(1, players),
        direction=rng.choice((1, -1)),
        turned_up=after != ("*", "+4") and rng.random() < 0.4,
    )


def drawn_large_game(rng: random.Random) -> OpenGame:
    """A game of several decks and large hands of few kinds, so that equal cards are many.

    Up to ten players; one of them at least holds more equal cards than a deck has.
    """
    decks = rng.randint(2, MOST_DECKS)
    left = Counter({kind: count * decks for kind, count in Counter(deck()).items()})
    colours = rng.sample(range(4), 2)
    numbers = rng.sample(range(10), 2)
    kinds = [13 * colour + symbol for colour in colours for symbol in (*numbers, 10, 12)]
    kinds += [52, 53]

    def cards(most: int) -> list[int]:
        """Cards of one kind or two, as many as are left."""
        found: list[int] = []
        for kind in rng.sample(kinds, rng.choice((1, 1, 2))):
            count = min(rng.randint(1, most), left[kind], 30 - len(found))
            left[kind] -= count
            found += [kind] * count
        return found or [left.most_common(1)[0][0]]

    players = rng.choice((2, 2, 3, 10))
    hands = [cards(30 if player == 0 else 4) for player in range(players)]
    if len(hands[0]) < 9:
        hands[0] = [rng.choice((52, 53))] * min(9, 4 * decks - 4)
    rng.shuffle(hands)
    return OpenGame(
        tuple(tuple(map(card_of, hand)) for hand in hands),
        after=card_of(13 * rng.randrange(4) + rng.randrange(10)),
        draw=tuple(map(card_of, cards(3))) if rng.random() < 0.5 else (),
        rules=drawn_rules(rng),
        to_move=rng.randint(1, players),
        direction=rng.choice((1, -1)),
        decks=MOST_DECKS,
    )


def minimax(instance: OpenGame, most: int = 10_000) -> tuple[bool, bool] | None:
    """Return if player 1 can force a win, and if the others can; None if it takes too long."""
    referee = Referee(instance)
    looked = 0

    @cache
    def forced(table: TableState, first: bool) -> bool:
        """Return True if player 1, or the others, can force a win."""
        nonlocal looked
        looked += 1
        if looked > most:
            raise TimeoutError
        results = (
            (following == 0) == first and following is not None
            if not isinstance(following, TableState)
            else forced(following, first)
            for following in referee.turns(table).values()
        )
        return any(results) if (table.player == 0) == first else all(results)

    try:
        return forced(referee.start, True), forced(referee.start, False)
    except TimeoutError:
        return None


def fewest_turns(instance: OpenGame, most: int = 20_000) -> int | None:
    """After how many turns player 1 can be out, level by level; 0: never; None if it takes long."""
    referee = Referee(instance)
    level, seen, turns = {referee.start}, {referee.start}, 0
    while level:
        waiting, level = [*level], set()
        turns += 1
        while waiting:
            table = waiting.pop()
            for (_, lays, _), then in referee.turns(table).items():
                if then == 0:
                    return turns  # a card is laid: a turn that counts
                if isinstance(then, TableState) and then not in seen:
                    if table.owed and lays is None:  # a turn that is lost
                        seen.add(then)
                        waiting.append(then)
                    else:
                        level.add(then)
        level -= seen
        seen |= level
        if len(seen) > most:
            return None
    return 0


@cache
def proved_games() -> list[Proved]:
    """A few small games with their answers, played to win and with everybody's help."""
    rng = random.Random(1)
    found: list[Proved] = []
    while len(found) < 10:
        instance = drawn_game(rng, most_cards=3, most_drawn=3)
        truth = minimax(instance)
        if truth is not None:
            found.append(Proved(instance, "SATISFIABLE" if truth[0] else "UNSATISFIABLE", None))
    while len(found) < 16:
        instance = replace(drawn_game(rng, most_cards=2, most_drawn=3), goal=Goal.TOGETHER)
        turns = fewest_turns(instance)
        if turns:
            found.append(Proved(instance, "OPTIMAL", turns))
    return found
