"""Questions about cards, the better answers that a certificate excludes, and two facts.

Cards that agree in at least k attributes match. A *hub* is k attributes with their values, so two
cards match if and only if they share a hub. A card that is wild in k attributes matches all.

*Groups.* Remove t cards, so that the others split into groups that share no hub. Removing s cards
from a sequence leaves at most s + 1 pieces, and each piece lies in one group. So r sequences leave
at most r + t pieces, and no fewer than the groups (each at least 1) need in all. In cooperative
play only groups with a card of player 1, or the pile, have to be in the sequence that is played.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from uno_csp.verifier import reading
from uno_csp.verifier.reading import Budget, require

Card = tuple[Any, ...]
Clause = tuple[int, ...]
WILD, VALUES = "*", {int, str}
OWN = {"uno-1": "cards", "longest": "cards", "fill-in": "cards supply costs"}
OWN |= {"cooperative": "hands", "uncooperative": "hands convention"}
EXPECTED = {"status": str, "objective": int, "bound": int, "why": str}
KINDS, COMMON = tuple(OWN), "question name comment at_least expected after"
MOST_HUBS = 256


def card_of(card: Any, file: str = "question.json") -> Card:
    """Return a card that was read from a file."""
    if type(card) not in (list, tuple) or not VALUES.issuperset(map(type, card)):
        raise reading.Refused(f"{file}: {card!r} is no card")
    return tuple(card)


def cards_of(cards: Any, file: str = "question.json") -> list[Card]:
    """Return the cards of a list that was read from a file."""
    return [card_of(card, file) for card in reading.array(cards, file)]


def require_common(data: dict[str, Any]) -> None:
    """Raise Refused unless the keys that do not change a question have their types."""
    own, known = {"name": "", "comment": "", **data}, data.get("expected", {})
    right = type(own["name"]) is type(own["comment"]) is str and type(known) is dict
    right = right and all(type(value) is EXPECTED.get(key) for key, value in known.items())
    require(right, "question.json: name, comment or expected")


class Question:
    """A question read from its JSON object: the cards of each player, and the rules.

    ``cards`` are those that are not universal (wild enough to match all), ``wilds`` the number of
    the others. The first card must match ``pile``; ``counted`` are ``cards`` and the pile. Supply:
    ``offers`` with costs, costs of universal ``wild_offers``. ``partly``: some wild, not universal.
    """

    def __init__(self, data: dict[str, Any], budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self._read(data)
        everything = [*self.hand, *(self.supply or ()), *[self.after] * (self.after is not None)]
        shapes = {len(card) for card in everything}
        right = type(self.at_least) is int and 1 <= self.at_least <= min(shapes, default=math.inf)
        require(right and len(shapes) <= 1, "question.json: bad at_least, or ragged cards")
        wild = {card for card in everything if WILD in card}
        universal = {card for card in wild if self._universal(card)}
        self.cards = [card for card in self.hand if card not in universal]
        self.wilds = len(self.hand) - len(self.cards)
        self.pile = None if self.after is None or self._universal(self.after) else self.after
        self.offers = [(card, cost) for card, cost in self.priced if not self._universal(card)]
        self.wild_offers = [cost for card, cost in self.priced if self._universal(card)]
        self.counted = [*self.cards, *filter(None, [self.pile])]
        self.partly = wild != universal
        first = sum(card not in universal for hand in self.hands[:1] for card in hand)
        # Places in `counted` of the cards that are in every sequence that is wanted.
        self.bound = {*range(first), *range(len(self.cards), len(self.counted))}

    def _read(self, data: dict[str, Any]) -> None:
        self.kind, self.at_least = str(data.get("question")), data.get("at_least", 1)
        require(self.kind in KINDS, f"question.json: unknown question {self.kind!r}")
        unknown = sorted({*data} - {*f"{COMMON} {OWN[self.kind]}".split()})
        require(not unknown, f"question.json: unknown key {unknown[:1]}")
        require_common(data)
        hands = data["hands"] if self.kind in KINDS[3:] else [data["cards"]]
        self.hands = [cards_of(hand) for hand in reading.array(hands, "question.json: hands")]
        self.convention = data.get("convention", "last-mover")
        self.kind = "uno-1" if (self.kind, len(hands)) == ("cooperative", 1) else self.kind
        self.hand = list(itertools.chain(*self.hands))
        self.after = card_of(data["after"]) if "after" in data else None
        self.supply = cards_of(data["supply"]) if "supply" in data else None
        costs = reading.integers(data.get("costs", [1] * len(self.supply or ())), "costs")
        require(all(0 <= cost < 2**31 for cost in costs), "question.json: costs")
        self.priced = list(zip(self.supply or (), costs, strict=True))

    def _universal(self, card: Card) -> bool:
        return bool(card.count(WILD) >= self.at_least)

    def part(self, cards: list[Card]) -> "Question":
        """Return the question whether these cards, none of them wild, can all be played."""
        own = {"at_least": self.at_least, "cards": [*map(list, cards)]}
        return Question({"question": "uno-1", **own}, self.budget)

    def match(self, one: Card, other: Card) -> bool:
        """Return True if the two cards may be neighbours."""
        return matches(one, other, self.at_least)

    def hubs(self, card: Card, fixed: int | None = None) -> list[tuple[Clause, Card]]:
        """Return the choices of that number of attributes (``at_least``), with a card's values."""
        fixed, width = self.at_least if fixed is None else fixed, len(card)
        few = fixed in (0, width) or (width <= MOST_HUBS and math.comb(width, fixed) <= MOST_HUBS)
        require(few, f"question.json: over {MOST_HUBS} hubs a card")
        self.budget.spend(math.comb(width, fixed) * (100 + 2 * fixed))
        chosen = itertools.combinations(range(width), fixed)
        return [(at, tuple(card[i] for i in at)) for at in chosen]


