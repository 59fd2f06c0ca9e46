"""Dead ends: parts of a hand that only one card leads to, each of which holds an end of a sequence.

Take the hubs that at least two cards lie on as nodes and the cards on two of them as edges. A card
whose removal disconnects this graph is a *bridge*. Without all bridges the graph falls into pieces;
one that exactly one bridge leads to is a *dead end*.

*Every dead end holds an end of a sequence.* Some card has all its shared hubs inside: a hub inside
has at least two cards, and only one of them is the bridge. Cards inside match only one another and
the bridge, which is played once. So a sequence passes between inside and outside only next to the
bridge, on at most one side of it; hence one that has a card inside begins or ends inside. Dead
ends are disjoint, and a sequence has two ends: the cards of one connected part of the graph with l
dead ends need at least max(1, ceil(l / 2)) sequences.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from uno_csp.graph_tools.bridges import find_bridges
from uno_csp.hub_graph.incidence import incidence
from uno_csp.questions import Cooperative, Instance, Uno1
from uno_csp.questions.cards import Card, apart, hub_count, piled, some_wild
from uno_csp.questions.wording import counted, describe
from uno_csp.reductions.steps import Decided, wild_joints

UNSHARED = -1  # stands for a hub with only one card


@dataclass(frozen=True, slots=True)
class DeadEnds:
    """The minimum number of sequences needed, and the bridges that lead to the dead ends."""

    sequences: int
    bridges: list[Card]


def refute_by_dead_ends(instance: Instance) -> Decided | None:
    """Answer no when dead ends need more sequences than the universal wild cards can join.

    The card ``after`` counts as a card of the hand: it is played in the same sequence.
    """
    if not isinstance(instance, Uno1):
        return None
    cards = (*instance.cards, *piled(instance.after, instance.at_least))
    found = find_dead_ends(cards, instance.at_least)
    wild = len(apart(instance.cards, instance.at_least)[1])
    if found is None or found.sequences <= wild + 1:
        return None
    also = "with the card on the pile, " if len(cards) > len(instance.cards) else ""
    return Decided(None, also + _reason(found, wild))


def refute_by_lack_of_help(instance: Instance) -> Decided | None:
    """Answer no when player 1's cards fall into more pieces than there are cards to join them.

    *Proof.* Take player 1's cards in the order of a play. Where one does not match the one before,
    a card of another player or a universal wild card of player 1 lies in between. So player 1's
    plain cards split into at most one sequence more than there are such cards. Every other player
    keeps at least one card and so lays at most one card less than the hand has.
    """
    if not isinstance(instance, Cooperative):
        return None
    own = instance.hands[0]
    found = find_dead_ends(own, instance.at_least)
    if found is None:
        return None
    wild = len(apart(own, instance.at_least)[1])
    help_there_is = sum(len(hand) - 1 for hand in instance.hands[1:])
    if found.sequences - 1 <= help_there_is + wild:
        return None
    spare = f"only {counted(help_there_is, 'card')}" if help_there_is else "no card"
    reason = (
        f"player 1's cards fall into at least {found.sequences} pieces, and the others have "
        f"{spare} to spare for joining them"
    )
    if wild:
        reason += f", besides {counted(wild, 'wild card')} of player 1"
    return Decided(None, reason)


def find_dead_ends(cards: Sequence[Card], at_least: int) -> DeadEnds | None:
    """Return the dead ends of the plain cards; None if the argument does not apply.

    It applies to cards on one or two hubs each. A card that is wild in some coordinates but not
    universal matches across dead ends, so with such a card the result is None.
    """
    plain, _ = apart(cards, at_least)
    if not plain or hub_count(len(plain[0]), at_least) > 2 or some_wild(plain):
        return None
    return _find(tuple(plain), at_least)


@lru_cache(maxsize=1)
def _find(plain: tuple[Card, ...], at_least: int) -> DeadEnds:
    """Return the dead ends of cards that are not wild; cached, since several steps need them."""
    found = incidence(plain, at_least)
    shared = [hub for hub, degree in enumerate(found.degrees) if degree > 1]
    number = [UNSHARED] * len(found.hubs)
    for index, hub in enumerate(shared):
        number[hub] = index
    columns = [[number[hub] for hub in column] for column in found.columns]
    ends = list(zip(*columns, strict=True)) if len(columns) == 2 else []
    edges = [edge for edge, at in enumerate(ends) if UNSHARED not in at]
    part, inside, bridges = find_bridges(len(shared), [ends[edge] for edge in edges])
    leading_to: defaultdict[int, list[int]] = defaultdict(list)
    for edge in bridges:
        for hub in ends[edges[edge]]:
            leading_to[inside[hub]].append(edges[edge])
    leaves: Counter[int] = Counter()
    leading: list[Card] = []
    for hub in range(len(shared)):
        own = leading_to.pop(inside[hub], [])
        if len(own) == 1:
            leaves[part[hub]] += 1
            leading.append(plain[own[0]])
    lonely = ends.count((UNSHARED, UNSHARED)) if ends else columns[0].count(UNSHARED)
    pieces = lonely + sum(max(1, -(-leaves[each] // 2)) for each in set(part))
    return DeadEnds(pieces, leading)


def _reason(found: DeadEnds, wild: int) -> str:
    shown = ", ".join(map(describe, found.bridges[:3]))
    more = ", ..." if len(found.bridges) > 3 else ""
    joints = f", {wild_joints(wild)}" if wild else ""
    return (
        f"{len(found.bridges)} parts of the hand are dead ends, which only one card leads to "
        f"({shown}{more}), and each of them holds an end of a sequence; "
        f"at least {found.sequences} sequences are needed{joints}"
    )
