"""The judge of the other questions: exhaustive search, with the rules written out once more."""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations

from tests.support.brute_force import Card, cheapest_order, match, playable

Hand = tuple[Card, ...]


def longest(cards: Hand, k: int, after: Card | None) -> int:
    """The largest part of the hand that is playable."""
    for size in range(len(cards), 0, -1):
        if any(playable(part, k, after) for part in combinations(cards, size)):
            return size
    return 0


def cheapest_supply(
    cards: Hand, offers: Sequence[tuple[Card, int]], k: int, after: Card | None
) -> int | None:
    """Over all parts of the supply that make the hand playable the lowest cost."""
    found = [
        sum(cost for _, cost in part)
        for size in range(len(offers) + 1)
        for part in combinations(offers, size)
        if playable((*cards, *(card for card, _ in part)), k, after)
    ]
    return min(found, default=None)


def fewest_added(cards: Hand, k: int, after: Card | None) -> int | None:
    """The cheapest order of the cards, a gap of d costing ceil(d / (D - k)) - 1 added cards."""
    step = len(cards[0]) - k if cards else 0

    def gap(a: Card, b: Card) -> float:
        apart = sum(x != y and "*" not in (x, y) for x, y in zip(a, b, strict=True))
        if apart <= step:
            return 0
        return math.inf if step == 0 else -(-apart // step) - 1

    best = cheapest_order(cards, gap, after)
    return None if best == math.inf else int(best)


def cooperative(hands: tuple[Hand, ...], k: int, after: Card | None) -> bool:
    """Return True if some play of all empties player 1's hand first."""
    players = len(hands)

    @cache
    def wins(player: int, last: Card | None, held: tuple[Hand, ...]) -> bool:
        for distance in range(players):
            q = (player + distance) % players
            options = [c for c in set(held[q]) if last is None or match(last, c, k)]
            if options:
                break
        else:
            return False
        for card in options:
            left = list(held[q])
            left.remove(card)
            if not left:
                if q == 0:
                    return True
                continue
            following = (*held[:q], tuple(left), *held[q + 1 :])
            if wins((q + 1) % players, card, following):
                return True
        return False

    return wins(0, after, hands)


def avoids_losing(
    hands: tuple[Hand, ...], k: int, *, empty_wins: bool, after: Card | None = None
) -> bool:
    """Return True if player 1 can avoid being the first who cannot discard, against all others."""
    players = len(hands)

    @cache
    def survives(player: int, last: Card | None, held: tuple[Hand, ...]) -> bool:
        options = [c for c in set(held[player]) if last is None or match(last, c, k)]
        if not options:
            return player != 0
        results = []
        for card in options:
            left = list(held[player])
            left.remove(card)
            if empty_wins and not left:
                results.append(player == 0)
            else:
                following = (*held[:player], tuple(left), *held[player + 1 :])
                results.append(survives((player + 1) % players, card, following))
        return any(results) if player == 0 else all(results)

    return survives(0, after, hands)
