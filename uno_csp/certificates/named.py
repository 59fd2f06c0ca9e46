"""Formulas that keep the names of what they state, for the checker that Coq has proved.

``bound.json`` and ``proof.drat`` name rows and variables by their numbers in the formula of the
Python verifier. The proved checker writes rows and clauses by itself, from descriptions such as
"card 3 has a visited hub". Nothing is believed of these descriptions: a wrong one makes it refuse.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from uno_csp.verifier.cards import Clause
from uno_csp.verifier.games import Timetable
from uno_csp.verifier.trails import Clauses, PricedTrails, Step, Trails

Description: TypeAlias = list[Any]  # a kind of row or variable, and the numbers of what it is about
Line: TypeAlias = tuple[bool, list[int]]
"""A line of a DRAT proof: whether it deletes a clause, and the literals."""

_IN_BOUNDS = frozenset(("visited", "odd", "closed", "played", "added", "walked"))
"""Variables of the proved checker's rows; all others are auxiliary."""

_BOTH = {"through": ("walked", "near"), "onward": ("walked", "passed")}
"""The meaning of the clauses on a card in a layer: it is walked, and from which hub."""


class NotDescribed(Exception):
    """The bound uses a row or a variable that the proved checker does not have."""


class Named(Clauses):
    """A formula that keeps the names of its variables, sums and clauses."""

    def __init__(self, *stated: Any, **options: Any) -> None:
        self.meanings: dict[int, Description] = {}
        self.totals: list[Description] = []
        self.reasons: dict[frozenset[int], Description] = {}
        super().__init__(*stated, **options)

    def new(self, *name: Any) -> int:
        """Return a new variable, and keep its name."""
        variable = super().new()
        self.meanings[variable] = [*name]
        return variable

    def state(self, clause: Clause, *name: Any) -> None:
        """Add a clause, and keep its name."""
        super().state(clause)
        self.reasons[frozenset(clause)] = [*name]

    def state_each(self, clauses: Iterable[Clause], *name: Any) -> None:
        """Add clauses that say the same of 0, 1, 2 and so on."""
        for number, clause in enumerate(clauses):
            self.state(clause, *name, number)

    def at_most(self, terms: Sequence[tuple[int, int]], most: int, *name: Any) -> None:
        """Bound a weighted sum, and keep its name."""
        self.totals.append([*name])
        if most < 0:
            self.reasons.setdefault(frozenset(), [*name])
        super().at_most(terms, most)

    def steps(self, terms: Sequence[tuple[int, int]], most: int) -> Iterator[Step]:
        """Yield clauses on the partial sums reached, and keep what they are about."""
        place = len(self.sums) - 1
        for step in super().steps(terms, most):
            clause, *about = step
            self.reasons.setdefault(frozenset(clause), ["step", place, *about])
            yield step


class NamedTimetable(Named, Timetable):
    """A timetable with names."""


class NamedTrails(Named, Trails):
    """The formula of trails with names."""

    @property
    def table(self) -> dict[str, Any]:
        """The number of hubs, and the hubs of each card."""
        return {"hubs": len(self.visited), "at": self.at}

    def cut(self, data: dict[str, Any]) -> Clause:
        """Return the clause of a cut, and keep its name."""
        clause = super().cut(data)
        self.reasons.setdefault(frozenset(clause), self.border("cut", data))
        return clause

    def border(self, kind: str, data: Mapping[str, Any]) -> Description:
        """Return the description of a row or clause around a set of hubs."""
        inside = [*self.occupant(data["inside"])]
        outside = None if self.joins else [*self.occupant(data["outside"])]
        return [kind, sorted({*data["hubs"]}), list(data.get("cards", ())), inside, outside]

    def places(self, total: int) -> list[int]:
        """Return the places that terms have in the row of the proved checker, which has more.

        One place more stands for the end of the sum.
        """
        found = [number for number, weight in enumerate(self.weights(total)) if weight]
        return [*found, found[-1] + 1 if found else 0]

    def weights(self, total: int) -> list[int]:
        """Return the weights in the row of the proved checker, which has terms of weight 0, too."""
        if self.totals[total] != ["costs"]:
            return [1] * len(self.sums[total][0])
        costs = [*self.question.wild_offers, *(cost for _, cost in self.question.offers)]
        return [cost if used else 0 for cost, used in zip(costs, self.used, strict=True)]

    def parity(self, hub: int, number: int) -> Description | None:
        """Return the description of one of the clauses on a hub's parity, if it has two cards."""
        if len(self.near[hub]) != 2:
            return None
        (one, _), (other, _) = self.near[hub]
        walked = ([one, other], [one], [other], [])[number]
        return ["parity", hub, walked, len(walked) != 1]


class NamedPrices(NamedTrails, PricedTrails):
    """The same where ends have prices."""

    @property
    def table(self) -> dict[str, Any]:
        """The number of hubs, the hubs of each card, and the price of an end at each hub."""
        return {**super().table, "prices": self.prices}

    def weights(self, total: int) -> list[int]:
        """Return the weights in the row of the proved checker."""
        if self.totals[total] != ["end prices"]:
            return super().weights(total)
        return [self.prices[hub] for walked in self.walked for hub in walked]


