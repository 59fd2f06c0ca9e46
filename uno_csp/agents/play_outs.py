"""Deals of the hidden cards and play-outs, in plain Python or compiled.

A *deal* gives every card that a seat does not see a place: in another hand or in the draw pile. A
*play-out* plays a deal to its end, all players by :func:`prefer`.
"""

from functools import partial
from typing import Any, NamedTuple

from uno_csp.open_game.compiling import compiled
from uno_csp.open_game.deck import REVERSE, SKIP, WILD
from uno_csp.open_game.luck import following, nth, remainder
from uno_csp.open_game.moves import (
    DRAWN,
    NO_SYMBOL,
    NOBODY,
    NOTHING,
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
    seat_at,
)
from uno_csp.open_game.states import (
    AT,
    COLOUR,
    DIRECTION,
    FILLED,
    NEVER,
    PENDING,
    PLAYER,
    SYMBOL,
    Array,
    Rows,
    Setup,
    add,
    copy,
    count_kinds,
    kinds_of,
    lowest,
    size_of,
)

DRAW = 2 * DRAWN  # label of the choice to draw a card, for any card
MOST_TURNS = 2_000  # number of turns after which a play-out ends without a winner
SWEEPS = 6  # number of times that each place changes its card between two deals

PLAIN, ACTION, HURRY, ALIKE, LONELY, FEW = 80, 20, 40, 20, 16, 2
"""Points of a coloured card, more for an action, and if the next player has few cards; less for
each other card of its symbol in the hand, for each other card of its colour that is not played and
not in the hand (1), and if the hand has no other card of the colour. Found by hill climbing from
the simple rule, in games of two, three and four players by several rules."""


class Hidden(NamedTuple):
    """The hidden cards, and the places that they may have.

    A *place* is that of a card which another player got; its card may have been played since.
    ``kinds`` has first the kinds of the ``played`` cards that had a place, then of those in other
    hands or in the draw pile. ``order`` has the card in each place, and after them those in the
    draw pile; ``owners`` has the player of each place, and ``weights``, for each place and each
    card, the probability up to a factor that it has this card; its last row is that of the draw
    pile, where any card may be that was not played. ``known`` has the kinds on top of the draw
    pile. In a deal the hands come first, in the order of the players: ``holders`` has the player of
    each card, ``first`` where those of each player begin, and ``free`` is written.
    """

    kinds: Array
    played: int
    order: Array
    owners: Array
    weights: Any  # lists in a list, or an array with two dimensions
    known: Array
    holders: Array
    first: Array
    free: Array


class Table(NamedTuple):
    """A position of the player to move, as a state with the hidden hands empty.

    ``left`` has for each colour the number of cards that are not played yet. ``state`` and
    ``remaining`` are written.
    """

    setup: Setup
    start: Array
    left: Array
    state: Array
    remaining: Array


@compiled
def below(random: Array, most: int) -> int:
    """Return a random integer from 0 to ``most`` - 1."""
    random[0] = following(random[0])
    return remainder(random[0], most)


@compiled
def turn_round(hidden: Hidden, one: int, two: int, three: int, chance: int) -> None:
    """Move the cards of two or three places on by one place, as likely as the weights demand.

    A step of the Metropolis algorithm: its stationary distribution is that of the weights.
    ``chance`` is a random integer below 2^30.
    """
    order, weights, pile = hidden.order, hidden.weights, len(hidden.owners)
    first, second, third = order[one], order[two], order[three]
    at_one, at_two, at_three = weights[one], weights[min(two, pile)], weights[min(three, pile)]
    before, after = at_one[first] * at_two[second], at_one[third] * at_two[first]
    before *= at_three[third] if two != three else 1.0
    after *= at_three[second] if two != three else 1.0
    moves = chance * before < after * (1 << 30)
    # what stays is written too: a branch here would be predicted wrongly half the time
    order[three] = second if moves else third
    order[two] = first if moves else second
    order[one] = third if moves else first


@compiled
def rearrange(hidden: Hidden, word: int) -> int:
    """Go on to another arrangement that the weights allow; return the last random number."""
    places, count = len(hidden.owners), len(hidden.order)
    for _ in range(SWEEPS):
        for place in range(places):
            word = following(word)
            within = places if word & 1 else count
            word = following(word)
            other = third = remainder(word, within)
            word = following(word)
            if not word & 3:
                word = following(word)
                third = remainder(word, within)
            if place not in (other, third):
                word = following(word)
                turn_round(hidden, place, other, third, word & (1 << 30) - 1)
    return word


@compiled
def deal(hidden: Hidden, random: Array, row: Array) -> None:
    """Write down a random deal: the kinds in the other hands, and those of the draw pile."""
    order, kinds, places = hidden.order, hidden.kinds, len(hidden.owners)
    word = rearrange(hidden, random[0])
    copy(hidden.first, hidden.free)
    for place in range(places):
        if order[place] >= hidden.played:
            owner = hidden.owners[place]
            row[hidden.free[owner]] = kinds[order[place]]
            hidden.free[owner] += 1
    at = len(hidden.holders)
    for card in range(len(hidden.known)):
        row[at + card] = hidden.known[card]
    at += len(hidden.known) - places
    for place in range(places, len(order)):
        word = following(word)
        other = place + remainder(word, len(order) - place)
        card = order[other]
        order[other] = order[place]
        order[place] = card
        row[at + place] = kinds[card]
    random[0] = word


