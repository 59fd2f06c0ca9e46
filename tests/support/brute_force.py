"""The judge: answers found by looking at everything, with the rules written out once more."""

import math
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, permutations
from typing import Any

import networkx as nx

Card = tuple[int | str, ...]


def match(a: Card, b: Card, k: int) -> bool:
    return sum(x == y or x == "*" or y == "*" for x, y in zip(a, b, strict=True)) >= k


def playable(cards: tuple[Card, ...], k: int = 1, after: Card | None = None) -> bool:
    """Held-Karp: for every set of cards, at which cards a sequence through it can end."""
    n = len(cards)
    if n == 0:
        return True
    follows = [[i != j and match(cards[i], cards[j], k) for j in range(n)] for i in range(n)]
    ends: dict[int, set[int]] = {
        1 << i: {i} for i in range(n) if after is None or match(after, cards[i], k)
    }
    for _ in range(n - 1):
        longer: dict[int, set[int]] = {}
        for played, last in ends.items():
            for j in range(n):
                if not played >> j & 1 and any(follows[i][j] for i in last):
                    longer.setdefault(played | 1 << j, set()).add(j)
        ends = longer
    return bool(ends)


def sequences(
    cards: tuple[Card, ...], k: int = 1, after: Card | None = None, size: int | None = None
) -> Iterator[tuple[Card, ...]]:
    """Every feasible sequence, of all cards or of a number of them."""
    for order in permutations(cards, size):
        whole = order if after is None else (after, *order)
        if all(match(a, b, k) for a, b in pairwise(whole)):
            yield order


def card_hubs(card: Card, k: int) -> list[tuple[tuple[int, ...], Card]]:
    return [
        (places, tuple(card[i] for i in places)) for places in combinations(range(len(card)), k)
    ]


def cheapest_order(
    cards: tuple[Card, ...], cost: Callable[[Card, Card], float], after: Card | None = None
) -> float:
    """Held-Karp: the least sum of the costs of neighbours, over all orders of the cards."""
    costs = [[cost(one, other) for other in cards] for one in cards]
    begins = (0 if after is None else cost(after, card) for card in cards)
    best: dict[tuple[int, int], float] = {(1 << i, i): each for i, each in enumerate(begins)}
    for played in range(1, 1 << len(cards)):
        for last in [last for last in range(len(cards)) if played >> last & 1]:
            for j in range(len(cards)):
                if not played >> j & 1:
                    key, paid = (played | 1 << j, j), best[played, last] + costs[last][j]
                    best[key] = min(best.get(key, math.inf), paid)
    return min((best[(1 << len(cards)) - 1, last] for last in range(len(cards))), default=0)


def minimum_sequences(cards: tuple[Card, ...], k: int = 1) -> int:
    """The smallest number of feasible sequences the cards split into."""
    joints = int(cheapest_order(cards, lambda a, b: not match(a, b, k)))
    return joints + 1 if cards else 0


def fewest_trails(graph: "nx.MultiGraph[Any]") -> int:
    """Return the fewest trails through all edges: one a component, or one for two odd nodes."""
    odd = {node for node, degree in graph.degree() if degree % 2}
    return sum(max(1, len(odd & part) // 2) for part in nx.connected_components(graph))
