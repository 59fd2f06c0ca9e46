"""Depth-first proof-number search of the open game, in plain Python or compiled.

A position is proved for a side, one of whose players can force a win, an empty hand first, against
all play of the others. The search always continues at the child with the smallest proof or disproof
number (Allis 1994), depth first with a transposition table (Nagai 2002), and raises the limit of a
child a little more than it has to (the 1 + epsilon trick of Pawlewicz and Lew 2007). A game has no
cycles, since cards are only drawn and played, so table entries do not depend on the path to a
position. Only states in which a player has a choice are searched and stored
(:mod:`uno_csp.open_game.forced`).

The transposition table has buckets of four slots. It compares whole states, so none is taken for
another; in a full bucket, the state that took the least work is replaced.
"""

from collections.abc import Sequence
from typing import NamedTuple

from uno_csp.open_game.compiling import compiled
from uno_csp.open_game.forced import settle
from uno_csp.open_game.moves import NOBODY, UNDECIDED, Moves, can_draw, moves, playable
from uno_csp.open_game.states import (
    AT,
    COLOUR,
    DIRECTION,
    FILLED,
    PASSES,
    PENDING,
    PLAYER,
    SYMBOL,
    Array,
    Rows,
    Setup,
    copy,
    count_kinds,
    size_of,
)

INFINITE = (1 << 24) - 1
"""Proof number of what is disproved: the others can force a win by one of them."""

UNWON = INFINITE - 1  # proof number of what is disproved, if perhaps nobody can force a win
LARGEST = UNWON - 1  # maximum proof number of what is not decided

BUCKET = 4
_BITS = 24
_NUMBER = (1 << _BITS) - 1
_MIX, _MIXED = 0x1E3779B97F4A7C15, (1 << 62) - 1


class Table(NamedTuple):
    """The transposition table: hands and packed fields of states, and their numbers and work.

    ``states`` has the hands and fields of one slot after the other. A value of 0 is a free slot.
    ``used`` has the number of slots in use.
    """

    states: Array
    values: Array
    used: Array


class Stack(NamedTuple):
    """The path that is being searched.

    For each depth: the state, its children with their winners and numbers, their number, the child
    that is searched, the limits, and the number of expansions when it began. ``state`` and
    ``labels`` are written while a state is expanded. ``counters`` has the depth and the number of
    expansions.
    """

    state: Array
    states: Rows
    children: Sequence[Rows]
    winners: Rows
    labels: Array
    numbers: Sequence[Rows]
    sizes: Array
    chosen: Array
    limits: Rows
    begun: Array
    counters: Array


@compiled
def pack_fields(setup: Setup, state: Array) -> int:
    """Return the fields of a state, without the numbers of cards, as one integer.

    Between two players the direction has no effect.
    """
    w = setup.words
    forward = setup.players > 2 and state[w + DIRECTION] > 0
    number = state[w + AT] << 2 | state[w + FILLED]
    number = number << 11 | state[w + PENDING] + 1
    number = number << 4 | state[w + PASSES]
    number = number << 4 | state[w + PLAYER]
    number = number << 4 | state[w + SYMBOL]
    number = number << 2 | state[w + COLOUR]
    return number << 1 | forward


