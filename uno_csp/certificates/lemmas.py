"""Refutations in words, for the checker that Coq has proved.

The proved checker has the variables and rows of bounds (:mod:`described`). A refutation also has
auxiliary variables: parities of the first cards at a hub, and partial sums. Each gets a name, and
each clause gets a reason. Nothing is believed of either.
"""

import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from uno_csp.certificates.described import Description, NotDescribed, Words, words_for
from uno_csp.verifier import cards, trails
from uno_csp.verifier.games import Timetable
from uno_csp.verifier.trails import Layer, PricedTrails, Trails

Line = tuple[bool, list[int]]
"""A line of a DRAT proof: whether it deletes a clause, and the literals."""


class Recorded(Trails):
    """A formula that also keeps why it has its sums and cuts."""

    def __init__(self, question: cards.Question, goal: cards.Better) -> None:
        self.steps_of: dict[frozenset[int], tuple[int, int, int, int]] = {}
        """Clauses on partial sums: the sum, the term, and the partial sums before and after it."""
        self.reached: dict[int, tuple[int, int, int]] = {}
        """Variables of partial sums: the sum, the term, and the partial sum after it."""
        self.cuts: dict[frozenset[int], Mapping[str, Any]] = {}
        super().__init__(question, goal)

    def steps(self, terms: Sequence[tuple[int, int]], most: int) -> Iterator[trails.Step]:
        """Yield clauses on the partial sums reached, and keep what they are about."""
        place = len(self.sums) - 1
        for clause, number, before, after in super().steps(terms, most):
            self.steps_of[frozenset(clause)] = place, number, before, after
            if after <= most:
                self.reached[clause[-1]] = place, number, after
            yield clause, number, before, after

    def cut(self, data: dict[str, Any]) -> cards.Clause:
        """Return the clause of a cut, and keep the cut."""
        clause = super().cut(data)
        self.cuts[frozenset(clause)] = data
        return clause


class RecordedPrices(Recorded, PricedTrails):
    """The same where ends have prices."""


class RecordedTimetable(Timetable):
    """A timetable that also keeps what its variables say."""

    def __init__(self, question: cards.Question) -> None:
        self.events: dict[int, Description] = {}
        super().__init__(question)
        for step, row in enumerate(self.laid):
            self.events |= {var: ["laid", step, card] for card, var in enumerate(row)}
        self.events |= {var: ["full", step] for step, var in enumerate(self.full)}
        self.events |= {var: ["keeps", card] for card, var in self.kept.items()}
        for step, row in enumerate(self.skipped):
            self.events |= {var: ["skipped", step, who] for who, var in enumerate(row)}
        for step, row in enumerate(self.before):
            self.events |= {var: ["before", step, card] for card, var in enumerate(row)}

    def steps(self, terms: Sequence[tuple[int, int]], most: int) -> Iterator[trails.Step]:
        """Yield clauses on the partial sums reached: those of steps come first, then of cards."""
        place = len(self.sums) - 1
        card = place - len(self.laid)
        row: Description = ["some card", place] if card < 0 else ["some step", card]
        for step in super().steps(terms, most):
            clause, number, _, after = step
            if after == most:
                self.events[clause[-1]] = [*row, number + 1]
            yield step


def describe_timetable(timetable: RecordedTimetable, proof: Iterable[Line]) -> dict[str, Any]:
    """Return the names of the variables and the lines of a DRAT proof.

    The proved checker writes the clauses itself.
    """
    return {"names": sorted(timetable.events.items()), "proof": _lines(proof)}


def _lines(proof: Iterable[Line]) -> list[list[Any]]:
    return [[*["d"] * deletes, *sorted({*literals})] for deletes, literals in proof]


def describe_refutation(trails: Recorded, proof: Iterable[Line]) -> dict[str, Any]:
    """Return the hubs of each card, the names of variables, the clauses, and the proof.

    Raises NotDescribed if the proved checker does not have a clause.
    """
    reasons = _Reasons(trails)
    return {
        **reasons.words.table(),
        "sums": reasons.words.sums,
        "names": sorted(reasons.names.items()),
        "clauses": [[sorted({*clause}), reasons.of(clause)] for clause in trails.clauses],
        "proof": _lines(proof),
    }


def read_proof(text: str) -> Iterator[Line]:
    """Yield the lines of a textual DRAT proof."""
    for line in text.splitlines():
        yield line.startswith("d"), [*map(int, line.removeprefix("d ").split()[:-1])]


def split_proof(lines: Iterable[Line], formulas: Sequence[Trails]) -> list[list[Line]]:
    """Return the proof of each of several formulas out of one for their disjunction.

    The last literal of a line is the negated selector of its formula.
    """
    if len(formulas) == 1:
        return [list(lines)]
    *before, total = itertools.accumulate((one.variables for one in formulas), initial=0)
    parts: list[list[Line]] = [[] for _ in formulas]
    for deletes, (*literals, selector) in filter(operator.itemgetter(1), lines):
        part = -selector - total - 1
        if 0 <= part < len(formulas):
            shift = before[part]
            own = [literal - shift if literal > 0 else literal + shift for literal in literals]
            parts[part].append((deletes, own))
    return parts


