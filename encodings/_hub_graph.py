"""The hub graph of a hand, and the reading of trails on it: the data of ``hub-trail``.

A module here whose name opens with an underscore is no encoding but a part of one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from uno_csp.answers import Witness
from uno_csp.cards import (
    Card,
    Hub,
    hub_count,
    hub_name,
    hubs,
    is_universal,
    joining_cards,
    spare_hubs,
)
from uno_csp.modeling import Assignment
from uno_csp.questions import HandQuestion
from uno_csp.trails import APEX, Step, reversed_trail, split_into_trails
from uno_csp.wording import describe

Offer: TypeAlias = tuple[Card, int]
"""A card that may be added, and its cost."""


@dataclass(frozen=True, slots=True)
class HubGraph:
    """The hubs that matter in a question, and the cards on them; hubs are numbered from 0.

    Parameters
    ----------
    instance
        The question.
    cards, wilds
        The plain cards of the hand, and its universal wild ones.
    offers, wild_offers
        The same for the supply, with the costs.
    hubs_of
        For each plain card, and then for each plain offer, the hubs it shares with another card or
        with ``after``, ascending, but for :func:`~uno_csp.cards.spare_hubs`.
    hubs
        These hubs, by number.
    after_hubs
        The hubs ``after`` shares with the others; None without such a card, or if it is universal.
    """

    instance: HandQuestion
    cards: Sequence[Card]
    wilds: Sequence[Card]
    offers: Sequence[Offer]
    wild_offers: Sequence[Offer]
    hubs_of: Sequence[tuple[int, ...]]
    hubs: Sequence[Hub]
    after_hubs: tuple[int, ...] | None

    @property
    def all_cards(self) -> list[Card]:
        """The plain cards that ``hubs_of`` speaks of, in its order."""
        return [*self.cards, *(card for card, _ in self.offers)]

    @property
    def lonely(self) -> int:
        """The number of cards of the hand that share no hub."""
        return sum(not at for at in self.hubs_of[: len(self.cards)])

    @property
    def has_joints(self) -> bool:
        """Whether several trails can be joined: by wild cards, or by any added card."""
        return bool(self.instance.supply is None or self.wilds or self.wild_offers)

    @property
    def follows_pile(self) -> bool:
        """Whether a sequence begins behind ``after``, which then holds one of its ends."""
        return self.after_hubs is not None and bool(self.cards or self.wilds)

    @property
    def free_ends(self) -> int:
        """How many ends the trails may have: two for each of the sequences that can be joined.

        A lonely card that must be played has two of them, and the pile two, of which the trail that
        leaves it gives one back.
        """
        joined = 2 * (len(self.wilds) + 1)
        lonely = 2 * self.lonely if self.instance.whole else 0
        return joined - lonely - 2 * self.follows_pile


@dataclass(frozen=True, slots=True)
class HubTrail:
    """What the variables of a model mean.

    Parameters
    ----------
    graph
        What they are about.
    visited
        y[v] for each hub: it is on the trail.
    walked
        For each entry of ``hubs_of`` the literal saying that it is walked; 0 for a mere loop.
    ends
        For each entry of ``hubs_of`` the literals that are true for the hubs it is walked between,
        one for each hub; empty for a card that can only be a loop.
    starts
        For each of ``after_hubs`` the literal saying that the sequence starts there.
    odd, closed
        By hub the literal saying that an odd number of cards is walked there, and the variable
        saying that a closed trail starts there.
    wild_used
        For each of ``wild_offers`` the literal saying that it is added.
    missed
        In ``longest``: for a set of hubs the variable saying that cards on just these are left out.
    """

    graph: HubGraph
    visited: Sequence[int]
    walked: Sequence[int]
    ends: Sequence[tuple[int, ...]]
    starts: Mapping[int, int]
    odd: Mapping[int, int]
    closed: Sequence[int]
    wild_used: Sequence[int] = ()
    missed: Mapping[tuple[int, ...], int] = field(default_factory=dict)


def draw(instance: HandQuestion) -> HubGraph:
    """Number the hubs that two cards share and that are needed; the others play no part."""
    k = instance.at_least
    plain = [card for card in instance.cards if not is_universal(card, k)]
    wilds = [card for card in instance.cards if is_universal(card, k)]
    # Of no cards nothing is missing; what costs nothing would be added for nothing.
    offered = instance.offers if instance.cards else ()
    offers = sorted((offer for offer in offered if not is_universal(offer[0], k)), key=_cost)
    wild_offers = sorted((offer for offer in offered if is_universal(offer[0], k)), key=_cost)
    after = instance.after
    fixed = [] if after is None or is_universal(after, k) else [after]
    drawn = (*plain, *(card for card, _ in offers), *fixed)
    all_hubs = [hubs(card, k) for card in drawn]
    degree = Counter(hub for own in all_hubs for hub in own)
    # Two different cards share no two hubs when there are but two on a card.
    without = len(set(drawn)) == len(drawn) and hub_count(instance.dimension, k) == 2
    spare = set[Hub]() if without else spare_hubs(drawn, k)
    number: dict[Hub, int] = {}
    shared = [
        tuple(
            sorted(
                number.setdefault(hub, len(number))
                for hub in own
                if degree[hub] > 1 and hub not in spare
            )
        )
        for own in all_hubs
    ]
    after_hubs = shared.pop() if fixed else None
    return HubGraph(instance, plain, wilds, offers, wild_offers, shared, list(number), after_hubs)


def _cost(offer: Offer) -> int:
    return offer[1]


def meanings(trail: HubTrail) -> Iterator[tuple[int, str]]:
    """What the variables mean; cards are counted from 1, wild ones left out, then the supply."""
    names = [hub_name(hub) for hub in trail.graph.hubs]
    told: dict[int, str] = {}
    for hub, literal in enumerate(trail.visited):
        told[literal] = f"y[{names[hub]}] hub {names[hub]} is visited"
    told.update(_walk_meanings(trail, names))
    for hub, literal in trail.starts.items():
        told[literal] = f"s[{names[hub]}] the pile is left through it"
    for hub, literal in trail.odd.items():  # one card alone is its own parity, and named already
        told.setdefault(literal, f"odd[{names[hub]}] an odd number of cards is walked there")
    for hub, literal in enumerate(trail.closed):
        told[literal] = f"b[{names[hub]}] a closed trail starts there"
    for at, literal in trail.missed.items():
        hubs_named = ",".join(names[hub] for hub in at)
        told[literal] = f"u[{hubs_named}] the cards on just these hubs are left out"
    for index, literal in enumerate(trail.wild_used, start=1):
        told[literal] = f"w[{index}] wild card {index} of the supply is added"
    return iter(told.items())


def _walk_meanings(trail: HubTrail, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    cards = trail.graph.all_cards
    for index, (card, walked) in enumerate(zip(cards, trail.walked, strict=True), start=1):
        at = trail.graph.hubs_of[index - 1]
        if not walked:
            continue
        letter = "x" if len(at) == 2 else "t"
        yield walked, f"{letter}[{index}] card {index} ({describe(card)}) is walked"
        if len(at) > 2:
            for end, hub in zip(trail.ends[index - 1], at, strict=True):
                yield end, f"z[{index},{names[hub]}] card {index} is walked and ends there"


def read_witness(trail: HubTrail, assignment: Assignment) -> Witness:
    """Read the trails as card sequences and join them."""
    pieces = _read_pieces(trail, assignment)
    if not trail.graph.instance.whole:
        return _longest_witness(trail, pieces)
    pieces += [
        [card] for card, at in zip(trail.graph.cards, trail.graph.hubs_of, strict=False) if not at
    ]
    if trail.graph.instance.sense.optimises:
        return _filled_witness(trail, pieces, assignment)
    return Witness(_joined(pieces, trail.graph.wilds))


_START = -2


def _read_pieces(trail: HubTrail, assignment: Assignment) -> list[list[Card]]:
    """The trails as lists of cards; with ``after`` the first follows it, and may be empty."""
    edges: list[tuple[int, int, int]] = []
    loops: defaultdict[int, list[Card]] = defaultdict(list)
    cards = trail.graph.all_cards
    for index, (at, ends) in enumerate(zip(trail.graph.hubs_of, trail.ends, strict=True)):
        walked = [v for v, end in zip(at, ends, strict=False) if assignment[end]]
        if walked:
            edges.append((walked[0], walked[1], index))
        elif index < len(trail.graph.cards):
            stops = (v for v in at if assignment[trail.visited[v]])
            loops[next(stops, APEX)].append(cards[index])
    loops.pop(APEX, None)  # not played
    start = next((v for v, literal in trail.starts.items() if assignment[literal]), None)
    if start is not None:
        edges.append((APEX, start, _START))
    visited = [v for v, y in enumerate(trail.visited) if assignment[y]]
    pieces: list[list[Card]] = [[]] if trail.graph.after_hubs is not None and start is None else []
    for walk in split_into_trails(edges, visited):
        piece = _read_walk(reversed_trail(walk) if walk[-1][0] == _START else walk, cards, loops)
        if _START in (walk[0][0], walk[-1][0]):
            pieces.insert(0, piece)
        elif piece:
            pieces.append(piece)
    return pieces


def _read_walk(
    walk: Sequence[Step], cards: Sequence[Card], loops: dict[int, list[Card]]
) -> list[Card]:
    piece: list[Card] = []
    for edge, hub in walk:
        piece += [cards[edge]] if edge >= 0 else []
        piece += loops.pop(hub, ())
    return piece


def _joined(pieces: Sequence[Sequence[Card]], wilds: Iterable[Card]) -> tuple[Card, ...]:
    """The pieces with a wild card between any two, the others at the end."""
    joints = iter(wilds)
    sequence: list[Card] = []
    for number, piece in enumerate(pieces):
        if number > 0:
            sequence.append(next(joints))
        sequence += piece
    return (*sequence, *joints)


def _longest_witness(trail: HubTrail, pieces: list[list[Card]]) -> Witness:
    """The largest pieces that the wild cards can join."""
    lonely = [
        [card] for card, at in zip(trail.graph.cards, trail.graph.hubs_of, strict=False) if not at
    ]
    first = [pieces.pop(0)] if trail.graph.after_hubs is not None else []
    pieces = sorted(pieces + lonely, key=len, reverse=True)
    kept = first + pieces[: len(trail.graph.wilds) + 1 - len(first)]
    sequence = _joined(kept, trail.graph.wilds)
    return Witness(sequence, objective=len(sequence))


def _filled_witness(trail: HubTrail, pieces: list[list[Card]], assignment: Assignment) -> Witness:
    """The pieces joined by wild cards and, without a supply, by new cards."""
    instance = trail.graph.instance
    if instance.supply is not None:
        wild_added = [
            offer
            for offer, literal in zip(trail.graph.wild_offers, trail.wild_used, strict=True)
            if assignment[literal]
        ]
        walked = trail.walked[len(trail.graph.cards) :]
        added = wild_added + [
            offer
            for offer, literal in zip(trail.graph.offers, walked, strict=True)
            if literal and assignment[literal]
        ]
        sequence = _joined(pieces, [*trail.graph.wilds, *(card for card, _ in wild_added)])
        cost = sum(cost for _, cost in added)
        return Witness(sequence, added=tuple(card for card, _ in added), objective=cost)
    joinable = len(trail.graph.wilds) + 1
    filled, new = list(_joined(pieces[:joinable], trail.graph.wilds)), list[Card]()
    for piece in pieces[joinable:]:
        end = filled[-1] if filled else instance.after
        joint = None if end is None else joining_cards(end, piece[0], instance.at_least)
        assert joint is not None  # noqa: S101
        new += joint
        filled += [*joint, *piece]
    return Witness(tuple(filled), added=tuple(new), objective=len(new))
