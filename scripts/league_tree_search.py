"""``tree-search``: an agent for the league only, by a tree of moves that all deals share.

It is single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012):
each iteration takes another deal and goes down the tree, choosing by UCB1 among the moves that are
legal in the deal, where a move counts as often as it was legal. Deals, and the policy by which all
play on below the tree, are those of ``play-outs``, so that the two differ in the search alone.
"""

import math
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from uno_csp.agents.arrays import Arranged
from uno_csp.agents.knowledge import Knowledge
from uno_csp.agents.play_outs import DRAW, Table, below, move, place_deal, play_out
from uno_csp.agents.views import Turn, View
from uno_csp.open_game.compiling import compiled, machine_code
from uno_csp.open_game.moves import DRAWN, MOST_MOVES, UNDECIDED, Moves, moves
from uno_csp.open_game.states import PLAYER, Array, Rows, copy, zeros

WIDTH = 0.7  # the factor of the term of UCB1 that prefers what was tried less
MOST_DEPTH = 400

apart = partial(compiled, inline=False)  # else each is compiled into its callers for a minute


class Tree(NamedTuple):
    """The nodes of the tree, by their number; node 0 is the root.

    ``labels`` has the move that leads to a node, ``movers`` who made it, ``first`` its first child
    and ``following`` its next sibling (0 for none). ``path`` has its length, then its nodes, and
    ``size`` the number of nodes.
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


@apart
def child_of(tree: Tree, node: int, label: int) -> int:
    """Return the child of a node by a move, or 0."""
    child = tree.first[node]
    while child and tree.labels[child] != label:
        child = tree.following[child]
    return child


@apart
def choose(tree: Tree, node: int, labels: Array, first: int, end: int, random: Array) -> int:
    """Return the label of the move to try: an untried one at random, else by UCB1."""
    untried, chosen, best = 0, labels[first], -1.0
    for at in range(first, end):
        child = child_of(tree, node, labels[at])
        if not child:
            untried += 1
            if below(random, untried) == 0:
                chosen = labels[at]
            continue
        tree.legal[child] += 1
        visits = tree.visits[child]
        own = tree.wins[child] / visits + WIDTH * math.sqrt(math.log(tree.legal[child]) / visits)
        if not untried and own > best:
            best, chosen = own, labels[at]
    return chosen


@apart
def step(tree: Tree, label: int, mover: int) -> bool:
    """Append the node of a move to the path; return True if it is new."""
    node = tree.path[tree.path[0]]
    child = child_of(tree, node, label)
    fresh = child == 0
    if fresh:
        child = tree.size[0]
        tree.size[0] += 1
        tree.labels[child], tree.movers[child], tree.legal[child] = label, mover, 1
        tree.following[child] = tree.first[node]
        tree.first[node] = child
    tree.path[0] += 1
    tree.path[tree.path[0]] = child
    return fresh


@apart
def descend(table: Table, drawn: bool, tree: Tree, to: Moves, spare: Array, random: Array) -> int:
    """Go down the tree from the deal on the table, add a node, and play out; return the winner."""
    setup, state, left = table.setup, table.state, table.remaining
    tree.path[0], tree.path[1] = 1, 0
    fresh = False
    while not fresh and tree.path[0] < MOST_DEPTH:
        player = state[setup.words + PLAYER]
        copy(state, spare)
        size, first = moves(setup, spare, to), 0
        while first < size and to.labels[first] < DRAWN:
            first += 1
        label = DRAW
        if not drawn:
            # all moves that draw are one choice, until the card is seen
            card = to.labels[first]
            if first < size:
                to.labels[first] = DRAW
            end = min(first + 1, size)
            label = choose(tree, tree.path[tree.path[0]], to.labels, 0, end, random)
            to.labels[first] = card
            fresh = step(tree, label, player)
        if label == DRAW and not fresh:
            label = choose(tree, tree.path[tree.path[0]], to.labels, first, size, random)
            fresh = step(tree, label, player)
        drawn = False
        winner = move(setup, state, left, label)
        if winner != UNDECIDED:
            return winner
    return play_out(setup, state, left)


@apart
def search(
    table: Table,
    holders: Array,
    deals: Rows,
    drawn: bool,
    tree: Tree,
    to: Moves,
    spare: Array,
    random: Array,
) -> None:
    """Go down the tree once in each of some deals."""
    for at in range(len(deals)):
        place_deal(table, holders, deals[at])
        winner = descend(table, drawn, tree, to, spare, random)
        for place in range(1, tree.path[0] + 1):
            node = tree.path[place]
            tree.visits[node] += 1
            tree.wins[node] += tree.movers[node] == winner


def tree_of(nodes: int) -> Tree:
    """Return a tree of the root alone, with room for more nodes."""
    sizes = (*[nodes] * 7, MOST_DEPTH + 3, 1)
    tree = Tree._make(zeros(size, fast=True) for size in sizes)
    tree.size[0] = 1
    return tree


class TreeSearch:
    """Choose the move that a tree search in ``work`` random deals tried most."""

    name = "tree-search"
    about = "information set Monte Carlo tree search, with another deal each time"

    def __init__(self, *, seed: int = 0, seconds: float = math.inf, work: int = 400) -> None:
        del seconds
        self._seed, self._work, self._asked, self._known = seed, work, 0, Knowledge()

    def choose(self, view: View) -> Turn:
        """Return the choice that was tried most."""
        self._asked += 1
        once = replace(view, reshuffles=0)  # a tree has no moves with cards that may differ
        found = Arranged(once, self._seed + self._asked, self._known)
        tree = tree_of(self._work + 1)
        width = len(found.table.state)
        to = Moves(*(zeros(MOST_MOVES, *more, fast=True) for more in ((width,), (), ())))
        deals: Any = found.deal(self._work)
        holders, drawn = found.arrays.holders, bool(view.drawn)
        spare = zeros(width, fast=True)
        machine_code(search)(found.table, holders, deals, drawn, tree, to, spare, found.random)
        visits = {}
        child = int(tree.first[0])
        while child:
            visits[int(tree.labels[child])] = int(tree.visits[child])
            child = int(tree.following[child])
        best = max(range(len(found.labels)), key=lambda at: visits.get(found.labels[at], 0))
        return view.choices[best]