@compiled
def bucket_of(setup: Setup, table: Table, hands: Array, fields: int) -> int:
    """Return the first slot of the bucket of a state."""
    mixed = fields * _MIX & _MIXED
    for place in range(setup.words):
        mixed ^= mixed >> 29
        mixed = (mixed ^ hands[place]) * _MIX & _MIXED
    mixed ^= mixed >> 32
    return (mixed & (len(table.values) // BUCKET - 1)) * BUCKET


@compiled
def slot_of(setup: Setup, table: Table, hands: Array, fields: int) -> int:
    """Return the slot of a state, or -1 if it is not in the table."""
    first, width = bucket_of(setup, table, hands, fields), setup.words + 1
    for slot in range(first, first + BUCKET):
        if table.values[slot] and table.states[slot * width + setup.words] == fields:
            same = True
            for place in range(setup.words):
                same = same and table.states[slot * width + place] == hands[place]
            if same:
                return slot
    return -1


@compiled
def store(setup: Setup, table: Table, hands: Array, fields: int, numbers: int, work: int) -> None:
    """Store the numbers of a state, in the place of the one with the least work if need be."""
    slot = slot_of(setup, table, hands, fields)
    if slot < 0:
        slot = first = bucket_of(setup, table, hands, fields)
        for other in range(first, first + BUCKET):
            if table.values[other] >> 2 * _BITS < table.values[slot] >> 2 * _BITS:
                slot = other
        table.used[0] += table.values[slot] == 0
        first = slot * (setup.words + 1)
        for place in range(setup.words):
            table.states[first + place] = hands[place]
        table.states[first + setup.words] = fields
    effort = 1
    while work > 1:
        effort += 1
        work >>= 1
    table.values[slot] = effort << 2 * _BITS | numbers


@compiled
def look(setup: Setup, table: Table, state: Array, winner: int) -> tuple[int, int]:
    """Return the proof and disproof numbers of a state, or of an ended game; 0 and 0 if unknown."""
    if winner == NOBODY:
        return UNWON, 0
    if winner != UNDECIDED:
        return (0, INFINITE) if setup.side[winner] else (INFINITE, 0)
    slot = slot_of(setup, table, state, pack_fields(setup, state))
    if slot < 0:
        return 0, 0
    return table.values[slot] & _NUMBER, table.values[slot] >> _BITS & _NUMBER


@compiled
def known(setup: Setup, table: Table, state: Array) -> tuple[int, int]:
    """Return the numbers of a state in which moves may be forced; these are played."""
    winner = settle(setup, state)
    return look(setup, table, state, winner)


@compiled
def estimate(setup: Setup, state: Array) -> tuple[int, int]:
    """Return the numbers that a state starts with: the sizes of the smallest hands of both sides.

    The side that does not move adds the other's number of choices, less one, twice, since it has to
    answer them all.
    """
    proof = disproof = LARGEST
    for player in range(setup.players):
        size = size_of(setup, state, player)
        if setup.side[player]:
            proof = min(proof, size)
        else:
            disproof = min(disproof, size)
    player = state[setup.words + PLAYER]
    choices = count_kinds(playable(setup, state, player))
    choices += 0 if setup.must_play else can_draw(setup, state)
    more = 2 * max(choices - 1, 0)
    return (proof, disproof + more) if setup.side[player] else (proof + more, disproof)


@compiled
def push(setup: Setup, table: Table, stack: Stack, proof_limit: int, disproof_limit: int) -> None:
    """Expand ``state`` at the next depth."""
    stack.counters[0] += 1
    depth = stack.counters[0]
    copy(stack.state, stack.states[depth])
    to = Moves(stack.children[depth], stack.winners[depth], stack.labels)
    size = moves(setup, stack.state, to)
    stack.sizes[depth] = size
    limits, numbers = stack.limits[depth], stack.numbers[depth]
    limits[0], limits[1] = proof_limit, disproof_limit
    stack.begun[depth] = stack.counters[1]
    stack.counters[1] += 1
    for at in range(size):
        child = to.children[at]
        if to.winners[at] == UNDECIDED:
            to.winners[at] = settle(setup, child)
        proof, disproof = look(setup, table, child, to.winners[at])
        if not proof and not disproof:
            proof, disproof = estimate(setup, child)
        numbers[at][0], numbers[at][1] = proof, disproof


@compiled
def combine(stack: Stack, depth: int, side: int) -> tuple[int, int, int, int]:
    """Return the best child, its number, the second best number, and that of the other side.

    The other side's number is the maximum of the children's, plus one for each other undecided
    child: a sum would count the states that several children share repeatedly.
    """
    numbers = stack.numbers[depth]
    best, least, second, most, undecided = 0, INFINITE + 1, INFINITE + 1, 0, 0
    for at in range(stack.sizes[depth]):
        own, other = numbers[at][side], numbers[at][1 - side]
        if own < least:
            best, least, second = at, own, least
        elif own < second:
            second = own
        most = max(most, other)
        undecided += other > 0
    rest = most if most in (0, UNWON, INFINITE) else min(most + undecided - 1, LARGEST)
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
        best, least, second, rest = combine(stack, depth, side)
        proof, disproof = (least, rest) if side == 0 else (rest, least)
        limits = stack.limits[depth]
        if proof and disproof and proof < limits[0] and disproof < limits[1]:
            stack.chosen[depth] = best
            copy(stack.children[depth][best], stack.state)
            relaxed = min(second + second // 4 + 1, INFINITE)
            other = min(limits[1 - side] + stack.numbers[depth][best][1 - side] - rest, INFINITE)
            own = min(limits[side], relaxed)
            if side == 0:
                push(setup, table, stack, own, other)
            else:
                push(setup, table, stack, other, own)
            continue
        work = stack.counters[1] - stack.begun[depth]
        store(setup, table, state, pack_fields(setup, state), disproof << _BITS | proof, work)
        if depth == 0:
            if not proof or not disproof:
                return True
            continue
        stack.counters[0] = depth - 1
        numbers = stack.numbers[depth - 1][stack.chosen[depth - 1]]
        numbers[0], numbers[1] = proof, disproof
    return False


@compiled
def copy_into(setup: Setup, old: Table, new: Table) -> None:
    """Store the entries of one table in another one."""
    width = setup.words + 1
    for slot in range(len(old.values)):
        value = old.values[slot]
        if value:
            row = old.states[slot * width : (slot + 1) * width]
            work = 1 << (value >> 2 * _BITS) - 1
            store(setup, new, row, row[setup.words], value & (1 << 2 * _BITS) - 1, work)
