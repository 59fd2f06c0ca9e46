"""Search for a toughness argument: few cards whose removal splits the hand into many groups.

If removing t cards leaves c groups that share no hub, the hand needs at least c - t sequences. A
small t is easiest to understand, so all sets of at most two cards are tried; after that, cards are
removed greedily, always one that leaves the most groups.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.graph_tools.igraph_alone import load_igraph
from uno_csp.questions.wording import counted, describe, disagree, the_cards
from uno_csp.verifier.cards import Question

MANY_CARDS = 200
"""Largest hand, in cards, in which sets of removed cards are searched (else none is removed)."""

MOST_REMOVED = 12  # maximum number of removed cards; a longer reason would not be read
MANY_GROUPS = 12  # maximum number of group sizes listed in the text
Hubs: TypeAlias = Sequence[Collection[int]]  # the hubs of each card
Found: TypeAlias = tuple[list[int], list[list[int]]]
"""Indices of the removed cards, and the remaining groups as lists of indices."""


def find_groups(question: Question, sequences: int) -> Found | None:
    """Return a set of cards and groups that need more than ``sequences``; None if none is found.

    Indices are those of ``question.counted``: the cards that are not wild, then the pile, if any.
    In cooperative play no card is removed, and groups without a card of player 1 need nothing.
    """
    if len(question.hands) == 1:
        return separating(_hubs(question), sequences)
    groups = groups_without(question, ())
    met = sum(not question.bound.isdisjoint(group) for group in groups)
    return ([], groups) if met > sequences else None


def separating(at: Hubs, sequences: int) -> Found | None:
    """Return cards to remove and groups as :func:`find_groups`, for cards given by their hubs.

    For ``sequences`` = 0, one group is not too many as long as no card is removed: the hand is to
    be played as a cycle.
    """
    if len(_groups(at, ())) > max(1, sequences):
        return [], _groups(at, ())
    if len(at) > MANY_CARDS:
        return None
    removed = _one_or_two(at, sequences)
    while removed is None or len(_groups(at, removed)) - len(removed) <= sequences:
        removed = removed or []
        left = _left_without(at, removed)
        if not left or len(removed) == MOST_REMOVED:
            return None
        removed = [*removed, max(left, key=lambda card: (left[card], -card))]
    return removed, _groups(at, removed)


def groups_without(question: Question, removed: Collection[int]) -> list[list[int]]:
    """Return the groups left without some cards; indices as in :func:`find_groups`."""
    return _groups(_hubs(question), removed)


def describe_groups(
    question: Question, removed: Sequence[int], groups: Sequence[Sequence[int]]
) -> str:
    """Describe a reason in words; indices as in :func:`find_groups`.

    >>> hand = Question({"question": "uno-1", "cards": [["red", 5], ["red", 7], ["blue", 5]]})
    >>> describe_groups(hand, [0], [[1], [2]])
    'without red 5 the cards fall into 2 groups (1 + 1); cards of different groups agree in no \
attribute'
    """
    sizes = [str(len(group)) for group in groups[:MANY_GROUPS]]
    listed = " + ".join([*sizes, *(["..."] if len(groups) > MANY_GROUPS else [])])
    piled = question.pile is not None and len(question.cards) not in removed
    without = " and ".join(describe(question.counted[card]) for card in removed)
    return (
        f"{f'without {without} ' if removed else ''}{the_cards(question.wilds, piled=piled)} fall "
        f"into {counted(len(groups), 'group')} ({listed}); "
        f"cards of different groups {disagree(question.at_least)}"
        f"{', and player 1 cannot play all of hers in one' if len(question.hands) > 1 else ''}"
    )


def _hubs(question: Question) -> Hubs:
    number: dict[object, int] = {}
    return [
        [number.setdefault(hub, len(number)) for hub in question.hubs(card)]
        for card in question.counted
    ]


def _one_or_two(at: Hubs, sequences: int) -> list[int] | None:
    """Find one card, or else two, whose removal leaves enough groups."""
    alone = _left_without(at, ())
    found = next(([card] for card, left in alone.items() if left - 1 > sequences), None)
    for card in alone if found is None else ():
        both = _left_without(at, (card,))
        found = next(([card, other] for other, left in both.items() if left - 2 > sequences), None)
        if found is not None:
            break
    return found


def _left_without(at: Hubs, removed: Collection[int]) -> Mapping[int, int]:
    """Return the number of groups left when each other card is removed as well.

    In the bipartite graph of cards and hubs, removing a card splits its group into one group per
    block (biconnected component) that contains the card.
    """
    cards = [card for card in range(len(at)) if card not in removed]
    degree = Counter(hub for card in cards for hub in at[card])
    node = {hub: len(at) + number for number, hub in enumerate(degree) if degree[hub] > 1}
    edges = [(card, node[hub]) for card in cards for hub in at[card] if hub in node]
    graph = load_igraph().Graph(len(at) + len(node), edges)
    blocks = Counter(chain.from_iterable(graph.biconnected_components()))
    groups = len(graph.connected_components()) - len(removed)
    return {card: groups - 1 + blocks[card] for card in cards}


def _groups(at: Hubs, removed: Collection[int]) -> list[list[int]]:
    """Return the remaining cards in groups that share no hub."""
    by_hub: dict[int, int] = {}
    sets = DisjointSets(len(at))
    for card, hubs in enumerate(at):
        for hub in hubs if card not in removed else ():
            sets.unite(by_hub.setdefault(hub, card), card)
    return sets.groups(card for card in range(len(at)) if card not in removed)
