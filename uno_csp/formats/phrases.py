"""Phrases of typed cards: words between separators, with numbers of copies."""

import re
from collections.abc import Callable, Iterator

from uno_csp.questions.cards import Card
from uno_csp.questions.codes import MOST_WORDS

MOST_COPIES = 1000  # maximum number of copies in an expression such as ``2xR5``
BLANK = " \t\N{NO-BREAK SPACE}"
TIMES = "xX\N{MULTIPLICATION SIGN}"  # signs of copies before a card
TIMES_BEHIND = "x\N{MULTIPLICATION SIGN}"  # an X is more likely part of a misspelt code
JOINED_COUNT = rf"[0-9]+[{TIMES}](?=[^{BLANK}])"  # copies that are joined to the card behind
_BEFORE = re.compile(rf"([0-9]+)[{TIMES}]")
_BEHIND = re.compile(rf"[{TIMES_BEHIND}]([0-9]+)")
_NUMBER = re.compile("[0-9]+")


class Refused(Exception):
    """A text is not in a grammar; at a position, after a number of cards."""

    def __init__(self, message: str, position: int, cards: int = 0) -> None:
        super().__init__(message)
        self.position = position
        self.cards = cards


TakeCard = Callable[["list[str]"], "tuple[Card, int]"]
"""Return the card that some words begin with, and how many words it has; or raise ValueError."""


class Phrase:
    """A run of words that no separator but blanks interrupts, after a number of cards."""

    def __init__(self, words: Iterator[re.Match[str]], before: int, take: TakeCard) -> None:
        found = [*words]
        self._words = [match[0] for match in found]
        self._starts = [match.start() for match in found]
        self._before = before
        self._take = take
        self._next = 0

    def cards(self) -> Iterator[tuple[Card, int]]:
        """Yield the cards with their positions; raise Refused if a word is part of none."""
        while self._next < len(self._words):
            copies = self._count(_BEFORE, TIMES, 0)
            start = self._next
            card = self._card()
            behind = self._count(_BEHIND, TIMES_BEHIND, 1)
            if copies and behind:
                raise self._refuse("a card has one number of copies", self._next - 1)
            found = copies or behind or 1
            self._before += found
            yield from ((card, self._starts[start]) for _ in range(found))

    def _count(self, joined: re.Pattern[str], signs: str, number: int) -> int:
        """Take a number of copies, as a word or as two of which one is a number; 0 if none."""
        pair = self._words[self._next : self._next + 2]
        match = joined.fullmatch(pair[0]) if pair else None
        apart = len(pair) == 2 and pair[1 - number] in [*signs] and _NUMBER.fullmatch(pair[number])
        if not match and not apart:
            return 0
        digits = match[1] if match else pair[number]
        if not 1 <= int(digits[:9]) <= MOST_COPIES:
            message = f"{digits[:20]} copies are not allowed; expected 1 to {MOST_COPIES}"
            raise self._refuse(message, self._next)
        self._next += 1 if match else 2
        return int(digits)

    def _card(self) -> Card:
        if self._next == len(self._words):
            message = "a number of copies without a card; 2xR5 is two red 5"
            raise self._refuse(message, self._next - 1)
        try:
            card, count = self._take(self._words[self._next : self._next + MOST_WORDS])
        except ValueError as error:
            raise self._refuse(str(error), self._next) from None
        self._next += count
        return card

    def _refuse(self, message: str, index: int) -> Refused:
        return Refused(message, self._starts[index], self._before)
