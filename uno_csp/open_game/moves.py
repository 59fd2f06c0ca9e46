"""The rules of the open game: the moves from a state, in plain Python or compiled.

A move is a whole turn: cards drawn, then a card played or none, and the colour named with it. Since
the order of the draw pile is known, drawing tells a player nothing new.
"""

from functools import partial
from typing import NamedTuple

from uno_csp.open_game.compiling import compiled
from uno_csp.open_game.deck import DRAW_FOUR, DRAW_TWO, REVERSE, SKIP, WILD
from uno_csp.open_game.luck import following, remainder
from uno_csp.open_game.states import (
    AT,
    COLOUR,
    DIRECTION,
    DRAWS,
    FILLED,
    FREE,
    KINDS,
    LAST_RESORT,
    MAY,
    MUST,
    PASSES,
    PENDING,
    PLAYER,
    SYMBOL,
    Array,
    Rows,
    Setup,
    add,
    copy,
    held,
    kinds_of,
    lowest,
    size_of,
)

NOBODY = -1  # the winner when all players pass in a row
UNDECIDED = -2  # the winner after a move that does not end the game
NO_SYMBOL, FOUR = 13, 14  # symbols of a top card without a symbol to match, and of a wild draw four
SKIPPED = -1  # `pending` of a player who is skipped unless they pass the skip on

MOST_MOVES = 40
"""More than the number of moves: 16 cards of a colour or symbol, 8 with wild cards, 6 drawn."""

NOTHING, DRAWN = 4 * KINDS, 256
"""Labels of moves: that no card is played, and what is added if one is drawn."""

WILDS, FOURS = 3 << WILD, 1 << DRAW_FOUR
"""Bit masks of kinds: both wild cards, and the wild draw four."""

NUMBERS = sum(1 << 13 * colour + symbol for colour in range(4) for symbol in range(SKIP))
"""Bit mask of the kinds of numbers."""

OF_COLOUR, OF_SYMBOL = (1 << 13) - 1, 1 | 1 << 13 | 1 << 26 | 1 << 39
"""Bit masks of the kinds of the first colour, and of those of the first symbol."""


class Moves(NamedTuple):
    """Room for moves: the state after each, its winner, and its label.

    The label of a move is 4 times the kind of the card played plus the colour named, or
    :data:`NOTHING`; plus :data:`DRAWN` if a card is drawn that nobody made the player draw. The
    state after a winning move is that before its last card is played.
    """

    children: Rows
    winners: Array
    labels: Array


@compiled
def has_pile(setup: Setup, state: Array) -> bool:
    """Return True if the draw pile is not used up."""
    return state[setup.words + AT] < len(setup.pile) or size_of(setup, state, setup.players) > 0


@compiled
def can_draw(setup: Setup, state: Array) -> bool:
    """Return True if a card can be drawn, if necessary after a reshuffle."""
    if has_pile(setup, state):
        return True
    if state[setup.words + FILLED] == setup.reshuffles:
        return False
    under = setup.total - 1
    for player in range(setup.players):
        under -= size_of(setup, state, player)
    return under > 0


@partial(compiled, inline=False)  # it is rare, and called from many places
def reshuffle(setup: Setup, state: Array) -> None:
    """Replace a used-up draw pile by the cards played under the top one."""
    w = setup.words
    symbol = state[w + SYMBOL]
    top = 13 * state[w + COLOUR] + symbol
    if symbol >= NO_SYMBOL:
        top = DRAW_FOUR if symbol == FOUR else WILD
    for kind in range(KINDS):
        count = setup.cards[kind] - (1 if kind == top else 0)
        for player in range(setup.players):
            count -= held(setup, state, player, kind)
        if count:
            add(setup, state, setup.players, kind, count)
    state[w + FILLED] += 1


@compiled
def refill(setup: Setup, state: Array) -> bool:
    """Reshuffle if the draw pile is used up; return True if a card can be drawn."""
    if not can_draw(setup, state):
        return False
    if not has_pile(setup, state):
        reshuffle(setup, state)
    return True


@partial(compiled, inline=False)
def next_of_stock(setup: Setup, state: Array) -> int:
    """Return the next card after a reshuffle: the first kind, or any card if nobody knows."""
    kinds = kinds_of(setup, state, setup.players)
    kind = lowest(kinds)
    if len(setup.luck) > 0:
        setup.luck[0] = following(setup.luck[0])
        at = remainder(setup.luck[0], size_of(setup, state, setup.players))
        while at >= held(setup, state, setup.players, kind):
            at -= held(setup, state, setup.players, kind)
            kinds &= kinds - 1
            kind = lowest(kinds)
    return kind


