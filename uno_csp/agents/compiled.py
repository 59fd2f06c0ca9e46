"""Deals of the hidden cards, play-outs and tree search, compiled by Numba.

A *deal* gives every card that a seat does not see a place: in another hand or in the draw pile. A
*play-out* plays a deal to its end, all players by :func:`judged`. The *tree search* is
single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012): each
iteration deals anew and goes down a tree of moves that all deals share; moves are chosen by UCB1
among those that are legal in the deal, and a move that is legal more often than it is tried counts
how often it was legal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uno_csp.open_game.compiled_moves import (
    DRAWN,
    NOTHING,
    PLAYER,
    UNDECIDED,
    Array,
    Moves,
    Setup,
    add,
    compiled,
    copy,
    held,
    moves,
)
from uno_csp.open_game.deck import SKIP, WILD
from uno_csp.open_game.positions import NOBODY

Weights = NDArray[np.float64]

DRAW = 2 * DRAWN  # label of the choice to draw a card, for any card
MOST_TURNS = 2_000  # number of turns after which a play-out ends without a winner
TRIES = 60  # number of cards tried for a place before the most likely one is taken
MOST_DEPTH = 400  # maximum depth of the tree
_FACTOR = np.int64(6364136223846793005)
_STEP = np.int64(1442695040888963407)


class Unseen(NamedTuple):
    """What a seat does not see: the cards, and which of them are likely in which hand.

    ``cards`` has the kinds, after those of the pile that are known. ``owners`` has for each hidden
    card of a hand its player, and ``weights`` for each of them and each kind the probability, up to
    a factor, that it is of this kind. Both begin with an index over the histories that agree with
    what was seen: a card that was played may have been any of several.
    """

    cards: Array
    known: Array
    owners: Array
    weights: Weights


class Tree(NamedTuple):
    """The nodes of the tree, by their number; node 0 is the root.

    ``labels`` has the move that leads to a node, ``movers`` who made it, ``first`` its first child
    and ``following`` its next sibling (0 for none). ``size`` has the number of nodes.
    """

    labels: Array
    movers: Array
    first: Array
    following: Array
    visits: Array
    wins: Array
    legal: Array
    path: Array
    size: Array


class Scratch(NamedTuple):
    """Arrays to work in: a state, one that finding moves changes, and the moves of two loops."""

    state: Array
    changing: Array
    outer: Moves
    inner: Moves


@compiled
def below(random: Array, most: int) -> int:
    """Return a random integer from 0 to ``most`` - 1 (a linear congruential generator)."""
    random[0] = random[0] * _FACTOR + _STEP
    return int((random[0] >> 33 & 0x3FFFFFFF) % most)


@compiled
def deal(setup: Setup, start: Array, unseen: Unseen, random: Array, state: Array) -> None:
    """Write down a random deal: a state, and the draw pile of ``setup``."""
    copy(start, state)
    cards = unseen.cards
    history = below(random, len(unseen.owners))
    places = unseen.owners.shape[1]
    for place in range(places):
        weights = unseen.weights[history, place]
        best = place
        for attempt in range(TRIES):
            other = place + below(random, len(cards) - place)
            if attempt == 0 or weights[cards[other]] > weights[cards[best]]:
                best = other
            if below(random, 1 << 20) < weights[cards[other]] * (1 << 20):
                best = other
                break
        cards[place], cards[best] = cards[best], cards[place]
        add(setup, state, unseen.owners[history, place], cards[place], 1)
    for place in range(places, len(cards)):
        other = place + below(random, len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]
    count = len(unseen.known)
    for at in range(len(setup.draw)):
        setup.draw[at] = unseen.known[at] if at < count else cards[places + at - count]


@compiled
def of_colour(setup: Setup, state: Array, player: int, colour: int) -> int:
    """Return how many cards of a colour a player holds."""
    found = 0
    for symbol in range(13):
        found += held(setup, state, player, 13 * colour + symbol)
    return found


@compiled
def value(setup: Setup, state: Array, label: int) -> int:
    """Return a move's value by the simple rule: numbers, then by its colour's cards, wilds last."""
    label &= DRAWN - 1
    if label == NOTHING:
        return -1
    kind, colour = label // 4, label % 4
    if kind < WILD:
        colour = kind // 13
    left = of_colour(setup, state, state[setup.words + PLAYER], colour)
    return left + (0 if kind >= WILD else 1000 if kind % 13 >= SKIP else 2000)


@compiled
def judged(setup: Setup, state: Array, labels: Array, first: int, end: int, random: Array) -> int:
    """Return the place of a move of the highest value among some; equals at random."""
    best, chosen, equals = -2, first, 0
    for at in range(first, end):
        own = value(setup, state, labels[at])
        if own > best:
            best, chosen, equals = own, at, 1
        elif own == best:
            equals += 1
            if below(random, equals) == 0:
                chosen = at
    return chosen


@compiled
def of_hand(labels: Array, size: int) -> int:
    """Return how many moves draw no card; they come first."""
    count = 0
    while count < size and labels[count] < DRAWN:
        count += 1
    return count


@compiled
def options(labels: Array, size: int, drawn: bool) -> tuple[int, int]:
    """Return the range of the moves to choose from; moves that draw unseen cards are one."""
    count = of_hand(labels, size)
    return (count, size) if drawn else (0, min(count + 1, size))


@compiled
def play_out(setup: Setup, state: Array, scratch: Scratch, random: Array) -> int:
    """Play a deal to its end; return the winner, or -1 for nobody. ``state`` is changed."""
    to = scratch.inner
    for _ in range(MOST_TURNS):
        copy(state, scratch.changing)
        size = moves(setup, scratch.changing, to)
        count = of_hand(to.labels, size)
        chosen = judged(setup, state, to.labels, 0, count if count else size, random)
        if to.winners[chosen] != UNDECIDED:
            return int(to.winners[chosen])
        copy(to.children[chosen], state)
    return NOBODY


@compiled
def compare(
    setup: Setup,
    start: Array,
    unseen: Unseen,
    drawn: bool,
    scratch: Scratch,
    wins: Array,
    random: Array,
    deals: int,
) -> None:
    """Play out every move once in each deal; count the wins of the mover for each of `options`."""
    player, to, state = start[setup.words + PLAYER], scratch.outer, scratch.state
    for _ in range(deals):
        deal(setup, start, unseen, random, state)
        copy(state, scratch.changing)
        size = moves(setup, scratch.changing, to)
        first, end = options(to.labels, size, drawn)
        for at in range(first, end):
            chosen = at
            if not drawn and to.labels[at] >= DRAWN:
                chosen = judged(setup, start, to.labels, at, size, random)
            winner = to.winners[chosen]
            if winner == UNDECIDED:
                copy(to.children[chosen], state)
                winner = play_out(setup, state, scratch, random)
            wins[at - first] += winner == player


@compiled
def child_of(tree: Tree, node: int, label: int) -> int:
    """Return the child of a node by a move, or 0."""
    child = tree.first[node]
    while child and tree.labels[child] != label:
        child = tree.following[child]
    return int(child)


@compiled
def choose(tree: Tree, node: int, labels: Array, width: float, random: Array) -> int:
    """Return the place of the move to try: an untried one at random, else by UCB1."""
    untried, chosen, best = 0, 0, -1.0
    for at in range(len(labels)):
        child = child_of(tree, node, labels[at])
        if not child:
            untried += 1
            if below(random, untried) == 0:
                chosen = at
            continue
        tree.legal[child] += 1
        if untried:
            continue
        visits = tree.visits[child]
        own = tree.wins[child] / visits + width * np.sqrt(np.log(tree.legal[child]) / visits)
        if own > best:
            best, chosen = own, at
    return chosen


@compiled
def step(tree: Tree, labels: Array, mover: int, width: float, random: Array) -> tuple[int, bool]:
    """Choose a move, and append its node to the path; return its place and if the node is new."""
    node = tree.path[tree.path[0]]
    chosen = choose(tree, node, labels, width, random)
    child = child_of(tree, node, labels[chosen])
    fresh = not child
    if fresh:
        child = tree.size[0]
        tree.size[0] += 1
        tree.labels[child], tree.movers[child], tree.legal[child] = labels[chosen], mover, 1
        tree.following[child] = tree.first[node]
        tree.first[node] = child
    tree.path[0] += 1
    tree.path[tree.path[0]] = child
    return chosen, fresh


@compiled
def descend(
    setup: Setup, tree: Tree, scratch: Scratch, drawn: bool, width: float, random: Array
) -> int:
    """Go down the tree from a deal, add a node, and play out; return the winner."""
    state, to = scratch.state, scratch.outer
    tree.path[0], tree.path[1] = 1, 0
    while True:
        player = state[setup.words + PLAYER]
        copy(state, scratch.changing)
        size = moves(setup, scratch.changing, to)
        first, end = options(to.labels, size, drawn)
        last = end - 1
        card = to.labels[last]
        draws = not drawn and card >= DRAWN
        if draws:
            to.labels[last] = DRAW
        chosen, fresh = step(tree, to.labels[first:end], player, width, random)
        chosen += first
        to.labels[last] = card
        if draws and chosen == last:
            if fresh:
                chosen = judged(setup, state, to.labels, last, size, random)
            else:
                chosen, fresh = step(tree, to.labels[last:size], player, width, random)
                chosen += last
        drawn = False
        if to.winners[chosen] != UNDECIDED:
            return int(to.winners[chosen])
        copy(to.children[chosen], state)
        if fresh or tree.path[0] > MOST_DEPTH:
            return play_out(setup, state, scratch, random)


@compiled
def search(
    setup: Setup,
    start: Array,
    unseen: Unseen,
    drawn: bool,
    scratch: Scratch,
    tree: Tree,
    width: float,
    random: Array,
    iterations: int,
) -> None:
    """Do a number of iterations of the tree search, each with a deal of its own."""
    for _ in range(iterations):
        deal(setup, start, unseen, random, scratch.state)
        winner = descend(setup, tree, scratch, drawn, width, random)
        for at in range(1, tree.path[0] + 1):
            node = tree.path[at]
            tree.visits[node] += 1
            tree.wins[node] += tree.movers[node] == winner