class Better(NamedTuple):
    """A better answer to refute: upper bounds, except ``played``, which is a lower bound."""

    sequences: int
    added: int = 0
    cost: int | None = None
    played: int | None = None


def better(question: Question, claim: dict[str, Any]) -> Better | None:
    """Return the better answer that the certificate must refute; None if there cannot be any."""
    status, value, wilds = claim["status"], claim["objective"], question.wilds
    if status == "UNSATISFIABLE" and question.kind != "longest":
        # If all attributes must agree, an added card matches only its copies.
        alike = any(len(card) == question.at_least for card in question.hand)
        none = question.kind != "fill-in" or question.supply is not None or alike
        require(none, "claim.json: enough added cards join any hand")
        require(value is None, "claim.json: only an optimum has an objective")
        return Better(wilds + 1)
    takes = status == "OPTIMAL" and question.kind in KINDS[1:3]
    require(takes, f"claim.json: {status} needs no certificate here")
    require(type(value) is int and value >= 0, "claim.json: the objective must be a number")
    if value == (len(question.hand) if question.kind == "longest" else 0):
        return None
    if question.kind == "longest":
        return Better(wilds + 1, played=value + 1 - wilds)
    added = Better(wilds + value, added=value - 1)
    return added if question.supply is None else Better(wilds + 1, cost=value - 1)


def far(question: Question, goal: Better) -> bool:
    """Return True if cards may be added, and joining two may take several of them."""
    return bool(goal.added) and any(2 * question.at_least > len(card) for card in question.hand)


def check_groups(question: Question, goal: Better, reason: Any) -> list[tuple[Question, Better]]:
    """Check the fact *Groups*, and return what is left to refute: the needs above 1."""
    plain = question.supply is None and goal.played is None and not question.partly
    require(plain, "reason.json: groups do not apply to a supply, cards left out, or partly wild")
    groups = reading.array(reason["groups"], "reason.json: groups")
    removed, *groups = (
        reading.integers(each, "reason.json") for each in (reason["removed"], *groups)
    )
    once = sorted(itertools.chain(removed, *groups)) == list(range(len(question.counted)))
    require(once and all(groups), "reason.json: not every card once, or an empty group")
    owner: dict[Any, int] = {}
    for number, group in enumerate(groups):
        for hub in itertools.chain(*(question.hubs(question.counted[i]) for i in group)):
            same = owner.setdefault(hub, number) == number
            require(same, f"reason.json: hub {hub} of group {number} is in another group too")
    met = [int(not question.bound.isdisjoint(group)) for group in groups]
    needs = reading.integers(reason.get("needs", met), "reason.json: needs")
    alone = len(question.hands) == 1
    require(min(needs, default=1) > 0 if alone else needs == met, "reason.json: bad needs")
    needed = sum(needs) - len(removed)
    require(needed > goal.sequences, f"reason.json: it proves a need of {needed} sequences only")
    parts = [([question.counted[i] for i in at], n) for at, n in zip(groups, needs, strict=True)]
    return [(question.part(hand), Better(need - 1)) for hand, need in parts if need > 1]


