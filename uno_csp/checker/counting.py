"""Counts of plays, checked for small hands by trying every card at every step."""

from collections import Counter
from collections.abc import Hashable
from functools import cache

from uno_csp.checker.claims import Card, may_follow
from uno_csp.questions import Uno1

MOST_CARDS = 10
"""Maximum number of cards of a hand that is counted again."""


def counted_again(question: Uno1) -> int | None:
    """Return the number of plays of a small hand; None for a larger one."""
    if len(question.cards) > MOST_CARDS:
        return None

    @cache
    def onward(left: Hashable, last: Card | None) -> int:
        """Return the number of ways to play the cards left after the last one."""
        cards: dict[Card, int] = dict(left)  # type: ignore[call-overload]
        if not cards:
            return 1
        total = 0
        for card in cards:
            if last is None or may_follow(last, card, question.at_least):
                fewer = Counter(cards)
                fewer[card] -= 1
                total += onward(frozenset((+fewer).items()), card)
        return total

    return onward(frozenset(Counter(question.cards).items()), question.after)
