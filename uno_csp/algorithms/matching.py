"""Two players, ``last-mover``: a maximum matching decides who wins (the paper's Theorem 4.2).

Pairs of matching cards of the two hands are the edges of a bipartite graph. Player 1 wins if and
only if some maximum matching leaves one of her cards uncovered, that is, if it has fewer edges than
she has cards: she opens with that card and answers every card with its partner. A reply without a
partner would give an augmenting path, and there is none. Otherwise a matching covers her whole
hand, and player 2 answers along it.

With a card on the pile, player 1 wins if and only if a maximum matching is larger when player 2
holds that card too: then she opens with its partner. Otherwise a maximum matching without it covers
every card that she can be made to play.

The graph can have quadratically many edges, so it is not built: the matching is a maximum flow from
cards through hubs to cards (:mod:`uno_csp.algorithms._hub_flow`).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from uno_csp.modeling import Algorithm, Finding
from uno_csp.questions import Convention, Uncooperative
from uno_csp.questions.answers import Status, Witness
from uno_csp.questions.cards import Card, has_many_hubs, hubs, is_wild, matches
from uno_csp.questions.wording import counted, describe

TOO_MANY_CARDS = "who wins by a matching has too many cards to be the first without any"
"""Reason for giving up under ``empty-hand-wins``."""


class MatchingGame(Algorithm[Uncooperative]):
    """Uncooperative play of two players by maximum matching.

    Under ``empty-hand-wins`` the same pairs win for whoever also runs out of cards first: for
    player 1, who begins, with no more cards than player 2; for player 2 with fewer than player 1.
    """

    name = "matching"
    takes = (Uncooperative,)
    gives_up = True

    def declines(self, instance: Uncooperative) -> str | None:
        """Return a reason unless there are two players."""
        return None if len(instance.hands) == 2 else "a matching decides two players only"

    def run(self, instance: Uncooperative) -> Finding:
        """Return the winner, with a strategy."""
        first, second = instance.hands
        pairs, opening = opened_matching(first, second, instance.after, instance.at_least)
        strategy: dict[str, Any] = {
            "kind": "matching",
            "pairs": [[list(first[i]), list(second[j])] for i, j in pairs],
        }
        stats = {"matching": len(pairs)}
        if not _decides(instance, wins=opening is not None):
            return Finding(Status.UNKNOWN, reason=TOO_MANY_CARDS, stats=stats)
        if opening is None:
            reason = _why_answered(instance)
            return Finding(Status.UNSATISFIABLE, Witness(strategy=strategy), reason, stats)
        strategy["open"] = list(first[opening])
        reached, partners = _reachable(opening, instance, pairs)
        reason = (
            f"no card of player 2 matches {describe(first[opening])}, with which player 1 opens"
        )
        if partners:
            reason = (
                f"{counted(reached, 'card')} of player 1, among them {describe(first[opening])}, "
                f"match only {counted(partners, 'card')} of player 2, who runs out of answers"
            )
        if instance.convention is Convention.EMPTY_HAND_WINS:
            reason += "; and player 1 has no more cards than player 2"
        return Finding(Status.SATISFIABLE, Witness(strategy=strategy), reason, stats)


def _decides(instance: Uncooperative, *, wins: bool) -> bool:
    """Return True if who wins by the pairs also is the first without cards, where that counts."""
    first, second = map(len, instance.hands)
    if instance.convention is Convention.LAST_MOVER:
        return True
    return first <= second if wins else second < first


def _why_answered(instance: Uncooperative) -> str:
    """Return why player 1 loses."""
    pile = instance.after
    if not instance.hands[0]:
        return "player 1 has no cards"
    if pile is None:
        whose = "each of player 1's cards"
    elif any(matches(pile, card, instance.at_least) for card in instance.hands[0]):
        whose = "each of player 1's cards that can come up"
    else:
        return f"player 1 has no card that matches {describe(pile)}"
    answered = f"{whose} has a card of player 2 as its own partner, with which player 2 answers it"
    if instance.convention is Convention.LAST_MOVER:
        return answered
    return f"{answered}, and player 2 has fewer cards"


def opened_matching(
    first: Sequence[Card], second: Sequence[Card], after: Card | None = None, at_least: int = 1
) -> tuple[list[tuple[int, int]], int | None]:
    """Return a maximum matching of the hands, and a card with which player 1 opens and wins.

    Both are indices into the hands. The matching does not cover the card, which matches ``after``;
    it is None when player 2 wins.
    """
    from uno_csp.algorithms._hub_flow import maximum_matching  # numpy and OR-tools load slowly

    pairs = maximum_matching(first, second, at_least)
    if after is None:
        covered = {i for i, _ in pairs}
        return pairs, next((i for i in range(len(first)) if i not in covered), None)
    more = maximum_matching(first, (*second, after), at_least)
    if len(more) == len(pairs):
        return pairs, None
    opening = next(i for i, j in more if j == len(second))
    return [pair for pair in more if pair[0] != opening], opening


def _reachable(
    opening: int, instance: Uncooperative, pairs: Iterable[tuple[int, int]]
) -> tuple[int, int]:
    """Return how many cards of each player lie on alternating paths from an uncovered card.

    These cards of player 1 match only these cards of player 2, which are fewer: Hall's condition
    fails.
    """
    first, second = instance.hands
    k = instance.at_least
    partner = {j: i for i, j in pairs}
    members: defaultdict[Hashable, list[int]] = defaultdict(list)
    pairwise = has_many_hubs(instance.dimension, k)
    compared = [j for j, card in enumerate(second) if pairwise or is_wild(card)]
    for j, card in enumerate(second):
        for hub in () if pairwise or is_wild(card) else hubs(card, k):
            members[hub].append(j)
    waiting, seen, answered = [opening], {opening}, set[int]()
    while waiting:
        card = first[waiting.pop()]
        if is_wild(card):
            near = [j for j, other in enumerate(second) if matches(card, other, k)]
        else:
            near = [j for j in compared if matches(card, second[j], k)]
            near += [j for hub in hubs(card, k) for j in members.pop(hub, ())] if members else []
        for j in near:
            if j not in answered:
                answered.add(j)
                if partner[j] not in seen:
                    seen.add(partner[j])
                    waiting.append(partner[j])
    return len(seen), len(answered)


ALGORITHM = MatchingGame()
