"""Shares of moves: over all deals where these are few, else by sequential halving."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from math import ceil, comb, log2

import numpy as np
from numpy.typing import NDArray

from uno_csp.agents.advice import FEWEST_DEALS
from uno_csp.agents.arrays import Arranged
from uno_csp.agents.knowledge import KINDS
from uno_csp.agents.play_outs import Hidden
from uno_csp.open_game.deck import FIELD_BITS

MOST_EXACT = 5_000  # maximum number of deals that are all counted for one move
MOST_HANDS = 2_000  # maximum number of cases of the other hands
DIGITS = 12  # digits of an exact share after the point, which are right in spite of rounding

Dealt = tuple[list[int], float]  # the first cards of a deal, and its weight
Wins = NDArray[np.int8]  # for each choice and deal 1 if it wins, 0 if not, -1 if it was not tried


def halve(found: Arranged, deals: int, go_on: Callable[[int], bool]) -> Wins:
    """Return the results of the choices by sequential halving on common random deals.

    Karnin, Koren and Somekh, *Almost optimal exploration in multi-armed bandits* (2013): in each
    round all choices that are left play the next deals, and the better half by the share of all
    its deals is left. In the end a choice whose share is the largest plays all deals. ``go_on`` is
    called with the number of deals done after each round, and may end it.
    """
    own, count = found.view.position.player, len(found.labels)
    rows = found.deal(deals)
    wins: Wins = np.full((count, deals), -1, dtype=np.int8)
    done, won = [0] * count, [0] * count

    def play(choices: list[int], upto: int) -> None:
        for at in choices:
            some = slice(done[at], upto)
            wins[at, some] = found.play(rows[some], at, done[at])[0] == own
            done[at], won[at] = upto, int((wins[at] > 0).sum())

    left = [*range(count)]
    for upto in ends_of(count, deals):
        play(left, upto)
        if not go_on(upto):
            return wins[:, :upto]
        left = sorted(left, key=won.__getitem__, reverse=True)[: ceil(len(left) / 2)]
    while done[best := max(range(count), key=lambda at: won[at] / done[at])] < deals:
        play([best], deals)
    return wins


def ends_of(choices: int, deals: int) -> list[int]:
    """Return the number of deals done at the end of each round of sequential halving.

    >>> ends_of(5, 3000), ends_of(1, 500), ends_of(40, 300)
    ([1000, 2000, 3000], [500], [200, 250, 300])
    """
    rounds = max(1, ceil(log2(choices)))
    least = min(FEWEST_DEALS, deals)
    return sorted({max(least, deals * (at + 1) // rounds) for at in range(rounds)})


def count_wins(found: Arranged) -> list[float] | None:
    """Return the share of all deals that each choice wins; None if there are too many."""
    hands = hands_of(found.hidden)
    if hands is None:
        return None
    shares = []
    for choice in range(len(found.labels)):
        share = _expected(found, choice, hands)
        if share is None:
            return None
        shares.append(round(share, DIGITS))
    return shares


def hands_of(hidden: Hidden) -> list[Dealt] | None:
    """Return what the other hands may be, with weights; None if there are too many cases.

    The places get their cards one after the other; equal cards are one case with their number. A
    case is an integer: a bit for each played card that has a place, then for each player and kind
    the number of such cards in the hand.
    """
    kinds, played = hidden.kinds, hidden.played
    copies = Counter(kinds[played:])
    if comb(len(copies), len(hidden.holders)) > MOST_HANDS:
        return None
    firsts = [kinds.index(kind, played) for kind in copies]
    cases: dict[int, float] = {0: 1.0}
    for owner, weights in zip(hidden.owners, hidden.weights[:-1].tolist(), strict=True):
        laid = [(1 << card, weights[card]) for card in range(played) if weights[card]]
        at = [played + FIELD_BITS * (len(copies) * owner + place) for place in range(len(copies))]
        held = [
            (1 << bit, weights[card], kind)
            for bit, card, kind in zip(at, firsts, copies, strict=True)
            if weights[card]
        ]
        following: dict[int, float] = defaultdict(float)
        for case, likely in cases.items():
            for bit, weight in laid:
                if not case & bit:
                    following[case | bit] += likely * weight
            gone = _cards_of(case >> played, copies)
            for bit, weight, kind in held:
                count = copies[kind] - gone.count(kind)
                if count:
                    following[case + bit] += likely * weight * count
            if len(following) > MOST_HANDS:
                return None
        cases = following
    all_laid = (1 << played) - 1
    return [
        (_cards_of(case >> played, copies), likely)
        for case, likely in cases.items()
        if case & all_laid == all_laid
    ]


def _cards_of(held: int, kinds: Collection[int]) -> list[int]:
    """Return the kinds in the hands of a case, those of each player in order."""
    names, found = [*kinds], list[int]()
    while held:
        place = ((held & -held).bit_length() - 1) // FIELD_BITS
        cards = held >> FIELD_BITS * place & (1 << FIELD_BITS) - 1
        found += [names[place % len(names)]] * cards
        held ^= cards << FIELD_BITS * place
    return found


def _expected(found: Arranged, choice: int, hands: list[Dealt]) -> float | None:
    """Return the share of all deals that a choice wins; None if there are too many.

    The next card of the draw pile tells cases apart only if it is drawn before the game ends.
    """
    own, held = found.view.position.player, len(found.hidden.holders)
    cards = np.array([[*hand, *found.hidden.known] for hand, _ in hands], dtype=np.int64)
    likely = np.array([weight for _, weight in hands])
    likely /= likely.sum()
    unseen = np.bincount(found.view.unseen, minlength=KINDS)
    share, count = 0.0, 0
    while len(cards):
        count += len(cards)
        if count > MOST_EXACT:
            return None
        left = unseen - np.array([np.bincount(each, minlength=KINDS) for each in cards])
        rest = np.repeat(np.tile(range(KINDS), len(cards)), left.ravel()).reshape(len(cards), -1)
        winners, drawn = found.play(np.hstack([cards, rest]).astype(np.int8), choice)
        waits = held + drawn > cards.shape[1]
        if waits.any() and cards.shape[1] == found.width:
            return None  # after a reshuffle any card may come
        share += float(likely[~waits & (winners == own)].sum())
        at, kinds = np.nonzero(left[waits])
        likely = likely[waits][at] * left[waits][at, kinds] / rest.shape[1]
        cards = np.column_stack([cards[waits][at], kinds])
    return share
