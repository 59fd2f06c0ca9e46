"""What the turns of a game tell about the hidden cards.

Each hidden card of another hand has a *place*, with a weight for each kind: 0 if the rules exclude
that kind, less than 1 if a sensible player would hardly have held it. A player who has to play when
possible, and drew, held no card that could be played; whoever played a +4 held none of the colour.
A card that is played leaves one of the places that it may have had, chosen at random; so there are
several histories. One that no deal of the hidden cards fits is dropped. After a reshuffle, cards
that were seen before are taken for any others.
"""

import random
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from uno_csp.agents.views import Event, View
from uno_csp.open_game.deck import DRAW_FOUR, WILD
from uno_csp.open_game.positions import NO_SYMBOL
from uno_csp.open_game.rules import Drawn, LastCard, PlusFour, Rules

KINDS = 54

HISTORIES = 32  # number of histories that are wanted
TRIES = 3 * HISTORIES  # maximum number of histories that are drawn, because some fit no deal
UNLIKELY = 0.25  # weight of a card that a sensible player would have played, but did not
LEAST = 1e-9  # A weight below which a place can have no card


class Beliefs(StrEnum):
    """What is used of the turns: nothing, what the rules exclude, or also what is unlikely."""

    NOTHING = "nothing"
    CERTAIN = "certain"
    LIKELY = "likely"


Weights = NDArray[np.float64]

_Places: TypeAlias = "list[tuple[int, Weights]]"
"""The hidden cards in other hands: the player of each, and its weights."""


