"""What the turns of a game tell about the hidden cards.

Each hidden card of another hand has a *place*, with a weight for each kind: 0 if the rules exclude
that kind, less than 1 if a sensible player would hardly have held it. A player who has to play when
possible, and drew, held no card that could be played; whoever played a +4 held none of the colour.
A card that is played leaves one of the places that it may have had, chosen at random; so there are
several histories.
"""

import random
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from uno_csp.agents.views import Event, View
from uno_csp.open_game.deck import DRAW_FOUR, WILD
from uno_csp.open_game.positions import NO_SYMBOL, Position
from uno_csp.open_game.rules import Drawn, LastCard, PlusFour, Rules

KINDS = 54

HISTORIES = 32
"""Number of histories that are drawn."""

UNLIKELY = 0.25
"""Weight of a card that a sensible player would have played, but did not."""


class Beliefs(StrEnum):
    """What is used of the turns: nothing, what the rules exclude, or also what is unlikely."""

    NOTHING = "nothing"
    CERTAIN = "certain"
    LIKELY = "likely"


Weights = NDArray[np.float64]


def matching(position: Position, wild: bool = True) -> NDArray[np.bool_]:
    """Return which kinds match the pile."""
    kinds = np.arange(KINDS)
    coloured = (kinds // 13 == position.colour) | (kinds % 13 == position.symbol)
    return np.where(kinds < WILD, coloured, wild)


@dataclass(slots=True)
class _History:
    """The places of the hidden cards in other hands, as the turns go on."""

    rules: Rules
    own: int
    beliefs: Beliefs
    rng: random.Random
    places: dict[int, list[Weights]] = field(default_factory=dict)

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
        """Weigh the cards that were held before the turn."""
        before, move = event.before, event.move
        held = self.places[before.player]
        alone = self.rules.last_card is LastCard.NUMBER and len(held) == 1
        if move.kind is None or move.drawn:
            factor = 0.0 if self.rules.must_play else UNLIKELY
            if not alone:
                self._weigh(held, matching(before), factor)
            return
        if move.kind == DRAW_FOUR and self.rules.plus_four is PlusFour.RESTRICTED:
            own = np.arange(KINDS) // 13 == before.colour
            self._weigh(held, own & (np.arange(KINDS) < WILD), 0.0)
        if move.kind == DRAW_FOUR and self.rules.plus_four is PlusFour.LAST_RESORT:
            self._weigh(held, matching(before) & (np.arange(KINDS) != DRAW_FOUR), 0.0)
        if move.kind >= WILD:
            self._weigh(held, matching(before, wild=False), UNLIKELY)

    def _learn_of_drawn(self, event: Event) -> None:
        """Weigh the cards drawn in a turn: all but the last could not be played."""
        before, move = event.before, event.move
        drawn = self.places[before.player][-move.drawn :]
        kept = move.kind is None
        must = self.rules.must_play and self.rules.play_drawn is Drawn.MUST
        symbol = NO_SYMBOL if self.rules.drawn_by_colour else before.symbol
        plain = matching(before._replace(symbol=symbol), wild=False)
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
        likely = [float(place[kind]) for place in places]
        if drawn or not places:
            at = len(places) - 1
        elif sum(likely):
            at = self.rng.choices(range(len(places)), likely)[0]
        else:
            at = self.rng.randrange(len(places))
        if at >= 0:
            del places[at]


def histories(
    view: View, beliefs: Beliefs, rng: random.Random
) -> tuple[NDArray[np.int64], Weights]:
    """Return players and weights of the hidden cards in other hands, for several histories.

    The shapes are (histories, cards) and (histories, cards, kinds). The cards that can be fewest
    kinds come first.
    """
    own = view.position.player
    events = view.events if beliefs is not Beliefs.NOTHING else ()
    count = HISTORIES if events else 1
    owners, weights = [], []
    for _ in range(count):
        history = _History(view.rules, own, beliefs, rng)
        history.begin(events[0].counts if events else view.counts)
        for event in events:
            history.see(event)
        found = [(player, place) for player, held in history.places.items() for place in held]
        found.sort(key=lambda each: float(each[1].sum()))
        owners.append([player for player, _ in found])
        weights.append([place for _, place in found])
    places = len(owners[0])
    return (
        np.array(owners, dtype=np.int64).reshape(count, places),
        np.array(weights, dtype=np.float64).reshape(count, places, KINDS),
    )