def describe(trails: NamedTrails, bound: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hubs of each card, and the tree of cases of a bound with its rows described.

    If ends have prices, the result has the price of an end at each hub.

    Raises NotDescribed if the proved checker does not have a row or a variable of it.
    """
    return {**trails.table, "tree": _tree(trails, bound)}


def _tree(trails: NamedTrails, bound: Mapping[str, Any]) -> dict[str, Any]:
    if "literal" not in bound:
        return {"rows": [[times, _row(trails, row)] for times, row in bound["rows"]]}
    variable, positive = abs(bound["literal"]), bound["literal"] > 0
    name = trails.meanings.get(variable, [None])
    if name[0] not in _IN_BOUNDS:
        raise NotDescribed(f"variable {variable}")
    yes, no = (_tree(trails, bound[case]) for case in ("true", "false"))
    return {"variable": name, "true": yes if positive else no, "false": no if positive else yes}


def _row(trails: NamedTrails, row: list[Any]) -> Description:
    kind, *which = row
    if kind == "clause":
        found = _clause(trails, trails.clauses[which[0]])
        if found is None:
            raise NotDescribed(f"clause {which[0]}")
        return found
    if kind == "sum":
        return trails.totals[which[0]]
    if kind == "parity":
        return ["parity", which[0], which[1], False]
    if kind != "around":
        raise NotDescribed(f"the row {kind!r}")
    return trails.border("around", which[0])


def _clause(trails: NamedTrails, clause: Clause) -> Description | None:
    """Return the description of a clause without auxiliary variables; None for any other."""
    kind, *about = trails.reasons[frozenset(clause)]
    if kind == "chain":
        hub, _, number = about
        return trails.parity(hub, number)
    if kind != "step":
        return [kind, *about]
    offers = {literal: number for number, literal in enumerate(trails.used)}
    if not all(-literal in offers for literal in clause):
        return None
    # It forbids to use some offers together.
    wild = len(trails.question.wild_offers)
    numbers = sorted(offers[-literal] for literal in clause)
    cards = [trails.held + number - wild for number in numbers if number >= wild]
    return ["too dear", cards, [number for number in numbers if number < wild]]


def describe_refutation(trails: NamedTrails, proof: Iterable[Line]) -> dict[str, Any]:
    """Return the hubs of each card, the names of variables, the clauses, and the proof."""
    places = [trails.places(total) for total in range(len(trails.totals))]
    names = {
        variable: _reached(trails, places, name) if name[0] == "reached" else name
        for variable, name in trails.meanings.items()
    }
    return {
        **trails.table,
        "sums": [total for total in trails.totals if total != ["root"]],
        "names": sorted(names.items()),
        "clauses": [
            [sorted({*clause}), _reason(trails, places, clause)] for clause in trails.clauses
        ],
        "proof": _lines(proof),
    }


def _reached(
    trails: NamedTrails, places: Sequence[Sequence[int]], name: Description
) -> Description:
    """Return the name of the variable of a partial sum; the sum of roots has its own."""
    _, total, number, value = name
    if trails.totals[total] == ["root"]:
        return ["root among", number + 1]
    return ["reached", total, places[total][number + 1], value]


def _reason(trails: NamedTrails, places: Sequence[Sequence[int]], clause: Clause) -> Description:
    """Return why a clause of a refutation holds."""
    found = trails.reasons[frozenset(clause)]
    if found[0] == "chain":
        _, hub, count, number = found
        return trails.parity(hub, number) or ["chain", hub, count, number > 1, number % 2 == 1]
    if found[0] == "both":
        _, kind, *at, number = found
        return ["layer", f"{kind} {_BOTH[kind][number]}", *at]
    if found[0] != "step":
        return found
    _, total, number, before, after = found
    if trails.totals[total] == ["root"]:
        which = ("root first", "root more", "root once")[before + after - 1]
        return ["layer", which, number]
    here, there = places[total][number : number + 2]
    return ["step", total, here, there, before, after > before]


def describe_timetable(timetable: NamedTimetable, proof: Iterable[Line]) -> dict[str, Any]:
    """Return the names of the variables and the lines of a DRAT proof.

    The proved checker writes the clauses itself. Sums of steps come first, then those of cards.
    """
    steps, names = len(timetable.laid), dict[int, Description]()
    for variable, (kind, *about) in timetable.meanings.items():
        names[variable] = [kind, *about]
        if kind == "reached":
            total, number, _ = about
            row = ["some card", total] if total < steps else ["some step", total - steps]
            names[variable] = [*row, number + 1]
    return {"names": sorted(names.items()), "proof": _lines(proof)}


def _lines(proof: Iterable[Line]) -> list[list[Any]]:
    return [[*["d"] * deletes, *sorted({*literals})] for deletes, literals in proof]


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
    for deletes, (*literals, selector) in filter(itemgetter(1), lines):
        part = -selector - total - 1
        if 0 <= part < len(formulas):
            shift = before[part]
            own = [literal - shift if literal > 0 else literal + shift for literal in literals]
            parts[part].append((deletes, own))
    return parts