@lru_cache(maxsize=256)
def matching(colour: int, symbol: int, wild: bool = True) -> NDArray[np.bool_]:
    """Return which kinds match a colour or a symbol; the array is not to be changed."""
    kinds = np.arange(KINDS)
    coloured = (kinds // 13 == colour) | (kinds % 13 == symbol)
    return np.where(kinds < WILD, coloured, wild)


@dataclass(slots=True)
class _History:
    """The places of the hidden cards in other hands, as the turns go on."""

    rules: Rules
    own: int
    beliefs: Beliefs
    rng: random.Random
    places: dict[int, list[Weights]] = field(default_factory=dict)
    refuted: bool = False  # true if a card was played that had no place

    def begin(self, counts: tuple[int, ...]) -> None:
        """Give each hidden card a place, of any kind."""
        for player, count in enumerate(counts):
            if player != self.own:
                self.places[player] = [np.ones(KINDS) for _ in range(count)]

    def see(self, event: Event) -> None:
        """Change the places by a turn."""
        player, move = event.before.player, event.move
        drawn = 0
        if player != self.own:
            if not event.before.pending:
                self._learn(event)
                drawn = move.drawn
            self._learn_of_plus_four(event)
            self._add(player, drawn)
            if drawn:
                self._learn_of_drawn(event)
            if move.kind is not None:
                self._lay(player, move.kind, bool(drawn))
        for other, places in self.places.items():
            self._add(other, event.after[other] - len(places))

    def _add(self, player: int, count: int) -> None:
        self.places[player] += [np.ones(KINDS) for _ in range(count)]

    def _learn(self, event: Event) -> None:
        before, move = event.before, event.move
        held = self.places[before.player]
        alone = self.rules.last_card is LastCard.NUMBER and len(held) == 1
        if move.kind is None or move.drawn:
            factor = 0.0 if self.rules.must_play else UNLIKELY
            if not alone:
                self._weigh(held, matching(before.colour, before.symbol), factor)
            return
        if move.kind >= WILD:
            self._weigh(held, matching(before.colour, before.symbol, wild=False), UNLIKELY)

    def _learn_of_plus_four(self, event: Event) -> None:
        """Weigh the cards that were held when a +4 was played, unless it answers another card."""
        before, kinds = event.before, np.arange(KINDS)
        if event.move.kind != DRAW_FOUR or before.pending:
            return
        held = self.places[before.player]
        if self.rules.plus_four is PlusFour.RESTRICTED:
            self._weigh(held, (kinds // 13 == before.colour) & (kinds < WILD), 0.0)
        if self.rules.plus_four is PlusFour.LAST_RESORT:
            others = matching(before.colour, before.symbol) & (kinds != DRAW_FOUR)
            self._weigh(held, others, 0.0)

    def _learn_of_drawn(self, event: Event) -> None:
        """Weigh the cards drawn in a turn: all but the last could not be played."""
        before, move = event.before, event.move
        drawn = self.places[before.player][-move.drawn :]
        kept = move.kind is None
        must = self.rules.play_drawn is Drawn.MUST
        symbol = NO_SYMBOL if self.rules.drawn_by_colour else before.symbol
        plain = matching(before.colour, symbol, wild=False).copy()
        plain[WILD] = True
        plain[DRAW_FOUR] = self.rules.plus_four is PlusFour.FREE
        self._weigh(drawn[:-1], plain, 0.0)
        if kept and must and len(self.places[before.player]) > 1:
            self._weigh(drawn[-1:], plain, 0.0)

    def _weigh(self, places: list[Weights], kinds: NDArray[np.bool_], factor: float) -> None:
        used = self.beliefs is Beliefs.LIKELY or (self.beliefs is Beliefs.CERTAIN and not factor)
        if used:
            for place in places:
                place[kinds] *= factor

    def _lay(self, player: int, kind: int, drawn: bool) -> None:
        """Take away the place of a card that is played."""
        places = self.places[player]
        if not places:
            return
        weights = np.array(places)
        likely = weights[:, kind] / np.maximum(weights.sum(axis=1), LEAST)
        at = len(places) - 1
        if not drawn:
            chances = likely.tolist() if likely.any() else None
            at = self.rng.choices(range(len(places)), chances)[0]
        self.refuted |= not likely[at]
        del places[at]


def histories(
    view: View, beliefs: Beliefs, rng: random.Random
) -> tuple[NDArray[np.int64], Weights]:
    """Return players and weights of the hidden cards, for several histories of the turns.

    The shapes are (histories, cards) and (histories, cards, kinds); cards that can be fewest kinds
    come first. If no history fits any deal, some that do not are returned.
    """
    events = view.events if beliefs is not Beliefs.NOTHING else ()
    hidden = view.hidden
    fitting, others = list[_Places](), list[_Places]()
    for _ in range(TRIES if events else 1):
        history = _History(view.rules, view.position.player, beliefs, rng)
        history.begin(events[0].counts if events else view.counts)
        for event in events:
            history.see(event)
        found = [(player, place) for player, held in history.places.items() for place in held]
        found.sort(key=lambda each: float(each[1].sum()))
        fits = not events or (not history.refuted and _fits(found, hidden))
        (fitting if fits else others).append(found)
        if len(fitting) == HISTORIES:
            break
    kept = (fitting or others)[:HISTORIES]
    count, places = len(kept), len(kept[0])
    owners = [[player for player, _ in each] for each in kept]
    weights = [[place for _, place in each] for each in kept]
    return (
        np.array(owners, dtype=np.int64).reshape(count, places),
        np.array(weights, dtype=np.float64).reshape(count, places, KINDS),
    )


def _fits(places: _Places, hidden: list[int]) -> bool:
    """Return True if every place can have one of the hidden cards."""
    left = np.bincount(hidden, minlength=KINDS)
    for _, place in places:  # taking the most frequent kind mostly succeeds
        kinds = left * (place > 0)
        kind = kinds.argmax()
        if not kinds[kind]:
            break
        left[kind] -= 1
    else:
        return True
    allowed = np.array([place for _, place in places]).reshape(-1, KINDS)[:, hidden] > 0
    found = maximum_bipartite_matching(csr_array(allowed), perm_type="column")
    return bool((found >= 0).all())
