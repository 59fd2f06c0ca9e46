"""Simulated annealing of an order of play, as machine code.

The order starts with the card to match and goes on with all other cards. Those up to player 1's
last card are played; the others are kept, in any order. Its cost is zero if it is a play: a step
between cards that do not match costs :data:`BREAK`, a player who is skipped costs :data:`HELD` for
each matching card that is laid later or kept, and a player who keeps no card costs :data:`BREAK`.

A move exchanges two neighbouring stretches of the order, or reverses one, so that a card comes
after one that it matches. Only the steps of these stretches change their cost. When few steps have
a cost, careless moves are made, their damage is repaired, and all is undone if the cost has grown
(iterated local search; Lourenço, Martin and Stützle 2003).
"""

import random
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from uno_csp.open_game.compiling import Compilation, compiled, machine_code
from uno_csp.questions import Cooperative
from uno_csp.questions.cards import neighbours

BREAK, HELD = 5, 3  # costs of a step, see above

APART, NEAR, NEXT = 0, 1, 2
"""Two cards do not match; they do; they do and the second is of the player after the first."""

BARRED = -20
"""The first of two cards must end the play, or the second open it; a step costs 21 breaks."""

DROPPED, MOVED, TURNED = 0.02, 0.4, 0.7
"""Upper limits, of a random number, for each kind of move; above them stretches are exchanged."""

SHORT = 16
"""Maximum number of cards of the shorter stretch of an exchange that is judged by its steps."""

FAR = 50
"""Maximum number of cards that are reversed, or that the shorter of two stretches has.

Of 3 million longer ones, 7 were accepted: too many cards would come after those that waited for
them.
"""

FOCUSED, REPAIRING = 0.5, 0.9  # shares of the moves that begin at a step with a cost
KICKS, WILD = 40, 6.0  # number of careless moves that are tried, and their temperature

ROUND, COOL = 1540, 0.4
"""Number of moves together with those that repair what these did, and the temperature of those."""

LAST, COST, LOST, FAULTS, KEPT = range(5)
"""Places in ``numbers``: position of the last card played, cost, players who keep no card, number
of ``faults``, and cost of the order that is kept."""

Move: TypeAlias = tuple[int, int, int]
"""The first position of two stretches, and the last of each; of one to reverse, the same twice."""

NO_MOVE = (0, 0, 0)

Array: TypeAlias = NDArray[np.int64]


class Deal(NamedTuple):
    """The cards: owners, the relation of each pair, and matching cards in order of their owners.

    Those of card c and player q are ``near[start[c * players + q] : start[c * players + q + 1]]``.
    """

    players: int
    owner: Array
    relation: NDArray[np.int8]
    near: Array
    start: Array


class Order(NamedTuple):
    """The cards in order, the position of each, the cost of each step, and room for a move.

    The first ``numbers[FAULTS]`` of ``faults`` are the positions of steps with a cost, in order.
    """

    cards: Array
    place: Array
    costs: Array
    faults: Array
    tried: Array
    spare: Array
    kept: Array
    seen: Array
    numbers: Array


@compiled
def anneal(deal: Deal, order: Order, moves: int, temperature: float) -> bool:
    """Try random moves at a temperature, or mend at temperature 0; return True at cost zero."""
    heat, focus = temperature, FOCUSED
    for k in range(moves):
        if order.numbers[COST] == 0:
            return True
        if temperature == 0:
            if k % ROUND == 0:
                _keep_or_undo(deal, order)
            careless = k % ROUND < KICKS
            heat, focus = (WILD, FOCUSED) if careless else (COOL, REPAIRING)
        move = _propose(deal, order, focus)
        if move[0] and not _is_far(move):
            worse = int(-heat * np.log(1.0 - np.random.random()))
            if not _is_hopeless(deal, order, move, worse):
                _try(deal, order, move, worse)
    return bool(order.numbers[COST] == 0)


@compiled
def _keep_or_undo(deal: Deal, order: Order) -> None:
    """Keep the order, or return to the one that was kept last if that costs less."""
    if order.numbers[COST] <= order.numbers[KEPT]:
        order.numbers[KEPT] = order.numbers[COST]
        _copy(order.cards, order.kept)
    else:
        _copy(order.kept, order.cards)
        count(deal, order)


@compiled
def _copy(cards: Array, to: Array) -> None:
    """Copy an order of cards."""
    for i in range(len(cards)):
        to[i] = cards[i]


