"""Make puzzles: hands with exactly one play.

The one play is found twice: by the table of counts, and by the list of plays.
"""

import random
from dataclasses import dataclass
from itertools import islice
from typing import Any

from uno_csp.counting.answering import plays
from uno_csp.counting.kinds import kinds_of
from uno_csp.counting.table import Table
from uno_csp.errors import CheckFailed, InstanceError, NotAccepted
from uno_csp.families.puzzle_hands import FEWEST_CARDS, MOST_CARDS, grown
from uno_csp.formats import question_to_dict
from uno_csp.puzzles.reasoning import Difficulty, Level, Reasoner
from uno_csp.questions import Uno1
from uno_csp.questions.cards import Card

MOST_TRIES = 150
"""Maximum number of hands that are grown for a puzzle; half of it for each card above twelve.

A hand takes twice as long with each card.
"""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle and its solution.

    Parameters
    ----------
    question
        The hand and the card on the pile.
    solution
        The only play.
    level, difficulty
        The level, and what a person has to do.
    seed
        The seed it was made from.
    """

    question: Uno1
    solution: tuple[Card, ...]
    level: Level
    difficulty: Difficulty
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return the puzzle, JSON-ready."""
        return {
            "question": question_to_dict(self.question),
            "level": str(self.level),
            "seed": self.seed,
            "forced": self.difficulty.forced,
            "wrong": self.difficulty.wrong,
            "depth": self.difficulty.depth,
            "solution": [list(card) for card in self.solution],
        }


def puzzle(cards: int = 10, *, level: Level | str | None = None, seed: int = 0) -> Puzzle:
    """Make a puzzle; the same arguments always give the same one.

    Parameters
    ----------
    cards
        Number of cards of the hand, 4 to 16.
    level
        ``easy``, ``medium`` or ``hard``; None for any.
    seed
        The seed.

    Raises
    ------
    InstanceError
        If an argument is not allowed.
    NotAccepted
        If no such puzzle was found.

    Examples
    --------
    >>> made = puzzle(8, level="easy", seed=1)
    >>> len(made.question.cards), str(made.level), len(made.solution)
    (8, 'easy', 8)
    """
    _require("cards", cards, FEWEST_CARDS, MOST_CARDS)
    wanted = None if level is None else _level(level)
    rng = random.Random(f"{cards} {wanted} {seed}")
    tries = MOST_TRIES >> max(0, cards - 12)
    for _ in range(tries):
        hand = grown(rng, cards)
        if hand is None:
            continue
        reasoner = Reasoner(hand)
        try:
            difficulty = reasoner.difficulty
        except NotAccepted:
            continue
        if wanted is not None and difficulty.level is not wanted:
            continue
        solution = tuple(hand.cards[at] for at in reasoner.solution)
        _require_unique(hand, solution)
        return Puzzle(hand, solution, difficulty.level, difficulty, seed)
    asked = f"{cards} cards{f', level {wanted}' if wanted else ''}"
    raise NotAccepted(
        f"no puzzle of {asked} was found in {tries} tries; try another seed or number of cards"
    )


def _require(name: str, value: int, smallest: int, largest: int) -> None:
    if not smallest <= value <= largest:
        raise InstanceError(
            f"{name}: {value} is not allowed; expected a number from {smallest} to {largest}"
        )


def _level(name: Level | str) -> Level:
    try:
        return Level(name)
    except ValueError:
        known = ", ".join(Level)
        raise InstanceError(f"level: {name!r} is not allowed; expected one of {known}") from None


def _require_unique(hand: Uno1, solution: tuple[Card, ...]) -> None:
    """Raise unless the list of plays has the solution alone, as the count says.

    Raises
    ------
    CheckFailed
        If it has not: a bug in this package.
    """
    listed = list(islice(plays(hand), 2))
    if listed != [solution] or Table(kinds_of(hand)).total != 1:
        report = {"instance": question_to_dict(hand), "plays": [[*map(list, p)] for p in listed]}
        raise CheckFailed("the count and the list of plays differ", report)
