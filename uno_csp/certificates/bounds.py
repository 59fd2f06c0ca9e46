"""Make a bound: a combination of linear inequalities that refutes a formula.

This is a cutting-plane method: the linear relaxation is solved, violated rows are added, and so on.
Once the optimum exceeds the right-hand side, the dual values of the rows, times a common
denominator and rounded, are the multipliers (Farkas' lemma). Floating-point errors do no harm: the
rows are added up exactly, and if rounding has spoilt the sum, a larger denominator is tried.

Violated sets of hubs are found in a Gomory-Hu tree (1961), which contains a minimum cut between any
two hubs. They make the relaxation strong where clauses would have to count.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from operator import itemgetter
from typing import Any, Protocol, TypeAlias

from uno_csp.certificates.totals import Total, by_variable
from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.graph_tools.minimum_cuts import THIN, cheap_sides
from uno_csp.modeling.cuts import nearest
from uno_csp.modeling.model import value_of
from uno_csp.verifier.proofs import excess, row
from uno_csp.verifier.trails import Trails

MOST_CASES = 300  # leaves of the case tree after which the search gives up

ROUNDS, ROUNDS_OF_A_CASE = 100, 12
MOST_NODES = 6000
"""Maximum number of hubs and stars; a Gomory-Hu tree takes one maximum flow per node."""

MANY_ROWS = 1000  # maximum number of rows for which redundant rows are searched and removed
DENOMINATORS = (1, 2, 6, 60, 2520, 10**5, 10**7)
_INFINITY = float("inf")
BROKEN = 1e-4  # minimum violation at which a row is added
Row: TypeAlias = list[Any]

Bound: TypeAlias = Mapping[str, Any] | None
"""Rows with their multipliers, or a case tree with such rows as leaves; None if not found."""


class Relaxation(Protocol):
    """The linear relaxation of a formula."""

    @property
    def formula(self) -> Any:
        """The formula, with a method for its own rows; its last sum is to be minimised."""

    @property
    def size(self) -> int:
        """Number of nodes of the graph in which violated rows are searched."""

    def clauses(self) -> Iterable[int]:
        """Return the numbers of the clauses that are rows from the start."""

    def violated(self, values: Sequence[float]) -> Iterator[Row]:
        """Yield rows that a fractional solution violates; ``values`` are those of the variables."""

    def undecided(self, values: Sequence[float]) -> int | None:
        """Return the literal to branch on; None if there is none."""


def find_bound(relaxation: Relaxation | None) -> Generator[int, None, Bound]:
    """Search for a contradictory combination of rows, and yield the number of leaves so far.

    It is yielded before each linear program, so that the search can be interrupted. If one set of
    rows does not suffice, the search branches on a literal and its negation. It ends without a
    bound after :data:`MOST_CASES` leaves, or if there is no relaxation.
    """
    if relaxation is None or not 0 < relaxation.size <= MOST_NODES:
        return None
    return (yield from _Search(relaxation).closed(()))


def count_rows(bound: Mapping[str, Any]) -> int:
    """Count the rows of a bound over all its cases."""
    if "literal" not in bound:
        return len(bound["rows"])
    return count_rows(bound["true"]) + count_rows(bound["false"])


class _Search:
    """The search through the case tree."""

    def __init__(self, relaxation: Relaxation) -> None:
        self._relaxation = relaxation
        self._program = _Program(relaxation)
        self._nodes = 0

    def closed(self, true: tuple[int, ...]) -> Generator[int, None, Bound]:
        """Return a bound that refutes the case in which the given literals are true."""
        self._nodes += 1
        values: Sequence[float] = ()
        for _ in range(ROUNDS if not true else ROUNDS_OF_A_CASE):
            leaves = (self._nodes + 1) // 2
            if leaves > MOST_CASES:
                return None
            yield leaves
            solved = self._program.solve()
            if solved is None or self._program.value > self._program.most + BROKEN:
                found = self._program.multiples(true)
                if found is not None or solved is None:
                    return None if found is None else {"rows": found}
            values = solved
            if not self._program.add(self._relaxation.violated(values)):
                break
        literal = self._relaxation.undecided(values)
        if literal is None:
            return None
        cases: dict[str, Any] = {"literal": literal}
        for name, chosen in (("true", literal), ("false", -literal)):
            self._program.fix(chosen)
            case = yield from self.closed((*true, chosen))
            self._program.free(chosen)
            if case is None:
                return None
            cases[name] = case
        return cases


class _Program:
    """The linear program: minimise the last sum of the formula under the rows so far."""

    def __init__(self, relaxation: Relaxation) -> None:
        import highspy

        self._formula = formula = relaxation.formula
        self.rows: list[Row] = []
        self.value = 0.0
        self._known: set[str] = set()
        self._main = len(formula.sums) - 1  # what is not played, costs, or ends
        terms, self.most = formula.sums[self._main]
        self._solver: Any = highspy.Highs()
        for name, chosen in (("output_flag", False), ("threads", 1), ("presolve", "off")):
            self._solver.setOptionValue(name, chosen)
        size = formula.variables + 1
        self._solver.addVars(size, [0.0] * size, [1.0] * size)
        costs, self._constant = by_variable(terms)
        for variable, cost in costs.items():
            self._solver.changeColCost(variable, cost)
        self.add(["clause", number] for number in relaxation.clauses())
        self.add(["sum", number] for number in range(self._main))

    def fix(self, literal: int) -> None:
        """Fix a literal to true."""
        value = float(literal > 0)
        self._solver.changeColBounds(abs(literal), value, value)

    def free(self, literal: int) -> None:
        """Undo :meth:`fix`."""
        self._solver.changeColBounds(abs(literal), 0.0, 1.0)

    def add(self, rows: Iterable[Row]) -> int:
        """Add the rows that are new and return their number."""
        before = len(self.rows)
        lower: list[float] = []
        starts: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        for row_data in rows:
            key = repr(row_data)
            if key in self._known:
                continue
            self._known.add(key)
            self.rows.append(row_data)
            terms, least = row(self._formula, row_data)
            weights, constant = by_variable(terms)
            lower.append(least - constant)
            starts.append(len(columns))
            columns += weights
            values += weights.values()
        if lower:  # all at once: HiGHS copies the matrix each time
            upper = [_INFINITY] * len(lower)
            count = len(lower)
            self._solver.addRows(count, lower, upper, len(columns), starts, columns, values)
        return len(self.rows) - before

    def solve(self) -> Sequence[float] | None:
        """Solve and return the value of each variable; None unless an optimum was found."""
        import highspy

        self._solver.run()
        if self._solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        self.value = self._solver.getInfo().objective_function_value + self._constant
        values: Sequence[float] = self._solver.getSolution().col_value
        return values

    def multiples(self, true: Sequence[int]) -> Sequence[tuple[int, Row]] | None:
        """Return the rows with rounded dual values as multipliers; None if no rounding refutes."""
        import highspy

        main = [1.0]
        dual = self._solver.getSolution().row_dual
        if self._solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            _, known, ray = self._solver.getDualRay()
            if not known:
                return None
            main, dual = [0.0], ray
        rows = [["sum", self._main], *self.rows]
        for denominator in DENOMINATORS:
            taken = zip(map(float, [*main, *dual]), rows, strict=True)
            found = [(round(value * denominator), row_data) for value, row_data in taken]
            found = [(times, row_data) for times, row_data in found if times > 0]
            if excess(self._formula, found, true) > 0:
                return needed(self._formula, found, true)
        return None


def needed(
    formula: Any, rows: Sequence[tuple[int, Row]], true: Sequence[int] = ()
) -> Sequence[tuple[int, Row]]:
    """Return contradictory rows without redundant ones, or all :data:`MANY_ROWS` or more."""
    if len(rows) > MANY_ROWS:
        return rows
    total = Total(formula, rows, true)
    left, before = set(range(len(rows))), 0
    while len(left) != before:
        before = len(left)
        for one in sorted(left):
            total.take(one)
            if total.excess > 0:
                left.discard(one)
            else:
                total.put(one)
    return [rows[one] for one in sorted(left)]


def fractional(values: Sequence[float], literals: Iterable[int]) -> int | None:
    """Return the literal whose value is nearest to one half; None if all are integers."""
    halves = [(abs(values[literal] - 0.5), literal) for literal in literals]
    distance, literal = min(halves, default=(0.5, 0))
    return literal if distance < 0.5 - BROKEN else None


class TrailRelaxation:
    """The relaxation of the formula of a question about cards."""

    def __init__(self, formula: Trails) -> None:
        self.formula = formula
        self.size = len(formula.visited) and len(formula.visited) + len(formula.stars)

    def clauses(self) -> Iterable[int]:
        """Return the clauses of the model itself, without those of counters."""
        trails = self.formula
        natural = {*trails.visited, *trails.odd.values(), *trails.played}
        natural.update(abs(literal) for terms, _ in trails.sums for _, literal in terms)
        natural.update(*(walked.values() for walked in trails.walked))
        return (
            number
            for number, clause in enumerate(trails.clauses)
            if all(abs(literal) in natural for literal in clause)
        )

    def violated(self, values: Sequence[float]) -> Iterator[Row]:
        """Yield violated parity rows and rows around sets of hubs."""
        return _Separation(self.formula, values).rows()

    def undecided(self, values: Sequence[float]) -> int | None:
        """Choose the branching literal: the fractional hub with the most cards, or else a card."""
        trails = self.formula
        hubs = [
            (len(near), visited)
            for near, visited in zip(trails.near, trails.visited, strict=True)
            if THIN < values[visited] < 1 - THIN
        ]
        if hubs:
            return max(hubs)[1]
        walked = {literal for each in trails.walked for literal in each.values()}
        return fractional(values, walked)


class _Separation:
    """Separation: the rows that one fractional solution violates."""

    def __init__(self, trails: Trails, values: Sequence[float]) -> None:
        self._trails = trails
        self._values = values
        self._number = {card: i for i, card in enumerate(sorted(trails.stars - {trails.pile}))}
        self._within: list[list[int]] = [[] for _ in trails.visited]
        for card, at in enumerate(trails.free):
            if card < trails.held or (card == trails.pile and at == trails.at[card]):
                self._within[at[0]].append(card)

    def rows(self) -> Iterator[Row]:
        """Yield violated parity rows and rows around sets of hubs."""
        yield from filter(None, starmap(self._parity, enumerate(self._trails.near)))
        around = [*filter(None, map(self._around, self._sets_of_cards()))]
        yield from around or filter(None, map(self._around, self._sets()))

    def _sets_of_cards(self) -> Iterator[list[int]]:
        """Yield for each card that must be played its own hubs, and its node if it has one."""
        trails = self._trails
        for card, free in enumerate(trails.free[: trails.held]):
            star = [len(trails.visited) + self._number[card]] if card in self._number else []
            yield [*free, *star]

    def _parity(self, hub: int, near: Sequence[tuple[int, int]]) -> Row | None:
        if not near:
            return None
        walked, total = nearest({card: self._values[literal] for card, literal in near}, odd=True)
        if total + self._values[self._trails.odd[hub]] > 1 - BROKEN:
            return None
        return ["parity", hub, sorted(walked)]

    def _sets(self) -> Iterable[Collection[int]]:
        """Yield sets of nodes (hubs, then stars) with a small cut around them."""
        trails, values = self._trails, self._values
        hubs = len(trails.visited)
        outside = hubs + len(self._number)
        edges: list[tuple[int, int, float]] = []
        for card, walked in enumerate(trails.walked):
            at = list(walked)
            node = hubs + self._number[card] if card in self._number else outside
            if card not in trails.stars and at:
                edges.append((at[0], at[1], values[walked[at[0]]]))
            else:
                edges += [(hub, node, values[literal]) for hub, literal in walked.items()]
        edges += [(hub, outside, values[literal]) for hub, literal in trails.odd.items()]
        edges += [(hub, outside, 2 * values[two]) for hub, two in enumerate(trails.closed)]
        return cheap_sides(outside + 1, edges, outside, wide=2, thorough=True)

    def _around(self, nodes: Collection[int]) -> Row | None:
        """Return the row around some nodes if it is violated."""
        trails = self._trails
        hubs = {node for node in nodes if node < len(trails.visited)}
        if not hubs or (not trails.joins and len(hubs) == len(trails.visited)):
            return None
        stars = {card for card, node in self._number.items() if len(trails.visited) + node in nodes}
        around = self.border(hubs, stars)
        terms, least = row(trails, ["around", around])
        found = sum(weight * value_of(literal, self._values) for weight, literal in terms)
        return ["around", around] if found < least - BROKEN else None

    def border(self, hubs: set[int], stars: set[int]) -> dict[str, Any]:
        """Return a set of hubs and stars as the verifier reads it, with the strongest occupants."""
        inside = self._occupied(hubs, stars, within=True)
        around: dict[str, Any] = {"hubs": sorted(hubs), "inside": inside}
        if stars:
            around["cards"] = sorted(stars)
        if not self._trails.joins:
            around["outside"] = self._occupied(hubs, stars, within=False)
        return around

    def _occupied(self, hubs: set[int], stars: set[int], *, within: bool) -> Mapping[str, int]:
        """Return that side's card or hub with the largest LP value of being played or visited."""
        trails, values = self._trails, self._values
        side = hubs if within else [h for h in range(len(trails.visited)) if h not in hubs]
        found: tuple[float, Mapping[str, int]] = (-1.0, {})
        for hub in side:
            found = max(found, (values[trails.visited[hub]], {"hub": hub}), key=itemgetter(0))
            for card in self._within[hub]:
                if self._lies(card, hubs, stars, within):
                    sure = not trails.played or card == trails.pile
                    value = 1.0 if sure else values[trails.played[card]]
                    found = max(found, (value + THIN, {"card": card}), key=itemgetter(0))
            if found[0] > 1:
                break
        return found[1]

    def _lies(self, card: int, hubs: set[int], stars: set[int], within: bool) -> bool:
        """Return True if a card can be played, or walked, only on one side."""
        free = self._trails.free[card]
        walks = free == self._trails.at[card] or (card in stars) == within
        return walks and all((hub in hubs) == within for hub in free)


