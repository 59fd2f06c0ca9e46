"""Subtour bounds: a no, or a bound, by a linear program over the pairs of matching cards.

A sequence is a path in the graph of matching cards, and a universal wild card joins two paths. The
linear relaxation of such paths, with the cut sets that its solutions violate, refutes most hands
that are graphs and have no sequence because cards lack neighbours or are badly connected, in a
fraction of the time of a search. It proves no yes, so it runs beside another method.
:mod:`~uno_csp.algorithms._subtours` has the program and its sources.
"""

from collections.abc import Sequence
from math import comb, inf
from typing import TYPE_CHECKING

from uno_csp.hub_graph.incidence import incidence
from uno_csp.modeling import Algorithm, Finding, Proof
from uno_csp.processes.deadline import Deadline
from uno_csp.questions import FillIn, HandQuestion, Longest, Uno1
from uno_csp.questions.answers import Status
from uno_csp.questions.cards import Card, apart, has_many_hubs, neighbours, piled, some_wild
from uno_csp.questions.wording import counted, describe, the_cards

if TYPE_CHECKING:  # numpy, scipy and igraph load slowly
    from uno_csp.algorithms._subtours import Found, PathProblem

MOST_PAIRS = 100_000
"""Maximum number of pairs of matching cards; the linear program has a column for each."""

FEW_NAMES = 3  # maximum number of cards of a separator that are named in a reason


class SubtourBound(Algorithm[HandQuestion]):
    """Refute a hand, or bound its optimum, by degrees, cut sets and separators."""

    name = "subtour-bound"
    takes = (Uno1, Longest, FillIn)
    proves = Proof.NO_ONLY
    gives_up = True

    def declines(self, instance: HandQuestion) -> str | None:
        """Return a reason if there is a supply, or if too many pairs of cards match."""
        if instance.offers:
            return "it does not support a supply"
        cards, k = _vertices(instance), instance.at_least
        pairs = comb(len(cards), 2)
        compared = has_many_hubs(instance.dimension, k) or some_wild(cards)
        if pairs > MOST_PAIRS and not compared:
            pairs = sum(comb(degree, 2) for degree in incidence(cards, k).degrees)
        if pairs > MOST_PAIRS:
            return f"up to {pairs} pairs of cards match, more than {MOST_PAIRS}"
        return None

    def run_until(self, instance: HandQuestion, deadline: Deadline) -> Finding:
        """Return a no with its reason, or UNKNOWN with the bound."""
        from uno_csp.algorithms._subtours import bounded

        cards, problem = problem_of(instance)
        target = inf if instance.optimises else problem.paths + 1
        found = bounded(problem, deadline, target)
        if found.least >= target:
            reason = _reason(found, problem, cards)
            return Finding(Status.UNSATISFIABLE, reason=reason, stats=found.stats)
        reason = "degrees and cut sets do not refute it"
        if instance.optimises:
            reason = "degrees and cut sets prove no better bound"
        if not found.complete:
            reason = "the linear program ended early"
        bound = _value(instance, found, problem)
        return Finding(Status.UNKNOWN, reason=reason, stats=found.stats, bound=bound)


def _vertices(instance: HandQuestion) -> tuple[Card, ...]:
    """Return the cards that are not universal, then the one on the pile unless it is."""
    cards, _ = apart(instance.cards, instance.at_least)
    return (*cards, *piled(instance.after, instance.at_least))


def problem_of(instance: HandQuestion) -> tuple[tuple[Card, ...], "PathProblem"]:
    """Return the vertices of a hand, and the paths that its sequences are.

    There is a path more than there are universal cards. Where two cards have one neighbour
    only, and these two neighbours are adjacent to the same cards otherwise, the path is a cycle in
    which the two are one vertex: so cycles of graphs are asked for.
    """
    from uno_csp.algorithms._subtours import PathProblem

    cards = _vertices(instance)
    near = neighbours(cards, instance.at_least)
    wilds = len(apart(instance.cards, instance.at_least)[1])
    follows = len(cards) + wilds > len(instance.cards)
    if isinstance(instance, Uno1) and not wilds and not follows:
        left_out = _find_doubled(near)
        if left_out:
            kept = [card for card in range(len(cards)) if card not in left_out]
            place = {card: number for number, card in enumerate(kept)}
            cycle = [[place[other] for other in near[card] if other in place] for card in kept]
            return tuple(cards[card] for card in kept), PathProblem(cycle, 0)
    ends = (len(cards) - 1,) if follows else ()
    return cards, PathProblem(near, wilds + 1, ends, isinstance(instance, Longest))


def _find_doubled(near: Sequence[Sequence[int]]) -> set[int]:
    """Return two ends, and one of two vertices beside them that are alike; or nothing."""
    ends = [card for card, others in enumerate(near) if len(others) == 1]
    if len(ends) != 2 or len(near) < 6:  # a cycle has three vertices
        return set()
    one, other = (near[end][0] for end in ends)
    alike = {*near[one]} - {ends[0]} == {*near[other]} - {ends[1]}
    return {*ends, other} if alike and one != other and one not in ends else set()


def _value(instance: HandQuestion, found: "Found", problem: "PathProblem") -> int | None:
    """Return the bound on the objective."""
    if isinstance(instance, Longest):
        return len(instance.cards) - found.least
    return max(0, found.least - problem.paths) if isinstance(instance, FillIn) else None


def _reason(found: "Found", problem: "PathProblem", cards: Sequence[Card]) -> str:
    """Return why there are not enough paths."""
    removed = found.separator
    if removed is None:
        assert found.proof is not None  # noqa: S101
        sets = sum(row.kind == "cut" for _, row in found.proof[1])
        return f"the numbers of neighbours and {counted(sets, 'cut set')} contradict each other"
    named = [describe(cards[card]) for card in removed]
    without = " and ".join(named) if len(named) <= FEW_NAMES else f"{len(named)} of them"
    more = len(removed) - len({*removed}.intersection(problem.ends))
    one = "a sequence reaches" if problem.paths < 2 else f"{problem.paths} sequences reach"
    whose = the_cards(max(problem.paths - 1, 0), piled=bool(problem.ends))
    return (
        f"{f'without {without} ' if removed else ''}{whose} fall into "
        f"{found.least + more} groups, and {one} at most {problem.paths + more}"
    )


ALGORITHM = SubtourBound()