@compiled
def begin(deal: Deal, order: Order, seed: int) -> None:
    """Seed the random numbers, and compute the cost of the order."""
    np.random.seed(seed)
    count(deal, order)
    order.numbers[KEPT] = order.numbers[COST]
    _copy(order.cards, order.kept)


@compiled
def count(deal: Deal, order: Order) -> None:
    """Compute the positions of the cards, the last one played, and all costs."""
    cards = order.cards
    for i in range(len(cards)):
        order.place[cards[i]] = i
    order.numbers[LAST] = _last(deal, order, len(cards) - 1, NO_MOVE)
    order.numbers[LOST] = _lost(deal, order, order.numbers[LAST], NO_MOVE)
    order.numbers[COST] = order.numbers[LOST] * BREAK
    for i in range(len(cards) - 1):
        order.costs[i] = _step_cost(deal, order, i, order.numbers[LAST], NO_MOVE, NO_MOVE)
        order.numbers[COST] += order.costs[i]
    _list_faults(order)


@compiled
def _list_faults(order: Order) -> None:
    """List the positions of all steps with a cost."""
    found = 0
    for i in range(order.numbers[LAST]):
        if order.costs[i]:
            order.faults[found] = i
            found += 1
    order.numbers[FAULTS] = found


@compiled
def _place_after(i: int, move: Move) -> int:
    """Return the position to which a move takes the card at a position."""
    low, middle, high = move
    if i < low or i > high:
        return i
    if middle == high:
        return low + high - i
    return i + high - middle if i <= middle else i + low - middle - 1


@compiled
def _step_cost(deal: Deal, order: Order, i: int, last: int, move: Move, back: Move) -> int:
    """Return the cost after a move of the step from position i; ``back`` undoes the move."""
    card, following = order.cards[_place_after(i, back)], order.cards[_place_after(i + 1, back)]
    relation = int(deal.relation[card, following])
    if i >= last or relation == NEXT:
        return 0
    cost = BREAK * (1 - relation) if relation < NEAR else 0
    player = (deal.owner[card] + 1) % deal.players
    while player != deal.owner[following]:
        at = card * deal.players + player
        for k in range(deal.start[at], deal.start[at + 1]):
            if _place_after(order.place[deal.near[k]], move) > i:
                cost += HELD
        player = (player + 1) % deal.players
    return cost


@compiled
def _last(deal: Deal, order: Order, high: int, back: Move) -> int:
    """Return the position of player 1's last card at ``high`` or before, after a move."""
    card = order.cards[_place_after(high, back)]
    while deal.owner[card] or not card:
        high -= 1
        card = order.cards[_place_after(high, back)]
    return high


@compiled
def _lost(deal: Deal, order: Order, last: int, back: Move) -> int:
    """Return the number of other players who keep no card after a move."""
    lost = deal.players - 1
    order.seen[:] = 0
    for i in range(last + 1, len(order.cards)):
        player = deal.owner[order.cards[_place_after(i, back)]]
        if not order.seen[player]:
            order.seen[player] = 1
            lost -= 1
    return lost


@compiled
def _propose(deal: Deal, order: Order, focus: float) -> Move:
    """Return a random move, or :data:`NO_MOVE`."""
    last, kind = order.numbers[LAST], np.random.random()
    i = _start(order, last, focus)
    if kind < DROPPED:
        keeps = deal.owner[order.cards[i + 1]] > 0
        return (i + 1, i + 1, len(order.cards) - 1) if keeps else NO_MOVE
    j = _near(deal, order, order.cards[i], np.random.random() < 0.7)
    if j < 0 or j == i + 1:
        return NO_MOVE
    if j > last:
        return (i + 1, j - 1, j)
    if kind < MOVED:
        end = j + max(0, np.random.randint(-2, 3))
        if j > i:
            return (i + 1, j - 1, end) if end <= last else NO_MOVE
        return (j, end, i) if end < i else NO_MOVE
    if kind < TURNED and deal.players < 3:
        return (min(i, j) + 1, max(i, j), max(i, j)) if j != i - 1 else NO_MOVE
    return _exchange(deal, order, i, j)


@compiled
def _start(order: Order, last: int, focus: float) -> int:
    """Return a position before the last, one with a cost with probability ``focus``."""
    faults = order.numbers[FAULTS]
    if faults and np.random.random() < focus:
        return int(order.faults[np.random.randint(0, faults)])
    return int(np.random.randint(0, last))


