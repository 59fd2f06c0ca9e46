"""The moves of the open game, compiled by Numba.

The rules are those of :class:`uno_csp.open_game.positions.Game`, on arrays of integers; the tests
compare the moves of both, position by position. Numba compiles on first use and keeps the machine
code in a cache, so that it needs no compiler on the machine, as an extension module would. Compiled
by mypyc or Cython as it is, the search in Python gains half its speed again; on arrays it gains
more than tenfold. Importing this module loads Numba.

Nearly every function is compiled into its callers, and none counts references: no array is made
here, and to count those of the arrays that are passed takes most of the time otherwise.

A state is an array of 64-bit integers. First come the hands, as counts of cards in bit fields that
are wide enough for all cards of the kind in the game; then the other fields of a position; then the
number of cards of each hand; then the kinds in each hand, as a bit mask. The draw pile after a
reshuffle is in order, so it is the hand of one more player: the *stock*. A reshuffle adds 1 to the
number of cards gone from the first draw pile.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from uno_csp.open_game.deck import DRAW_FOUR, DRAW_TWO, REVERSE, SKIP, WILD
from uno_csp.open_game.positions import FOUR, NO_SYMBOL, NOBODY, SKIPPED

try:
    from numba import njit
except ImportError:
    njit = None

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

WILDS, FOURS = 3 << WILD, 1 << DRAW_FOUR
"""Bit masks of kinds: both wild cards, and the wild draw four."""

NUMBERS = sum(1 << 13 * colour + symbol for colour in range(4) for symbol in range(SKIP))
"""Bit mask of the kinds of numbers."""

OF_COLOUR, OF_SYMBOL = (1 << 13) - 1, 1 | 1 << 13 | 1 << 26 | 1 << 39
"""Bit masks of the kinds of the first colour, and of those of the first symbol."""

PLACES = np.zeros(67, dtype=np.int64)
PLACES[[pow(2, place, 67) for place in range(KINDS)]] = range(KINDS)
"""For a power of two modulo 67, its exponent."""

OPTIONS: Mapping[str, bool] = {"_nrt": False}
"""Options of Numba: without its runtime for memory."""

MUST, MAY = 0, 1
SAME, DRAWS = 1, 2
FREE, LAST_RESORT = 1, 2


def compiled(function: F, inline: bool = True) -> F:
    """Compile a function on its first call; keep the machine code if there is a place for it.

    Without Numba the function stays as it is.
    """
    if njit is None:
        return function
    options = {**OPTIONS, "forceinline": inline}
    try:
        found: Any = njit(cache=True, **options)(function)
    except RuntimeError:  # neither the package nor the user has a folder that can be written
        return cast("F", njit(**options)(function))
    _forget_older_code(found)
    return cast("F", found)


def _forget_older_code(function: Any) -> None:
    """Delete machine code that is older than a module it uses: Numba looks at the caller's only."""
    stem = Path(function.py_func.__code__.co_filename).stem
    changed = max(file.stat().st_mtime for file in Path(__file__).parent.glob("compiled*.py"))
    for file in Path(function.stats.cache_path).glob(f"{stem}.{function.__name__}-*.nb?"):
        with suppress(OSError):
            if file.stat().st_mtime < changed:
                file.unlink()


class Setup(NamedTuple):
    """The rules, the draw pile, and the places of the counts in a state.

    ``word`` and ``shift`` have the place of the count of each player's cards of each kind, one
    player after the other, and ``mask`` its bits; ``words`` is the number of integers of the hands.
    ``side`` has 1 for the players who try to win, and 0 for the others. The other fields are the
    switches of the rules, as integers; if there are reshuffles, ``cards`` has the number of cards
    of each kind in the game, and ``total`` that of all. ``spare`` is a state that is written.
    """

    players: int
    words: int
    word: Array
    shift: Array
    mask: Array
    draw: Array
    cards: Array
    total: int
    spare: Array
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
    reshuffles: int


class Moves(NamedTuple):
    """Where moves are written: the state after each, its winner, and its label.

    The label of a move is 4 times the kind of the card played plus the colour named, or
    :data:`NOTHING`; plus :data:`DRAWN` if a card is drawn that nobody made the player draw.
    """

    children: Array
    winners: Array
    labels: Array


@compiled
def copy(state: Array, to: Array) -> None:
    """Copy a state into another array; faster than a slice, whose overlap Numba would check."""
    for place in range(len(state)):
        to[place] = state[place]


