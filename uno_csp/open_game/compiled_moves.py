"""The moves of the open game, compiled by Numba.

The rules are those of :class:`uno_csp.open_game.positions.Game` without reshuffles, on arrays of
integers; the tests compare the moves of both, position by position. Numba compiles on first use and
keeps the machine code in a cache, so that it needs no compiler on the machine, as an extension
module would. Compiled by mypyc or Cython as it is, the search in Python gains half its speed again;
on arrays it gains more than tenfold. Importing this module loads Numba.

A state is an array of 64-bit integers. First come the hands, as counts of cards in bit fields that
are wide enough for all cards of the kind in the game; then the other fields of a position; then the
number of cards of each hand.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from uno_csp.open_game.deck import DRAW_FOUR, DRAW_TWO, REVERSE, SKIP, WILD, unpacked
from uno_csp.open_game.positions import FOUR, NO_SYMBOL, NOBODY, SKIPPED, Game, Position
from uno_csp.open_game.rules import Draw, Drawn, PlusFour, Stacking

Array: TypeAlias = NDArray[np.int64]

F = TypeVar("F", bound=Callable[..., Any])

COLOUR, SYMBOL, AT, PLAYER, DIRECTION, PENDING, PASSES, FIELDS = range(8)
"""Places of the fields of a position, after the hands; FIELDS is their number."""

UNDECIDED = -2
"""The winner after a move that does not end the game."""

MOST_MOVES = 40
"""More than the number of moves: 16 cards of a colour or symbol, 8 with wild cards, 6 drawn."""

NOTHING, DRAWN = 4 * 54, 256
"""Labels of moves: that no card is played, and what is added if one is drawn."""

KINDS = 54

MUST, MAY = 0, 1
SAME, DRAWS = 1, 2
FREE, LAST_RESORT = 1, 2


def compiled(function: F) -> F:
    """Compile a function on its first call; keep the machine code if there is a place for it."""
    try:
        found: Any = njit(cache=True)(function)
    except RuntimeError:  # neither the package nor the user has a folder that can be written
        return cast("F", njit(function))
    _forget_older_code(found)
    return cast("F", found)


def _forget_older_code(function: Any) -> None:
    """Delete machine code that is older than this module: Numba looks at the caller's file only."""
    stem = Path(function.py_func.__code__.co_filename).stem
    changed = Path(__file__).stat().st_mtime
    for file in Path(function.stats.cache_path).glob(f"{stem}.{function.__name__}-*.nb?"):
        with suppress(OSError):
            if file.stat().st_mtime < changed:
                file.unlink()


class Setup(NamedTuple):
    """The rules, the draw pile, and the places of the counts in a state.

    ``word`` and ``shift`` have the place of the count of each player's cards of each kind, and
    ``mask`` its bits; ``words`` is the number of integers of the hands. ``side`` has 1 for the
    players who try to win, and 0 for the others. The other fields are the switches of the rules, as
    integers.
    """

    players: int
    words: int
    word: Array
    shift: Array
    mask: Array
    draw: Array
    side: Array
    must_play: int
    play_drawn: int
    drawn_by_colour: int
    plus_four: int
    stacking: int
    numbers_last: int
    skips_answered: int
    reverse_skips: int
    wears_off: int
    until_playable: int


class Moves(NamedTuple):
    """Where moves are written: the state after each, its winner, and its label.

    The label of a move is 4 times the kind of the card played plus the colour named, or
    :data:`NOTHING`; plus :data:`DRAWN` if a card is drawn that nobody made the player draw.
    """

    children: Array
    winners: Array
    labels: Array


@compiled
def held(setup: Setup, state: Array, player: int, kind: int) -> int:
    """Return how many cards of a kind a player holds."""
    return int(state[setup.word[player, kind]] >> setup.shift[player, kind] & setup.mask[kind])


@compiled
def add(setup: Setup, state: Array, player: int, kind: int, count: int) -> None:
    """Add cards to a hand, or take them away."""
    state[setup.word[player, kind]] += count << setup.shift[player, kind]
    state[setup.words + FIELDS + player] += count


@compiled
def give(setup: Setup, state: Array, player: int, count: int) -> None:
    """Let a player draw a number of cards, or all that are left."""
    at = setup.words + AT
    while count and state[at] < len(setup.draw):
        add(setup, state, player, setup.draw[state[at]], 1)
        state[at] += 1
        count -= 1


