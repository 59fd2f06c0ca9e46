"""Cooperative play by random play-outs: one game after another, played greedily, until one is won.

Hands of a real deck have few kinds of card and much freedom, so a game in which all players look
one turn ahead is often won. A player prefers cards that the next player can match or, where that
player would run out of cards before player 1, cannot match; player 1 plays cards first that match
few others of the own hand, and the others leave player 1 such cards. A game that is stuck goes on
from an earlier turn, the further back the more often that has failed.

Equal cards are one *kind*: a hand is a number of cards for each kind, and a bit set of its kinds.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf
from random import Random
from typing import NamedTuple

from uno_csp.modeling import Algorithm, Finding, Proof
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Cooperative
from uno_csp.questions.answers import Play, Status, Witness
from uno_csp.questions.cards import Card, agreements
from uno_csp.questions.wording import counted

MOST_STEPS = 400_000  # cards that are looked at, in all games together

MOST_STEPS_A_CARD = 100
"""Further ones for each card, so that the first games of a large deal come to an end."""

MOST_TRIED = 64
"""Largest number of kinds that are compared before a turn; of more, a sample of this size."""
MOST_BITS = 1 << 31  # of the bit sets of kinds that are kept

LONGEST_STAY = 40
"""Number of times that a game goes on from an earlier turn before a new one begins."""


class PlayOuts(Algorithm[Cooperative]):
    """Greedy random games; proves only a yes."""

    name = "play-outs"
    takes = (Cooperative,)
    proves = Proof.YES_ONLY
    gives_up = True

    def run_until(self, instance: Cooperative, deadline: Deadline) -> Finding:
        """Return the plays of a game that is won, or UNKNOWN."""
        game = _Game(instance)
        games, most_steps = 0, MOST_STEPS + MOST_STEPS_A_CARD * instance.size
        while game.steps < most_steps and not deadline.expired:
            games += 1
            if game.won():
                plays = tuple(Play(turn.player + 1, game.kinds[turn.kind]) for turn in game.turns)
                return Finding(Status.SATISFIABLE, Witness(plays=plays), stats={"games": games})
            game.undo(len(game.turns))
        reason = f"none of {counted(games, 'random game')} was won"
        return Finding(Status.UNKNOWN, reason=reason, stats={"games": games})


class _Turn(NamedTuple):
    """A card laid by a player, counted from 0, and the kind and the player's number before it."""

    player: int
    kind: int
    last: int | None
    due: int


class _Game:
    """A game so far, by kinds of card."""

    def __init__(self, instance: Cooperative) -> None:
        self.kinds = list(dict.fromkeys(card for hand in instance.hands for card in hand))
        pile = () if instance.after is None else (instance.after,)
        self._near = _Matching(self.kinds, pile, instance.at_least)
        number = {card: kind for kind, card in enumerate(self.kinds)}
        self._held = [Counter(number[card] for card in hand) for hand in instance.hands]
        self._bits = [sum(1 << kind for kind in held) for held in self._held]
        self._left = [len(hand) for hand in instance.hands]
        self._last = len(self.kinds) if pile else None
        self._due = 0
        self._random = Random(0)
        self.turns: list[_Turn] = []
        self.steps = 0

    def won(self) -> bool:
        """Play on until player 1 has no cards left, and return True, or until it is given up."""
        back = 1
        for _ in range(LONGEST_STAY):
            while self._left[0]:
                if not self._play_one():
                    break
            else:
                return True
            self.undo(min(self._random.randint(1, back), len(self.turns)))
            back *= 2
        return False

    def undo(self, count: int) -> None:
        """Take back some turns."""
        for _ in range(count):
            turn = self.turns.pop()
            self._held[turn.player][turn.kind] += 1
            self._bits[turn.player] |= 1 << turn.kind
            self._left[turn.player] += 1
            self._last, self._due = turn.last, turn.due

    def _play_one(self) -> bool:
        """Play a card of the first player who can; return False if nobody can, or another ends."""
        self.steps += 1
        near = -1 if self._last is None else self._near[self._last]
        for ahead in range(len(self._left)):
            player = (self._due + ahead) % len(self._left)
            playable = self._bits[player] & near
            if playable:
                break
        else:
            return False
        if player and self._left[player] == 1:
            return False
        self._lay(player, self._best(player, playable))
        return True

    def _lay(self, player: int, kind: int) -> None:
        self.turns.append(_Turn(player, kind, self._last, self._due))
        self._held[player][kind] -= 1
        if not self._held[player][kind]:
            self._bits[player] &= ~(1 << kind)
        self._left[player] -= 1
        self._last, self._due = kind, (player + 1) % len(self._left)

    def _some(self, kinds: int) -> Iterator[int]:
        """Yield the members of a bit set, or some drawn at random if they are many."""
        if kinds.bit_count() <= MOST_TRIED:
            yield from _members(kinds)
            return
        for _ in range(MOST_TRIED):
            skipped = self._random.randrange(kinds.bit_length())
            above = kinds >> skipped
            yield (above & -above).bit_length() - 1 + skipped

    def _best(self, player: int, playable: int) -> int:
        """Return the kind with the best score, at random among equal ones."""
        following = (player + 1) % len(self._left)
        next_ones, mine = self._bits[following], self._bits[0]
        wanted = not following or self._left[following] > self._left[0] - (player == 0)
        kinds = max(mine.bit_count(), 1)
        best, most = -1, -inf
        for kind in self._some(playable):
            self.steps += 1
            near = self._near[kind]
            score = self._random.random()
            if bool(near & next_ones) == wanted:
                score += 2
            if not player:
                score -= 2 * (near & mine).bit_count() / kinds
            if score > most:
                best, most = kind, score
        return best


class _Matching(dict[int, int]):
    """The kinds that a kind, or the pile after all of them, matches: bit sets, made when needed.

    All are forgotten when they take 256 MB, as with 45,000 kinds.
    """

    def __init__(self, kinds: Sequence[Card], pile: Sequence[Card], at_least: int) -> None:
        self._agreeing = agreements([*kinds, *pile])
        self._count, self._at_least = len(kinds), at_least

    def __missing__(self, kind: int) -> int:
        import numpy as np  # which loads slowly

        if len(self) * self._count > MOST_BITS:
            self.clear()
        near = self._agreeing(kind)[: self._count] >= self._at_least
        self[kind] = int.from_bytes(np.packbits(near, bitorder="little").tobytes(), "little")
        return self[kind]


def _members(bits: int) -> Iterator[int]:
    """Yield the members of a bit set."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


ALGORITHM = PlayOuts()
