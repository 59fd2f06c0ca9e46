"""Uncooperative play by exact search, for any number of players and either convention.

Depth-first search over positions with memory. A position is who is to move, which of their cards
they may play, and what everybody holds: the last card itself makes no difference beyond that.
Cards of one hand that match the same cards of the hands before and after it are interchangeable, so
positions count them by kind. Moves that leave the next player the fewest answers are tried first.

With three or more players all the others play against player 1, who is to avoid being the first
loser. The search gives up when it holds too many positions.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from uno_csp.answers import Status, Witness
from uno_csp.cards import Card, matches, neighbours
from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import Convention, Uncooperative

MAX_POSITIONS = 4_000_000
"""The search gives up rather than remember more positions; each takes some 200 bytes."""

MAX_STRATEGY = 1000
"""A strategy of more positions is not written out."""

_Key: TypeAlias = tuple[int, int, int]
"""The player to move, the kinds they may play (a bit for each), and what is held."""
_Laid: TypeAlias = tuple[int, Card] | None
"""The card on the pile, and whose it was."""
_State: TypeAlias = tuple[int, _Laid, tuple[tuple[tuple[Card, int], ...], ...]]
"""The player to move, the card on the pile, and what is held, card by card in the order dealt.

A set would put them in an order that changes from one process to the next, and the strategy too.
"""


class GameSearch(Algorithm[Uncooperative]):
    """Uncooperative play by search with memory."""

    name = "game-search"
    takes = (Uncooperative,)
    preference = 2

    def run(self, instance: Uncooperative) -> Finding:
        """Who wins, with a strategy if it is short."""
        game = _Game(instance)
        wins = game.search()
        stats = {"positions": len(game.known)}
        if wins is None:
            reason = f"more than {MAX_POSITIONS} positions; the search gave up"
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        status = Status.SATISFIABLE if wins else Status.UNSATISFIABLE
        strategy = _strategy(game, wins)
        return Finding(
            status, None if strategy is None else Witness(strategy=strategy), stats=stats
        )


class _Game:
    """The rules on kinds of cards, and what is known of positions.

    Kind c is held ``held >> shift[c] & mask`` times. ``follow[c]`` are the kinds of the next player
    that may be laid on kind c, and ``own[q]`` all kinds of player q, players being counted from 0.
    ``opens`` are the kinds of player 1 that match the card on the pile.
    """

    def __init__(self, instance: Uncooperative) -> None:
        self.instance = instance
        self.players = len(instance.hands)
        self.first_empty_wins = instance.convention is Convention.EMPTY_HAND_WINS
        self.known: dict[_Key, bool] = {}
        self._number_kinds()
        bits = max(len(instance.cards), 1).bit_length()
        self.mask = (1 << bits) - 1
        self.shift = [bits * kind for kind in range(len(self.sizes))]
        self.start = sum(n << s for n, s in zip(self.sizes, self.shift, strict=True))

    def _number_kinds(self) -> None:
        hands = self.instance.hands
        cards = self.instance.cards
        owner = [q for q, hand in enumerate(hands) for _ in hand]
        near = neighbours(cards, self.instance.at_least)
        profiles: dict[Any, int] = {}
        self.kind_of: dict[tuple[int, Card], int] = {}
        self.sizes: list[int] = []
        members: list[int] = []
        for i, card in enumerate(cards):
            beside = {(owner[i] + 1) % self.players, (owner[i] - 1) % self.players}
            opens = owner[i] == 0 and self._may_open(card)
            profile = (owner[i], opens, tuple(j for j in near[i] if owner[j] in beside))
            kind = profiles.setdefault(profile, len(profiles))
            if kind == len(self.sizes):
                self.sizes.append(0)
                members.append(i)
            self.sizes[kind] += 1
            self.kind_of[owner[i], card] = kind
        self.own = [0] * self.players
        self.opens = 0
        for kind, i in enumerate(members):
            self.own[owner[i]] |= 1 << kind
            if owner[i] == 0 and self._may_open(cards[i]):
                self.opens |= 1 << kind
        self.follow = []
        for i in members:
            after = (owner[i] + 1) % self.players
            kinds = {self.kind_of[after, cards[j]] for j in near[i] if owner[j] == after}
            self.follow.append(sum(1 << kind for kind in kinds))

    def _may_open(self, card: Card) -> bool:
        pile = self.instance.after
        return pile is None or matches(pile, card, self.instance.at_least)

    def available(self, held: int) -> int:
        """The kinds that somebody still holds."""
        return sum(1 << kind for kind, shift in enumerate(self.shift) if held >> shift & self.mask)

    def key(self, player: int, last: int | None, held: int) -> _Key:
        """The position after a card of kind ``last``; None at the start."""
        near = self.opens if last is None else self.follow[last] & self.own[player]
        return player, near & self.available(held), held

    def moves(self, key: _Key) -> list[tuple[int, _Key | bool]]:
        """The kinds that may be played, with the next position or, at the end, its value.

        The most promising move comes last.
        """
        player, options, held = key
        following = (player + 1) % self.players
        found: list[tuple[int, _Key | bool]] = []
        while options:
            kind = (options & -options).bit_length() - 1
            options &= options - 1
            left = held - (1 << self.shift[kind])
            if self.first_empty_wins and not self.own[player] & self.available(left):
                found.append((kind, player == 0))
            else:
                found.append((kind, self.key(following, kind, left)))
        found.sort(key=_answers_left, reverse=True)
        return found

    def value(self, position: _Key | bool) -> bool | None:
        """Whether player 1 does not lose from here, if that is known or plain."""
        if isinstance(position, bool):
            return position
        if not position[1]:
            return position[0] != 0
        return self.known.get(position)

    def search(self) -> bool | None:
        """Whether player 1 can avoid to be the first loser; None if the search gave up."""
        root = self.key(0, None, self.start)
        plain = self.value(root)
        if plain is not None:
            return plain
        stack = [(root, self.moves(root))]
        while stack:
            position, moves = stack[-1]
            wanted = position[0] == 0
            value: bool | None = not wanted
            while moves and value is not wanted:
                following = moves[-1][1]
                value = self.value(following)
                if value is None:
                    assert not isinstance(following, bool)  # noqa: S101
                    stack.append((following, self.moves(following)))
                    break
                moves.pop()
            if value is not None:
                self.known[position] = value
                stack.pop()
            if len(self.known) > MAX_POSITIONS:
                return None
        return self.known[root]


def _answers_left(move: tuple[int, _Key | bool]) -> int:
    following = move[1]
    return -1 if isinstance(following, bool) else following[1].bit_count()


def _strategy(game: _Game, wins: bool) -> dict[str, Any] | None:
    """The winning side's move in every position that can come up; None if they are too many."""
    players = range(game.players)
    winners = {0} if wins else set(players) - {0}
    hands = tuple(Counter(hand) for hand in game.instance.hands)
    pile = game.instance.after
    start: _State = (0, None, _frozen(hands))
    waiting, seen, positions = [start], {start}, list[dict[str, Any]]()
    opening: Card | None = None
    while waiting:
        player, last, held_cards = waiting.pop()
        hands = tuple(Counter(dict(hand)) for hand in held_cards)
        key = _key_of(game, player, last, hands)
        options = {
            card: following
            for kind, following in game.moves(key)
            for card, count in hands[player].items()
            if count > 0 and game.kind_of[player, card] == kind
        }
        if player in winners:
            good = [card for card, following in options.items() if game.value(following) == wins]
            if not good:
                continue  # the game is over: a member of the coalition follows who lost already
            options = {good[0]: options[good[0]]}
            opening = opening or good[0]
            positions.append(_written(player, last[1] if last else pile, hands, good[0]))
        if len(positions) > MAX_STRATEGY:
            return {"kind": "opening", "open": list(opening)} if wins and opening else None
        for card, following in options.items():
            if isinstance(following, bool):
                continue
            left = tuple(
                hand - Counter([card]) if q == player else hand for q, hand in enumerate(hands)
            )
            state: _State = ((player + 1) % game.players, (player, card), _frozen(left))
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return {"kind": "positions", "positions": positions}


def _key_of(game: _Game, player: int, last: _Laid, hands: Sequence[Counter[Card]]) -> _Key:
    held = sum(
        count << game.shift[game.kind_of[q, card]]
        for q, hand in enumerate(hands)
        for card, count in hand.items()
    )
    return game.key(player, None if last is None else game.kind_of[last], held)


def _written(
    player: int, last: Card | None, hands: Sequence[Counter[Card]], play: Card
) -> dict[str, Any]:
    return {
        "player": player + 1,
        "last": None if last is None else list(last),
        "hands": [[list(card) for card in sorted(hand.elements(), key=repr)] for hand in hands],
        "play": list(play),
    }


def _frozen(hands: Sequence[Counter[Card]]) -> tuple[tuple[tuple[Card, int], ...], ...]:
    return tuple(tuple(hand.items()) for hand in hands)


ALGORITHM = GameSearch()
