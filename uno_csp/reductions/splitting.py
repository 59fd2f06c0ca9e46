"""Splitting: hands that fall into pieces, which are answered one by one.

``fill-in``
    Let J be the number of cards that join two cards without a common value, the most that any two
    take, and put two cards into one piece when a chain of cards that take fewer leads from one to
    the other. Cards of different pieces then take exactly J. With p pieces, the card on the pile
    counting as a card, and w <= p - 1 universal wild cards, the fewest added cards are the sum of
    those of the pieces without wild cards, plus (p - 1 - w) J.

    *Proof.* The sequences of the pieces, that of the card on the pile first, one after another with
    wild cards at w of the p - 1 joints, show that this is enough. Conversely take any sequence with
    its added cards. Where wild cards lie between two cards, or behind the card on the pile, put J
    added cards instead, so that at most w J are added. Now cut it where it passes from one piece to
    another. With s segments in all, s - 1 joints of J cards are cut off. The segments of one piece,
    joined in their order, are a sequence of it, and the card on the pile comes first where it did
    before; s - p joints of at most J cards are needed for all pieces. So the sum of the pieces'
    optima is at most the added cards of the sequence, plus w J, minus (s - 1) J, plus (s - p) J.

``longest``, without universal wild cards
    A sequence stays in one piece of cards that match, so the most cards are those of the best
    piece; with a card on the pile, of its piece.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.hub_graph.levels import fixed_coordinates
from uno_csp.questions import FillIn, Instance, Longest
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import (
    MANY_HUBS,
    Card,
    Hub,
    apart,
    hub_count,
    hubs,
    is_wild,
    joining_cards,
    matches,
    piled,
)
from uno_csp.reductions.groups import groups

MOST_PAIRS = 1_000_000
"""Maximum number of pairs of cards, one of them wild in some attributes, or of cards and hubs."""


@dataclass(frozen=True, slots=True)
class Split:
    """The questions about the pieces of a hand."""

    instance: FillIn | Longest  # the question about the whole hand
    # the question about each piece; that of the card on the pile comes first
    pieces: tuple[FillIn | Longest, ...]
    # the universal wild cards of the hand, each of which joins two pieces
    wilds: Sequence[Card] = ()
    price: int = 0  # cards to be added between two pieces, else

    def value(self, values: Sequence[int]) -> int:
        """Return the objective, or a bound on it, from those of the pieces."""
        if isinstance(self.instance, Longest):
            return max(values)
        return sum(values) + (len(self.pieces) - 1 - len(self.wilds)) * self.price

    def joined(self, witnesses: Sequence[Witness]) -> Witness:
        """Return the witness of the whole hand from those of the pieces."""
        if isinstance(self.instance, Longest):
            return max(witnesses, key=lambda witness: witness.objective or 0)
        sequence, added = [*(witnesses[0].sequence or ())], [*(witnesses[0].added or ())]
        last = sequence[-1] if sequence else self.instance.after
        joints = iter(self.wilds)
        for witness in witnesses[1:]:
            first, *_ = witness.sequence or ()
            wild = next(joints, None)
            if wild is not None:
                sequence.append(wild)
            elif last is not None:
                joint = joining_cards(last, first, self.instance.at_least) or ()
                sequence += joint
                added += joint
            sequence += witness.sequence or ()
            added += witness.added or ()
            last = sequence[-1]
        return Witness(tuple(sequence), added=tuple(added), objective=len(added))


def split(instance: Instance) -> Split | None:
    """Return the pieces of a hand; None if it is one piece, or the question does not split."""
    if not isinstance(instance, FillIn | Longest) or len(instance.cards) < 2:
        return None
    plain, wilds = apart(instance.cards, instance.at_least)
    if isinstance(instance, Longest):
        return None if wilds else _split_longest(instance)
    levels = fixed_coordinates(instance.dimension, instance.at_least)
    if instance.supply is not None or len(levels) < 2 or not plain:
        return None
    pieces = _pieces(instance, plain, levels[-2])
    if len(pieces) < max(2, len(wilds) + 1):
        return None
    questions = tuple(
        replace(instance, cards=tuple(cards), after=after, expected=None) for cards, after in pieces
    )
    return Split(instance, questions, wilds, len(levels) - 1)


def _split_longest(instance: Longest) -> Split | None:
    pieces = _pieces(instance, instance.cards, instance.at_least)
    if len(pieces) < 2:
        return None
    if pieces[0][1] is not None:
        del pieces[1:]
    return Split(
        instance, tuple(replace(instance, cards=tuple(cards), expected=None) for cards, _ in pieces)
    )


def _pieces(
    instance: FillIn | Longest, plain: Sequence[Card], fixed: int
) -> list[tuple[list[Card], Card | None]]:
    """Return the pieces of cards that agree in ``fixed`` attributes, with the card on the pile.

    That of the card on the pile, unless that is universal, is the first, and may have no cards.
    There are none if they take too long to find.
    """
    first = piled(instance.after, instance.at_least)
    everything = (*first, *plain)
    roots = _roots(everything, fixed)
    if roots is None:
        return []
    by_root: defaultdict[int, list[Card]] = defaultdict(list)
    for card, root in zip(everything, roots, strict=True):
        by_root[root].append(card)
    pieces = [*by_root.values()]
    if not first:
        return [(cards, None) for cards in pieces]
    return [(pieces[0][1:], first[0]), *((cards, None) for cards in pieces[1:])]


def _roots(cards: Sequence[Card], fixed: int) -> list[int] | None:
    """Return for each card a number of its piece; None if that takes too long to find."""
    partly_wild = [index for index, card in enumerate(cards) if is_wild(card)]
    count = hub_count(len(cards[0]), fixed)
    if count > MANY_HUBS or max(count, len(partly_wild)) * len(cards) > MOST_PAIRS:
        return None
    if not partly_wild:
        return groups(tuple(cards), fixed)
    sets = DisjointSets(len(cards))
    first: dict[Hub, int] = {}
    for index, card in enumerate(cards):
        if not is_wild(card):
            sets.unite_all((first.setdefault(hub, index), index) for hub in hubs(card, fixed))
    for index in partly_wild:
        near = (other for other, card in enumerate(cards) if matches(cards[index], card, fixed))
        sets.unite_all((index, other) for other in near)
    return [sets.find(index) for index in range(len(cards))]
