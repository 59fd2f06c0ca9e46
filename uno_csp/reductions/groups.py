"""A no that can be read off: groups of cards without a common hub."""

from collections import Counter

from uno_csp.cards import MANY_HUBS, Card, Hub, hub_count, hubs, is_universal, is_wild
from uno_csp.modeling.disjoint_sets import DisjointSets
from uno_csp.questions import Instance, Uno1
from uno_csp.reductions.steps import Decided
from uno_csp.wording import describe


def refute_by_groups(instance: Instance) -> Decided | None:
    """Answer no when more groups share no hub than the universal wild cards can join.

    *Proof.* Put two cards into one group when a chain of common hubs leads from one to the other.
    Cards of different groups do not match, so wherever a sequence passes from one group to
    another, a universal wild card stands between. A sequence through g groups therefore holds at
    least g - 1 of them. The card ``after`` is played already and belongs to a group like any other.

    Cards that are wild in some coordinates and yet not universal may match across groups; with one
    of them in the hand the step stands back.
    """
    if not isinstance(instance, Uno1):
        return None
    wild_count = sum(is_universal(card, instance.at_least) for card in instance.cards)
    plain = [card for card in instance.cards if not is_universal(card, instance.at_least)]
    if instance.after is not None and not is_universal(instance.after, instance.at_least):
        plain.insert(0, instance.after)
    if hub_count(instance.dimension, instance.at_least) > MANY_HUBS or any(map(is_wild, plain)):
        return None
    roots = _groups(plain, instance.at_least)
    sizes = Counter(roots)
    if len(sizes) <= wild_count + 1:
        return None
    first, second = list(sizes)[:2]
    examples = [describe(plain[roots.index(root)]) for root in (first, second)]
    joints = {0: "and no wild card joins them", 1: "and one wild card joins only two"}.get(
        wild_count, f"and {wild_count} wild cards join only {wild_count + 1}"
    )
    reason = (
        f"the cards fall into {len(sizes)} groups that have nothing in common {joints}; "
        f"{examples[0]} and {examples[1]} are in different ones"
    )
    return Decided(refute_by_groups.__name__, None, reason)


def _groups(cards: list[Card], at_least: int) -> list[int]:
    """For each card the index of a card that stands for its group."""
    sets = DisjointSets(len(cards))
    first_on: dict[Hub, int] = {}
    for index, card in enumerate(cards):
        for hub in hubs(card, at_least):
            sets.unite(index, first_on.setdefault(hub, index))
    return [sets.find(index) for index in range(len(cards))]
