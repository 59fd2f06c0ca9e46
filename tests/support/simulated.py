"""A simulation of endgames between two players by the rules ``nobody-skips``, with its own code.

Both players go on by the policy of the agent ``play-outs``, which is written here again: a card has
80 points, an action 20 more and 40 more if the other player has at most two cards; it loses 20 for
each other kind of its symbol in the hand, one for each card of its colour that is elsewhere and not
played, and 16 if the hand has no other card of the colour. A wild card has no points of its own.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import njit

CODES = [f"{letter}{symbol}" for letter in "RYGB" for symbol in [*range(10), "S", "R", "+2"]]
CODES += ["W", "+4"]
COLOURS = ["red", "yellow", "green", "blue"]
DRAWS = -1


class Hidden(NamedTuple):
    """A hand, the card on the pile, the other's number of cards, and the cards not seen."""

    hand: list[int]
    top: int
    other: int
    unseen: list[int]


def winners(hidden: Hidden, move: Mapping[str, Any], games: int) -> float:
    """Return the share of games that a move wins; the deals are the same for all moves."""
    card = CODES.index(move["lays"]) if "lays" in move else DRAWS
    colour = COLOURS.index(move["names"]) if "names" in move else -1
    hand, unseen = (np.array(cards, dtype=np.int64) for cards in (hidden.hand, hidden.unseen))
    return float(_simulated(hand, hidden.top, hidden.other, unseen, card, colour, games))


@njit(cache=True)
def _simulated(hand, top, other, unseen, card, colour, games):  # type: ignore[no-untyped-def]
    np.random.seed(5)
    won = 0
    for _ in range(games):
        for at in range(min(60, len(unseen))):  # no endgame needs more cards
            place = np.random.randint(at, len(unseen))
            unseen[at], unseen[place] = unseen[place], unseen[at]
        hands = np.zeros((2, 54), dtype=np.int64)
        for each in hand:
            hands[0, each] += 1
        for each in unseen[:other]:
            hands[1, each] += 1
        won += _winner(hands, unseen[other:], top, card, colour) == 0
    return won / games


@njit(cache=True)
def _winner(hands, pile, top, card, colour):  # type: ignore[no-untyped-def]  # noqa: C901
    """Return who wins, the first player beginning with a card and a colour."""
    out = np.zeros(4, dtype=np.int64)  # the cards of each colour that are somewhere
    for kind in range(52):
        out[kind // 13] += hands[0, kind] + hands[1, kind]
    for kind in pile:
        if kind < 52:
            out[kind // 13] += 1
    want, sign = top // 13, top % 13
    player, drawn, passes, given = 0, 0, 0, True
    while passes < 2:
        hand, theirs = hands[player], hands[1 - player].sum()
        if not given:
            card, colour = _policy(hand, want, sign, out, theirs, -1)
        given = False
        passes = passes + 1 if card < 0 and drawn == len(pile) else 0
        if card < 0 and not passes:
            hand[pile[drawn]] += 1
            card, colour = _policy(hand, want, sign, out, theirs, pile[drawn])
            drawn += 1
        if card >= 0:
            hand[card] -= 1
            if hand.sum() == 0:
                return player
            want, sign = (colour, 20) if card >= 52 else (card // 13, card % 13)
            out[want] -= card < 52
            owed = 4 if card == 53 else 2 * (sign == 12)
            for new in pile[drawn : drawn + owed]:
                hands[1 - player, new] += 1
            drawn = min(drawn + owed, len(pile))
        if card < 0 or (sign not in (10, 11, 12) and card != 53):
            player = 1 - player
    return -1


@njit(cache=True)
def _policy(hand, want, sign, out, theirs, only):  # type: ignore[no-untyped-def]
    """Return the card and the colour that the policy plays, of all cards or of ``only`` one."""
    card, colour, most = -1, -1, -1000
    blocked = hand[13 * want : 13 * want + 13].sum() > 0
    of_colour, of_sign = np.zeros(4, dtype=np.int64), np.zeros(13, dtype=np.int64)
    for kind in range(52):
        if hand[kind]:
            of_colour[kind // 13] += 1
            of_sign[kind % 13] += 1
    for kind in range(54):
        fits = kind >= 52 or kind // 13 == want or kind % 13 == sign
        if not hand[kind] or not fits or (kind == 53 and blocked) or (only >= 0 and kind != only):
            continue
        for named in range(4):
            if kind < 52 and named != kind // 13:
                continue
            same = of_colour[named] - (kind < 52)
            points = same - out[named] - (16 if same == 0 else 0)
            if kind < 52:
                points += 80 - 20 * (of_sign[kind % 13] - 1)
                if kind % 13 >= 10:
                    points += 60 if theirs <= 2 else 20
            if points > most:
                card, colour, most = kind, named, points
    return card, colour
