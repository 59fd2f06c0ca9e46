"""Certificates of games with open cards, by their rules step by step, and by strategies.

*Timetables.* The rules of cooperative play, step by step and without any theory, for small hands.

*Pairs.* Two players compete, and whoever cannot play loses. If every card of player 1 has its own
matching partner among the cards of player 2, player 2 answers each card with its partner. In other
games, a strategy is followed against every reply.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from uno_csp.verifier import reading
from uno_csp.verifier.cards import (
    KINDS,
    MOST_HUBS,
    WILD,
    Card,
    Question,
    card_of,
    cards_of,
    matches,
)
from uno_csp.verifier.trails import Clauses

MOST_PAIRS = 2_000_000  # maximum number of card pairs times steps in a timetable
STRATEGY = "strategy.jsonl"

require = reading.require

Hands = tuple[int, ...]  # the cards of each player, a bit for each copy
Answer = Callable[[int, Any, Hands], Card | None]


class Timetable(Clauses):
    """The rules of cooperative play as clauses: which card is laid at each step.

    If players are skipped between two consecutive cards, all their matching cards were laid before.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question.budget)
        self.question = question
        whose = [(player, card) for player, hand in enumerate(question.hands) for card in hand]
        self.owners, self.cards = [who for who, _ in whose], [card for _, card in whose]
        steps = len(whose) - (len(question.hands) - 1)
        size = len(whose) ** 2 * steps * len(question.hands)
        require(size <= MOST_PAIRS, f"too large: {size} pairs of cards by step, over {MOST_PAIRS}")
        self.budget.spend(100 * size)
        self.laid = [
            [self.new("laid", step, card) for card in range(len(whose))] for step in range(steps)
        ]
        self.full = [self.new("full", step) for step in range(steps)]
        for full, row in zip(self.full, self.laid, strict=True):
            self.clauses += [(-full, *row), *((-literal, full) for literal in row)]
            self.at_most([(1, literal) for literal in row], 1)
        self.columns = list(zip(*self.laid, strict=True))
        for column in self.columns:
            self.at_most([(1, literal) for literal in column], 1)
        self.clauses += [(one, -other) for one, other in itertools.pairwise(self.full)]
        self._match()
        self.clauses += self.columns[: len(question.hands[0])]
        self._keep_cards()
        self._take_turns()

    def _match(self) -> None:
        """A laid card matches the one before it, and the first one the pile."""
        pile, match = self.question.after, self.question.match
        for card, literal in zip(self.cards, self.laid[0], strict=True):
            self.clauses += [(-literal,)] if pile is not None and not match(pile, card) else []
        apart = [
            (i, j)
            for i, j in itertools.permutations(range(len(self.cards)), 2)
            if not match(self.cards[i], self.cards[j])
        ]
        for here, there in itertools.pairwise(self.laid):
            self.clauses += [(-here[i], -there[j]) for i, j in apart]

    def _keep_cards(self) -> None:
        """Player 1 lays the last card, and each other player keeps a card."""
        keeps: defaultdict[int, list[int]] = defaultdict(list)
        then = self.full[1:]
        for card, (who, column) in enumerate(zip(self.owners, self.columns, strict=True)):
            if who:
                self.clauses += [
                    (-column[-1],),
                    *((-x, after) for x, after in zip(column[:-1], then, strict=True)),
                ]
                keeps[who].append(self.new("keeps", card))
                self.clauses += [(-keeps[who][-1], -literal) for literal in column]
        self.clauses += [tuple(keep) for keep in keeps.values()]

    def _take_turns(self) -> None:
        """A skipped player could not play: all their matching cards were laid before."""
        question, owners, count = self.question, self.owners, len(self.question.hands)
        pile, match = question.after, question.match
        able = [i for i, card in enumerate(self.cards) if pile is None or match(pile, card)]
        first = owners[able[0]] if able else None
        self.clauses += [(-x,) for x, who in zip(self.laid[0], owners, strict=True) if who != first]
        pairs = list(itertools.permutations(range(len(owners)), 2))
        matching = [(i, j) for i, j in pairs if match(self.cards[i], self.cards[j])]
        before: Sequence[int | None] = [None] * len(owners)
        for step, (here, there) in enumerate(itertools.pairwise(self.laid)):
            skipped = [self.new("skipped", step, who) for who in range(count)]
            for i, j in matching:
                between = range(owners[i] + 1, owners[i] + 1 + (owners[j] - owners[i] - 1) % count)
                self.clauses += [(-here[i], -there[j], skipped[k % count]) for k in between]
                laid = [literal for literal in (before[j],) if literal]
                self.clauses.append((-skipped[owners[j]], -here[i], *laid))
            now = [self.new("before", step, card) for card in range(len(owners))]
            for var, old, x in zip(now, before, here, strict=True):
                self.clauses.append((-var, *(literal for literal in (old,) if literal), x))
            before = now


