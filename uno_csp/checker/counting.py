"""Counts of plays, checked for small hands by trying every card at every step."""

from functools import cache

from uno_csp.questions import Uno1
from uno_csp.verifier.cards import matches

MOST_CARDS = 10  # maximum number of cards of a hand that is counted again


def count_again(question: Uno1) -> int | None:
    """Return the number of plays of a small hand; None for a larger one.

    The copies of a card are distinguished and are played in the order of the hand.
    """
    cards, k, after = question.cards, question.at_least, question.after
    if len(cards) > MOST_CARDS:
        return None
    numbers = range(len(cards))
    follow = [[j for j in numbers if matches(cards[i], cards[j], k)] for i in numbers]
    earlier = [sum(1 << j for j in range(i) if cards[j] == cards[i]) for i in numbers]

    @cache
    def onward(played: int, last: int) -> int:
        """Return the number of ways to play the other cards after the last one."""
        if played + 1 == 1 << len(cards):
            return 1
        return sum(
            onward(played | 1 << card, card)
            for card in follow[last]
            if not played >> card & 1 and played & earlier[card] == earlier[card]
        )

    if not cards:
        return 1
    return sum(
        onward(1 << card, card)
        for card in numbers
        if not earlier[card] and (after is None or matches(after, cards[card], k))
    )
