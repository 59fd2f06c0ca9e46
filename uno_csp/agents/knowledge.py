"""What the turns of a game tell about the hidden cards.

Each card that another player got has a *place*. A player who has to play when possible, and drew,
held no card that could be played; whoever played a +4 held none of the colour. So each place has
for each card a weight: 0 if the rules exclude it, less than 1 if a sensible player would hardly
have held it. A card that was played had one of the places of its player; later turns tell nothing
about it. The possible deals are the perfect matchings of places and cards, each as likely as the
product of its weights. After a reshuffle, cards that were seen before are taken for any others.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from uno_csp.agents.matching import perfect_matching
from uno_csp.agents.views import Event, View
from uno_csp.open_game.deck import DRAW_FOUR, WILD
from uno_csp.open_game.moves import NO_SYMBOL
from uno_csp.open_game.rules import Draw, Drawn, LastCard, PlusFour, Rules

KINDS = 54

UNLIKELY = 0.25  # weight of a card that a sensible player would have played, but did not

Weights = NDArray[np.float64]


@lru_cache(maxsize=256)
def matching(colour: int, symbol: int, wild: bool = True) -> NDArray[np.bool_]:
    """Return which kinds match a colour or a symbol; the array is not to be changed."""
    kinds = np.arange(KINDS)
    coloured = (kinds // 13 == colour) | (kinds % 13 == symbol)
    return np.where(kinds < WILD, coloured, wild)


def fours_fit(rules: Rules) -> bool:
    """Return True if every +4 that is drawn can be played at once.

    Whoever must play if possible, and draws, has no card that forbids it; but a single action card
    that may not be the last one does, or a drawn one that matches by its symbol alone.
    """
    if rules.plus_four is PlusFour.FREE:
        return True
    single = rules.last_card is LastCard.NUMBER
    drawn = rules.drawn_by_colour and rules.draw is Draw.UNTIL_PLAYABLE
    return rules.must_play and not single and not drawn


class Places:
    """The places of the cards that other players got, and of the cards that they played.

    ``owners`` has the player of each place and ``weights`` its weights of each kind of a card that
    is still hidden; ``played`` has the kinds of the cards that were played, and ``columns`` for
    each of them the weights that the places had at that time, 0 for places that came later.
    """

    def __init__(self, rules: Rules, own: int, unlikely: float, counts: Sequence[int]) -> None:
        self.rules, self.own, self.unlikely = rules, own, unlikely
        self.counts = [0] * len(counts)
        self.owners: list[int] = []
        self.played: list[int] = []
        self._held: list[list[int]] = [[] for _ in counts]  # the places of each player
        self._weights: Weights = np.ones((sum(counts), KINDS))
        self._columns: Weights = np.zeros((KINDS, sum(counts)))
        for player, count in enumerate(counts):
            self._add(player, count)

    @property
    def weights(self) -> Weights:
        """The weights of each place and kind; not to be changed."""
        return self._weights[: len(self.owners)]

    @property
    def columns(self) -> Weights:
        """The weights of each card that was played and each place; not to be changed."""
        return self._columns[: len(self.played), : len(self.owners)]

    def see(self, event: Event) -> None:
        """Change the places by a turn."""
        player, move = event.before.player, event.move
        if player != self.own:
            drawn = 0 if event.before.pending else move.drawn
            held = self._held[player][:]
            if not event.before.pending:
                self._learn(event, held)
                self._learn_of_plus_four(event, held)
            self._add(player, drawn - (drawn > 0 and move.kind is not None))
            if drawn:
                self._learn_of_drawn(event, self._held[player][len(held) :])
            elif move.kind is not None:
                self._lay(player, move.kind)
        for other, count in enumerate(event.after):
            if count != self.counts[other]:
                self._add(other, count - self.counts[other])

    def _add(self, player: int, count: int) -> None:
        if player == self.own:
            return
        self.counts[player] += count
        size = len(self.owners)
        self.owners += [player] * count
        self._held[player] += range(size, len(self.owners))
        lacking = len(self.owners) - len(self._weights)
        if lacking > 0:
            more = max(lacking, size)
            self._weights = np.vstack([self._weights, np.ones((more, KINDS))])
            self._columns = np.hstack([self._columns, np.zeros((len(self._columns), more))])

    def _lay(self, player: int, kind: int) -> None:
        """Note a card that is played: it had one of the places that its player has so far."""
        if len(self.played) == len(self._columns):
            self._columns = np.vstack([self._columns, np.zeros_like(self._columns)])
        held = self._held[player]
        self._columns[len(self.played), held] = self._weights[held, kind]
        self.played.append(kind)
        self.counts[player] -= 1

    def _learn(self, event: Event, held: Sequence[int]) -> None:
        before, move = event.before, event.move
        alone = self.rules.last_card is LastCard.NUMBER and self.counts[before.player] == 1
        if move.kind is None or move.drawn:
            free = move.drawn and not self.rules.must_play  # who passes could not play
            factor = self.unlikely if free else 0.0
            if not alone:
                self._weigh(held, matching(before.colour, before.symbol), factor)
        elif move.kind >= WILD:
            plain = matching(before.colour, before.symbol, wild=False)
            self._weigh(held, plain, self.unlikely)

    def _learn_of_plus_four(self, event: Event, held: Sequence[int]) -> None:
        """Weigh the cards that were held when a +4 was played."""
        if event.move.kind != DRAW_FOUR:
            return
        before, kinds = event.before, np.arange(KINDS)
        if self.rules.plus_four is PlusFour.RESTRICTED:
            self._weigh(held, (kinds // 13 == before.colour) & (kinds < WILD), 0.0)
        if self.rules.plus_four is PlusFour.LAST_RESORT:
            others = matching(before.colour, before.symbol) & (kinds != DRAW_FOUR)
            self._weigh(held, others, 0.0)

    def _learn_of_drawn(self, event: Event, drawn: Sequence[int]) -> None:
        """Weigh the drawn cards that were kept: all but the last could not be played."""
        before = event.before
        kept = event.move.kind is None
        symbol = NO_SYMBOL if self.rules.drawn_by_colour else before.symbol
        plain = matching(before.colour, symbol, wild=False).copy()
        plain[WILD] = True
        plain[DRAW_FOUR] = fours_fit(self.rules)
        may_be_last = kept and not (
            self.rules.play_drawn is Drawn.MUST and self.counts[before.player] > 1
        )
        self._weigh(drawn[:-1] if may_be_last else drawn, plain, 0.0)

    def _weigh(self, places: Sequence[int], kinds: NDArray[np.bool_], factor: float) -> None:
        if places:
            self._weights[list(places)] *= np.where(kinds, factor, 1.0)


class Knowledge:
    """The knowledge of a seat from the turns of a game; each turn is read once."""

    def __init__(self, unlikely: float = UNLIKELY) -> None:
        self._unlikely = unlikely
        self._view: View | None = None
        self._places: Places | None = None

    def places(self, view: View) -> Places:
        """Return the places of the other hands, by the turns so far; not to be changed."""
        places, last, seen = self._places, self._view, 0
        if places is None or last is None or not _continues(view, last):
            counts = view.events[0].counts if view.events else view.counts
            places = Places(view.rules, view.position.player, self._unlikely, counts)
        else:
            seen = len(last.events)
        for event in view.events[seen:]:
            places.see(event)
        self._places, self._view = places, view
        return places


def _continues(view: View, last: View) -> bool:
    """Return True if a view is one of the same seat, in the same game, as an earlier one."""
    seat = view.rules, view.position.player
    begun = bool(last.events) and view.events[: len(last.events)] == last.events
    return begun and seat == (last.rules, last.position.player)


def places_of(view: View, unlikely: float = UNLIKELY) -> Places:
    """Return the places of the other hands, by the turns so far."""
    return Knowledge(unlikely).places(view)


def weights_of(places: Places, hidden: Sequence[int]) -> Weights:
    """Return the weights of each place for the cards played, and then for the hidden ones."""
    played = len(places.played)
    found = np.empty((len(places.owners), played + len(hidden)))
    found[:, :played] = places.columns.T
    found[:, played:] = places.weights[:, list(hidden)]
    return found


def likely_order(weights: Weights, played: int) -> list[int] | None:
    """Return an arrangement of the cards that the weights allow; None if there is none.

    It has the card in each place, and after them those in the draw pile.
    """
    places, cards = weights.shape
    if not played and weights.all():
        return list(range(cards))
    packed = np.packbits(weights > 0, axis=1, bitorder="little")
    in_places = [int.from_bytes(row.tobytes(), "little") for row in packed]
    in_pile = (1 << cards) - (1 << played)
    return perfect_matching([*in_places, *[in_pile] * (cards - places)])