def check_pairs(question: Question, pairs: list[list[int]]) -> str:
    """Check the fact *Pairs*."""
    require(len(question.hands) == 2, "reason.json: pairs are for two players")
    first, second = question.hands
    pairs = [reading.integers(pair, "reason.json: a pair") for pair in pairs]
    require({*map(len, pairs)} <= {2}, "reason.json: not pairs")
    ones, others = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
    right = len(ones) == len(pairs) and ones <= set(range(len(first)))
    right = right and (question.after is not None or len(pairs) == len(first))
    require(right, "reason.json: not each card of player 1 once")
    right = len(others) == len(pairs) and others <= set(range(len(second)))
    require(right, "reason.json: a partner twice, or one not held")
    require_partners(question, [(first[i], second[j]) for i, j in pairs])
    return paired(question)


def require_partners(
    question: Question, pairs: Sequence[tuple[Card, Card]], opening: Card | None = None
) -> None:
    """Raise Refused unless player 2 can answer each card with its partner.

    With a card without a partner, player 1 opens with it, and answers each card of player 2.
    """
    left = [Counter(hand) for hand in question.hands]
    for who, own in enumerate(left):
        own.subtract(pair[who] for pair in pairs)
        _require_none(own, -1, f"is in more pairs than player {who + 1} has copies")
    for one, other in pairs:
        if not question.match(one, other):
            raise reading.Refused(f"reason.json: {list(one)} does not match {list(other)}")
    asks, last = 0, question.after
    if opening is not None:
        require(left[0][opening] > 0, f"reason.json: {list(opening)} is not an unpaired card")
        fits = last is None or question.match(last, opening)
        require(fits, f"reason.json: {list(opening)} does not match the pile")
        asks, last = 1, opening
    if last is None:
        _require_none(left[0], 1, "has no partner")
        return
    partners: defaultdict[Card, list[Card]] = defaultdict(list)
    for pair in pairs:
        partners[pair[asks]].append(pair[1 - asks])
    laid, coming = [last], HandIndex(question.hands[asks], question.at_least, question.budget)
    while laid:
        near = list(coming.near(laid.pop()))
        for card in near:
            coming.remove(card)
        _require_none({card: left[asks][card] for card in near}, 1, "can come up without a partner")
        laid += itertools.chain(*(partners.pop(card, ()) for card in near))


def _require_none(cards: Mapping[Card, int], sign: int, what: str) -> None:
    """Raise Refused with what is wrong with the first card whose number has a sign."""
    card = next((card for card, count in cards.items() if count * sign > 0), None)
    require(card is None, f"reason.json: {list(card or ())} {what}")


class HandIndex:
    """Different cards by their hubs; wild cards, and those on too many hubs, are compared."""

    def __init__(
        self, cards: Iterable[Card], at_least: int, budget: reading.Budget | None = None
    ) -> None:
        self.cards, self.at_least = dict.fromkeys(cards), at_least
        self.budget, width = budget or reading.Budget(), len(next(iter(self.cards), ()))
        few = math.comb(width, at_least) <= MOST_HUBS
        self.choices = [*itertools.combinations(range(width), at_least)] if few else []
        self.at: defaultdict[Any, dict[Card, None]] = defaultdict(dict)
        for card in self.cards:
            for hub in self._hubs(card) or [None]:
                self.at[hub][card] = None

    def _hubs(self, card: Card) -> list[Any]:
        """Return the hubs of a card; none of a wild one, or where there are too many."""
        self.budget.spend(len(self.choices) * (100 + 2 * self.at_least))
        if WILD in card:
            return []
        return [(at, tuple([card[i] for i in at])) for at in self.choices]

    def near(self, last: Card) -> Iterator[Card]:
        """Yield the cards that match the one on top: they share a hub, or are compared."""
        hubs = self._hubs(last)
        known = dict.fromkeys(itertools.chain(*(self.at.get(hub, ()) for hub in hubs)))
        compared = self.at.get(None, {}) if hubs else self.cards
        self.budget.spend(20 * (len(known) + len(compared)))
        yield from known
        for card in compared:
            if matches(last, card, self.at_least):
                yield card

    def remove(self, card: Card) -> None:
        """Take out a card."""
        del self.cards[card]
        for hub in self._hubs(card) or [None]:
            del self.at[hub][card]


def paired(question: Question) -> str:
    """Return the fact *Pairs* in words."""
    first, pile = question.hands[0], question.after
    if not first:
        return "player 1 has no cards"
    if pile is None:
        return "each card of player 1 has its own matching card of player 2"
    if not any(question.match(pile, card) for card in first):
        return "no card of player 1 matches the one on the pile"
    return "each card that player 1 can play has its own matching card of player 2"


