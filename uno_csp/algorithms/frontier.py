"""Dynamic programming along the frontier of the graph of matching cards.

The cards enter one by one, in an order in which few of them have neighbours still to come: these
are the *frontier*. Of the paths chosen so far only their ends on the frontier matter, and which two
ends belong to one path (Knuth's Simpath, The Art of Computer Programming 4A, 7.1.4, answer 225;
the frontier method of Sekine and Imai). So graphs of small pathwidth, such as flower snarks,
generalised Petersen graphs and narrow grids, are decided in time linear in their size, where
solvers enumerate partitions into cycles.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from uno_csp.graph_tools.narrow_orders import narrow_order
from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import apart, neighbours

LARGEST_WIDTH = 16
"""Maximum number of cards on the frontier."""

MOST_STATES = 100_000_000
"""Maximum number of states in all steps together."""

KEPT_STATES = 1_000_000
"""Maximum number of states that are kept to read a sequence; each takes about 200 bytes."""

FREE, FULL, ENDED = 255, 254, 253
"""Contents of a slot, besides the slot of the other end of its card's path, or its own: no card;
a card with two neighbours; an end of a path whose other end has left the frontier."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of the program: a card enters, a pair of neighbours is joined or not, a card leaves.

    Parameters
    ----------
    kind
        "enter", "join" or "leave".
    slot, other
        The slot of the card, and of the other one of a pair.
    left, other_left
        Numbers of pairs of these cards in later steps.
    pair
        The two cards.
    """

    kind: str
    slot: int
    left: int = 0
    other: int = -1
    other_left: int = 0
    pair: tuple[int, int] = (-1, -1)


class Frontier(Algorithm[Uno1]):
    """Fewest paths that cover the graph of matching cards, by states of its frontier."""

    name = "frontier"
    takes = (Uno1,)
    gives_up = True

    def declines(self, instance: Uno1) -> str | None:
        """Return a reason if the sequence has to follow a card."""
        if instance.after is not None:
            return "it does not support a card on the pile"
        return None

    def run(self, instance: Uno1) -> Finding:
        """Return the answer, or UNKNOWN with the width or the number of states."""
        cards, wilds = apart(instance.cards, instance.at_least)
        near = neighbours(cards, instance.at_least)
        order = narrow_order(near)
        steps, width = _steps(near, order)
        stats = {"width": width}
        if width > LARGEST_WIDTH:
            reason = f"{width} cards are on the frontier, more than {LARGEST_WIDTH}"
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        levels, last, stats["states"] = _levels(steps, width, 2 * (len(wilds) + 1))
        if stats["states"] > MOST_STATES:
            reason = f"the frontier has more than {MOST_STATES} states"
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        if not last:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        if not levels:
            reason = (
                f"there is a sequence, but more than {KEPT_STATES} states are not kept to read it"
            )
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        joints = iter(wilds)
        sequence = []
        for number, path in enumerate(_paths(len(cards), _chosen(steps, levels))):
            if number:
                sequence.append(next(joints))
            sequence += [cards[index] for index in path]
        return Finding(Status.SATISFIABLE, Witness((*sequence, *joints)), stats=stats)


def _steps(near: Sequence[Sequence[int]], order: Sequence[int]) -> tuple[list[_Step], int]:
    """Return the steps, and the largest number of cards on the frontier at a time."""
    slot: dict[int, int] = {}
    free: list[int] = []
    steps: list[_Step] = []
    width = 0
    missing = [len(others) for others in near]
    for card in order:
        if not free:
            free.append(width)
            width += 1
        slot[card] = free.pop()
        steps.append(_Step("enter", slot[card], missing[card]))
        for other in near[card]:
            if other in slot and other != card:
                missing[other] -= 1
                missing[card] -= 1
                step = _Step("join", slot[other], missing[other], slot[card], missing[card])
                steps.append(replace(step, pair=(other, card)))
        for done in [each for each in (*near[card], card) if each in slot and not missing[each]]:
            steps.append(_Step("leave", slot[done]))
            free.append(slot.pop(done))
    return steps, width


State = bytes
"""The contents of all slots."""

Level = dict[State, tuple[int, State, bool]]
"""After a step: for each state its least number of ends, the state before, and whether the step
joined the pair."""


def _levels(steps: Sequence[_Step], width: int, most: int) -> tuple[list[Level], Level, int]:
    """Return the states after each step with at most some ends, the last ones, and their number.

    There are no levels if they are more than :data:`KEPT_STATES`, and the last one is not that of
    the last step if they are more than :data:`MOST_STATES`.
    """
    level: Level = {bytes([FREE] * width): (0, b"", False)}
    levels = [level]
    states = 1
    for step in steps:
        after: Level = {}
        for state, (ends, _, _) in level.items():
            for found, more, joined in _successors(state, step):
                known = after.get(found)
                total = ends + more
                if total <= most and (known is None or total < known[0]):
                    after[found] = (total, state, joined)
        level = after
        states += len(level)
        if states > MOST_STATES or not level:
            break
        if states <= KEPT_STATES:
            levels.append(level)
    return levels if states <= KEPT_STATES else [], level, states


def _successors(state: State, step: _Step) -> Iterator[tuple[State, int, bool]]:
    """Yield the states that a step leads to, the ends that it costs, and whether it joins.

    A card costs an end as soon as too few of its pairs are left for two neighbours.
    """
    slot = step.slot
    changed = bytearray(state)
    match step.kind:
        case "enter":
            changed[slot] = slot
            yield bytes(changed), max(0, 2 - step.left), False
        case "leave":
            mate = state[slot]
            changed[slot] = FREE
            if mate not in (FULL, ENDED, slot):
                changed[mate] = ENDED
            yield bytes(changed), 0, False
        case _:
            one, other = state[slot], state[step.other]
            ends = int(_missing(one, slot) > step.left)
            ends += _missing(other, step.other) > step.other_left
            yield state, ends, False
            if FULL in (one, other) or one == step.other:  # it would close a cycle
                return
            for own, mate in ((slot, one), (step.other, other)):
                if mate != own:
                    changed[own] = FULL
            if one != ENDED:
                changed[one] = other
            if other != ENDED:
                changed[other] = one
            yield bytes(changed), 0, True


def _missing(mate: int, slot: int) -> int:
    """Return the number of neighbours that a card lacks, by the content of its slot."""
    return 0 if mate == FULL else 2 if mate == slot else 1


def _chosen(steps: Sequence[_Step], levels: Sequence[Level]) -> list[tuple[int, int]]:
    """Return the pairs that the best last state has joined."""
    (state,) = levels[-1]
    pairs = []
    for step, level in zip(reversed(steps), reversed(levels), strict=False):
        _, state, joined = level[state]
        if joined:
            pairs.append(step.pair)
    return pairs


def _paths(size: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the paths that pairs of neighbours form."""
    beside: defaultdict[int, list[int]] = defaultdict(list)
    for one, other in pairs:
        beside[one].append(other)
        beside[other].append(one)
    paths: list[list[int]] = []
    seen: set[int] = set()
    for start in range(size):
        if start in seen or len(beside[start]) > 1:
            continue
        path = [start]
        while True:
            seen.add(path[-1])
            onward = [each for each in beside[path[-1]] if each not in seen]
            if not onward:
                break
            path.append(onward[0])
        paths.append(path)
    return paths


ALGORITHM = Frontier()