def check_witness(question: Question, claim: dict[str, Any], witness: dict[str, Any]) -> None:
    """Check that the sequence obeys the rules and has the objective of the claim."""
    given = (witness["sequence"], witness.get("added", []))
    sequence, added = (cards_of(cards, "witness.json") for cards in given)
    longest = question.kind == "longest"
    require(question.kind == "fill-in" or not added, "witness.json: no cards may be added")
    offers = None if question.supply is None else question.priced
    flaws, value = price(added, offers, max(map(len, question.hand), default=0))
    held = Counter((*question.hand, *added))
    flaws += sequence_flaws(sequence, held, question.after, question.at_least, whole=not longest)
    for flaw in flaws:
        message = flaw.message.format(*map(list, flaw.cards))
        raise reading.Refused(f"witness.json: {f'step {flaw.step}: ' * bool(flaw.step)}{message}")
    value = len(sequence) if longest else value
    require(value == claim["objective"], f"witness.json: its value is {value}")


class Flaw(NamedTuple):
    """A broken rule: its name, the step of play (0: no single one), and what is wrong.

    The message has a place for each of the cards.
    """

    rule: str
    step: int
    message: str
    cards: tuple[Card, ...] = ()


def matches(one: Card, other: Card, at_least: int) -> bool:
    """Return True if two cards may be neighbours."""
    agreed = 0
    for mine, its in zip(one, other, strict=True):
        if mine == its or WILD in (mine, its):
            agreed += 1
            if agreed >= at_least:
                return True
    return False


def mismatch(last: Card, card: Card, step: int) -> Flaw:
    """Return the flaw of a card that does not match the one before it."""
    return Flaw("match" if step > 1 else "opening", step, "{} does not match {}", (card, last))


def sequence_flaws(
    sequence: Sequence[Card], held: Counter[Card], after: Card | None, at_least: int, *, whole: bool
) -> list[Flaw]:
    """Return what is wrong with a sequence of cards that are held, of all of them if ``whole``.

    Whether cards match is not looked at if others than these are played.
    """
    left, found = Counter(held), list[Flaw]()
    for step, card in enumerate(sequence, start=1):
        if left[card] <= 0:
            found.append(Flaw("hand", step, "{} is not left in the hand", (card,)))
        left[card] -= 1
    unplayed = [card for card, count in left.items() if count > 0 and whole]
    found += [Flaw("hand", 0, "{} is not played", (card,)) for card in unplayed]
    last = after
    for step, card in enumerate(sequence if not found else (), start=1):
        if last is not None and not matches(last, card, at_least):
            found.append(mismatch(last, card, step))
        last = card
    return found


def price(
    added: Sequence[Card], offers: Iterable[tuple[Card, int]] | None, width: int
) -> tuple[list[Flaw], int]:
    """Return what is wrong with added cards, and their price, the cheapest copies counting first.

    Without offers any cards may be added, at a price of 1, unless an attribute is wild.
    """
    for card in added:
        if len(card) != width:
            return [Flaw("supply", 0, f"{{}} has {len(card)} attributes, not {width}", (card,))], 0
    if offers is None:
        message = "{} was added; without a supply no wild card may"
        wild = [card for card in added if WILD in card]
        return [Flaw("supply", 0, message, (card,)) for card in wild], len(added)
    prices: defaultdict[Card, list[int]] = defaultdict(list)
    for card, cost in offers:
        prices[card].append(cost)
    found, total = list[Flaw](), 0
    for card, count in Counter(added).items():
        cheapest = sorted(prices[card])
        total += sum(cheapest[:count])
        if count > len(cheapest):
            message = f"{{}} was added {count} times; the supply has {len(cheapest)}"
            found.append(Flaw("supply", 0, message, (card,)))
    return found, total