@compiled
def may_play(setup: Setup, state: Array, player: int, kind: int) -> bool:
    """Return True if a card that matches may be played, by the rules for last cards and +4."""
    alone = state[setup.words + FIELDS + player] == 1
    if setup.numbers_last and alone and (kind >= WILD or kind % 13 >= SKIP):
        return False
    return kind != DRAW_FOUR or setup.plus_four == FREE or may_play_four(setup, state, player)


@compiled
def may_play_four(setup: Setup, state: Array, player: int) -> bool:
    """Return True unless a +4 is forbidden because of the other cards of the hand."""
    colour, matched = state[setup.words + COLOUR], state[setup.words + SYMBOL]
    for symbol in range(13):
        if held(setup, state, player, 13 * colour + symbol):
            return False
    if setup.plus_four == LAST_RESORT:
        for other in range(4 if matched < NO_SYMBOL else 0):
            if held(setup, state, player, 13 * other + matched):
                return False
        return not held(setup, state, player, WILD)
    return True


@compiled
def playable(setup: Setup, state: Array, player: int, kind: int) -> bool:
    """Return True if a card of a hand matches the pile and may be played."""
    if kind < WILD:
        colour, symbol = state[setup.words + COLOUR], state[setup.words + SYMBOL]
        if kind // 13 != colour and kind % 13 != symbol:
            return False
    return may_play(setup, state, player, kind)


@compiled
def worn(setup: Setup, symbol: int) -> int:
    """Return the symbol left to match on a card that has had its effect."""
    return NO_SYMBOL if setup.wears_off else symbol


@compiled
def take_effect(setup: Setup, state: Array, colour: int, symbol: int) -> None:
    """Change a state by the effect of the card that was played."""
    w, players = setup.words, setup.players
    player, direction, before = state[w + PLAYER], state[w + DIRECTION], state[w + PENDING]
    following = (player + direction) % players
    pending = 0
    if symbol == SKIP:
        if setup.skips_answered:
            pending = SKIPPED
        else:
            following = (following + direction) % players
            symbol = worn(setup, symbol)
    elif symbol == REVERSE:
        direction = -direction
        skips = players == 2 and setup.reverse_skips
        following = player if skips else (player + direction) % players
    elif symbol in (DRAW_TWO, FOUR):
        count = 2 if symbol == DRAW_TWO else 4
        if setup.stacking:
            pending = max(before, 0) + count
        else:
            give(setup, state, following, count)
            following = (following + direction) % players
            symbol = worn(setup, symbol)
    state[w + COLOUR], state[w + SYMBOL] = colour, symbol
    state[w + PLAYER], state[w + DIRECTION] = following, direction
    state[w + PENDING], state[w + PASSES] = pending, 0


