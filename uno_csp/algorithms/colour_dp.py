"""Few colours: dynamic programming over sub-paths (the paper's Theorem 3.4).

Take the cards by number and, within a number, by colour. Restricted to the cards taken so far, a
sequence of the whole hand is a set of sub-paths. Of a sub-path only the colours of its two ends
matter, and whether each end has the current number: the next card is attached at an end of its
colour or number, or it joins two such ends, or it begins a new sub-path. So the state is the number
of sub-paths of each kind: O(n^O(c^2)) states for c colours. These are the states of
:mod:`uno_csp.graph_tools.fragments`, in this order of the cards.
"""

from collections import Counter
from random import Random

from uno_csp.graph_tools.fragments import Fragments, Most, TooMany
from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import Uno1
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import Card, is_wild, neighbours

MAX_STATES = 2_000_000  # maximum number of states stored, over all cards


class ColourDp(Algorithm[Uno1]):
    """Dynamic programming over sub-paths, for ``uno-1`` with few colours (or few numbers)."""

    name = "colour-dp"
    takes = (Uno1,)

    def declines(self, instance: Uno1) -> str | None:
        """Return a reason unless D = 2, k = 1, and neither wild cards nor ``after`` are given."""
        if instance.cards and (instance.dimension, instance.at_least) != (2, 1):
            return "it takes only cards of two attributes of which one must agree"
        if any(map(is_wild, instance.cards)):
            return "it does not support wild cards"
        return None if instance.after is None else "it does not support a card on the discard pile"

    def run(self, instance: Uno1) -> Finding:
        """Return yes with a sequence, no, or UNKNOWN if there are too many states."""
        if not instance.cards:
            return Finding(Status.SATISFIABLE, Witness(()))
        kinds, colours = _in_order(instance.cards)
        near = [[place, *others] for place, others in enumerate(neighbours(list(kinds)))]
        items = [[place] * copies for place, copies in enumerate(kinds.values())]
        most = Most(states=MAX_STATES)
        table = Fragments(items, near, range(len(kinds)), most=most, kept=True)
        try:
            playable = table.total() > 0
        except TooMany:
            reason = f"more than {MAX_STATES} states for {colours} colours"
            return Finding(Status.UNKNOWN, reason=reason, stats={"states": table.states})
        stats = {"states": table.states, "colours": colours}
        if not playable:
            return Finding(Status.UNSATISFIABLE, stats=stats)
        cards = list(kinds)
        sequence = (cards[place] for place in table.sample(Random(0), 1)[0])
        return Finding(Status.SATISFIABLE, Witness(tuple(sequence)), stats=stats)


def _in_order(cards: tuple[Card, ...]) -> tuple[Counter[Card], int]:
    """Return the copies of each card, by number and then by colour, and the number of colours."""
    values = [list(dict.fromkeys(card[axis] for card in cards)) for axis in (0, 1)]
    axis = 0 if len(values[0]) <= len(values[1]) else 1
    rank = [{value: at for at, value in enumerate(several)} for several in values]
    ordered = sorted(
        cards, key=lambda card: (rank[1 - axis][card[1 - axis]], rank[axis][card[axis]])
    )
    return Counter(ordered), len(values[axis])


ALGORITHM = ColourDp()
