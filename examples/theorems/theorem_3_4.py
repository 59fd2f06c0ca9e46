"""Theorem 3.4: for a fixed number of colours solitaire UNO takes polynomial time.

Take the cards by number. Restricted to the cards taken so far, a sequence of the whole hand is a
set of sub-paths. Of a sub-path only the colours of its two ends matter, and whether each end has
the current number: the next card is put at an end of its colour or number, or it joins two such
ends, or it begins a new sub-path. So the state is the number of sub-paths of each kind, and n cards
of c colours have O(n^O(c^2)) states.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from uno_csp import Status, Uno1, solve

End = tuple[int, bool]  # the colour of an end, and whether it has the current number
Path = tuple[End, End]  # a sub-path by its ends, the smaller one first
State = frozenset[tuple[Path, int]]  # the number of sub-paths of each kind


def path(one: End, other: End) -> Path:
    """Return the kind of a sub-path with these ends."""
    return (one, other) if one <= other else (other, one)


def state_of(paths: Counter[Path]) -> State:
    """Return the state with these sub-paths."""
    return frozenset((each, count) for each, count in paths.items() if count)


def aged(state: State) -> State:
    """Return the state when the next number begins, which no end has."""
    paths: Counter[Path] = Counter()
    for (one, other), count in state:
        paths[path((one[0], False), (other[0], False))] += count
    return state_of(paths)


def following(state: State, colour: int) -> Iterator[State]:
    """Yield the states after a card of a colour is put apart, at one end, or between two."""
    paths, new = Counter(dict(state)), (colour, True)
    yield state_of(paths + Counter([(new, new)]))
    ends = [(each, end) for each in paths for end in {*each} if end[0] == colour or end[1]]
    for one, end in ends:
        rest, far = paths - Counter([one]), one[one[0] == end]
        yield state_of(rest + Counter([path(new, far)]))
        for two, near in ends:
            if rest[two]:
                joined = path(far, two[two[0] == near])
                yield state_of(rest - Counter([two]) + Counter([joined]))


def by_states(hand: Uno1) -> Status:
    """Return whether the whole hand can be played, by the states of its sub-paths."""
    states: set[State] = {frozenset()}
    left = len(hand.cards)
    by_number = sorted(hand.cards, key=lambda card: card[1])
    for _, cards in groupby(by_number, key=lambda card: card[1]):
        states = {aged(state) for state in states}
        for colour, _ in cards:
            left -= 1
            after = {each for state in states for each in following(state, int(colour))}
            # Each card that is left joins two sub-paths at most.
            states = {each for each in after if sum(count for _, count in each) <= left + 1}
    return Status.SATISFIABLE if states else Status.UNSATISFIABLE


rng = random.Random(1)
for colours in (2, 3):
    for count in (8, 16, 24):
        cards = tuple((rng.randrange(colours), rng.randrange(count)) for _ in range(count))
        status, trail = by_states(Uno1(cards)), solve(Uno1(cards))
        print(
            f"{count} cards of {colours} colours: {status}, "
            f"by hub-trail the same: {trail.status is status}"
        )