@compiled
def take(setup: Setup, state: Array, player: int) -> int:
    """Let a player draw the first card of the draw pile; return its kind."""
    at = setup.words + AT
    if state[at] < len(setup.pile):
        kind = setup.pile[state[at]]
        state[at] += 1
    else:
        kind = next_of_stock(setup, state)
        add(setup, state, setup.players, kind, -1)
    add(setup, state, player, kind, 1)
    return kind


@partial(compiled, inline=False)
def give(setup: Setup, state: Array, player: int, count: int) -> None:
    """Let a player draw a number of cards, or all that are left."""
    while count and refill(setup, state):
        take(setup, state, player)
        count -= 1


@compiled
def not_last(setup: Setup, state: Array, player: int, kinds: int) -> int:
    """Return the kinds of a bit mask without those that may not be a player's last card."""
    forbidden = setup.last_card and size_of(setup, state, player) == 1
    return kinds & NUMBERS if forbidden else kinds


@compiled
def playable(setup: Setup, state: Array, player: int) -> int:
    """Return the kinds of a hand that match the pile and may be played, as a bit mask."""
    colour, symbol = state[setup.words + COLOUR], state[setup.words + SYMBOL]
    hand = kinds_of(setup, state, player)
    of_colour = hand & OF_COLOUR << 13 * colour
    matching = of_colour | hand & WILDS
    if symbol < NO_SYMBOL:
        matching |= hand & OF_SYMBOL << symbol
    if matching & FOURS and setup.plus_four != FREE:
        others = matching & ~FOURS
        if others if setup.plus_four == LAST_RESORT else of_colour:
            matching = others
    return not_last(setup, state, player, matching)


@compiled
def answering(setup: Setup, state: Array) -> int:
    """Return the kinds that pass on a pending skip or draw, as a bit mask."""
    player, symbol = state[setup.words + PLAYER], state[setup.words + SYMBOL]
    kinds = 0
    if state[setup.words + PENDING] == SKIPPED:
        kinds = OF_SYMBOL << SKIP
    else:
        if symbol == DRAW_TWO:
            kinds = OF_SYMBOL << DRAW_TWO
        if setup.stacking == DRAWS or symbol == FOUR:
            kinds |= FOURS
    return not_last(setup, state, player, kinds & kinds_of(setup, state, player))


@compiled
def wear_off(setup: Setup, symbol: int) -> int:
    """Return the symbol left to match on a card that has had its effect."""
    return NO_SYMBOL if setup.effects_wear_off else symbol


@compiled
def symbol_of(kind: int) -> int:
    """Return the symbol of a card on the pile."""
    if kind < WILD:
        return kind % 13
    return FOUR if kind == DRAW_FOUR else NO_SYMBOL


@compiled
def draws_of(symbol: int) -> int:
    """Return the number of cards that a card makes the next player draw."""
    if symbol == DRAW_TWO:
        return 2
    return 4 if symbol == FOUR else 0


@compiled
def seat_at(setup: Setup, place: int) -> int:
    """Return the player at a place at the table, at most one before the first or after the last."""
    if place == setup.players:
        return 0
    return place if place >= 0 else setup.players - 1  # faster than a division


@compiled
def take_effect(setup: Setup, state: Array, colour: int, symbol: int) -> None:
    """Change a state by the effect of the card that was played."""
    w, players = setup.words, setup.players
    player, direction, before = state[w + PLAYER], state[w + DIRECTION], state[w + PENDING]
    following = seat_at(setup, player + direction)
    pending, count = 0, draws_of(symbol)
    state[w + COLOUR], state[w + SYMBOL] = colour, symbol  # this card is not reshuffled
    if symbol == SKIP:
        if setup.skip_answered_by_skip:
            pending = SKIPPED
        else:
            following = seat_at(setup, following + direction)
            symbol = wear_off(setup, symbol)
    elif symbol == REVERSE:
        direction = -direction
        skips = players == 2 and setup.reverse_skips
        following = player if skips else seat_at(setup, player + direction)
    elif count:
        if setup.stacking:
            pending = max(before, 0) + count
        else:
            give(setup, state, following, count)
            following = seat_at(setup, following + direction)
            symbol = wear_off(setup, symbol)
    state[w + SYMBOL], state[w + PLAYER], state[w + DIRECTION] = symbol, following, direction
    state[w + PENDING], state[w + PASSES] = pending, 0


