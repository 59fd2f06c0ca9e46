"""Plays one by one, in the order of the hand, by depth-first search."""

from collections.abc import Iterator
from dataclasses import dataclass

from uno_csp import checker
from uno_csp.counting.kinds import Kinds, kinds_of
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.formats import question_to_dict
from uno_csp.questions import Longest, Uno1
from uno_csp.questions.answers import Answer, Status, Witness
from uno_csp.questions.cards import Card

MOST_STEPS = 1_000_000  # maximum number of cards that the search plays
MOST_DEAD = 1_000_000  # maximum number of dead ends that are remembered


class StepsExhausted(NotAccepted):
    """The search for plays has used up its steps; there may be more plays."""


def plays_of(
    question: Uno1 | Longest, cards: int, most_steps: int = MOST_STEPS
) -> Iterator[tuple[Card, ...]]:
    """Yield the plays of that many cards of a hand, each once.

    They come in the order in which the kinds of cards appear in the hand: first all plays that
    begin with the first kind, and so on, at each step.

    Raises StepsExhausted after ``most_steps`` cards were played.
    """
    kinds = kinds_of(Uno1(question.cards, at_least=question.at_least, after=question.after))
    return _Search(kinds, cards, most_steps).plays()


@dataclass(slots=True)
class _Step:
    """A step of the search: the kinds still to try, and whether a play was found below it."""

    options: Iterator[int]
    found: bool = False


class _Search:
    """Depth-first search over the kinds of cards."""

    def __init__(self, kinds: Kinds, cards: int, most_steps: int) -> None:
        self._kinds = kinds
        self._goal = cards
        self._most = most_steps
        self._left = list(kinds.copies)
        self._dead: set[tuple[int, tuple[int, ...]]] = set()

    def plays(self) -> Iterator[tuple[Card, ...]]:
        """Yield the plays."""
        path: list[int] = []
        if not self._goal:
            yield ()
            return
        steps = [_Step(iter(self._kinds.first))]
        played = 0
        while steps:
            kind = next((each for each in steps[-1].options if self._left[each]), None)
            if kind is None:
                self._back(path, steps)
                continue
            played += 1
            if played > self._most:
                raise StepsExhausted(f"the search ended after {self._most} steps")
            path.append(kind)
            self._left[kind] -= 1
            if len(path) == self._goal:
                steps[-1].found = True
                yield tuple(self._kinds.cards[each] for each in path)
            elif self._may_end(kind):
                steps.append(_Step(iter(self._kinds.near[kind])))
                continue
            self._left[path.pop()] += 1

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

    def _may_end(self, last: int) -> bool:
        """Return False if it is known that the rest cannot be played after a kind."""
        left = self._left
        if (last, tuple(left)) in self._dead:
            return False
        seen, waiting, reached = {last}, [last], left[last]
        while waiting:
            for other in self._kinds.near[waiting.pop()]:
                if other not in seen and left[other]:
                    seen.add(other)
                    waiting.append(other)
                    reached += left[other]
        return reached >= self._goal - (sum(self._kinds.copies) - sum(left))


def require_feasible(question: Uno1 | Longest, play: tuple[Card, ...]) -> None:
    """Raise CheckFailed unless the checker accepts a play."""
    exact = Uno1(question.cards, at_least=question.at_least, after=question.after)
    answer = Answer("uno-1", Status.SATISFIABLE, Witness(play))
    if isinstance(question, Longest):
        value = len(play)
        answer = Answer("longest", Status.OPTIMAL, Witness(play, objective=value), value)
    violations = checker.check(question if isinstance(question, Longest) else exact, answer)
    if violations:
        report = {"instance": question_to_dict(question), "sequence": [*map(list, play)]}
        raise CheckFailed(f"the checker refused a play ({violations[0]})", report)