class Deal:
    """The cards of a game as bits: a hand is a number, in which copies of a card are neighbours."""

    def __init__(self, question: Question) -> None:
        self.question, self.size = question, 0
        self.first: dict[Card, int] = {}
        """The lowest bit of each card, which is there if any copy is; in the order dealt."""
        self.field: dict[Card, int] = {}
        self.known: dict[Any, int] = {}
        most: Counter[Card] = Counter()
        for hand in question.hands:
            most |= Counter(hand)
        for card in dict.fromkeys(question.hand):
            self.first[card] = 1 << self.size
            self.field[card] = ((1 << most[card]) - 1) << self.size
            question.budget.spend(self.size // 4)
            self.size += most[card]
        self.cards = {bit: card for card, bit in self.first.items()}

    def bits(self, hand: Iterable[Card]) -> int | None:
        """Return a hand as bits; None if no player ever holds it."""
        found = 0
        for card, copies in Counter(hand).items():
            field, first = self.field.get(card, 0), self.first.get(card, 0)
            found |= first * ((1 << copies) - 1)
            if found & field != first * ((1 << copies) - 1) or not field:
                return None
        return found

    def hand(self, bits: int) -> Counter[Card]:
        """Return the cards of bits."""
        counts = ((card, (bits & field).bit_count()) for card, field in self.field.items())
        return Counter({card: count for card, count in counts if count})

    def without(self, bits: int, card: Card) -> int:
        """Return a hand without a copy of a card that it has."""
        return bits ^ (1 << ((bits & self.field[card]).bit_length() - 1))

    def playable(self, last: Any, bits: int) -> int:
        """Return the lowest bits of the cards of a hand that match the one on top."""
        if last not in self.known:
            self.question.budget.spend(len(self.first) * (40 + self.size // 200))
            near = (last is None or self.question.match(last, card) for card in self.first)
            ones = (bit for bit, matches in zip(self.cards, near, strict=True) if matches)
            self.known[last] = sum(ones)
        return bits & self.known[last]


def check_strategy(
    question: Question, positions: list[dict[str, Any]], *, wins: bool = False
) -> str:
    """Check that a strategy, listed by positions, holds as :func:`follow`."""
    known: dict[Any, Card] = {}
    deal = Deal(question)
    for at in positions:
        question.budget.spend(deal.size // 10)
        hands = [deal.bits(cards_of(hand, "reason.json")) for hand in at["hands"]]
        last = None if at["last"] is None else card_of(at["last"], "reason.json")
        known[at["player"] - 1, last, tuple(hands)] = card_of(at["play"], "reason.json")
    follow(question, lambda *at: known.get(at), wins=wins)
    return f"a strategy against all replies, of {len(known)} positions"


def check_lines(question: Question, lines: Iterable[str]) -> str:
    """Check a strategy of one card in a line, in the order in which :func:`follow` asks."""
    cards = (card_of(reading.loads(line, question.budget), STRATEGY) for line in lines)
    count = follow(question, lambda *_: next(cards, None))
    require(next(cards, None) is None, f"{STRATEGY}: more than {count} lines")
    return f"a strategy against all replies, of {count} positions"


def follow(question: Question, answer: Answer, *, wins: bool = False) -> int:
    """Follow a strategy against every reply; return how many answers it has given.

    It is that of all others against player 1, or with ``wins`` the other way round. ``answer`` gets
    the player, the card on top, and all hands. The position reached last is visited first, and the
    players play the cards in the order dealt.
    """
    deal = Deal(question)
    held = tuple(deal.bits(hand) or 0 for hand in question.hands)
    waiting: list[tuple[int, Any, Hands]] = [(0, question.after, held)]
    seen, count = set(waiting), 0
    while waiting:
        player, last, hands = waiting.pop()
        question.budget.spend(150 + deal.size // 10)
        near = deal.playable(last, hands[player])
        if (player == 0) == wins:
            play = answer(player, last, hands)
            right = play is not None and near & deal.first.get(play, 0)
            top = "the start" if last is None else list(last)
            require(right, f"strategy: no card for player {player + 1} after {top}")
            near, count = right or 0, count + 1
        while near:
            bit = near & -near
            near, card = near ^ bit, deal.cards[bit]
            question.budget.spend(50 + deal.size // 4)
            left = deal.without(hands[player], card)
            if question.convention == "empty-hand-wins" and not left:
                right = (player == 0) == wins
                require(right, f"strategy: player {player + 1} wins with {list(card)}")
                continue
            after = (player + 1) % len(hands)
            following = after, card, (*hands[:player], left, *hands[player + 1 :])
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return count


def require_game(question: Question) -> None:
    """Raise Refused unless a question of several players is well-formed."""
    if question.kind not in KINDS[3:]:
        return
    known = question.convention in ("last-mover", "empty-hand-wins")
    require(known, f"question.json: convention {question.convention!r}")
    require(len(question.hands) > 1, "question.json: a game needs two or more players")
    may_be_empty = question.kind == "uncooperative" and question.convention == "last-mover"
    require(may_be_empty or all(question.hands), "question.json: an empty hand")