@compiled
def _exchange(deal: Deal, order: Order, i: int, j: int) -> Move:
    """Return an exchange that brings the card at j after that at i, and two more that match."""
    last = order.numbers[LAST]
    if j > i:
        k = _near(deal, order, order.cards[i + 1], False)
        if j <= k <= last:
            return (i + 1, j - 1, k)
        return (i + 1, j - 1, last) if np.random.random() < 0.1 else NO_MOVE
    k = _near(deal, order, order.cards[j - 1], False) - 1
    return (j, k, i) if j <= k < i else NO_MOVE


@compiled
def _near(deal: Deal, order: Order, card: int, of_next: bool) -> int:
    """Return the position of a random matching card, of the next player's if wanted; -1 if none."""
    at = card * deal.players
    low, high = deal.start[at], deal.start[at + deal.players]
    if of_next:
        at += (deal.owner[card] + 1) % deal.players
        if deal.start[at] < deal.start[at + 1]:
            low, high = deal.start[at], deal.start[at + 1]
    return order.place[deal.near[np.random.randint(low, high)]] if low < high else -1


@compiled
def _is_far(move: Move) -> bool:
    """Return whether a move reverses many cards, or exchanges two long stretches."""
    low, middle, high = move
    return (high - low if middle == high else min(middle - low + 1, high - middle)) > FAR


@compiled
def _is_hopeless(deal: Deal, order: Order, move: Move, worse: int) -> bool:
    """Return whether a move breaks its joints at more cost than they have, and ``worse``.

    Most moves fail here, after three looks at the relation.
    """
    low, middle, high = move
    cards, costs, last = order.cards, order.costs, order.numbers[LAST]
    turned = middle == high
    first, end = (high, low) if turned else (middle + 1, middle)
    allowed = worse + costs[low - 1] + costs[high] + BREAK * order.numbers[LOST]
    breaks = int(deal.relation[cards[low - 1], cards[first]] < NEAR)
    if not turned:
        allowed += costs[middle]
        if high <= last:
            breaks += int(deal.relation[cards[high], cards[low]] < NEAR)
    if high < last:
        breaks += int(deal.relation[cards[end], cards[high + 1]] < NEAR)
    return bool(breaks * BREAK > allowed)


@compiled
def _try(deal: Deal, order: Order, move: Move, worse: int) -> None:
    """Make a move unless the cost grows by more than ``worse``."""
    low, middle, high = move
    back = (low, middle if middle == high else low + high - middle - 1, high)
    numbers = order.numbers
    last, lost = numbers[LAST], numbers[LOST]
    if low <= last <= high:
        last = _last(deal, order, high, back)
    if last != numbers[LAST] or high > last:
        lost = _lost(deal, order, last, back)
    allowed = worse + BREAK * (numbers[LOST] - lost)
    if _is_short(numbers[LAST], move) and _growth(deal, order, last, move, back) > allowed:
        return
    if _retry(deal, order, last, move, back, allowed):
        numbers[COST] += BREAK * (lost - numbers[LOST])
        numbers[LAST], numbers[LOST] = last, lost
        _make(order, move)
        _list_faults(order)


@compiled
def _is_short(last: int, move: Move) -> bool:
    """Return whether few cards change places with others, and the last card played is not one."""
    low, middle, high = move
    if middle - low < high - middle:
        return middle - low < SHORT and not low <= last <= middle
    return 0 < high - middle <= SHORT and not middle < last <= high


@compiled
def _growth(deal: Deal, order: Order, last: int, move: Move, back: Move) -> int:
    """Return the growth of the cost of all steps by a short exchange.

    Steps between cards of the longer stretch only change where they skip the owner of a matching
    card of the shorter one.
    """
    low, middle, high = move
    if middle - low < high - middle:
        first, end, start, stop, sign = low, middle, middle + 1, high, HELD
    else:
        first, end, start, stop, sign = middle + 1, high, low, middle, -HELD
    growth = _step_growth(deal, order, low - 1, last, move, back)
    growth += _step_growth(deal, order, stop, last, move, back)
    stop = min(stop, order.numbers[LAST])
    for i in range(first, end + 1):
        growth += _step_growth(deal, order, i, last, move, back)
        growth += sign * _holding(deal, order, order.cards[i], start, stop)
    return growth


@compiled
def _step_growth(deal: Deal, order: Order, i: int, last: int, move: Move, back: Move) -> int:
    """Return the growth by a move of the cost of the step from the card at position i."""
    to = _place_after(i, move)
    cost = _step_cost(deal, order, to, last, move, back) if to < last else 0
    return int(cost - order.costs[i])