@compiled
def play(setup: Setup, state: Array, kind: int, colour: int) -> int:
    """Play a card of the player to move, with the colour that is matched next; return the winner.

    A state in which the game ends is not changed.
    """
    player = state[setup.words + PLAYER]
    if size_of(setup, state, player) == 1:
        return player
    add(setup, state, player, kind, -1)
    take_effect(setup, state, colour, symbol_of(kind))
    return UNDECIDED


@compiled
def accept(setup: Setup, state: Array) -> None:
    """Let the player to move accept a pending skip or draw."""
    w = setup.words
    give(setup, state, state[w + PLAYER], max(state[w + PENDING], 0))
    state[w + SYMBOL] = wear_off(setup, state[w + SYMBOL])
    state[w + PENDING] = 0
    end_turn(setup, state)


@compiled
def draw(setup: Setup, state: Array) -> int:
    """Let the player to move draw; return the kind of the last card if it can be played, or -1."""
    w = setup.words
    player = state[w + PLAYER]
    refill(setup, state)
    while has_pile(setup, state):
        kind = take(setup, state, player)
        other = kind < WILD and kind // 13 != state[w + COLOUR]
        if playable(setup, state, player) >> kind & 1 and not (setup.drawn_by_colour and other):
            return kind
        if not setup.draw:
            break
    return -1


@compiled
def end_turn(setup: Setup, state: Array) -> None:
    """Let the next player move, after one who drew or accepted a skip or draw."""
    w = setup.words
    state[w + PLAYER] = seat_at(setup, state[w + PLAYER] + state[w + DIRECTION])
    state[w + PASSES] = 0


@compiled
def pass_turn(setup: Setup, state: Array) -> int:
    """Let the player to move pass; return the winner, which is nobody when all have passed."""
    w = setup.words
    passes = state[w + PASSES] + 1
    end_turn(setup, state)
    state[w + PASSES] = passes
    return NOBODY if passes == setup.players else UNDECIDED


@compiled
def lay(setup: Setup, state: Array, kind: int, drawn: int, to: Moves, found: int) -> int:
    """Append the moves that play a card to those found; return their number."""
    first, end = (kind // 13, kind // 13 + 1) if kind < WILD else (0, 4)
    for colour in range(first, end):
        child = to.children[found]
        copy(state, child)
        to.winners[found] = play(setup, child, kind, colour)
        to.labels[found] = drawn + 4 * kind + (colour if kind >= WILD else 0)
        found += 1
        if to.winners[found - 1] != UNDECIDED:
            break
    return found


@compiled
def lay_all(setup: Setup, state: Array, kinds: int, to: Moves, found: int) -> int:
    """Append the moves that play a card of the given kinds to those found; return their number."""
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        found = lay(setup, state, kind, 0, to, found)
    return found


@compiled
def answers(setup: Setup, state: Array, to: Moves) -> int:
    """Write down the moves that pass on a pending skip or draw, and the one that accepts it."""
    found = lay_all(setup, state, answering(setup, state), to, 0)
    copy(state, to.children[found])
    accept(setup, to.children[found])
    to.winners[found], to.labels[found] = UNDECIDED, NOTHING
    return found + 1


@compiled
def draws(setup: Setup, state: Array, to: Moves, found: int) -> int:
    """Append the moves that draw; ``state`` is changed."""
    kind = draw(setup, state)
    if kind >= 0 and setup.play_drawn in (MUST, MAY):
        found = lay(setup, state, kind, DRAWN, to, found)
        if setup.play_drawn == MUST:
            return found
    end_turn(setup, state)
    copy(state, to.children[found])
    to.winners[found], to.labels[found] = UNDECIDED, DRAWN + NOTHING
    return found + 1


@compiled
def moves(setup: Setup, state: Array, to: Moves) -> int:
    """Write down the states after all moves; return their number. ``state`` may be changed."""
    w = setup.words
    if state[w + PENDING]:
        return answers(setup, state, to)
    kinds = playable(setup, state, state[w + PLAYER])
    of_colour = kinds & OF_COLOUR << 13 * state[w + COLOUR]
    found = lay_all(setup, state, of_colour, to, 0)
    found = lay_all(setup, state, kinds & ~of_colour, to, found)
    if found and setup.must_play:
        return found
    if can_draw(setup, state):
        return draws(setup, state, to, found)
    if found:
        return found
    to.winners[0] = pass_turn(setup, state)
    copy(state, to.children[0])
    to.labels[0] = NOTHING
    return 1
