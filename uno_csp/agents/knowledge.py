"""What the turns of a game tell about the hidden cards.

Each card that another player got has a *place*. A player who has to play when possible, and drew,
held no card that could be played; whoever played a +4 held none of the colour. So each place has
for each card a weight: 0 if the rules exclude it, less than 1 if a sensible player would hardly
have held it. A card that was played had one of the places of its player; later turns tell nothing
about it. The possible deals are the perfect matchings of places and cards, each as likely as the
product of its weights. After a reshuffle, cards that were seen before are taken for any others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from uno_csp.agents.views import Event, View
from uno_csp.open_game.deck import DRAW_FOUR, WILD
from uno_csp.open_game.moves import NO_SYMBOL
from uno_csp.open_game.rules import Drawn, LastCard, PlusFour, Rules

KINDS = 54

UNLIKELY = 0.25  # weight of a card that a sensible player would have played, but did not

Weights = NDArray[np.float64]


@lru_cache(maxsize=256)
def matching(colour: int, symbol: int, wild: bool = True) -> NDArray[np.bool_]:
    """Return which kinds match a colour or a symbol; the array is not to be changed."""
    kinds = np.arange(KINDS)
    coloured = (kinds // 13 == colour) | (kinds % 13 == symbol)
    return np.where(kinds < WILD, coloured, wild)


@dataclass(slots=True)
class Places:
    """The places of the cards that other players got, and of the cards that they played.

    ``owners`` has the player of each place and ``weights`` its weights of each kind of a card that
    is still hidden; ``played`` has the kinds of the cards that were played, and ``columns`` for
    each of them the weights that the places had at that time.
    """

    rules: Rules
    own: int
    unlikely: float
    counts: list[int]
    owners: list[int] = field(default_factory=list)
    weights: list[Weights] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    columns: list[list[float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        dealt, self.counts = self.counts, [0] * len(self.counts)
        for player, count in enumerate(dealt):
            self._add(player, count)

    def see(self, event: Event) -> None:
        """Change the places by a turn."""
        player, move = event.before.player, event.move
        if player != self.own:
            drawn = 0 if event.before.pending else move.drawn
            held = self._held(player)
            if not event.before.pending:
                self._learn(event, held)
                self._learn_of_plus_four(event, held)
            self._add(player, drawn - (drawn > 0 and move.kind is not None))
            if drawn:
                self._learn_of_drawn(event, self._held(player)[len(held) :])
            elif move.kind is not None:
                self._lay(player, move.kind)
        for other, count in enumerate(event.after):
            self._add(other, count - self.counts[other])

    def _held(self, player: int) -> list[Weights]:
        return [
            row for row, owner in zip(self.weights, self.owners, strict=True) if owner == player
        ]

    def _add(self, player: int, count: int) -> None:
        if player != self.own:
            self.counts[player] += count
            self.owners += [player] * count
            self.weights += [np.ones(KINDS) for _ in range(count)]

    def _lay(self, player: int, kind: int) -> None:
        """Note a card that is played: it had one of the places that its player has so far."""
        self.played.append(kind)
        pairs = zip(self.weights, self.owners, strict=True)
        self.columns.append([row[kind] if owner == player else 0.0 for row, owner in pairs])
        self.counts[player] -= 1

    def _learn(self, event: Event, held: Sequence[Weights]) -> None:
        before, move = event.before, event.move
        alone = self.rules.last_card is LastCard.NUMBER and self.counts[before.player] == 1
        if move.kind is None or move.drawn:
            factor = 0.0 if self.rules.must_play else self.unlikely
            if not alone:
                _weigh(held, matching(before.colour, before.symbol), factor)
        elif move.kind >= WILD:
            plain = matching(before.colour, before.symbol, wild=False)
            _weigh(held, plain, self.unlikely)

    def _learn_of_plus_four(self, event: Event, held: Sequence[Weights]) -> None:
        """Weigh the cards that were held when a +4 was played."""
        before, kinds = event.before, np.arange(KINDS)
        if event.move.kind != DRAW_FOUR:
            return
        if self.rules.plus_four is PlusFour.RESTRICTED:
            _weigh(held, (kinds // 13 == before.colour) & (kinds < WILD), 0.0)
        if self.rules.plus_four is PlusFour.LAST_RESORT:
            others = matching(before.colour, before.symbol) & (kinds != DRAW_FOUR)
            _weigh(held, others, 0.0)

    def _learn_of_drawn(self, event: Event, drawn: Sequence[Weights]) -> None:
        """Weigh the drawn cards that were kept: all but the last could not be played."""
        before = event.before
        kept = event.move.kind is None
        symbol = NO_SYMBOL if self.rules.drawn_by_colour else before.symbol
        plain = matching(before.colour, symbol, wild=False).copy()
        plain[WILD] = True
        plain[DRAW_FOUR] = self.rules.plus_four is PlusFour.FREE
        may_be_last = kept and not (
            self.rules.play_drawn is Drawn.MUST and self.counts[before.player] > 1
        )
        _weigh(drawn[:-1] if may_be_last else drawn, plain, 0.0)


def _weigh(places: Sequence[Weights], kinds: NDArray[np.bool_], factor: float) -> None:
    for place in places:
        place[kinds] *= factor


def places_of(view: View, unlikely: float = UNLIKELY) -> Places:
    """Return the places of the other hands, by the turns so far."""
    counts = view.events[0].counts if view.events else view.counts
    places = Places(view.rules, view.position.player, unlikely, list(counts))
    for event in view.events:
        places.see(event)
    return places


def weights_of(places: Places, hidden: Sequence[int]) -> Weights:
    """Return the weights of each place for the cards played, and then for the hidden ones."""
    size = len(places.owners)
    columns = [[*column, *[0.0] * (size - len(column))] for column in places.columns]
    played = np.array(columns, dtype=np.float64).reshape(-1, size).T
    rows = np.array(places.weights, dtype=np.float64).reshape(size, KINDS)
    return np.hstack([played, rows[:, list(hidden)]])


def likely_order(weights: Weights, played: int) -> list[int] | None:
    """Return an arrangement of the cards that the weights allow; None if there is none.

    It has the card in each place, and after them those in the draw pile.
    """
    places, cards = weights.shape
    if not played and weights.all():
        return list(range(cards))
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    allowed = np.ones((cards, cards), dtype=np.bool_)
    allowed[:places] = weights > 0
    allowed[places:, :played] = False
    found = maximum_bipartite_matching(csr_array(allowed), perm_type="column")
    return None if (found < 0).any() else [int(card) for card in found]