@compiled
def _holding(deal: Deal, order: Order, card: int, start: int, stop: int) -> int:
    """Return the number of steps from ``start`` to ``stop`` that skip the owner of a match."""
    found, players = 0, deal.players
    for k in range(deal.start[card * players], deal.start[(card + 1) * players]):
        i = order.place[deal.near[k]]
        if start <= i < stop:
            next_one = deal.owner[deal.near[k]] + 1
            skipped = (deal.owner[order.cards[i + 1]] - next_one) % players
            found += (deal.owner[card] - next_one) % players < skipped
    return found


@compiled
def _retry(deal: Deal, order: Order, last: int, move: Move, back: Move, allowed: int) -> bool:
    """Set the costs of steps to those after a move, unless they grow by more than allowed."""
    low, middle, high = move
    top = min(high, len(order.cards) - 2)
    growth = 0
    for i in order.faults[: order.numbers[FAULTS]]:
        if low - 1 <= i <= top:
            growth -= order.costs[i]
    joints = _step_cost(deal, order, low - 1, last, move, back)
    if middle < high:
        joints += _step_cost(deal, order, back[1], last, move, back)
    if high == top:
        joints += _step_cost(deal, order, high, last, move, back)
    if growth + joints > allowed:
        return False
    for i in range(low - 1, top + 1):
        order.tried[i] = _step_cost(deal, order, i, last, move, back)
        growth += order.tried[i]
        if growth > allowed:
            return False
    for i in range(low - 1, top + 1):
        order.costs[i] = order.tried[i]
    order.numbers[COST] += growth
    return True


@compiled
def _make(order: Order, move: Move) -> None:
    """Make a move."""
    low, _, high = move
    for i in range(low, high + 1):
        order.spare[i] = order.cards[i]
    for i in range(low, high + 1):
        to = _place_after(i, move)
        order.cards[to] = order.spare[i]
        order.place[order.spare[i]] = to


def arrange(instance: Cooperative, run: int = 0) -> tuple[Deal, Order]:
    """Return the arrays of a deal, and a random order for a run; card 0 is the card to match.

    Without one it matches every card. It counts as laid by the last player, so player 1 is next.
    """
    hands, pile = instance.hands, () if instance.after is None else (instance.after,)
    listed = neighbours((*instance.cards, *pile), instance.at_least)
    size, players = len(instance.cards) + 1, len(hands)
    first, last = _ends(instance, listed, run)
    owner = [players - 1, *(player for player, hand in enumerate(hands) for _ in hand)]
    matching = [[i + 1 for i in near if i < size - 1] for near in listed]
    matching.insert(0, matching.pop() if pile else [first] if first else list(range(1, size)))
    relation = np.full((size, size), APART, np.int8)
    if first:
        relation[0] = BARRED
    near: list[int] = []
    start = [0]
    for card, others in enumerate(matching):
        relation[card, others] = NEAR
        for player in range(players):
            own = [other for other in others if owner[other] == player]
            near += own
            start.append(len(near))
            if player == (owner[card] + 1) % players:
                relation[card, own] = NEXT
    if last:
        relation[last] = BARRED

    def numbers(of: list[int]) -> NDArray[np.int64]:
        return np.array(of, np.int64)

    between = [card for card in range(1, size) if card not in (first, last)]
    random.Random(run).shuffle(between)
    cards = [0, *filter(None, (first, *between, last))]
    blank = [0] * size
    deal = Deal(players, numbers(owner), relation, numbers(near), numbers(start))
    rest = map(numbers, (*[blank] * 6, [0] * players, [0] * 5))
    return deal, Order(numbers(cards), *rest)


def _ends(instance: Cooperative, listed: list[list[int]], run: int) -> tuple[int, int]:
    """Return the first and the last card of player 1 in a run; 0 if any card may be.

    Those that at most one card matches can stand nowhere else, and random moves hardly ever bring a
    card to an end. Behind a card on the pile they stand last; else odd runs exchange the ends.
    """
    lonely = [i + 1 for i in range(len(instance.hands[0])) if len(listed[i]) <= 1]
    last, first, *_ = *lonely, 0, 0
    return (last, first) if run % 2 and instance.after is None else (first, last)


def _warm_up() -> None:
    """Anneal the order of one card as machine code."""
    deal, order = arrange(Cooperative((((1, 1),),)))
    machine_code(begin)(deal, order, 0)
    machine_code(anneal)(deal, order, 1, 1.0)


ANNEALING = Compilation(
    "simulated annealing (once, about 5 s)", __name__, (begin, anneal), _warm_up
)
"""The functions that run as machine code."""

prepare = ANNEALING.prepare
