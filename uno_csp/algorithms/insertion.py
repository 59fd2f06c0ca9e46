"""Insertion: a path through a hand that is too large for a list of all matching pairs.

The path is extended by the card that agrees most with its end. If no card that is left matches the
end, the one that agrees most is put between two neighbours that it matches, where there are such.
Two rows of the table of all pairs are in memory at a time.
Source: nearest neighbour and cheapest insertion, Rosenkrantz, Stearns and Lewis 1977.
"""

from collections.abc import Sequence

from uno_csp.algorithms._sequences import SequenceSearch, finding_of
from uno_csp.hub_graph.chains import cut_into_runs, witness_of
from uno_csp.modeling import Finding
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import FillIn, HandQuestion
from uno_csp.questions.answers import Status
from uno_csp.questions.cards import Card, agreements, matches
from uno_csp.questions.wording import counted

SPARE_S = 0.3  # seconds before the deadline at which the path ends, to leave time for its result


class Insertion(SequenceSearch):
    """A path by nearest neighbours and insertions; proves only a yes."""

    name = "insertion"

    def declines(self, instance: HandQuestion) -> str | None:
        """Return a reason if there is a supply, even one without cards."""
        supplied = isinstance(instance, FillIn) and instance.supply is not None
        return "it does not support a supply" if supplied else None

    def run_until(self, instance: HandQuestion, deadline: Deadline) -> Finding:
        """Return a sequence of the whole hand, or UNKNOWN with the best one of the path."""
        pile, k = instance.after, instance.at_least
        order = _path(instance.cards, pile, k, deadline.shifted(-SPARE_S))
        run = _longest_run(order, pile, k)
        size = len(order)
        complete = len(run) == size
        reason = f"the path that was found plays {counted(len(run), 'card')} of {size} in a row"
        joins = isinstance(instance, FillIn) and k < instance.dimension
        if instance.whole and not complete and not joins:
            return Finding(Status.UNKNOWN, reason=reason)
        played = run if complete or not instance.whole else order
        return finding_of(instance, witness_of(instance, played), reason)


def _longest_run(order: Sequence[Card], pile: Card | None, at_least: int) -> list[Card]:
    """Return the longest part of a path in which neighbours match, and that may follow the pile."""
    runs = cut_into_runs([order], at_least)
    if pile is not None:
        runs = [way for run in runs for way in (run, run[::-1]) if matches(pile, way[0], at_least)]
    return max(runs, key=len, default=[])


def _path(
    cards: Sequence[Card], pile: Card | None, at_least: int, deadline: Deadline
) -> list[Card]:
    """Return all cards in an order in which many neighbours match."""
    import numpy as np  # which loads slowly

    size = len(cards)
    agreeing = agreements((*cards, *(() if pile is None else (pile,))))
    left = np.ones(size, dtype=bool)
    path = np.empty(size, dtype=np.int64)
    end = 0 if pile is None else size
    for length in range(size):
        if deadline.expired:
            path[length:] = np.flatnonzero(left)
            break
        counts = agreeing(end)[:size]
        card = int((left * (counts + 1)).argmax())
        left[card], at = False, length
        if counts[card] < at_least:
            fits = agreeing(card)[path[:length]] >= at_least
            places = np.flatnonzero(fits[1:] & fits[:-1])
            at = int(places[0]) + 1 if len(places) else length
        path[at + 1 : length + 1] = path[at:length].copy()
        path[at] = card
        end = int(path[length])
    return [cards[card] for card in path.tolist()]


ALGORITHM = Insertion()