@compiled
def lay(setup: Setup, state: Array, kind: int, drawn: int, to: Moves, found: int) -> int:
    """Append the moves that play a card to those found; return their number."""
    player = state[setup.words + PLAYER]
    if state[setup.words + FIELDS + player] == 1:
        to.winners[found] = player
        to.labels[found] = drawn + 4 * kind
        return found + 1
    first, end = (kind // 13, kind // 13 + 1) if kind < WILD else (0, 4)
    symbol = kind % 13 if kind < WILD else FOUR if kind == DRAW_FOUR else NO_SYMBOL
    for colour in range(first, end):
        child = to.children[found]
        child[:] = state
        add(setup, child, player, kind, -1)
        take_effect(setup, child, colour, symbol)
        to.winners[found] = UNDECIDED
        to.labels[found] = drawn + 4 * kind + (colour if kind >= WILD else 0)
        found += 1
    return found


@compiled
def answers(setup: Setup, state: Array, to: Moves) -> int:
    """Write down the moves that pass on a pending skip or draw, and the one that accepts it."""
    w = setup.words
    player, symbol, skipped = state[w + PLAYER], state[w + SYMBOL], state[w + PENDING] == SKIPPED
    found = 0
    if skipped or symbol == DRAW_TWO:
        wanted = SKIP if skipped else DRAW_TWO
        for colour in range(4):
            kind = 13 * colour + wanted
            alone = setup.numbers_last and state[w + FIELDS + player] == 1
            if held(setup, state, player, kind) and not alone:
                found = lay(setup, state, kind, 0, to, found)
    fours = not skipped and (setup.stacking == DRAWS or symbol == FOUR)
    alone = setup.numbers_last and state[w + FIELDS + player] == 1
    if fours and held(setup, state, player, DRAW_FOUR) and not alone:
        found = lay(setup, state, DRAW_FOUR, 0, to, found)
    child = to.children[found]
    child[:] = state
    give(setup, child, player, max(state[w + PENDING], 0))
    child[w + SYMBOL] = worn(setup, symbol)
    child[w + PLAYER] = (player + state[w + DIRECTION]) % setup.players
    child[w + PENDING] = child[w + PASSES] = 0
    to.winners[found], to.labels[found] = UNDECIDED, NOTHING
    return found + 1


@compiled
def draws(setup: Setup, state: Array, to: Moves, found: int) -> int:
    """Append the moves that draw; ``state`` is changed."""
    w = setup.words
    player = state[w + PLAYER]
    can, kind = False, -1
    while state[w + AT] < len(setup.draw):
        kind = setup.draw[state[w + AT]]
        give(setup, state, player, 1)
        can = playable(setup, state, player, kind)
        if setup.drawn_by_colour and kind < WILD and kind // 13 != state[w + COLOUR]:
            can = False
        if can or not setup.until_playable:
            break
    if can and setup.play_drawn in (MUST, MAY):
        found = lay(setup, state, kind, DRAWN, to, found)
        if setup.play_drawn == MUST:
            return found
    state[w + PLAYER] = (player + state[w + DIRECTION]) % setup.players
    state[w + PASSES] = 0
    to.children[found] = state
    to.winners[found], to.labels[found] = UNDECIDED, DRAWN + NOTHING
    return found + 1


@compiled
def lays(setup: Setup, state: Array, to: Moves) -> int:
    """Write down the moves that play a card of the hand; return their number."""
    w = setup.words
    player, colour, symbol = state[w + PLAYER], state[w + COLOUR], state[w + SYMBOL]
    found = 0
    for place in range(19):
        if place < 13:
            kind = 13 * colour + place
        elif place < 17:
            kind = 13 * (place - 13) + symbol
            if symbol >= NO_SYMBOL or place - 13 == colour:
                continue
        else:
            kind = WILD + place - 17
        if held(setup, state, player, kind) and may_play(setup, state, player, kind):
            found = lay(setup, state, kind, 0, to, found)
    return found


@compiled
def moves(setup: Setup, state: Array, to: Moves) -> int:
    """Write down the states after all moves; return their number. ``state`` may be changed."""
    w = setup.words
    if state[w + PENDING]:
        return answers(setup, state, to)
    found = lays(setup, state, to)
    if found and setup.must_play:
        return found
    if state[w + AT] < len(setup.draw):
        return draws(setup, state, to, found)
    if found:
        return found
    passes = state[w + PASSES] + 1
    state[w + PASSES] = passes
    state[w + PLAYER] = (state[w + PLAYER] + state[w + DIRECTION]) % setup.players
    to.children[0] = state
    to.winners[0] = NOBODY if passes == setup.players else UNDECIDED
    to.labels[0] = NOTHING
    return 1


def setup_of(game: Game, players: Collection[int], start: Position) -> Setup:
    """Return a game for the compiled search; each count gets as many bits as it may need."""
    cards = np.zeros(KINDS, dtype=np.int64)
    for kind in [*game.draw, *(kind for hand in start.hands for kind in unpacked(hand))]:
        cards[kind] += 1
    word = np.zeros((game.players, KINDS), dtype=np.int64)
    shift = np.zeros((game.players, KINDS), dtype=np.int64)
    bits = [int(count).bit_length() for count in cards]
    words, used = 0, 63
    for player in range(game.players):
        for kind in np.flatnonzero(cards).tolist():
            if used + bits[kind] > 62:  # the sign bit stays free
                words, used = words + 1, 0
            word[player, kind], shift[player, kind] = words - 1, used
            used += bits[kind]
    rules = game.rules
    return Setup(
        players=game.players,
        words=words,
        word=word,
        shift=shift,
        mask=np.array([(1 << width) - 1 for width in bits], dtype=np.int64),
        draw=np.array(game.draw, dtype=np.int64),
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
    )


def state_of(setup: Setup, position: Position) -> Array:
    """Return a position as a state of the compiled search."""
    state = np.zeros(setup.words + FIELDS + setup.players, dtype=np.int64)
    state[setup.words : setup.words + FIELDS] = position[1 : FIELDS + 1]
    for player, hand in enumerate(position.hands):
        kinds = unpacked(hand)
        state[setup.words + FIELDS + player] = len(kinds)
        for kind in kinds:
            state[setup.word[player, kind]] += 1 << setup.shift[player, kind]
    return state