@compiled
def held(setup: Setup, state: Array, player: int, kind: int) -> int:
    """Return how many cards of a kind a player holds."""
    at = KINDS * player + kind
    return int(state[setup.word[at]] >> setup.shift[at] & setup.mask[kind])


@compiled
def size_of(setup: Setup, state: Array, player: int) -> int:
    """Return how many cards a player holds."""
    return int(state[setup.words + FIELDS + player])


@compiled
def kinds_of(setup: Setup, state: Array, player: int) -> int:
    """Return the kinds that a player holds, as a bit mask."""
    return int(state[setup.words + FIELDS + setup.players + 1 + player])


@compiled
def lowest(kinds: int) -> int:
    """Return the first kind of a bit mask that is not empty."""
    return int(PLACES[(kinds & -kinds) % 67])


@compiled
def count_kinds(kinds: int) -> int:
    """Return the number of kinds of a bit mask."""
    count = 0
    while kinds:
        kinds &= kinds - 1
        count += 1
    return count


@compiled
def add(setup: Setup, state: Array, player: int, kind: int, count: int) -> None:
    """Add cards to a hand, or take them away."""
    at, sizes = KINDS * player + kind, setup.words + FIELDS
    word, shift = setup.word[at], setup.shift[at]
    state[word] += count << shift
    state[sizes + player] += count
    kinds = sizes + setup.players + 1 + player
    if state[word] >> shift & setup.mask[kind]:
        state[kinds] |= 1 << kind
    else:
        state[kinds] &= ~(1 << kind)


@compiled
def has_pile(setup: Setup, state: Array) -> bool:
    """Return True if the draw pile is not used up."""
    left = len(setup.draw) - state[setup.words + AT]
    return bool(left > 0 or size_of(setup, state, setup.players))


@compiled
def can_draw(setup: Setup, state: Array) -> bool:
    """Return True if a card can be drawn, if necessary after a reshuffle."""
    if has_pile(setup, state):
        return True
    if state[setup.words + AT] - len(setup.draw) == setup.reshuffles:
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
    state[w + AT] += 1


@compiled
def refill(setup: Setup, state: Array) -> bool:
    """Reshuffle if the draw pile is used up; return True if a card can be drawn."""
    if not can_draw(setup, state):
        return False
    if not has_pile(setup, state):
        reshuffle(setup, state)
    return True


@compiled
def take(setup: Setup, state: Array, player: int) -> int:
    """Let a player draw the first card of the draw pile; return its kind."""
    at = setup.words + AT
    if state[at] < len(setup.draw):
        kind = int(setup.draw[state[at]])
        state[at] += 1
    else:
        kind = lowest(kinds_of(setup, state, setup.players))
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
    forbidden = setup.numbers_last and size_of(setup, state, player) == 1
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
    state[w + COLOUR], state[w + SYMBOL] = colour, symbol  # this card is not reshuffled
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
    state[w + SYMBOL], state[w + PLAYER], state[w + DIRECTION] = symbol, following, direction
    state[w + PENDING], state[w + PASSES] = pending, 0


@compiled
def play(setup: Setup, state: Array, kind: int, colour: int) -> int:
    """Play a card of the player to move, with the colour that is matched next; return the winner.

    A state in which the game ends is not changed.
    """
    player = state[setup.words + PLAYER]
    if size_of(setup, state, player) == 1:
        return int(player)
    add(setup, state, player, kind, -1)
    symbol = kind % 13 if kind < WILD else FOUR if kind == DRAW_FOUR else NO_SYMBOL
    take_effect(setup, state, colour, symbol)
    return UNDECIDED


@compiled
def accept(setup: Setup, state: Array) -> None:
    """Let the player to move accept a pending skip or draw."""
    w = setup.words
    give(setup, state, state[w + PLAYER], max(state[w + PENDING], 0))
    state[w + SYMBOL] = worn(setup, state[w + SYMBOL])
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
        if not setup.until_playable:
            break
    return -1


@compiled
def end_turn(setup: Setup, state: Array) -> None:
    """Let the next player move, after one who drew or accepted a skip or draw."""
    w = setup.words
    state[w + PLAYER] = (state[w + PLAYER] + state[w + DIRECTION]) % setup.players
    state[w + PASSES] = 0


@compiled
def passed(setup: Setup, state: Array) -> int:
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
    to.winners[0] = passed(setup, state)
    copy(state, to.children[0])
    to.labels[0] = NOTHING
    return 1