class _Reasons:
    """Names of all variables of a formula, and the reasons of its clauses."""

    def __init__(self, trails: Recorded) -> None:
        self._trails = trails
        self.words: Words = words_for(trails)
        self._places = [self._places_of(*each) for each in enumerate(self.words.sums)]
        self.names = {variable: name for variable, name in self.words.names.items() if variable}
        self._known: dict[frozenset[int], Description] = {}
        """The clauses of chains and layers, each with its reason."""
        for hub, near in enumerate(trails.near):
            self._chain(hub, [literal for _, literal in near])
        for variable, (place, number, total) in trails.reached.items():
            if place < len(self._places):
                name: Description = ["reached", place, self._places[place][number + 1], total]
            else:  # the sum of the roots of a strict formula
                name = ["root among", number + 1]
            self.names[variable] = name
        for step, layer in enumerate(trails.layers if trails.unrolled else ()):
            self._layer(step, layer)

    def of(self, clause: Sequence[int]) -> Description:
        """Return why a clause holds."""
        key = frozenset(clause)
        known = self.words.clause(key) or self._known.get(key)
        if known is not None:
            return known
        if key in self._trails.steps_of:
            place, number, before, after = self._trails.steps_of[key]
            if place == len(self._places):
                return [
                    "layer",
                    ("root first", "root more", "root once")[before + after - 1],
                    number,
                ]
            at = self._places[place]
            return ["step", place, at[number], at[number + 1], before, after > before]
        if key in self._trails.cuts:
            return self.words.border("cut", self._trails.cuts[key])
        if not clause:  # some sum would have to be negative
            sums = zip(self.words.sums, self._trails.sums, strict=False)
            return next(description for description, (_, most) in sums if most < 0)
        raise NotDescribed(f"the clause {list(clause)}")

    def _places_of(self, place: int, description: Description) -> list[int]:
        """Return the places that terms have in the row of the proved checker, which has more.

        One place more stands for the end of the sum.
        """
        trails, question = self._trails, self._trails.question
        places = list(range(len(trails.sums[place][0])))
        if description == ["costs"]:
            costs = [*question.wild_offers, *(cost for _, cost in question.offers)]
            terms = enumerate(zip(costs, trails.used, strict=True))
            places = [number for number, (cost, used) in terms if cost and used]
        elif description == ["end prices"] and isinstance(trails, PricedTrails):
            prices = [trails.prices[hub] for walked in trails.walked for hub in walked]
            places = [number for number, price in enumerate(prices) if price]
        return [*places, places[-1] + 1 if places else 0]

    def _chain(self, hub: int, near: Sequence[int]) -> None:
        """Name the parities of the first cards at a hub, and describe the clauses on them."""
        parities = {1: near[0]} if near else {}
        for count in range(2, len(near) + 1):
            parities[count] = self._trails.odd[hub] - (len(near) - count)
            if count < len(near):
                self.names[parities[count]] = ["prefix", hub, count]
        for count in range(1, len(near)):
            three = parities[count], near[count], parities[count + 1]
            for a, b in ((True, True), (True, False), (False, True), (False, False)):
                signs = a, b, a != b
                clause = (x if sign else -x for x, sign in zip(three, signs, strict=True))
                self._known[frozenset(clause)] = ["chain", hub, count, a, b]

    def _layer(self, step: int, layer: Layer) -> None:
        """Name the variables of a layer, and describe the clauses on them."""
        trails = self._trails
        for hub, near in enumerate(layer.near):
            self.names[near] = ["near", step, hub]
            if not step and trails.joins:
                ends = [trails.odd[hub]] if hub in trails.odd else []
                self._because(["source", hub], -near, *ends, trails.closed[hub])
            if step == len(trails.layers) - 1:
                self._because(["arrive", step, hub], -trails.visited[hub], near)
                continue
            ways = [var for (_, other), var in layer.onward.items() if other == hub]
            self._because(["further", step, hub], -trails.layers[step + 1].near[hub], near, *ways)
        for card, passed in layer.passed.items():
            self.names[passed] = ["passed", step, card]
            ways = [layer.through[card, hub] for hub in trails.walked[card]]
            self._because(["pass", step, card], -passed, *ways)
            for hub, literal in trails.walked[card].items():
                through, onward = layer.through[card, hub], layer.onward[card, hub]
                self.names[through] = ["through", step, card, hub]
                self.names[onward] = ["onward", step, card, hub]
                at = step, card, hub
                self._because(["through walked", *at], -through, literal)
                self._because(["through near", *at], -through, layer.near[hub])
                self._because(["onward walked", *at], -onward, literal)
                self._because(["onward passed", *at], -onward, passed)

    def _because(self, layer: Description, *literals: int) -> None:
        self._known[frozenset(literals)] = ["layer", *layer]
