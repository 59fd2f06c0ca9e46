"""Make a refutation: add cuts until the verifier's formula is unsatisfiable, then log a proof."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.verifier.trails import Clauses, Trails

SOLVER = "cadical195"
"""SAT solver of refutations: incremental, so that cuts can be added, and with DRAT proofs."""

CONFLICTS = 2_000
"""Conflicts per time slice of a refutation."""

MOST_CONFLICTS = 20_000_000
"""Total conflicts of a solver after which a refutation gives up."""


Cuts: TypeAlias = Callable[[set[int]], Iterable[Mapping[str, Any]]]
"""Returns the cuts, in the verifier's JSON form, that the set of true literals violates."""


class Unproved(Exception):
    """No refutation was found; the message says why."""


class HasSolution(Exception):
    """The formula to refute has a solution."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """Cuts in the verifier's JSON form, their clauses, and the lines of a DRAT proof."""

    cuts: tuple[Mapping[str, Any], ...]
    clauses: tuple[tuple[int, ...], ...]
    proof: tuple[str, ...]


def refute(formula: Any, separate: Cuts | None) -> Generator[int, None, Refutation]:
    """Find cuts that make the formula unsatisfiable, and a proof of that.

    The proof comes from a second run on all clauses: lemmas learnt before a cut was added may
    depend on clauses that the solver has deleted since.

    Yields
    ------
    int
        Before each run of at most :data:`CONFLICTS` conflicts, the conflicts so far.

    Raises
    ------
    HasSolution
        When a solution violates no cut: then the answer to certify is wrong.
    Unproved
        After :data:`MOST_CONFLICTS` conflicts.
    """
    cuts: list[Mapping[str, Any]] = []
    clauses: list[tuple[int, ...]] = []
    from pysat.solvers import Solver

    with Solver(SOLVER, bootstrap_with=formula.clauses) as solver:
        while (yield from _solve(solver)):
            model = solver.get_model()
            fresh = []
            if separate is not None:
                fresh = list(separate({literal for literal in model if literal > 0}))
            if not fresh:
                raise HasSolution("the formula of the question has a solution that no cut forbids")
            for cut in fresh:
                clauses.append(formula.cut(dict(cut)))
                solver.add_clause(clauses[-1])
            cuts += fresh
        before = _conflicts(solver)
    everything = [*formula.clauses, *clauses]
    with Solver(SOLVER, bootstrap_with=everything, with_proof=True) as solver:
        if (yield from _solve(solver, before)):
            raise AssertionError("the formula was refuted, and the second run found a solution")
        proof = [line for line in solver.get_proof() or () if line]
    if not proof or proof[-1] != "0":
        proof.append("0")
    return Refutation(tuple(cuts), tuple(clauses), tuple(proof))


def joined_proof(formulas: Sequence[Clauses], found: Sequence[Refutation]) -> Iterator[str]:
    """Join the proofs of several formulas into one for their disjunction."""
    several, shift = len(formulas) > 1, 0
    total = sum(formula.variables for formula in formulas)
    for number, (formula, refutation) in enumerate(zip(formulas, found, strict=True), total + 1):
        if not several:
            yield from refutation.proof
            return
        for line in refutation.proof:
            deletes, words = line.startswith("d "), line.removeprefix("d ").split()
            moved = [lit + shift if lit > 0 else lit - shift for lit in map(int, words[:-1])]
            yield " ".join(map(str, [*["d"] * deletes, *moved, -number, 0]))
        shift += formula.variables
    yield "0"


def _solve(solver: Any, before: int = 0) -> Generator[int, None, bool]:
    """Solve in slices of :data:`CONFLICTS` conflicts; return True if satisfiable."""
    while True:
        conflicts = _conflicts(solver)
        if conflicts > MOST_CONFLICTS:
            raise Unproved(f"no proof was found within {MOST_CONFLICTS:,} conflicts")
        yield before + conflicts
        solver.conf_budget(CONFLICTS)
        found: bool | None = solver.solve_limited()
        if found is not None:
            return found


def _conflicts(solver: Any) -> int:
    """Return the conflicts of a solver so far."""
    found: int = solver.accum_stats()["conflicts"]
    return found


