"""Solve a puzzle as a person does, and say why a card is right or wrong.

A person sees at once that a card would be left without a neighbour, that two cards would both have
only one (one of them could be last, not both), or that some cards could not be reached any more.
What does not show at once shows after some more cards: the *depth* of a wrong card is the number of
cards that have to be played after it, in the worst case, before such a flaw shows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from uno_csp.errors import InstanceError, NotAccepted
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import Uno1, require_question
from uno_csp.questions.arguments import limit_of
from uno_csp.questions.cards import Card, matches, previous_copies
from uno_csp.questions.given_cards import card_of, normalised
from uno_csp.questions.wording import describe

DEEP = 3  # depth up to which a puzzle is of medium level
MOST_CARDS = 30  # maximum number of cards of a puzzle
MOST_STEPS = 300_000  # maximum number of cards that the search for flaws plays
STEPS_WATCHED = 64  # number of these between two looks at the clock

_matched = lru_cache(1 << 16)(matches)


class Level(StrEnum):
    """The level of a puzzle: what a person needs to solve it.

    Easy ones need only a look, medium ones the rule to play the card with the fewest matches; in a
    hard one that card is wrong at some step, and the deepest wrong card has a depth above 3.
    """

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The work of a person who solves a puzzle."""

    forced: int  # number of cards that are the only ones to match the one before
    wrong: int  # number of wrong cards that match, over all steps of the solution
    depth: int  # the largest depth of a wrong card; 0 if every one shows at once
    # number of steps at which a wrong card that does not show at once has fewer matches than the
    # right one, so that always playing the card with the fewest matches goes wrong
    lured: int = 0

    @property
    def level(self) -> Level | None:
        """The level; None if it is between medium and hard."""
        if self.depth == 0:
            return Level.EASY
        if self.depth <= DEEP:
            return None if self.lured else Level.MEDIUM
        return Level.HARD if self.lured else None


@dataclass(frozen=True, slots=True)
class Hint:
    """The next card of the solution, or that the last one has to be taken back, and why."""

    card: Card | None
    reason: str


