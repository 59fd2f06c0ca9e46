"""Games and positions as arrays (:mod:`uno_csp.open_game.compiled_moves`)."""

from collections.abc import Callable, Collection

import numpy as np

from uno_csp.open_game.compiled_moves import AT, FIELDS, KINDS, Array, Setup
from uno_csp.open_game.deck import packed, unpacked
from uno_csp.open_game.positions import CARD_BITS, CARDS, Game, Position
from uno_csp.open_game.rules import Draw, Drawn, PlusFour, Stacking


def setup_of(game: Game, players: Collection[int], start: Position) -> Setup:
    """Return a game for the compiled search; each count gets as many bits as it may need."""
    rules = game.rules
    held = [*game.draw, *(kind for hand in start.hands for kind in unpacked(hand))]
    known = unpacked(game.everything) if rules.reshuffles else held
    cards = np.bincount(known, minlength=KINDS).astype(np.int64)
    word, shift = np.zeros((2, (game.players + 1) * KINDS), dtype=np.int64)
    bits = [int(count).bit_length() for count in cards]
    words, used = 0, 63
    for player in range(game.players + (rules.reshuffles > 0)):
        for kind in np.flatnonzero(cards).tolist():
            if used + bits[kind] > 62:  # the sign bit stays free
                words, used = words + 1, 0
            at = KINDS * player + kind
            word[at], shift[at] = words - 1, used
            used += bits[kind]
    return Setup(
        players=game.players,
        words=words,
        word=word,
        shift=shift,
        mask=np.array([(1 << width) - 1 for width in bits], dtype=np.int64),
        draw=np.array(game.draw, dtype=np.int64),
        cards=cards,
        total=len(known),
        spare=np.zeros(words + FIELDS + 2 * (game.players + 1), dtype=np.int64),
        side=np.array([int(player in players) for player in range(game.players)], dtype=np.int64),
        must_play=int(rules.must_play),
        play_drawn=list(Drawn).index(rules.play_drawn),
        drawn_by_colour=int(rules.drawn_by_colour),
        plus_four=list(PlusFour).index(rules.plus_four),
        stacking=list(Stacking).index(rules.stacking),
        numbers_last=int(rules.last_card == "number"),
        skips_answered=int(rules.skip_answered_by_skip),
        reverse_skips=int(rules.reverse_skips),
        wears_off=int(rules.effects_wear_off),
        until_playable=int(rules.draw is Draw.UNTIL_PLAYABLE),
        reshuffles=rules.reshuffles,
    )


def state_of(
    setup: Setup, position: Position, part_of: Callable[[int, int], Array] | None = None
) -> Array:
    """Return a position as a state of the compiled search.

    ``part_of`` does the same as :func:`hand_state` and may keep its results.
    """
    state = np.zeros_like(setup.spare)
    at, stock = position.at, 0
    if setup.reshuffles and position.stock:
        stock = packed(unpacked(position.stock & CARDS)[at:])
        at = len(setup.draw) + (position.stock >> CARD_BITS)
    for player, hand in enumerate((*position.hands, stock)):
        state += hand_state(setup, player, hand) if part_of is None else part_of(player, hand)
    state[setup.words : setup.words + FIELDS] = position[1 : FIELDS + 1]
    state[setup.words + AT] = at
    return state


def hand_state(setup: Setup, player: int, hand: int) -> Array:
    """Return a state that has one player's packed hand, and zeros elsewhere."""
    state = np.zeros_like(setup.spare)
    sizes = setup.words + FIELDS
    for kind in unpacked(hand):
        at = KINDS * player + kind
        state[setup.word[at]] += 1 << int(setup.shift[at])
        state[sizes + player] += 1
        state[sizes + setup.players + 1 + player] |= 1 << kind
    return state
