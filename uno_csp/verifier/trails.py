"""The fact *Trails* in clauses, for the questions about one hand.

*Trails.* Let r sequences play some cards. Any two neighbours share a hub; choose one for each two.
A card between two different chosen hubs is *walked* from one to the other. So each sequence is a
trail on hubs, closed or with two ends, and every played card has a *visited* hub. In the graph of
visited hubs and trail edges, a component with m *odd* hubs (with an odd number of trail edges) has
at least max(1, m / 2) trails. Put one *end* at every odd vertex, and two at some hub of each other
component. Each component has an end, and there are at most 2r ends; if r = 1 there is only one.

`Trails` states all but connectedness, which the *cuts* add. Let S be a set of hubs (and of cards on
three or more hubs), one of them visited for certain. Then a card leads out of S, or S has an end. A
card leads out if r = 1 and S lacks a hub that is visited, or touches fewer cards than are played.

*Partly wild cards.* A card that is wild in some attributes is on every hub of the others that it
agrees with, and two such cards that match have a hub of their own: cards that match share a hub.

*Prices.* At most D - k attributes change at a time, so cards that differ in d of them have a
distance of ceil(d / (D - k)) - 1 or more added cards. A hub of level j fixes max(0, D - (j + 1)
(D - k)) attributes, so cards at distance j share one. Take wild and added cards out of the
sequence, and let neighbours choose a hub of the level of their distance. Then half the levels of
all ends of trail edges add up to the number of added cards, or less. The first card is walked from
a hub of level 0, and a card with the same hub before and after it uses two copies of that hub.

*Unrolling.* A strict certificate has no cuts. Instead, the formula states connectedness: every
visited hub is reached from an end, or from one root hub, within a bounded number of steps, and
there is a layer of variables for each step.

*Rows.* Two kinds of inequalities hold besides the clauses and sums. At a hub, parity forbids that
an odd number of its cards are walked, no other card is, and the hub is not odd. Around a set of
hubs, the number of cards that lead out plus the number of odd vertices inside is even. So where a
cut requires one of them, there are two, or two ends at one hub.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from uno_csp.verifier import reading
from uno_csp.verifier.cards import WILD, Better, Card, Clause, Question, far
from uno_csp.verifier.reading import Budget, require

Step = tuple[Clause, int, int, int]

MOST_PASSED = 4_000_000  # maximum number of card-hub pairs times steps in a strict formula


class Clauses:
    """Clauses over the variables 1, 2, ...; a literal is a variable or its negation.

    Each variable, sum and clause is stated with a name, which is for other programs.
    """

    counting = True  # whether sums are also written as clauses

    def __init__(self, budget: Budget) -> None:
        self.budget, self.variables, self.clauses = budget, 0, list[Clause]()
        self.sums: list[tuple[Sequence[tuple[int, int]], int]] = []

    def new(self, *_name: Any) -> int:
        """Return a new variable."""
        require(self.variables < 4_000_000, "the formula has over 4,000,000 variables")
        self.variables += 1
        return self.variables

    def state(self, clause: Clause, *_name: Any) -> None:
        """Add a clause."""
        self.clauses.append(clause)

    def state_each(self, clauses: Iterable[Clause], *_name: Any) -> None:
        """Add clauses that say the same of 0, 1, 2 and so on."""
        self.clauses += clauses

    def at_most(self, terms: Sequence[tuple[int, int]], most: int, *_name: Any) -> None:
        """Bound a weighted sum by ``most``."""
        self.sums.append((terms, most))
        if self.counting:
            self.clauses += [()] if most < 0 else [clause for clause, *_ in self.steps(terms, most)]

    def steps(self, terms: Sequence[tuple[int, int]], most: int) -> Iterator[Step]:
        """Yield clauses on the partial sums reached, with the term, the sum before and after."""
        reached, left = dict[int, int](), sum(weight for weight, _ in terms)
        place = len(self.sums) - 1
        for number, (weight, literal) in enumerate(terms):
            left -= weight
            sums = {0: 0, **reached}
            self.budget.spend(100 * len(sums))
            # A partial sum that can no longer exceed the bound needs no variable.
            after = sorted({total + more for total in sums for more in (0, weight)} - {0})
            require(len(after) <= 1 << 16, "question.json: costs with too many sums")
            reached = {
                total: self.new("reached", place, number, total)
                for total in after
                if most - left < total <= most
            }
            for total, var in sums.items():
                for new, chosen in ((total, ()), (total + weight, (-literal,))):
                    because = (-var, *chosen) if var else chosen
                    then = (reached[new],) if new in reached else ()
                    if then or new > most:
                        yield (*because, *then), number, total, new


class Trails(Clauses):
    """The fact *Trails* in clauses.

    Per card (hand, supply, then the pile): ``at`` are its hubs; ``walked`` maps a hub to the
    literal of being walked to it (the same for both of two); ``played``: cards that may be left
    out; ``used``: offers; ``stars``: the pile and cards on 3 or more hubs; ``closed``: two ends.
    The clauses that count are hundreds of times as many as the others for many hubs. No bound uses
    them, so they are left out unless ``counted``, or others follow because of costs.
    """

    unrolled = False
    covers = "cover"  # name of the clauses that a played card has a visited hub

    def __init__(self, question: Question, goal: Better, *, counted: bool = True) -> None:
        super().__init__(question.budget)
        self.question, self.goal, self.held = question, goal, (held := len(question.cards))
        number: dict[Any, int] = {}
        drawn = [*question.cards, *(card for card, _ in question.offers), *question.counted[held:]]
        at = [[number.setdefault(hub, len(number)) for hub in hubs] for hubs in self._hubs(drawn)]
        self.at = [tuple(hubs) for hubs in at]
        self.budget.spend(400 * (size := sum(map(len, at))))
        self.size = size
        self.names, self.free = list(number), self.at
        self.pile = None if question.pile is None else len(self.at) - 1
        self.stars = {i for i, at in enumerate(self.at) if len(at) > 2 or i == self.pile}
        self.visited = [self.new("visited", hub) for hub in range(len(number))]
        self.played, self.near = list[int](), [list[tuple[int, int]]() for _ in number]
        self.walked = [self._walk(card, at) for card, at in enumerate(self.at)]
        self.odd = self._odd()
        self.joins = goal.sequences > 1 or bool(question.wild_offers)
        self.closed = [self.new("closed", hub) for hub in range(len(number)) if self.joins]
        pairs = zip(self.closed, self.visited, strict=False)
        self.state_each([(-two, one) for two, one in pairs], "close")
        self.counting = counted or goal.cost is not None
        self._count()

    def _hubs(self, cards: Sequence[Card]) -> list[list[Any]]:
        at = self._lie(cards, self.question.at_least)
        for pair in self._wild_pairs(cards):
            if self.question.match(*(cards[i] for i in pair)):
                for i in pair:
                    at[i].append(pair)
        return [own or [(i,)] for i, own in enumerate(at)]

    def _lie(self, cards: Sequence[Card], fixed: int) -> list[list[Any]]:
        """Return the hubs of each card; a wild card is on those of others that it agrees with."""
        hubs, wild = self.question.hubs, [WILD in card for card in cards]
        at: list[list[Any]] = [
            [] if is_wild else hubs(card, fixed) for card, is_wild in zip(cards, wild, strict=True)
        ]
        known = [*dict.fromkeys(itertools.chain(*at))]
        self.budget.spend(20 * sum(wild) * len(known))
        for card, own in zip(cards, at, strict=True):
            if WILD in card:
                own += [hub for hub in known if _agrees(card, hub)]
        return at

    def _wild_pairs(self, cards: Sequence[Card]) -> Iterable[tuple[int, int]]:
        """Return the pairs of cards with wild attributes; a hub of their own has such a name."""
        wild = [i for i, card in enumerate(cards) if WILD in card]
        self.budget.spend(20 * len(wild) ** 2)
        return itertools.combinations(wild, 2)

    def _walk(self, card: int, at: Clause) -> dict[int, int]:
        """A played card has a visited hub, a trail edge two; the pile is walked to one hub."""
        played: Clause = ()
        if self.goal.played is not None and card != self.pile:
            self.played.append(self.new("played", card))
            played = (-self.played[-1],)
        if card < self.held:
            self.state((*played, *(self.visited[hub] for hub in at)), self.covers, card)
        if len(at) < 2 and card != self.pile:
            return {}
        alone = card in self.stars
        if alone:
            walked = {hub: self.new("walked", card, hub) for hub in at}
        else:
            walked = dict.fromkeys(at, self.new("walked", card, at[0]))
        ends = list(walked.values())
        for hub, literal in walked.items():
            self.near[hub].append((card, literal))
            self.state((-literal, self.visited[hub]), "visit", card, hub)
            for no in played:
                self.state((-literal, -no), "play", card, hub)
            if alone and card != self.pile:
                others = (end for end in ends if end != literal)
                self.state((-literal, *others), "continue", card, hub)
        if card == self.pile:
            self.at_most([(1, end) for end in ends], 1, "start once")
            self.state(tuple(ends), "start")
        elif alone:
            self.at_most([(1, end) for end in ends], 2, "twice", card)
        return walked

    def _odd(self) -> dict[int, int]:
        """Return for each hub the parity of its trail edges, pile included, by a chain of XORs."""
        odd: dict[int, int] = {}
        for hub, near in enumerate(self.near):
            for count, (_, b) in enumerate(near):
                if count:
                    name = ("prefix", hub, count + 1) if near[count + 1 :] else ("odd", hub)
                    a, c = odd[hub], self.new(*name)
                    parity = (-a, -b, -c), (-a, b, c), (a, -b, c), (a, b, -c)
                    self.state_each(parity, "chain", hub, count)
                odd[hub] = c if count else b
        return odd

    def _count(self) -> None:
        """Bound the number of ends, the costs, and the number of cards not played."""
        question, goal = self.question, self.goal
        self.used = [self.new("added", offer) for offer in range(len(question.wild_offers))]
        ends = [(1, odd) for odd in self.odd.values()]
        ends += [(2, two) for two in (*self.closed, *(-offer for offer in self.used))]
        most = 2 * (goal.sequences + len(self.used)) - (self.pile is not None)
        self.at_most(ends, most, "ends")
        if goal.cost is not None:
            costs = [*question.wild_offers, *(cost for _, cost in question.offers)]
            for card in range(self.held, self.held + len(question.offers)):
                self.used.append(self._use(card, self.walked[card]))
            terms = zip(costs, self.used, strict=True)
            self.at_most(
                [(cost, used) for cost, used in terms if cost and used], goal.cost, "costs"
            )
        if goal.played is not None:
            unplayed = [(1, -literal) for literal in self.played]
            self.at_most(unplayed, self.held - goal.played, "left out")

    def _use(self, card: int, walked: dict[int, int]) -> int:
        """Return the literal of using an offer, 0 if it is never walked."""
        if len(walked) <= 2:
            return max(walked.values(), default=0)
        used = self.new("played", card)
        for hub, literal in walked.items():
            self.state((-literal, used), "play", card, hub)
        return used

    def around(self, data: dict[str, Any]) -> tuple[set[int], list[int], set[int]]:
        """Return the hubs of a cut, literals that void it, and those of the cards that lead out."""
        hubs, stars = ({*reading.integers(data.get(key, []), key)} for key in ("hubs", "cards"))
        require(all(hub in range(len(self.visited)) for hub in hubs), "it names an unknown hub")
        require(stars <= self.stars, "it names a card that is not on three or more hubs")
        size = sum(len(self.near[hub]) for hub in hubs) + sum(len(self.at[card]) for card in stars)
        self.budget.spend(10 * (size + self.size * (not self.joins)))
        excuses = self._occupied(self.occupant(data["inside"]), (hubs, stars), True)
        if not self.joins:
            outside, need = self.occupant(data["outside"]), self.goal.played or 0
            if sum(not hubs.isdisjoint(at) for at in self.at[: need and self.held]) >= need:
                excuses += self._occupied(outside, (hubs, stars), False)
        crossing: set[int] = set()
        for card, literal in itertools.chain(*(self.near[hub] for hub in hubs)):
            crossing ^= {literal} if card not in stars else set()
        for card in stars:
            crossing.update(lit for hub, lit in self.walked[card].items() if hub not in hubs)
        return hubs, excuses, crossing

    def cut(self, data: dict[str, Any]) -> Clause:
        """Return the clause of a cut, by the fact *Trails*; raise Refused if it does not hold."""
        require(not self.unrolled, "a strict certificate has no cuts")
        hubs, excuses, crossing = self.around(data)
        ends = [self.odd[hub] for hub in hubs if hub in self.odd] if self.joins else []
        ends += [self.closed[hub] for hub in hubs] if self.joins else []
        return tuple(sorted({*excuses, *crossing, *ends}))

    def row(self, kind: str, *which: Any) -> tuple[list[tuple[int, int]], int]:
        """Return a row at a hub or around a set of hubs."""
        if kind == "parity":
            hub = reading.place(which[0], len(self.near), "hub")
            near, walked = self.near[hub], {*reading.integers(which[1], "parity")}
            right = len(walked) % 2 == 1 and walked <= {card for card, _ in near}
            require(right, f"hub {hub}: not an odd number of its cards")
            terms = [(1, -literal if card in walked else literal) for card, literal in near]
            return [*terms, (1, self.odd[hub])], 1
        require(kind == "around", f"{kind!r} is not a row")
        hubs, excuses, crossing = self.around(which[0])
        require(self.pile not in which[0].get("cards", ()), "the card on the pile has one end")
        terms = [(2, literal) for literal in excuses]
        terms += [(1, literal) for literal in crossing]
        terms += [(1, self.odd[hub]) for hub in hubs if hub in self.odd]
        return [*terms, *((2, self.closed[hub]) for hub in hubs if self.joins)], 2

    def occupant(self, why: dict[str, Any]) -> tuple[str, int]:
        """Return whether a hub or a card shows that a side is visited, and its number."""
        kind = "hub" if "hub" in why else "card"
        return kind, reading.place(why[kind], len((self.visited, self.at)[kind == "card"]), kind)

    def _occupied(self, by: tuple[str, int], cut: Sequence[set[int]], within: bool) -> list[int]:
        """Return literals of which one is true if no hub on that side is visited."""
        side, (kind, card) = "inside" if within else "outside", by
        if kind == "hub":
            require((card in cut[0]) == within, f"hub {card} is not {side}")
            return [-self.visited[card]]
        require(card < self.held or card == self.pile, f"card {card} need not be played")
        walks = self.free[card] == self.at[card] or (card in cut[1]) == within
        lies = walks and all((hub in cut[0]) == within for hub in self.free[card])
        require(lies, f"card {card} does not lie {side}")
        return [-self.played[card]] if self.played and card != self.pile else []

    def unroll(self) -> None:
        """Add clauses for connectedness."""
        self.unrolled = True
        size = len(self.visited) * sum(map(len, self.at))
        require(size <= MOST_PASSED, f"strict: {size} card-hub pairs by step, over {MOST_PASSED}")
        self.budget.spend(200 * size)
        near = [self.new("near", 0, hub) for hub in range(len(self.visited))]
        if self.joins:
            for hub, literal in enumerate(near):
                ends = [self.odd[hub]] if hub in self.odd else []
                self.state((-literal, *ends, self.closed[hub]), "layer", "source", hub)
        else:
            self.at_most([(1, literal) for literal in near], 1, "root")
        last = len(near) - 1
        for step in range(last):
            near = self._one_step_on(near, step)
        arrivals = zip(self.visited, near, strict=True)
        self.state_each([(-hub, one) for hub, one in arrivals], "layer", "arrive", last)

    def _one_step_on(self, near: list[int], step: int) -> list[int]:
        """Return the layer of hubs that are in ``near`` or one trail edge away from it."""
        reached: list[list[int]] = [[] for _ in near]
        for card, walked in enumerate(self.walked):
            if card == self.pile:
                continue
            passed = self.new("passed", step, card)
            ways = [
                self._both(literal, near[hub], "through", step, card, hub)
                for hub, literal in walked.items()
            ]
            self.state((-passed, *ways), "layer", "pass", step, card)
            for hub, literal in walked.items():
                reached[hub].append(self._both(literal, passed, "onward", step, card, hub))
        now = [self.new("near", step + 1, hub) for hub in range(len(near))]
        rows = zip(now, near, reached, strict=True)
        further = [(-one, before, *ways) for one, before, ways in rows]
        self.state_each(further, "layer", "further", step)
        return now

    def _both(self, one: int, other: int, *name: Any) -> int:
        both = self.new(*name)
        self.state_each([(-both, one), (-both, other)], "both", *name)
        return both


def _agrees(card: Card, hub: tuple[tuple[int, ...], Card]) -> bool:
    return all(card[i] in (WILD, value) for i, value in zip(*hub, strict=True))


class PricedTrails(Trails):
    """The fact *Prices*: hubs of all levels, those above 0 twice, and what their ends cost."""

    covers = "cover any"

    def __init__(self, question: Question, goal: Better) -> None:
        require(far(question, goal), "levels: one added card joins any two, or none does")
        self.step: int = len(question.hand[0]) - question.at_least
        require(self.step > 0, "claim.json: no levels where all attributes must agree")
        super().__init__(question, goal._replace(sequences=question.wilds + 1))
        self.free = [tuple(hub for hub in at if not self.prices[hub]) for at in self.at]
        for card, at in enumerate(self.at[: self.held]):
            paid = [self.walked[card][hub] for hub in at if self.prices[hub]]
            self.state((*(self.visited[hub] for hub in self.free[card]), *paid), "cover", card)

    def _hubs(self, cards: Sequence[Card]) -> list[list[Any]]:
        at = super()._hubs(cards)
        width = len(cards[0])
        for level in range(1, -(-width // self.step)):
            fixed = max(0, width - (level + 1) * self.step)
            for own, more in zip(at, self._lie(cards, fixed), strict=True):
                own += [(level, copy, hub) for hub in more for copy in (1, 2)]
            for pair in self._wild_pairs(cards) if fixed else ():
                if self._distance(*(cards[i] for i in pair)) == level:
                    for i in pair:
                        at[i] += [(level, copy, pair) for copy in (1, 2)]
        several = Counter(itertools.chain(*at))
        return [[hub for hub in own if len(hub) < 3 or several[hub] > 1] for own in at]

    def _distance(self, one: Card, other: Card) -> int:
        """Return how many added cards it takes to join two."""
        pairs = zip(one, other, strict=True)
        differ = [a != b and WILD not in (a, b) for a, b in pairs].count(True)
        return max(0, -(-differ // self.step) - 1)

    def _count(self) -> None:
        super()._count()
        # Twice the number of added cards that an end at a hub stands for.
        self.prices = [int(name[0]) if len(name) == 3 else 0 for name in self.names]
        ends = ((self.prices[hub], lit) for walked in self.walked for hub, lit in walked.items())
        terms = [(price, literal) for price, literal in ends if price]
        self.at_most(terms, 2 * self.goal.added, "end prices")
