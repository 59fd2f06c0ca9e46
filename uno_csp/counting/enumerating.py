"""Plays one by one, in the order of the hand, by depth-first search.

Where the search has met many dead ends since the last play, it asks an oracle before each step
whether the rest can be played (flashlight search): then at most one question for each kind of card
at each step leads to the next play or to the end.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from uno_csp import checker
from uno_csp.counting.kinds import Kinds, kinds_of
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import question_to_dict
from uno_csp.pipeline import Options, solve
from uno_csp.processes.deadline import NEVER, Deadline
from uno_csp.questions import Longest, Uno1
from uno_csp.questions.answers import Answer, Status, Witness
from uno_csp.questions.cards import Card

MOST_DEAD = 50_000  # maximum number of dead ends that are remembered
FEW_CARDS = 20  # number of cards up to which a hand without a play is not asked for first
PATIENCE = 200  # number of steps without a play after which the oracle is asked

Oracle: TypeAlias = Callable[[Card, tuple[Card, ...]], bool]
"""Tells whether the search may go on after a card, with some cards left."""


class StepsExhausted(NotAccepted):
    """The search for plays has used up its steps; there may be more plays."""


def plays_of(
    question: Uno1 | Longest, cards: int, deadline: Deadline = NEVER, most_steps: int | None = None
) -> Iterator[tuple[Card, ...]]:
    """Yield the plays of that many cards of a hand, each once.

    They come in the order in which the kinds of cards appear in the hand: first all plays that
    begin with the first kind, and so on, at each step.

    Raises StepsExhausted after ``most_steps`` steps, and TimeUp at the deadline.
    """
    k = question.at_least
    hand = Uno1(question.cards, at_least=k, after=question.after)
    if most_steps is None and FEW_CARDS < cards == len(hand.cards):
        answer = solve(hand, Options(time_limit_s=deadline.limit_s))
        if answer.status is Status.UNSATISFIABLE:
            return iter(())
    kinds = kinds_of(hand, deadline)

    def oracle(last: Card, left: tuple[Card, ...]) -> bool:
        """Return whether the cards left have a play that is long enough."""
        goal = cards - (len(question.cards) - len(left))
        options = Options(time_limit_s=deadline.limit_s)
        if goal == len(left):
            answer = solve(Uno1(left, at_least=k, after=last), options)
            return answer.status is not Status.UNSATISFIABLE
        answer = solve(Longest(left, at_least=k, after=last), options)
        return answer.status is not Status.OPTIMAL or (answer.objective or 0) >= goal

    return _Search(kinds, cards, oracle, deadline, most_steps).plays()


@dataclass(slots=True)
class _Step:
    """A step of the search: the kinds still to try, and whether a play was found below it."""

    options: Iterator[int]
    found: bool = False


class _Search:
    """Depth-first search over the kinds of cards."""

    def __init__(
        self, kinds: Kinds, cards: int, oracle: Oracle, deadline: Deadline, most_steps: int | None
    ) -> None:
        self._kinds, self._goal = kinds, cards
        self._oracle, self._deadline, self._most = oracle, deadline, most_steps
        sets = {near: frozenset(near) for near in kinds.near}
        self._near = [sets[near] for near in kinds.near]
        self._left = list(kinds.copies)
        self._total = sum(kinds.copies)
        self._steps, self._idle = 0, 0  # number of steps, and of those since the last play
        self._dead: set[tuple[int, tuple[int, ...]]] = set()

    def plays(self) -> Iterator[tuple[Card, ...]]:
        """Yield the plays."""
        path: list[int] = []
        if not self._goal:
            yield ()
            return
        steps = [_Step(iter(self._kinds.first))]
        while steps:
            kind = next((each for each in steps[-1].options if self._left[each]), None)
            if kind is None:
                self._back(path, steps)
                continue
            self._count_step()
            path.append(kind)
            self._left[kind] -= 1
            if len(path) == self._goal:
                steps[-1].found = True
                self._idle = 0
                yield tuple(self._kinds.cards[each] for each in path)
            elif self._may_end(kind, len(path)):
                steps.append(_Step(iter(self._kinds.near[kind])))
                continue
            self._left[path.pop()] += 1

    def _count_step(self) -> None:
        self._deadline.check()
        if self._steps == self._most:
            raise StepsExhausted(f"the search ended after {self._most} steps")
        self._steps += 1
        self._idle += 1

    def _back(self, path: list[int], steps: list[_Step]) -> None:
        """Leave the last step; it was a dead end if no play was found below it."""
        done = steps.pop()
        if not path:
            return
        if done.found:
            steps[-1].found = True
        elif len(self._dead) < MOST_DEAD:
            self._dead.add((path[-1], tuple(self._left)))
        self._left[path.pop()] += 1

    def _may_end(self, last: int, played: int) -> bool:
        """Return False if it is known that the rest cannot be played after a kind."""
        left = self._left
        if (last, tuple(left)) in self._dead:
            return False
        unseen = {kind for kind, copies in enumerate(left) if copies}
        waiting, missed = [last], self._total - played
        while waiting and unseen:
            fresh = unseen & self._near[waiting.pop()]
            unseen -= fresh
            missed -= sum(left[each] for each in fresh)
            waiting += fresh
        if missed > self._total - self._goal:
            return False
        if self._most is not None or self._idle <= PATIENCE + self._goal:
            return True
        cards = self._kinds.cards
        rest = tuple(card for card, copies in zip(cards, left, strict=True) for _ in range(copies))
        return self._oracle(cards[last], rest)


def require_feasible(question: Uno1 | Longest, play: tuple[Card, ...]) -> None:
    """Raise CheckFailed unless the checker accepts a play."""
    answer = Answer("uno-1", Status.SATISFIABLE, Witness(play))
    if isinstance(question, Longest):
        value = len(play)
        answer = Answer("longest", Status.OPTIMAL, Witness(play, objective=value), value)
    violations = checker.check(question, answer)
    if violations:
        report = {"instance": question_to_dict(question), "sequence": [*map(list, play)]}
        raise CheckFailed(f"the checker refused a play ({violations[0]})", report)