@compiled
def deal_all(hidden: Hidden, random: Array, deals: Rows) -> None:
    """Write down random deals, one after the other."""
    for at in range(len(deals)):
        deal(hidden, random, deals[at])


@compiled
def merit(setup: Setup, state: Array, kind: int) -> int:
    """Return the points of a kind of card in the policy, its colour aside."""
    if kind >= WILD:
        return 0
    w, symbol = setup.words, kind % 13
    player = state[w + PLAYER]
    following = seat_at(setup, player + state[w + DIRECTION])
    others = count_kinds(kinds_of(setup, state, player) & OF_SYMBOL << symbol) - 1
    points = PLAIN - ALIKE * others
    if symbol >= SKIP:
        points += ACTION
        if symbol != REVERSE or setup.players == 2:
            points += HURRY * (size_of(setup, state, following) <= FEW)
    return points


@compiled
def prefer(setup: Setup, state: Array, left: Array, kinds: int) -> int:
    """Return the label of the move that the policy prefers among kinds that may be played.

    It has the most points; of equals the first one in the order of the deck. ``left`` has the
    number of cards of each colour that are not played yet.
    """
    hand = kinds_of(setup, state, state[setup.words + PLAYER])
    best, chosen = -1_000, NOTHING
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        points = merit(setup, state, kind)
        first, end = (kind // 13, kind // 13 + 1) if kind < WILD else (0, 4)
        for colour in range(first, end):
            same = count_kinds(hand & OF_COLOUR << 13 * colour) - (kind < WILD)
            total = points - (left[colour] - same) - (0 if same else LONELY)
            if total > best:
                best, chosen = total, 4 * kind + (colour if kind >= WILD else 0)
    return chosen


@compiled
def lay(setup: Setup, state: Array, left: Array, label: int) -> int:
    """Play the card of a label; return the winner."""
    kind, colour = label // 4, label % 4
    if kind < WILD:
        colour = kind // 13
        left[colour] -= 1
    return play(setup, state, kind, colour)


@compiled
def draw_on(setup: Setup, state: Array, left: Array) -> int:
    """Draw, or pass if there is no card, and play the card drawn if it fits; return the winner."""
    if not can_draw(setup, state):
        return pass_turn(setup, state)
    kind = draw(setup, state)
    if kind >= 0 and setup.play_drawn != NEVER:
        return lay(setup, state, left, prefer(setup, state, left, 1 << kind))
    end_turn(setup, state)
    return UNDECIDED


@partial(compiled, inline=False)  # it is rare
def count_left(setup: Setup, state: Array, left: Array) -> None:
    """Count the cards of each colour that are not played after a reshuffle: all but the top one."""
    for colour in range(4):
        left[colour] = 0
        for symbol in range(13):
            left[colour] += setup.cards[13 * colour + symbol]
    left[state[setup.words + COLOUR]] -= 1 if state[setup.words + SYMBOL] < NO_SYMBOL else 0


@compiled
def play_out(setup: Setup, state: Array, left: Array) -> int:
    """Play a deal to its end; return the winner, or -1 for nobody. ``state`` is changed."""
    w, filled = setup.words, 0
    for _ in range(MOST_TURNS):
        if state[w + FILLED] != filled:
            filled = state[w + FILLED]
            count_left(setup, state, left)
        pending, winner = state[w + PENDING], UNDECIDED
        kinds = answering(setup, state) if pending else playable(setup, state, state[w + PLAYER])
        if kinds:
            winner = lay(setup, state, left, prefer(setup, state, left, kinds))
        elif pending:
            accept(setup, state)
        else:
            winner = draw_on(setup, state, left)
        if winner != UNDECIDED:
            return winner
    return NOBODY


@compiled
def move(setup: Setup, state: Array, left: Array, label: int) -> int:
    """Make a move: a card, a draw, or what is left to do; return the winner."""
    if label == DRAW:
        return draw_on(setup, state, left)
    if label >= DRAWN:
        draw(setup, state)
        label -= DRAWN
        if label == NOTHING:
            end_turn(setup, state)
            return UNDECIDED
    if label != NOTHING:
        return lay(setup, state, left, label)
    if not state[setup.words + PENDING]:
        return pass_turn(setup, state)
    accept(setup, state)
    return UNDECIDED


@compiled
def place_deal(table: Table, holders: Array, deal: Array) -> None:
    """Write the cards of a deal to the state of a table and to its draw pile."""
    setup, held = table.setup, len(holders)
    copy(table.start, table.state)
    copy(table.left, table.remaining)
    for card in range(held):
        add(setup, table.state, holders[card], deal[card], 1)
    for card in range(len(setup.pile)):
        setup.pile[card] = deal[held + card]


@compiled
def play_deals(
    table: Table, holders: Array, deals: Rows, label: int, start: int, winners: Array, drawn: Array
) -> None:
    """Make a move in each of some deals, and play them out.

    ``start`` is the random number of the first deal, for the order after a reshuffle. ``winners``
    and ``drawn`` get the winner of each, and the number of cards drawn to its end from the draw
    pile, which is more than it has if it was reshuffled.
    """
    setup, state = table.setup, table.state
    for at in range(len(deals)):
        place_deal(table, holders, deals[at])
        if len(setup.luck) > 0:
            setup.luck[0] = nth(start, at)
        winner = move(setup, state, table.remaining, label)
        if winner == UNDECIDED:
            winner = play_out(setup, state, table.remaining)
        winners[at], drawn[at] = winner, state[setup.words + AT] + state[setup.words + FILLED]
