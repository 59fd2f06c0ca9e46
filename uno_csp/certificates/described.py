"""Rows of a bound in words, for the checker that Coq has proved.

``bound.json`` names rows by their place in the formula of the Python verifier. The proved checker
writes rows by itself, from descriptions such as "card 3 has a visited hub". Nothing is believed of
these descriptions: a wrong one makes the checker refuse.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from uno_csp.verifier.trails import PricedTrails, Trails

Description = list[Any]  # a kind of row, followed by the numbers of its cards and hubs


class NotDescribed(Exception):
    """The bound uses a row or a variable that the proved checker does not have."""


def describe(trails: Trails, bound: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hubs of each card, and the tree of cases of a bound with its rows described.

    If ends have prices, the result has the price of an end at each hub.

    Raises NotDescribed if the proved checker does not have a row or a variable of it.
    """
    words = words_for(trails)
    return {**words.table(), "tree": words.tree(bound)}


def words_for(trails: Trails) -> "Words":
    """Return the words for a formula."""
    return _PricedWords(trails) if isinstance(trails, PricedTrails) else Words(trails)


class Words:
    """Names of the variables of a formula, and descriptions of its rows."""

    def __init__(self, trails: Trails) -> None:
        self._trails = trails
        self._offers = {literal: number for number, literal in enumerate(trails.used)}
        self._clauses = {frozenset(clause): row for clause, row in self._known_clauses()}
        self.names = dict(self._variables())
        """The variables that the proved checker has, each with its name."""
        self.sums: list[Description] = [
            ["start once"] if card == trails.pile else ["twice", card]
            for card in sorted(trails.stars)
        ]
        """The sums that the formula bounds, in its order."""
        self.sums.append(["ends"])
        self.sums += [["costs"]] * (trails.goal.cost is not None)
        self.sums += [["left out"]] * (trails.goal.played is not None)

    def table(self) -> dict[str, Any]:
        """Return the number of hubs, and the hubs of each card."""
        return {"hubs": len(self._trails.visited), "at": self._trails.at}

    def tree(self, bound: Mapping[str, Any]) -> dict[str, Any]:
        """Return the tree of cases."""
        if "literal" not in bound:
            return {"rows": [[times, self._row(row)] for times, row in bound["rows"]]}
        literal = bound["literal"]
        if abs(literal) not in self.names:
            raise NotDescribed(f"variable {abs(literal)}")
        yes, no = self.tree(bound["true"]), self.tree(bound["false"])
        yes, no = (yes, no) if literal > 0 else (no, yes)
        return {"variable": self.names[abs(literal)], "true": yes, "false": no}

    def _variables(self) -> Iterator[tuple[int, Description]]:
        """Yield each variable with its name; a later name replaces an earlier one."""
        trails, wild = self._trails, len(self._trails.question.wild_offers)
        for hub, literal in enumerate(trails.visited):
            yield literal, ["visited", hub]
        for hub, literal in trails.odd.items():
            yield literal, ["odd", hub]
        for hub, literal in enumerate(trails.closed):
            yield literal, ["closed", hub]
        for card, literal in enumerate(trails.played):
            yield literal, ["played", card]
        for number, literal in enumerate(trails.used):
            offer = ["added", number] if number < wild else ["played", trails.held + number - wild]
            yield literal, offer
        for card, walked in enumerate(trails.walked):
            for hub, literal in walked.items():
                named = hub if card in trails.stars else next(iter(walked))
                yield literal, ["walked", card, named]

    def _known_clauses(self) -> Iterator[tuple[tuple[int, ...], Description]]:
        """Yield the clauses that the proved checker has, with their descriptions."""
        trails = self._trails
        for card in range(len(trails.at)):
            yield from self._clauses_of(card)
        for hub, literal in enumerate(trails.closed):
            yield (-literal, trails.visited[hub]), ["close", hub]
        for hub, near in enumerate(trails.near):
            if len(near) == 2:
                yield from self._parities(hub, near)

    def _clauses_of(self, card: int) -> Iterator[tuple[tuple[int, ...], Description]]:
        """Yield the clauses of a card."""
        trails = self._trails
        walked, pile = trails.walked[card], card == trails.pile
        played = self._played(card)
        if card < trails.held:
            unless = [-literal for literal in played]
            yield (*unless, *(trails.visited[hub] for hub in trails.at[card])), ["cover", card]
        for hub, literal in walked.items():
            yield (-literal, trails.visited[hub]), ["visit", card, hub]
            for one in played:
                yield (-literal, one), ["play", card, hub]
            if card in trails.stars and not pile:
                others = (other for other in walked.values() if other != literal)
                yield (-literal, *others), ["continue", card, hub]
        if pile:
            yield tuple(walked.values()), ["start"]

    def _played(self, card: int) -> list[int]:
        """Return the literal that is true if a card is played; none if it is sure to be."""
        trails = self._trails
        if card < trails.held:
            return trails.played[card : card + 1]
        offer = card - trails.held + len(trails.question.wild_offers)
        return trails.used[offer : offer + 1]

    def _parities(
        self, hub: int, near: list[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, ...], Description]]:
        """Yield the clauses of the parity of a hub of two cards."""
        (one, a), (other, b) = near
        odd = self._trails.odd[hub]
        yield (-a, -b, -odd), ["parity", hub, [one, other], True]
        yield (-a, b, odd), ["parity", hub, [one], False]
        yield (a, -b, odd), ["parity", hub, [other], False]
        yield (a, b, -odd), ["parity", hub, [], True]

    def _row(self, row: list[Any]) -> Description:
        kind, *which = row
        if kind == "clause":
            clause = self._trails.clauses[which[0]]
            found = self.clause(clause) or self._too_dear(clause)
            if found is None:
                raise NotDescribed(f"clause {which[0]}")
            return found
        if kind == "sum":
            return self.sums[which[0]]
        if kind == "parity":
            return ["parity", which[0], which[1], False]
        if kind != "around":
            raise NotDescribed(f"the row {kind!r}")
        return self.border("around", which[0])

    def clause(self, clause: Collection[int]) -> Description | None:
        """Return the description of a clause without auxiliary variables; None for any other."""
        return self._clauses.get(frozenset(clause))

    def _too_dear(self, clause: Collection[int]) -> Description | None:
        """Return the description of a clause that forbids to use some offers together, if it is."""
        if not clause or not all(-literal in self._offers for literal in clause):
            return None
        wild = len(self._trails.question.wild_offers)
        numbers = sorted(self._offers[-literal] for literal in clause)
        cards = [self._trails.held + number - wild for number in numbers if number >= wild]
        return ["too dear", cards, [number for number in numbers if number < wild]]

    def border(self, kind: str, data: Mapping[str, Any]) -> Description:
        """Return the description of a row or clause around a set of hubs."""
        trails = self._trails
        inside = [*trails.occupant(data["inside"])]
        outside = None if trails.joins else [*trails.occupant(data["outside"])]
        return [kind, sorted({*data["hubs"]}), list(data.get("cards", ())), inside, outside]


class _PricedWords(Words):
    """The same where ends have prices."""

    def __init__(self, trails: PricedTrails) -> None:
        self._prices = trails.prices
        super().__init__(trails)
        self.sums.append(["end prices"])

    def table(self) -> dict[str, Any]:
        """Return the number of hubs, the hubs of each card, and the price of an end at each hub."""
        return {**super().table(), "prices": self._prices}

    def _clauses_of(self, card: int) -> Iterator[tuple[tuple[int, ...], Description]]:
        """Yield the clauses of a card; there are two that cover it, with prices and without."""
        trails = self._trails
        for clause, (kind, *which) in super()._clauses_of(card):
            yield clause, ["cover any" if kind == "cover" else kind, *which]
        if card < trails.held:
            at, walked = trails.at[card], trails.walked[card]
            paid = (walked[hub] for hub in at if self._prices[hub])
            yield (*(trails.visited[hub] for hub in trails.free[card]), *paid), ["cover", card]
