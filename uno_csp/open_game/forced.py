"""The forced moves of the open game, in plain Python or compiled.

A search need not look at positions in which the player to move has no choice. It plays what is
forced until somebody has a choice, and forgets what then makes no difference, so that more
positions are equal.
"""

from uno_csp.open_game.compiling import compiled
from uno_csp.open_game.deck import WILD
from uno_csp.open_game.moves import (
    NO_SYMBOL,
    OF_COLOUR,
    OF_SYMBOL,
    UNDECIDED,
    accept,
    answering,
    can_draw,
    draw,
    end_turn,
    pass_turn,
    play,
    playable,
)
from uno_csp.open_game.states import (
    COLOUR,
    MAY,
    MUST,
    PENDING,
    PLAYER,
    SYMBOL,
    Array,
    Setup,
    copy,
    kinds_of,
    lowest,
    size_of,
)


@compiled
def settle(setup: Setup, state: Array) -> int:
    """Play what is forced, until a player has a choice; return the winner, or UNDECIDED.

    Whoever can win at once does, even if the rules allow another move.
    """
    forced, winner = True, UNDECIDED
    while forced and winner == UNDECIDED:
        forced, winner = step(setup, state)
    forget(setup, state)
    return winner


@compiled
def step(setup: Setup, state: Array) -> tuple[bool, int]:
    """Play the move that is forced; return False if there is none, and the winner."""
    w = setup.words
    player, pending = state[w + PLAYER], state[w + PENDING]
    kinds = answering(setup, state) if pending else playable(setup, state, player)
    if kinds and size_of(setup, state, player) == 1:
        return True, player
    if pending:
        if not kinds:
            accept(setup, state)
        return not kinds, UNDECIDED
    used_up = not can_draw(setup, state)
    if kinds:
        kind = lowest(kinds)
        only = kinds == 1 << kind and kind < WILD and (setup.must_play == 1 or used_up)
        if only:
            play(setup, state, kind, kind // 13)
        return only, UNDECIDED
    return (True, pass_turn(setup, state)) if used_up else step_of_drawing(setup, state)


@compiled
def step_of_drawing(setup: Setup, state: Array) -> tuple[bool, int]:
    """Draw, and play the card, if both are forced; return False if not, and the winner."""
    copy(state, setup.spare)
    kind = draw(setup, state)
    if kind >= 0 and (setup.play_drawn == MAY or (setup.play_drawn == MUST and kind >= WILD)):
        copy(setup.spare, state)
        return False, UNDECIDED
    if kind >= 0 and setup.play_drawn == MUST:
        return True, play(setup, state, kind, kind // 13)
    end_turn(setup, state)
    return True, UNDECIDED


@compiled
def forget(setup: Setup, state: Array) -> None:
    """Replace the symbol of the pile by none if the player to move must play, but not on it."""
    w = setup.words
    player, colour, symbol = state[w + PLAYER], state[w + COLOUR], state[w + SYMBOL]
    if not setup.must_play or state[w + PENDING]:
        return
    others = kinds_of(setup, state, player) & ~(OF_COLOUR << 13 * colour)
    matches = symbol < NO_SYMBOL and others & OF_SYMBOL << symbol
    if not matches and playable(setup, state, player):
        state[w + SYMBOL] = NO_SYMBOL
