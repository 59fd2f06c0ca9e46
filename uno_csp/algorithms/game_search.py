"""Uncooperative play by exact search, for any number of players and either convention.

Depth-first search over positions with a transposition table. A position consists of the player to
move, the cards they may play, and all hands: the last card matters only through the cards that may
be played. Cards of one hand that match the same cards of the previous and the next player's hands
are interchangeable, so positions count them by kind. Moves that leave the next player the fewest
answers are tried first.

With three or more players, all others form a coalition against player 1, who has to avoid being the
first loser. The search gives up when the table is full.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from uno_csp.modeling import Algorithm, Finding
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Convention, Uncooperative
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import Card, matches, neighbours
from uno_csp.questions.duels import DuelPosition, start_of_duel

MAX_POSITIONS = 4_000_000
"""Maximum size of the transposition table, in positions of some 200 bytes each."""

MAX_STRATEGY = 1000  # maximum number of positions of a strategy that is written out

_Key: TypeAlias = tuple[int, int, int]
"""The player to move, the kinds they may play (as a bit set), and all hands (as packed counts)."""


class GameSearch(Algorithm[Uncooperative]):
    """Uncooperative play by depth-first search with a transposition table."""

    name = "game-search"
    takes = (Uncooperative,)

    def run(self, instance: Uncooperative) -> Finding:
        """Return who wins, with a strategy if it is short."""
        game = _Game(instance)
        wins = game.search()
        stats = {"positions": len(game.known)}
        if wins is None:
            reason = f"more than {MAX_POSITIONS} positions; the search gave up"
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        status = Status.SATISFIABLE if wins else Status.UNSATISFIABLE
        strategy = _strategy(game, wins)
        witness = None if strategy is None else Witness(strategy=strategy)
        return Finding(status, witness, stats=stats)


class _Game:
    """The rules on kinds of cards, and the values of solved positions.

    ``held >> shift[c] & mask`` cards of kind c are still held. As bit sets, ``follow[c]`` has the
    kinds of the next player that may be laid on kind c, ``own[q]`` all kinds of player q (from 0),
    and ``opens`` the kinds of player 1 that match the card on the pile.
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
        cards, pile, k = self.instance.cards, self.instance.after, self.instance.at_least
        owner = [q for q, hand in enumerate(self.instance.hands) for _ in hand]
        near = neighbours(cards, k)
        kinds: dict[tuple[int, bool, tuple[int, ...]], list[int]] = {}
        for i, card in enumerate(cards):
            beside = {(owner[i] + 1) % self.players, (owner[i] - 1) % self.players}
            opens = owner[i] == 0 and (pile is None or matches(pile, card, k))
            look = (owner[i], opens, tuple(j for j in near[i] if owner[j] in beside))
            kinds.setdefault(look, []).append(i)
        self.sizes = list(map(len, kinds.values()))
        self.kind_of = {
            (owner[i], cards[i]): kind for kind, own in enumerate(kinds.values()) for i in own
        }
        self.own, self.opens, self.follow = [0] * self.players, 0, list[int]()
        for kind, ((player, opens, beside_it), _) in enumerate(kinds.items()):
            self.own[player] |= 1 << kind
            self.opens |= opens << kind
            after = (player + 1) % self.players
            others = {self.kind_of[after, cards[j]] for j in beside_it if owner[j] == after}
            self.follow.append(sum(1 << other for other in others))

    def available(self, held: int) -> int:
        """Return the kinds still held by any player, as a bit set."""
        return sum(1 << kind for kind, shift in enumerate(self.shift) if held >> shift & self.mask)

    def key(self, player: int, last: int | None, held: int) -> _Key:
        """Return the position after a card of kind ``last`` (None at the start)."""
        near = self.opens if last is None else self.follow[last] & self.own[player]
        return player, near & self.available(held), held

    def moves(self, key: _Key) -> list[tuple[int, _Key | bool]]:
        """Return the kinds that may be played, with the next position or, at the end, its value.

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

    def options(self, position: DuelPosition) -> dict[Card, _Key | bool]:
        """Return the cards that may be played, with the positions after them."""
        player = position.player - 1
        held = sum(
            count << self.shift[self.kind_of[q, card]]
            for q, hand in enumerate(position.hands)
            for card, count in hand.items()
        )
        last = None
        if position.last is not None and held != self.start:
            last = self.kind_of[(player - 1) % self.players, position.last]
        return {
            card: to
            for kind, to in self.moves(self.key(player, last, held))
            for card, count in position.hands[player].items()
            if count > 0 and self.kind_of[player, card] == kind
        }

    def value(self, position: _Key | bool) -> bool | None:
        """Return True if player 1 does not lose from here, False if she does, None if unknown."""
        if isinstance(position, bool):
            return position
        if not position[1]:
            return position[0] != 0
        return self.known.get(position)

    def search(self, deadline: Deadline = NEVER) -> bool | None:
        """Return True if player 1 can avoid being the first loser; None if the search gave up."""
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
            if len(self.known) > MAX_POSITIONS or deadline.expired:
                return None
        return self.known[root]


def _answers_left(move: tuple[int, _Key | bool]) -> int:
    following = move[1]
    return -1 if isinstance(following, bool) else following[1].bit_count()


def _strategy(game: _Game, wins: bool) -> dict[str, Any] | None:
    """Return the winning side's move in every position that can come up.

    If there are many positions it is only player 1's opening card, or None if the others win.
    """
    winners = {1} if wins else set(range(2, game.players + 1))
    start = start_of_duel(game.instance)
    waiting, seen, found = [start], {start.key}, list[dict[str, Any]]()
    while waiting:
        position = waiting.pop()
        options = game.options(position)
        if position.player in winners:
            good = next((card for card, to in options.items() if game.value(to) == wins), None)
            if good is None:
                continue  # the game is over: the player before this coalition member has lost
            options = {good: options[good]}
            found.append(_describe(position, good))
            if len(found) > MAX_STRATEGY:
                return {"kind": "opening", "open": found[0]["play"]} if wins else None
        for card, to in options.items():
            following = position.after(card)
            if not isinstance(to, bool) and following.key not in seen:
                seen.add(following.key)
                waiting.append(following)
    return {"kind": "positions", "positions": found}


class Answers:
    """The answers of all others in a game that player 1 does not win.

    Raises ValueError if player 1 wins, or the search gives up or reaches the deadline.
    """

    def __init__(self, instance: Uncooperative, deadline: Deadline = NEVER) -> None:
        self._game = _Game(instance)
        if self._game.search(deadline) is not False:
            raise ValueError("no proof that the others win")

    def card(self, player: int, last: Card, hands: Sequence[Counter[Card]]) -> Card | None:
        """Return a card of a player, 0 for player 1, that keeps the win after a card was laid.

        None if there is none; this does not occur in positions that the answers lead to.
        """
        options = self._game.options(DuelPosition(player + 1, last, tuple(hands)))
        good = (card for card, to in options.items() if self._game.value(to) is False)
        return next(good, None)


def _describe(position: DuelPosition, play: Card) -> dict[str, Any]:
    hands = [sorted(hand.elements(), key=repr) for hand in position.hands]
    return {
        "player": position.player,
        "last": None if position.last is None else list(position.last),
        "hands": [[list(card) for card in hand] for hand in hands],
        "play": list(play),
    }


ALGORITHM = GameSearch()
