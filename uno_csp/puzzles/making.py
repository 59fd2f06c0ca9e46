"""Make puzzles: hands with exactly one play, some of whose cards may be missing.

The one play is found twice: by the table of counts, and by the list of plays. Missing cards are
found among those on offer by trying all sets, and again as the only optimal answer of ``fill-in``.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, SupportsFloat, SupportsIndex

from uno_csp.counting.answering import plays
from uno_csp.counting.kinds import kinds_of
from uno_csp.counting.table import Table
from uno_csp.errors import CheckFailed, InstanceError, NotAccepted
from uno_csp.families.puzzle_hands import COLOURED, beginnings, grown
from uno_csp.formats import question_to_dict
from uno_csp.pipeline import Options
from uno_csp.pipeline.timed import Timed
from uno_csp.processes.deadline import Deadline
from uno_csp.puzzles.reasoning import DEEP, Difficulty, Level, Reasoner
from uno_csp.questions import FillIn, Uno1
from uno_csp.questions.arguments import plain_value, seed_of
from uno_csp.questions.cards import Card, matches
from uno_csp.questions.wording import shown

FEWEST_CARDS = 4  # minimum number of cards of a puzzle, without the missing ones
MOST_MISSING = 3  # maximum number of missing cards
ON_OFFER = 6  # number of cards among which the missing ones are
MOST_CHOICES = 20  # maximum number of ways to choose the missing cards of a hand

SIZES = {None: (4, 14), Level.EASY: (4, 10), Level.MEDIUM: (5, 14), Level.HARD: (9, 12)}
"""The numbers of cards of the hands of each level, with the missing ones: others are not found."""

HARD_CARDS = 10
"""Number of cards from which on the hands that grow to a hard one are hard."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle and its solution."""

    # the hand and the card on the pile; as a `fill-in`, with the cards on offer as its supply, if
    # cards are missing
    question: Uno1 | FillIn
    solution: tuple[Card, ...]  # the only play, with the missing cards
    level: Level
    difficulty: Difficulty  # what a person has to do
    seed: int  # the seed it was made from

    @property
    def whole(self) -> Uno1:
        """The hand together with the missing cards."""
        return Uno1((*self.question.cards, *self.missing), after=self.question.after)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The missing cards."""
        return tuple((Counter(self.solution) - Counter(self.question.cards)).elements())

    def to_dict(self) -> dict[str, Any]:
        """Return the puzzle, JSON-ready."""
        return {
            "question": question_to_dict(self.question),
            "level": str(self.level),
            "seed": self.seed,
            "forced": self.difficulty.forced,
            "wrong": self.difficulty.wrong,
            "depth": self.difficulty.depth,
            "missing": [list(card) for card in self.missing],
            "solution": [list(card) for card in self.solution],
        }


def puzzle(
    cards: SupportsIndex = 10,
    *,
    level: Level | str | None = None,
    missing: SupportsIndex = 0,
    seed: SupportsIndex = 0,
    time_limit_s: SupportsFloat | None = None,
) -> Puzzle:
    """Make a puzzle; the same arguments always give the same one.

    Parameters
    ----------
    cards
        Number of cards of the hand. With the missing cards, 4 to 14; in an easy puzzle up to 10,
        in a medium one from 5 on, in a hard one 9 to 12.
    level
        ``easy``, ``medium`` or ``hard``; None for any. It is that of the hand with the missing
        cards.
    missing
        Number of cards that are missing, 0 to 3. Of six cards on offer, exactly one set of that
        size makes the hand playable, and no smaller one.
    seed
        The seed.
    time_limit_s
        Wall-clock limit in seconds.

    Raises
    ------
    InstanceError
        If an argument is not allowed.
    NotAccepted
        If no such puzzle was found, or the time limit is reached.

    Examples
    --------
    >>> made = puzzle(8, level="easy", seed=1)
    >>> len(made.question.cards), str(made.level), len(made.solution)
    (8, 'easy', 8)
    >>> made = puzzle(7, missing=1, seed=1)
    >>> len(made.question.cards), len(made.missing), len(made.question.supply)
    (7, 1, 6)
    """
    size, gaps, start = plain_value(cards), plain_value(missing), seed_of(seed)
    wanted = None if level is None else _level(level)
    fewest, most = SIZES[wanted]
    _require("missing", gaps, 0, MOST_MISSING)
    asked = f"{f' at level {wanted}' if wanted else ''}{f' with {gaps} missing' if gaps else ''}"
    _require("cards", size, max(FEWEST_CARDS, fewest - gaps), most - gaps, asked)
    timed = Timed(Options.of({"time_limit_s": time_limit_s}))
    rng = random.Random(f"{size} {wanted} {start}" + (f" {gaps}" if gaps else ""))
    deadline = timed.deadline
    hands = grown(rng, size + gaps, _growth(wanted, size + gaps, deadline), deadline)
    with timed.during("making a puzzle"):
        for play in hands:
            difficulty = Reasoner(play, time_limit_s=deadline.limit_s).difficulty
            if difficulty.level is None or wanted not in (None, difficulty.level):
                continue
            whole = Uno1(tuple(rng.sample(play.cards, len(play.cards))), after=play.after)
            question = _with_gaps(rng, whole, gaps, deadline) if gaps else whole
            if question is None:
                continue
            made = Puzzle(question, play.cards, difficulty.level, difficulty, start)
            _require_unique(made)
            return made
    raise NotAccepted(f"no puzzle of {size} cards{asked} was found; try another seed")


def _growth(level: Level | None, cards: int, deadline: Deadline) -> Callable[[Uno1], bool]:
    """Return a test of the hands that grow to one of a level."""
    hard = min(cards, HARD_CARDS)

    def fits(hand: Uno1) -> bool:
        work = Reasoner(hand, time_limit_s=deadline.limit_s).difficulty
        if level is not Level.HARD:
            return work.depth == 0 or (level is Level.MEDIUM and work.level is level)
        size = len(hand.cards)
        return work.level is level if size >= hard else work.depth > DEEP - (hard - size)

    return (lambda _: True) if level is None else fits


def _with_gaps(rng: random.Random, whole: Uno1, missing: int, deadline: Deadline) -> FillIn | None:
    """Take cards out of a hand and offer them among matching others; None if these are few."""
    for _ in range(MOST_CHOICES):
        deadline.check()
        taken = rng.sample(range(len(whole.cards)), missing)
        right = tuple(whole.cards[at] for at in taken)
        kept = tuple(card for at, card in enumerate(whole.cards) if at not in taken)
        left = Uno1(kept, after=whole.after)
        if any(
            _playable(left, some) for size in range(missing) for some in combinations(right, size)
        ):
            continue
        pile = () if whole.after is None else (whole.after,)
        unused = Counter(COLOURED) - Counter((*whole.cards, *pile))
        others = rng.sample([*unused], len(unused))
        others.sort(key=lambda card: -sum(matches(card, other) for other in kept))
        offered = list(right)
        for card in others:
            if len(offered) == ON_OFFER:
                supply = tuple(rng.sample(offered, ON_OFFER))
                return FillIn(kept, after=whole.after, supply=supply)
            if card not in offered and not any(
                _playable(left, (card, *some))
                for size in range(missing)
                for some in combinations(offered, size)
            ):
                offered.append(card)
    return None


def _playable(hand: Uno1, added: Sequence[Card]) -> bool:
    first = beginnings((*hand.cards, *added))
    return any(matches(hand.after or (), card) for card in first)


def _require(name: str, value: int, smallest: int, largest: int, asked: str = "") -> None:
    if type(value) is not int or not smallest <= value <= largest:
        raise InstanceError(
            f"{name}: {shown(value)} is not allowed{asked}; "
            f"expected a number from {smallest} to {largest}"
        )


def _level(name: Level | str) -> Level:
    if isinstance(name, str) and name in [*Level]:
        return Level(name)
    known = ", ".join(Level)
    raise InstanceError(f"level: {shown(name)} is not allowed; expected one of {known}")


def _require_unique(made: Puzzle) -> None:
    """Raise CheckFailed unless the plays and the missing cards have one solution."""
    listed = list(islice(plays(made.whole), 2))
    if listed != [made.solution] or Table(kinds_of(made.whole)).total != 1:
        raise CheckFailed(
            "the count and the list of plays differ",
            {
                "instance": question_to_dict(made.whole),
                "plays": [[*map(list, play)] for play in listed],
            },
        )
    if isinstance(made.question, FillIn):
        sets = list(islice(plays(made.question), 2))
        if [*map(Counter, sets)] != [Counter(made.missing)]:
            raise CheckFailed(
                "the missing cards are not the only ones that fit",
                {
                    "instance": question_to_dict(made.question),
                    "sets": [[*map(list, each)] for each in sets],
                },
            )
