"""Search for a cheap order and direction of sequences that are to be joined.

All orders of a few sequences are compared; those of more are found by local search.

The ends of sequence i are 2i and 2i + 1. An order is an array with the end at which each sequence
begins; it goes on at the other end, whose number differs in the last bit.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from uno_csp.questions.cards import NO_WAY, WILD, Card

Ints: TypeAlias = NDArray[np.int64]

FEW = 6  # number of sequences up to which all orders are compared: 46,080, in a few milliseconds

KICKS, SPAN = 300, 50
"""Number of random changes after which the search ends, and the sequences around each."""


def joining_costs(cards: Sequence[Card], at_least: int) -> Ints:
    """Return the number of cards that must be added between any two cards."""
    dimension = len(cards[0])
    differing = np.zeros((len(cards), len(cards)), dtype=np.int64)
    for place in range(dimension):
        numbers: dict[object, int] = {}
        values = [numbers.setdefault(card[place], len(numbers)) for card in cards]
        column = np.array(values)
        apart = column[:, None] != column[None, :]
        if WILD in numbers:
            wild = column == numbers[WILD]
            apart &= ~(wild[:, None] | wild[None, :])
        differing += apart
    step = dimension - at_least
    if step == 0:
        return np.where(differing > 0, NO_WAY, 0)
    return np.maximum(-(-differing // step) - 1, 0)


def best_order(costs: Ints, runs: int, target: int, kicks: int = KICKS) -> Ints:
    """Return the order of least cost, for more than FEW sequences the best that is found.

    The local search makes 2-opt moves and random changes: it exchanges two short segments beside a
    joint that costs something. It ends after ``kicks`` random changes, or at ``target``, a cost
    that cannot be improved. ``costs`` has the cost of joining any two ends; after the ends of the
    runs there may be one more, which the order has to follow.
    """
    search = _Search(costs, runs)
    if runs <= FEW:
        orders = _all_orders(runs)
        best: Ints = orders[search.cost(orders).argmin()]
        return best
    best = np.arange(0, 2 * runs, 2)
    cost = search.cost(best)
    for start in (best, search.greedy()):
        if cost > target:
            found = search.improve(start, range(runs + 1))
            if search.cost(found) < cost:
                best, cost = found, search.cost(found)
    rng = np.random.default_rng(0)
    for _ in range(kicks):
        if cost <= target:
            break
        first, second, third = search.cuts(best, rng)
        exchanged = (best[:first], best[second:third], best[first:second], best[third:])
        joints = (first, first + third - second, third)
        changed = search.improve(np.concatenate(exchanged), joints)
        now = search.cost(changed)
        if now <= cost:
            best, cost = changed, now
    return best


@cache
def _all_orders(runs: int) -> Ints:
    """Return every order of some sequences in every direction, one in each row."""
    begins = np.array(list(permutations(range(0, 2 * runs, 2))))
    directions = np.array(list(product((0, 1), repeat=runs)))
    orders: Ints = (begins[:, None] | directions).reshape(-1, runs)
    return orders


class _Search:
    def __init__(self, costs: Ints, runs: int) -> None:
        self._runs = runs
        self._nothing = len(costs)  # an end that costs nothing to join
        self._costs = np.pad(costs, (0, 1))
        self._before = 2 * runs if len(costs) > 2 * runs else self._nothing

    def cost(self, order: Ints) -> Ints:
        """Return the total cost of an order, or of each row of orders."""
        total: Ints = self._costs[self._lefts(order), order].sum(axis=-1)
        return total

    def _lefts(self, order: Ints) -> Ints:
        """Return for each sequence the end before it."""
        lefts: Ints = np.roll(order ^ 1, 1, axis=-1)
        lefts[..., 0] = self._before
        return lefts

    def greedy(self) -> Ints:
        """Return the order in which each sequence is followed by the nearest one."""
        left = np.ones(2 * self._runs, dtype=bool)
        end, order = self._before, []
        for _ in range(self._runs):
            costs = np.where(left, self._costs[end, : 2 * self._runs], 2 * NO_WAY)
            begin = int(costs.argmin())
            order.append(begin)
            left[[begin, begin ^ 1]] = False
            end = begin ^ 1
        return np.array(order)

    def cuts(self, order: Ints, rng: np.random.Generator) -> list[int]:
        """Return a random joint that costs something and two others nearby, ascending."""
        dear = rng.choice(np.flatnonzero(self._costs[self._lefts(order), order]))
        low, high = max(0, dear - SPAN), min(self._runs, dear + SPAN)
        near = rng.choice(high - low, 2, replace=False) + low
        cuts: list[int] = np.sort([dear, *(near + (near >= dear))]).tolist()
        return cuts

    def improve(self, order: Ints, joints: Iterable[int]) -> Ints:
        """Reverse segments that begin or end at some joints, as long as that is cheaper.

        Joint i is the one before sequence i; both joints of a reversed segment are tried again.
        """
        order, waiting = order.copy(), list(joints)
        while waiting:
            begin, end, gain = self._best_reversal(order, waiting[-1])
            if gain > 0:
                order[begin:end] = order[begin:end][::-1] ^ 1
                waiting += [begin, end]
            else:
                waiting.pop()
        return order

    def _best_reversal(self, order: Ints, joint: int) -> tuple[int, int, int]:
        """Return the best segment to reverse that begins or ends at a joint, and the gain."""
        costs, before = self._costs, self._lefts(order)
        after = np.append(order, self._nothing)
        found = (joint, joint, 0)
        if joint < len(order):
            tail, following = order[joint:], after[joint + 1 :]
            gains = costs[before[joint], tail[0]] - costs[before[joint], tail ^ 1]
            gains += costs[tail ^ 1, following] - costs[tail[0], following]
            best = int(gains.argmax())
            found = (joint, joint + best + 1, int(gains[best]))
        if joint > 0:
            heads, last, following = order[:joint], order[joint - 1] ^ 1, after[joint]
            gains = costs[before[:joint], heads] - costs[before[:joint], last]
            gains += costs[last, following] - costs[heads, following]
            best = int(gains.argmax())
            if gains[best] > found[2]:
                found = (best, joint, int(gains[best]))
        return found