def trail_cuts(trails: Trails, true: set[int]) -> Iterator[Mapping[str, Any]]:
    """Yield the violated cuts of a solution, one for each component that has no end.

    An unvisited hub joins the component that most of its cards lead to. This keeps the cut
    violated, because no card of that hub is walked, and more cards lie inside, so that the cut
    more often holds for certain. A card with priced hubs that is not walked joins that of its free
    hubs.
    """
    sets = DisjointSets(len(trails.visited))
    stars: dict[int, int] = {}
    for card, walked in enumerate(trails.walked):
        at = [hub for hub, literal in walked.items() if literal in true]
        sets.unite_all((at[0], hub) for hub in at[1:])
        if at and card in trails.stars:
            stars[card] = at[0]
    owner = {hub: sets.find(hub) for hub, one in enumerate(trails.visited) if one in true}
    parts = sorted({*owner.values()})
    if trails.joins:
        ended = {own for hub, own in owner.items() if _has_end(trails, hub, true)}
        parts = [own for own in parts if own not in ended]
    elif len(parts) < 2:
        return
    side = {**owner, **_neighbours(trails, owner)}
    place = {card: owner[hub] for card, hub in stars.items()}
    for card in trails.stars - {*stars, trails.pile}:
        free = {side.get(hub) for hub in trails.free[card]}
        one = free.pop() if len(free) == 1 else None
        if one is not None and len(trails.free[card]) < len(trails.at[card]):
            place[card] = one
    separation = _Separation(trails, [float(one in true) for one in range(trails.variables + 1)])
    hubs: defaultdict[int, set[int]] = defaultdict(set)
    cards: defaultdict[int, set[int]] = defaultdict(set)
    for members, of in ((hubs, side), (cards, place)):
        for member, own in of.items():
            members[own].add(member)
    for own in parts:
        yield separation.border(hubs[own], cards[own])


def _has_end(trails: Trails, hub: int, true: set[int]) -> bool:
    odd = trails.odd.get(hub, 0)
    is_odd = odd != 0 and (odd > 0) == (abs(odd) in true)
    return is_odd or trails.closed[hub] in true


def _neighbours(trails: Trails, owner: Mapping[int, int]) -> dict[int, int]:
    """Return for each unvisited hub the component that most of its cards lead to."""
    led: dict[int, Counter[int]] = {}
    for at in trails.at[: trails.pile]:
        known = {owner[hub] for hub in at if hub in owner}
        for hub in at:
            if hub not in owner:
                led.setdefault(hub, Counter()).update(known)
    return {hub: min(own, key=lambda each: (-own[each], each)) for hub, own in led.items() if own}