class Reasoner:
    """The reasoning about one hand that follows a card on the pile.

    Equal cards are played in the order of the hand. Raises InstanceError if it is no `uno-1`
    question, or there is no card on the pile; NotAccepted if there are more than
    :data:`MOST_CARDS` cards, and later, at the time limit.
    """

    def __init__(self, puzzle: Uno1, *, time_limit_s: float | None = None) -> None:
        require_question(puzzle, Uno1)
        if puzzle.after is None:
            raise InstanceError("after: a puzzle has a card on the pile")
        if len(puzzle.cards) > MOST_CARDS:
            raise NotAccepted(f"a puzzle has up to {MOST_CARDS} cards")
        self.cards = puzzle.cards
        self._all = (*puzzle.cards, puzzle.after)
        size = len(self.cards)
        self._near = [
            sum(
                1 << other
                for other in range(size)
                if other != one and _matched(self._all[one], self._all[other], puzzle.at_least)
            )
            for one in range(size + 1)
        ]
        self._everything = (1 << size) - 1
        copies = previous_copies(puzzle.cards)
        self._before = [0 if at is None else 1 << at for at in copies]
        self._depths: dict[tuple[int, int], int | None] = {}
        self._steps = 0
        limit_s = None if time_limit_s is None else limit_of("time_limit_s", time_limit_s)
        self._deadline = Deadline.after(limit_s)

    @cached_property
    def solution(self) -> tuple[int, ...]:
        """Places of the cards in the order of the first play; NotAccepted if there is none."""
        path: list[int] = []
        last, left = len(self.cards), self._everything
        while left:
            right = [one for one in self._options(last, left) if self.depth(one, left) is None]
            if not right:
                raise NotAccepted("the puzzle has no solution")
            last = right[0]
            left &= ~(1 << last)
            path.append(last)
        return tuple(path)

    @cached_property
    def difficulty(self) -> Difficulty:
        """The work of a person who solves it."""
        forced = wrong = depth = lured = 0
        last, left = len(self.cards), self._everything
        for right in self.solution:
            options = self._options(last, left)
            forced += len(options) == 1
            deep = {one: self.depth(one, left) or 0 for one in options if one != right}
            wrong += len(deep)
            depth = max(depth, *deep.values(), 0)
            fewest = self._matches(right, left)
            lured += any(deep[one] and self._matches(one, left) < fewest for one in deep)
            last = right
            left &= ~(1 << last)
        return Difficulty(forced, wrong, depth, lured)

    def _matches(self, card: int, left: int) -> int:
        """Return the number of cards left that match a card."""
        return (self._near[card] & left).bit_count()

    def depth(self, card: int, left: int) -> int | None:
        """Return how many cards have to be played after a card before a flaw shows.

        None if the card is right. ``left`` is the set of cards left, with this one.
        """
        left &= ~(1 << card)
        if (card, left) in self._depths:
            return self._depths[card, left]
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise NotAccepted(f"the puzzle is too hard to reason about in {MOST_STEPS} steps")
        if not self._steps % STEPS_WATCHED:
            self._deadline.check()
        found: int | None = None
        if self.flaw(card, left):
            found = 0
        elif left:
            depths = [self.depth(option, left) for option in self._options(card, left)]
            if all(depth is not None for depth in depths):
                found = 1 + max(depth or 0 for depth in depths)
        self._depths[card, left] = found
        return found

    def flaw(self, last: int, left: int) -> str:
        """Return what shows at once to be wrong when a card was played; empty if nothing does."""
        if not left:
            return ""
        there = left | 1 << last if last < len(self.cards) else left
        few = []
        for one in _members(left):
            near = self._near[one] & there
            if last == len(self.cards) and self._near[last] >> one & 1:
                near |= 1 << len(self.cards)
            if not near:
                return f"{self._name(one)} would have no neighbour left"
            if not near & (near - 1):
                few.append(one)
        if len(few) > 1:
            both = " and ".join(map(self._name, few[:2]))
            return f"{both} would both have only one neighbour left, and only one can be last"
        reached, waiting = 0, self._near[last] & left
        while waiting:
            one = waiting.bit_length() - 1
            reached |= 1 << one
            waiting = (waiting | self._near[one] & left) & ~reached
        if reached != left:
            return f"{self._name(next(_members(left & ~reached)))} could not be reached any more"
        return ""

    def hint(self, played: Sequence[Card]) -> Hint:
        """Return a hint for somebody who has played some cards.

        Raises InstanceError if these are not cards of the hand that match one after the other, and
        NotAccepted if the puzzle has no solution.
        """
        last, left = len(self.cards), self._everything
        for number, card in enumerate(normalised(played, 1, "played", card_of)):
            held = (at for at in self._options(last, left) if self.cards[at] == card)
            at = next(held, None)
            if at is None:
                raise InstanceError(f"played[{number}]: {describe(card)} cannot be played here")
            depth = self.depth(at, left)
            if depth is not None:
                return Hint(None, f"take back {describe(card)}: {self._why(at, left, depth)}")
            last = at
            left &= ~(1 << at)
        if not left:
            return Hint(None, "all cards are played")
        options = self._options(last, left)
        right = next((one for one in options if self.depth(one, left) is None), None)
        if right is None:
            raise NotAccepted("the puzzle has no solution")
        if len(options) == 1:
            reason = f"only {self._name(right)} matches {self._name(last)}"
            return Hint(self.cards[right], reason)
        # The wrong card whose flaw is the easiest to see teaches most.
        wrong = [(self.depth(one, left) or 0, one) for one in options if one != right]
        depth, other = min(wrong)
        reason = f"after {self._name(other)}, {self._why(other, left, depth)}"
        return Hint(self.cards[right], reason)

    def _why(self, card: int, left: int, depth: int) -> str:
        if not depth:
            return self.flaw(card, left & ~(1 << card))
        more = "1 card" if depth == 1 else f"{depth} cards"
        return f"there is no way on, which shows within {more}"

    def _options(self, last: int, left: int) -> list[int]:
        near = self._near[last] & left
        return [one for one in _members(near) if not self._before[one] & left]

    def _name(self, card: int) -> str:
        return describe(self._all[card])


def _members(cards: int) -> Iterator[int]:
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest
