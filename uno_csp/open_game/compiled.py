"""Depth-first proof-number search of the open game, compiled by Numba.

The rules are those of :class:`uno_csp.open_game.positions.Game` without reshuffles, on arrays of
integers; the tests compare the moves of both, position by position. Numba compiles on first use and
keeps the machine code in a cache, so that it needs no compiler on the machine, as an extension
module would; mypyc was no choice, since it keeps hands as Python integers. Importing this module
loads Numba, so short searches are done without it (:mod:`uno_csp.open_game.search`).

A state is an array of 64-bit integers. First come the hands, as counts of cards in bit fields that
are wide enough for all cards of the kind in the game; then the other fields of a position; then the
number of cards of each hand. The transposition table has a fixed number of slots, in buckets of
four. It compares whole states, so none is taken for another; in a full bucket, the state that took
the least work is replaced.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from uno_csp.open_game.deck import DRAW_FOUR, DRAW_TWO, REVERSE, SKIP, WILD
from uno_csp.open_game.positions import FOUR, NO_SYMBOL, NOBODY, SKIPPED

Array: TypeAlias = NDArray[np.int64]

F = TypeVar("F", bound=Callable[..., Any])

COLOUR, SYMBOL, AT, PLAYER, DIRECTION, PENDING, PASSES, FIELDS = range(8)
"""Places of the fields of a position, after the hands; FIELDS is their number."""

UNDECIDED = -2
"""The winner after a move that does not end the game."""

MOST_MOVES = 40
"""More than the number of moves: 16 cards of a colour or symbol, 8 with wild cards, 6 drawn."""

INFINITE = (1 << 24) - 1
"""Proof number of what is disproved."""

BUCKET = 4
_BITS = 24
_NUMBER = (1 << _BITS) - 1

MUST, MAY = 0, 1
SAME, DRAWS = 1, 2


def compiled(function: F) -> F:
    """Compile a function on its first call; keep the machine code if there is a place for it."""
    try:
        return cast("F", njit(cache=True)(function))
    except RuntimeError:  # neither the package nor the user has a folder that can be written
        return cast("F", njit(function))


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
    free_four: int
    stacking: int
    numbers_last: int
    skips_answered: int
    wears_off: int
    until_playable: int


class Table(NamedTuple):
    """The transposition table: hands and packed fields of states, and their numbers and work.

    A value of 0 is a free slot. ``used`` has the number of slots in use.
    """

    states: Array
    values: Array
    used: Array


class Stack(NamedTuple):
    """The path that is being searched.

    For each depth: the state, its children with their winners and numbers, their number, the child
    that is searched, the limits, and the number of expansions when it began. ``counters`` has the
    depth and the number of expansions.
    """

    states: Array
    children: Array
    winners: Array
    numbers: Array
    sizes: Array
    chosen: Array
    limits: Array
    begun: Array
    counters: Array


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
    if kind == DRAW_FOUR and not setup.free_four:
        colour = state[setup.words + COLOUR]
        for symbol in range(13):
            if held(setup, state, player, 13 * colour + symbol):
                return False
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
        following = player if players == 2 else (player + direction) % players
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
def lay(setup: Setup, state: Array, kind: int, children: Array, winners: Array, found: int) -> int:
    """Append the moves that play a card to those found; return their number."""
    player = state[setup.words + PLAYER]
    if state[setup.words + FIELDS + player] == 1:
        winners[found] = player
        return found + 1
    first, end = (kind // 13, kind // 13 + 1) if kind < WILD else (0, 4)
    symbol = kind % 13 if kind < WILD else FOUR if kind == DRAW_FOUR else NO_SYMBOL
    for colour in range(first, end):
        child = children[found]
        child[:] = state
        add(setup, child, player, kind, -1)
        take_effect(setup, child, colour, symbol)
        winners[found] = UNDECIDED
        found += 1
    return found


@compiled
def answers(setup: Setup, state: Array, children: Array, winners: Array) -> int:
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
                found = lay(setup, state, kind, children, winners, found)
    fours = not skipped and (setup.stacking == DRAWS or symbol == FOUR)
    alone = setup.numbers_last and state[w + FIELDS + player] == 1
    if fours and held(setup, state, player, DRAW_FOUR) and not alone:
        found = lay(setup, state, DRAW_FOUR, children, winners, found)
    child = children[found]
    child[:] = state
    give(setup, child, player, max(state[w + PENDING], 0))
    child[w + SYMBOL] = worn(setup, symbol)
    child[w + PLAYER] = (player + state[w + DIRECTION]) % setup.players
    child[w + PENDING] = child[w + PASSES] = 0
    winners[found] = UNDECIDED
    return found + 1


@compiled
def draws(setup: Setup, state: Array, children: Array, winners: Array, found: int) -> int:
    """Append the moves that draw; ``state`` is changed."""
    w = setup.words
    player = state[w + PLAYER]
    can, kind = False, -1
    while state[w + AT] < len(setup.draw):
        kind = setup.draw[state[w + AT]]
        give(setup, state, player, 1)
        can = playable(setup, state, player, kind)
        if can or not setup.until_playable:
            break
    if can and setup.play_drawn in (MUST, MAY):
        found = lay(setup, state, kind, children, winners, found)
        if setup.play_drawn == MUST:
            return found
    state[w + PLAYER] = (player + state[w + DIRECTION]) % setup.players
    state[w + PASSES] = 0
    children[found] = state
    winners[found] = UNDECIDED
    return found + 1


@compiled
def lays(setup: Setup, state: Array, children: Array, winners: Array) -> int:
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
            found = lay(setup, state, kind, children, winners, found)
    return found


@compiled
def moves(setup: Setup, state: Array, children: Array, winners: Array) -> int:
    """Write down the states after all moves; return their number. ``state`` may be changed."""
    w = setup.words
    if state[w + PENDING]:
        return answers(setup, state, children, winners)
    found = lays(setup, state, children, winners)
    if found and setup.must_play:
        return found
    if state[w + AT] < len(setup.draw):
        return draws(setup, state, children, winners, found)
    if found:
        return found
    passes = state[w + PASSES] + 1
    state[w + PASSES] = passes
    state[w + PLAYER] = (state[w + PLAYER] + state[w + DIRECTION]) % setup.players
    children[0] = state
    winners[0] = NOBODY if passes == setup.players else UNDECIDED
    return 1


@compiled
def packed(setup: Setup, state: Array) -> int:
    """Return the fields of a state, without the numbers of cards, as one integer.

    Between two players the direction has no effect.
    """
    w = setup.words
    forward = setup.players > 2 and state[w + DIRECTION] > 0
    number = state[w + AT] << 11 | state[w + PENDING] + 1
    number = number << 4 | state[w + PASSES]
    number = number << 4 | state[w + PLAYER]
    number = number << 4 | state[w + SYMBOL]
    number = number << 2 | state[w + COLOUR]
    return int(number << 1 | forward)


@compiled
def bucket_of(table: Table, hands: Array, fields: int) -> int:
    """Return the first slot of the bucket of a state."""
    mixed = fields * np.int64(-7046029254386353131)
    for place in range(table.states.shape[1] - 1):
        mixed ^= mixed >> 29
        mixed = (mixed ^ hands[place]) * np.int64(-7046029254386353131)
    mixed ^= mixed >> 32
    return int(mixed & (len(table.values) // BUCKET - 1)) * BUCKET


@compiled
def slot_of(table: Table, hands: Array, fields: int) -> int:
    """Return the slot of a state, or -1 if it is not in the table."""
    first = bucket_of(table, hands, fields)
    last = table.states.shape[1] - 1
    for slot in range(first, first + BUCKET):
        if table.values[slot] and table.states[slot, last] == fields:
            same = True
            for place in range(last):
                same = same and table.states[slot, place] == hands[place]
            if same:
                return slot
    return -1


@compiled
def store(table: Table, hands: Array, fields: int, numbers: int, work: int) -> None:
    """Store the numbers of a state, in the place of the one with the least work if need be."""
    slot = slot_of(table, hands, fields)
    if slot < 0:
        slot = first = bucket_of(table, hands, fields)
        for other in range(first, first + BUCKET):
            if table.values[other] >> 2 * _BITS < table.values[slot] >> 2 * _BITS:
                slot = other
        table.used[0] += table.values[slot] == 0
        last = table.states.shape[1] - 1
        table.states[slot, :last] = hands[:last]
        table.states[slot, last] = fields
    effort = 1
    while work > 1:
        effort += 1
        work >>= 1
    table.values[slot] = effort << 2 * _BITS | numbers


@compiled
def look(
    setup: Setup, table: Table, state: Array, winner: int, numbers: Array, fresh: bool
) -> None:
    """Write down the proof and disproof numbers of a state, or of an ended game.

    A state that is not in the table keeps its numbers unless it is ``fresh``; then it starts with
    the sizes of the smallest hands of both sides.
    """
    if winner != UNDECIDED:
        won = winner >= 0 and setup.side[winner] == 1
        numbers[0], numbers[1] = (0, INFINITE) if won else (INFINITE, 0)
        return
    slot = slot_of(table, state, packed(setup, state))
    if slot >= 0:
        numbers[0] = table.values[slot] & _NUMBER
        numbers[1] = table.values[slot] >> _BITS & _NUMBER
    elif fresh:
        numbers[:] = INFINITE
        for player in range(setup.players):
            size = state[setup.words + FIELDS + player]
            place = 0 if setup.side[player] else 1
            numbers[place] = min(numbers[place], size)


@compiled
def push(setup: Setup, table: Table, stack: Stack, proof_limit: int, disproof_limit: int) -> None:
    """Expand the state at the next depth, which has been written there."""
    stack.counters[0] += 1
    depth = stack.counters[0]
    state = stack.states[depth].copy()
    size = moves(setup, state, stack.children[depth], stack.winners[depth])
    stack.sizes[depth] = size
    stack.limits[depth, 0], stack.limits[depth, 1] = proof_limit, disproof_limit
    stack.begun[depth] = stack.counters[1]
    stack.counters[1] += 1
    for at in range(size):
        child, winner = stack.children[depth, at], stack.winners[depth, at]
        look(setup, table, child, winner, stack.numbers[depth, at], True)


@compiled
def combined(stack: Stack, depth: int, side: int) -> tuple[int, int, int, int]:
    """Return the best child, its number, the second best number, and that of the other side.

    The other side's number is the maximum of the children's, plus one for each other undecided
    child: a sum would count the states that several children share repeatedly.
    """
    best, least, second, most, undecided = 0, INFINITE + 1, INFINITE + 1, 0, 0
    for at in range(stack.sizes[depth]):
        own, other = stack.numbers[depth, at, side], stack.numbers[depth, at, 1 - side]
        if own < least:
            best, least, second = at, own, least
        elif own < second:
            second = own
        most = max(most, other)
        undecided += other > 0
    rest = min(most + undecided - 1, INFINITE) if most else 0
    return best, least, min(second, INFINITE), rest


@compiled
def run(setup: Setup, table: Table, stack: Stack, budget: int) -> bool:
    """Search until the state at depth 0 is decided, or for a number of expansions.

    Returns True if it is decided; otherwise another call goes on.
    """
    end = stack.counters[1] + budget
    while stack.counters[1] < end:
        depth = stack.counters[0]
        state = stack.states[depth]
        side = 1 - setup.side[state[setup.words + PLAYER]]
        for at in range(stack.sizes[depth]):
            child, winner = stack.children[depth, at], stack.winners[depth, at]
            look(setup, table, child, winner, stack.numbers[depth, at], False)
        best, least, second, rest = combined(stack, depth, side)
        proof, disproof = (least, rest) if side == 0 else (rest, least)
        limits = stack.limits[depth]
        if not proof or not disproof:
            proof, disproof = (INFINITE, 0) if proof else (0, INFINITE)
        elif proof < limits[0] and disproof < limits[1]:
            stack.chosen[depth] = best
            stack.states[depth + 1] = stack.children[depth, best]
            relaxed = min(second + second // 8 + 1, INFINITE)
            other = min(limits[1 - side] + stack.numbers[depth, best, 1 - side] - rest, INFINITE)
            own = min(limits[side], relaxed)
            if side == 0:
                push(setup, table, stack, own, other)
            else:
                push(setup, table, stack, other, own)
            continue
        work = stack.counters[1] - stack.begun[depth]
        store(table, state, packed(setup, state), disproof << _BITS | proof, work)
        if depth == 0:
            if not proof or not disproof:
                return True
            continue
        stack.counters[0] = depth - 1
        numbers = stack.numbers[depth - 1, stack.chosen[depth - 1]]
        numbers[0], numbers[1] = proof, disproof
    return False


@compiled
def copy_into(old: Table, new: Table) -> None:
    """Store the entries of one table in another one."""
    for slot in range(len(old.values)):
        value = old.values[slot]
        if value:
            row = old.states[slot]
            work = 1 << (value >> 2 * _BITS) - 1
            store(new, row, row[-1], value & (1 << 2 * _BITS) - 1, work)
