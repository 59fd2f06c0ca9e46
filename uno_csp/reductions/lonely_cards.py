"""Refutation of cooperative play by cards of player 1 that at most one card matches."""

from collections import defaultdict

from uno_csp.hub_graph.incidence import incidence
from uno_csp.questions import Cooperative, Instance
from uno_csp.questions.cards import Card, has_many_hubs, is_wild, matches
from uno_csp.questions.wording import describe
from uno_csp.reductions.steps import Decided

FEW = 2  # number of cards that can stand first or last


def refute_by_lonely_cards(instance: Instance) -> Decided | None:
    """Answer no when cards of player 1 cannot all be played because hardly any card matches them.

    *Proof.* All cards of player 1 are played. The cards before and after a card in a play are two
    different cards that match it, the card on the pile being the first of all. So a card that only
    one other card matches stands first or last, and two cards at most do, or one beside a card on
    the pile. A card that no other card matches is the only card of the play.
    """
    if not isinstance(instance, Cooperative) or len(instance.hands[0]) == 1:
        return None
    k, after = instance.at_least, instance.after
    if has_many_hubs(instance.dimension, k):
        return None
    lonely = _matched_once(instance)
    ends = FEW if after is None else FEW - 1
    unmatched = [card for card, count in lonely if not count]
    if unmatched:
        reason = f"no card matches {describe(unmatched[0])}, and player 1 has other cards as well"
    elif len(lonely) > ends:
        shown = ", ".join(describe(card) for card, _ in lonely[: ends + 1])
        place = "first or last" if after is None else "last"
        reason = f"each of player 1's cards {shown} matches one card only, so it is played {place}"
    else:
        return None
    return Decided(None, reason)


def _matched_once(instance: Cooperative) -> list[tuple[Card, int]]:
    """Return player 1's plain cards that at most one other matches, with the number of those."""
    pile = () if instance.after is None else (instance.after,)
    every = (*instance.cards, *pile)
    plain = [i for i, card in enumerate(every) if not is_wild(card)]
    wild = [card for card in every if is_wild(card)]
    found = incidence(tuple(every[i] for i in plain), instance.at_least)
    few = [
        (at, hubs)
        for at, hubs in enumerate(zip(*found.columns, strict=True))
        if plain[at] < len(instance.hands[0]) and all(found.degrees[hub] <= FEW for hub in hubs)
    ]
    wanted = {hub for _, hubs in few for hub in hubs}
    on: defaultdict[int, set[int]] = defaultdict(set)
    for column in found.columns:
        for at, hub in enumerate(column):
            if hub in wanted:
                on[hub].add(at)
    lonely: list[tuple[Card, int]] = []
    for at, hubs in few:
        card = every[plain[at]]
        count = len(set().union(*(on[hub] for hub in hubs))) - 1
        count += sum(matches(card, other, instance.at_least) for other in wild)
        if count <= 1:
            lonely.append((card, count))
    return lonely
