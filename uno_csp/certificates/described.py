"""Rows of a bound in words, for the checker that Coq has proved.

``bound.json`` names rows by their place in the formula of the Python verifier. The proved checker
writes rows by itself, from descriptions such as "card 3 has a visited hub". Nothing is believed of
these descriptions: a wrong one makes the checker refuse.
"""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from uno_csp.certificates.full_verifier import Trails

Description = list[Any]
"""A kind of row, followed by the numbers of its cards and hubs."""


class NotDescribed(Exception):
    """The bound uses a row or a variable that the proved checker does not have."""


def described(trails: Trails, bound: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tree of cases of a bound, with a description of each row.

    Raises
    ------
    NotDescribed
        If the proved checker does not have a row or a variable of it.
    """
    return _Described(trails).tree(bound)


class _Described:
    """The names of variables and rows of a formula."""

    def __init__(self, trails: Trails) -> None:
        self._trails = trails
        # The proved checker numbers hubs by their first place in the list of all cards' hubs.
        place: dict[int, int] = {}
        for number, hub in enumerate(itertools.chain(*trails.at)):
            place.setdefault(hub, number)
        self._place = place
        self._names = dict(self._variables())
        self._clauses = {frozenset(clause): row for clause, row in self._known_clauses()}

    def tree(self, bound: Mapping[str, Any]) -> dict[str, Any]:
        """Return the tree of cases."""
        if "literal" not in bound:
            return {"rows": [[times, self._row(row)] for times, row in bound["rows"]]}
        literal = bound["literal"]
        if abs(literal) not in self._names:
            raise NotDescribed(f"variable {abs(literal)}")
        yes, no = self.tree(bound["true"]), self.tree(bound["false"])
        yes, no = (yes, no) if literal > 0 else (no, yes)
        return {"variable": self._names[abs(literal)], "true": yes, "false": no}

    def _variables(self) -> Iterator[tuple[int, Description]]:
        """Yield each variable with its name; a later name replaces an earlier one."""
        trails = self._trails
        for hub, literal in enumerate(trails.visited):
            yield literal, ["visited", self._place[hub]]
        for hub, literal in trails.odd.items():
            yield literal, ["odd", self._place[hub]]
        for hub, literal in enumerate(trails.closed):
            yield literal, ["closed", self._place[hub]]
        for card, walked in enumerate(trails.walked):
            for hub, literal in walked.items():
                named = hub if card in trails.stars else next(iter(walked))
                yield literal, ["walked", card, self._place[named]]

    def _known_clauses(self) -> Iterator[tuple[tuple[int, ...], Description]]:
        """Yield the clauses that the proved checker has, with their descriptions."""
        trails = self._trails
        for card, at in enumerate(trails.at):
            if card != trails.pile:
                yield tuple(trails.visited[hub] for hub in at), ["cover", card]
            walked = trails.walked[card]
            for hub, literal in walked.items():
                yield (-literal, trails.visited[hub]), ["visit", card, self._place[hub]]
                if card in trails.stars and card != trails.pile:
                    others = (other for other in walked.values() if other != literal)
                    yield (-literal, *others), ["continue", card, self._place[hub]]
            if card == trails.pile:
                yield tuple(walked.values()), ["start"]
        for hub, literal in enumerate(trails.closed):
            yield (-literal, trails.visited[hub]), ["close", self._place[hub]]
        for hub, near in enumerate(trails.near):
            if len(near) == 2:
                yield from self._parities(hub, near)

    def _parities(
        self, hub: int, near: list[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, ...], Description]]:
        """Yield the clauses of the parity of a hub of two cards."""
        (one, a), (other, b) = near
        odd, place = self._trails.odd[hub], self._place[hub]
        yield (-a, -b, -odd), ["parity", place, [one, other], True]
        yield (-a, b, odd), ["parity", place, [one], False]
        yield (a, -b, odd), ["parity", place, [other], False]
        yield (a, b, -odd), ["parity", place, [], True]

    def _row(self, row: list[Any]) -> Description:
        kind, *which = row
        if kind == "clause":
            clause = self._trails.clauses[which[0]]
            found = self._clauses.get(frozenset(clause))
            if found is None:
                raise NotDescribed(f"clause {which[0]}")
            return found
        if kind == "sum":
            return self._sum(which[0])
        if kind == "parity":
            return ["parity", self._place[which[0]], which[1], False]
        return self._around(which[0])

    def _sum(self, number: int) -> Description:
        """Return the description of a sum: two ends of a card, one end of the pile, or all ends."""
        trails = self._trails
        terms = {literal for _, literal in trails.sums[number][0]}
        for card in trails.stars:
            if terms == {*trails.walked[card].values()}:
                return ["start once"] if card == trails.pile else ["twice", card]
        if number == len(trails.sums) - 1:
            return ["ends"]
        raise NotDescribed(f"sum {number}")

    def _around(self, data: Mapping[str, Any]) -> Description:
        hubs = [self._place[hub] for hub in data["hubs"]]
        inside = self._occupant(data["inside"])
        outside = self._occupant(data["outside"]) if "outside" in data else inside
        return ["around", hubs, list(data.get("cards", ())), inside, outside]

    def _occupant(self, why: Mapping[str, int]) -> Description:
        return ["hub", self._place[why["hub"]]] if "hub" in why else ["card", why["card"]]