def trail_cuts(formula: Trails, true: set[int]) -> Iterator[Mapping[str, Any]]:
    """Yield the violated cuts of a solution, one for each disconnected component.

    An unvisited hub joins the component that most of its cards lead to. This keeps the cut
    violated, because no card of that hub is walked, and more cards lie inside, so that the cut
    more often holds for certain.
    """
    owner, stars = _components(formula, true)
    components = sorted(set(owner.values()))
    if formula.joins:
        done = {own for hub, own in owner.items() if _has_end(formula, hub, true)}
        components = [own for own in components if own not in done]
    elif len(components) < 2:
        return
    side = {**owner, **_neighbours(formula, owner)}
    hubs: dict[int, list[int]] = {}
    for hub, own in side.items():
        hubs.setdefault(own, []).append(hub)
    _place_resting(formula, side, stars)
    within = _cards_within(formula, side, stars, true)
    for own in components:
        cut: dict[str, Any] = {"hubs": sorted(hubs[own])}
        if own in stars:
            cut["cards"] = sorted(stars[own])
        cut["inside"] = _occupied(owner, within, own)
        if not formula.joins:
            others = (other for other in within if other != own)
            other = next(others, next(other for other in components if other != own))
            cut["outside"] = _occupied(owner, within, other)
        yield cut


def _components(formula: Trails, true: set[int]) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Return the root of each visited hub's component, and the stars of each root."""
    size = len(formula.visited)
    sets = DisjointSets(size)
    first: dict[int, int] = {}
    for card, walked in enumerate(formula.walked):
        at = [hub for hub, literal in walked.items() if literal in true]
        for hub in at[1:]:
            sets.unite(at[0], hub)
        if at and card in formula.stars:
            first[card] = at[0]
    visited = [hub for hub, literal in enumerate(formula.visited) if literal in true]
    owner = {hub: sets.find(hub) for hub in visited}
    stars: dict[int, list[int]] = {}
    for card, hub in first.items():
        stars.setdefault(owner[hub], []).append(card)
    return owner, stars


def _place_resting(formula: Trails, side: Mapping[int, int], stars: dict[int, list[int]]) -> None:
    """Add the cards with priced hubs that are not walked to the component of their free hubs."""
    walked = {star for each in stars.values() for star in each}
    for card in sorted(formula.stars - walked - {formula.pile}):
        own = {side.get(hub) for hub in formula.free[card]}
        if len(formula.free[card]) < len(formula.at[card]) and len(own) == 1:
            one = own.pop()
            if one is not None:
                stars.setdefault(one, []).append(card)


def _has_end(formula: Trails, hub: int, true: set[int]) -> bool:
    odd = formula.odd.get(hub, 0)
    return _holds(odd, true) or formula.closed[hub] in true


def _holds(literal: int, true: set[int]) -> bool:
    return literal in true if literal > 0 else bool(literal) and -literal not in true


def _neighbours(formula: Trails, owner: Mapping[int, int]) -> dict[int, int]:
    """Return for each unvisited hub the component that most of its cards lead to."""
    led: dict[int, Counter[int]] = {}
    for at in formula.at[: formula.pile]:
        known = {owner[hub] for hub in at if hub in owner}
        for hub in at:
            if hub not in owner:
                led.setdefault(hub, Counter()).update(known)
    return {hub: min(own, key=lambda each: (-own[each], each)) for hub, own in led.items() if own}


def _cards_within(
    formula: Trails,
    side: Mapping[int, int],
    stars: Mapping[int, Sequence[int]],
    true: set[int],
) -> dict[int, Mapping[str, Any]]:
    """Return for components a played card, or the pile, which lies on their side."""
    found: dict[int, Mapping[str, Any]] = {}
    walks = {card: own for own, cards in stars.items() for card in cards}
    for card, at in enumerate(formula.free[: formula.held]):
        own = {side.get(hub) for hub in at}
        own |= {walks.get(card)} if len(at) < len(formula.at[card]) else set()
        played = not formula.played or formula.played[card] in true
        if played and len(own) == 1 and (one := own.pop()) is not None:
            found.setdefault(one, {"card": card})
    if formula.pile is not None and formula.free[formula.pile] == formula.at[formula.pile]:
        own = {side.get(hub) for hub in formula.at[formula.pile]}
        if len(own) == 1 and (one := own.pop()) is not None:
            found[one] = {"card": formula.pile}
    return found


def _occupied(
    owner: Mapping[int, int], within: Mapping[int, Mapping[str, Any]], own: int
) -> Mapping[str, Any]:
    """Return a card or hub that proves that a component has a visited hub."""
    if own in within:
        return within[own]
    return {"hub": next(hub for hub, other in owner.items() if other == own)}
