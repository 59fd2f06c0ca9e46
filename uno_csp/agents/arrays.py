"""A view as arrays for the compiled play-outs and searches."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from uno_csp.agents.compiled import (
    DRAW,
    MOST_DEPTH,
    Scratch,
    Tree,
    Unseen,
    compare,
    deal,
    options,
    search,
)
from uno_csp.agents.knowledge import Beliefs, histories
from uno_csp.agents.views import View
from uno_csp.open_game.compiled_moves import (
    DRAWN,
    KINDS,
    MOST_MOVES,
    Array,
    Moves,
    Setup,
    held,
    moves,
    setup_of,
    state_of,
)
from uno_csp.open_game.deck import ONE
from uno_csp.open_game.positions import Game, Position

WIDTH = 0.7  # how much the tree search prefers what was tried less: the factor of the term of UCB1


@dataclass(frozen=True, slots=True)
class Arranged:
    """A view as arrays: the choices, how often each was tried, and how often the player won."""

    view: View
    setup: Setup
    start: Array
    unseen: Unseen
    drawn: bool
    scratch: Scratch
    random: Array
    labels: tuple[int, ...]
    tried: Array
    wins: Array

    def compare(self, deals: int) -> int:
        """Play out every choice once in each of a number of random deals; return this number."""
        compare(
            self.setup,
            self.start,
            self.unseen,
            self.drawn,
            self.scratch,
            self.wins,
            self.random,
            deals,
        )
        self.tried[:] += deals
        return deals

    def search(self, tree: Tree, iterations: int) -> int:
        """Do a number of iterations of the tree search; the counts are of the whole tree."""
        search(
            self.setup,
            self.start,
            self.unseen,
            self.drawn,
            self.scratch,
            tree,
            WIDTH,
            self.random,
            iterations,
        )
        child = int(tree.first[0])
        while child:
            at = self.labels.index(int(tree.labels[child]))
            self.tried[at], self.wins[at] = tree.visits[child], tree.wins[child]
            child = int(tree.following[child])
        return iterations

    def deal(self) -> tuple[Game, Position]:
        """Return a random deal as a game and a position in it."""
        state = self.scratch.state
        deal(self.setup, self.start, self.unseen, self.random, state)
        hands = tuple(
            sum(held(self.setup, state, player, kind) * ONE[kind] for kind in range(KINDS))
            for player in range(self.setup.players)
        )
        rules = replace(self.view.rules, reshuffles=0)
        game = Game(rules, self.setup.draw.tolist(), self.setup.players)
        return game, self.view.position._replace(hands=hands)


def arranged(view: View, beliefs: Beliefs, seed: int) -> Arranged:
    """Return a view as arrays; the random seed is that of the deals."""
    rng = random.Random(seed)
    position, players = view.position, len(view.counts)
    game = Game(view.rules, view.unseen, players)
    setup = setup_of(game, {position.player}, position)
    setup = setup._replace(draw=np.zeros(view.pile, dtype=np.int64))
    hidden = view.hidden
    rng.shuffle(hidden)
    unseen = Unseen(
        np.array(hidden, dtype=np.int64),
        np.array(view.drawn, dtype=np.int64),
        *histories(view, beliefs, rng),
    )
    start = state_of(setup, position)
    scratch = scratch_for(len(start))
    drawn = bool(view.drawn)
    setup.draw[: len(view.drawn)] = view.drawn
    size = moves(setup, start.copy(), scratch.outer)
    first, end = options(scratch.outer.labels, size, drawn)
    labels = scratch.outer.labels[first:end].tolist()
    if not drawn and labels[-1] >= DRAWN:
        labels[-1] = DRAW
    return Arranged(
        view=view,
        setup=setup,
        start=start,
        unseen=unseen,
        drawn=drawn,
        scratch=scratch,
        random=np.array([rng.getrandbits(62)], dtype=np.int64),
        labels=tuple(labels),
        tried=np.zeros(len(labels), dtype=np.int64),
        wins=np.zeros(len(labels), dtype=np.int64),
    )


def empty_tree(iterations: int) -> Tree:
    """Return a tree with space for a number of iterations."""
    size = iterations + 2
    zeros: Mapping[str, Array] = {
        name: np.zeros(size, dtype=np.int64)
        for name in ("labels", "movers", "first", "following", "visits", "wins", "legal")
    }
    return Tree(
        **zeros, path=np.zeros(MOST_DEPTH + 5, dtype=np.int64), size=np.ones(1, dtype=np.int64)
    )


def scratch_for(length: int) -> Scratch:
    """Return arrays to work in, for states of a length."""

    def found() -> Moves:
        return Moves(
            np.zeros((MOST_MOVES, length), dtype=np.int64),
            np.zeros(MOST_MOVES, dtype=np.int64),
            np.zeros(MOST_MOVES, dtype=np.int64),
        )

    state, changing = np.zeros((2, length), dtype=np.int64)
    return Scratch(state, changing, found(), found())
