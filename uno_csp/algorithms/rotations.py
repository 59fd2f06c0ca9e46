"""Rotations and extensions on the graph of matching cards: dense hands in a fraction of a second.

Where each card matches many others, a path that is extended and, at its end, rotated soon visits
all of them (:mod:`uno_csp.graph_tools.rotations` has the sources). It is also a first sequence for
``longest``, lengthened by detours; for ``fill-in`` it shows that nothing has to be added.
"""

from collections import Counter
from itertools import chain, repeat
from math import comb

from uno_csp.algorithms._sequences import SequenceSearch, finding_of
from uno_csp.graph_tools.long_paths import lengthened, long_path
from uno_csp.graph_tools.pieces import Near, components, induced
from uno_csp.hub_graph.chains import witness_of
from uno_csp.modeling import Finding
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import HandQuestion
from uno_csp.questions.answers import Status
from uno_csp.questions.cards import hub_count, hubs, neighbours, some_wild
from uno_csp.questions.wording import counted

MOST_CARDS = 4000  # largest hand of any kind: which of its cards match is a list of all pairs
FEW_HUBS, MOST_PAIRS = 4, 2_000_000
"""Maximum number of hubs on a card of a larger hand, and of pairs of cards that share a hub."""

STEPS, STEPS_PER_PAIR = 50_000, 20
"""Neighbours that are looked at: a constant, and for each pair of matching cards."""

APART = 10  # divisor of these where the cards do not hang together, so that no path plays all


class Rotations(SequenceSearch):
    """A path through all cards by rotations; proves only a yes."""

    name = "rotations"

    def declines(self, instance: HandQuestion) -> str | None:
        """Return a reason if there is a supply, or too many cards may match."""
        if instance.offers:
            return "it does not support a supply"
        if len(instance.cards) > MOST_CARDS and (
            hub_count(instance.dimension, instance.at_least) > FEW_HUBS or some_wild(instance.cards)
        ):
            plain = f"plain cards on at most {FEW_HUBS} hubs each"
            return f"it takes up to {MOST_CARDS} cards, unless these are {plain}"
        return None

    def run_until(self, instance: HandQuestion, deadline: Deadline) -> Finding:
        """Return a sequence of the whole hand, or UNKNOWN with the longest that was found."""
        size = len(instance.cards)
        if size > MOST_CARDS and _pairs_on_hubs(instance) > MOST_PAIRS:
            return Finding(Status.UNKNOWN, reason=f"more than {MOST_PAIRS} pairs of cards match")
        near, part = _graph(instance)
        if instance.whole and not instance.optimises and len(part) < len(near):
            return Finding(Status.UNKNOWN, reason="the cards fall into groups that do not match")
        complete, path = _longest_path(instance, near, part, deadline)
        sequence = tuple(instance.cards[card] for card in path)
        reason = f"the longest path found has {counted(len(path), 'card')} of {size}"
        if instance.whole and not complete:
            return Finding(Status.UNKNOWN, reason=reason)
        return finding_of(instance, witness_of(instance, sequence), reason)


def _pairs_on_hubs(instance: HandQuestion) -> int:
    """Return the number of pairs of cards that share a hub, for each that they share."""
    on = Counter(chain.from_iterable(hubs(card, instance.at_least) for card in instance.cards))
    return sum(map(comb, on.values(), repeat(2)))


def _graph(instance: HandQuestion) -> tuple[Near, list[int]]:
    """Return the cards that each card matches, a card on the pile last, and one component of it.

    That is the component of the card on the pile, or else the largest one.
    """
    size = len(instance.cards)
    pile = () if instance.after is None else (instance.after,)
    near: Near = neighbours((*instance.cards, *pile), instance.at_least)
    part = max(components(near), key=lambda part: (size in part, len(part)), default=[])
    return near, part


def _longest_path(
    instance: HandQuestion, near: Near, part: list[int], deadline: Deadline
) -> tuple[bool, list[int]]:
    """Return whether a path through all cards was found, and the longest path found."""
    from uno_csp.graph_tools.rotations import Sought, rotated  # numpy takes a while to load

    if not part:
        return True, []
    size = len(instance.cards)
    pile = len(near) > size
    own = induced(near, part)
    steps = STEPS + STEPS_PER_PAIR * sum(map(len, own)) // 2
    if len(part) < len(near):
        steps //= APART
    source = part.index(size) if pile else None

    def expired() -> bool:
        """Return True once the deadline has passed."""
        return deadline.expired

    complete, path = rotated(own, Sought(source=source), 0, steps, expired)
    if not complete and not instance.whole and not pile:
        path = max(lengthened(own, path, expired), long_path(own, 0, expired), key=len)
    cards = [part[vertex] for vertex in path][pile:]
    return complete and len(cards) == size, cards


ALGORITHM = Rotations()
