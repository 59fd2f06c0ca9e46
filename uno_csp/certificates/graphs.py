"""Make certificates about graphs: the first kind that works, verified at once."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from uno_csp.certificates.bounds import BROKEN, Row, find_bound, fractional, needed
from uno_csp.certificates.drafts import Draft, certify_draft, draft_of, to_json
from uno_csp.certificates.groups import describe_groups, groups_without, separating
from uno_csp.certificates.parts import (
    EffortListener,
    ProofOptions,
    Refuted,
    Steps,
    few_cases,
    refute_by_turns,
    run,
    unheard,
)
from uno_csp.certificates.refutation import HasSolution
from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.graph_tools.mate_tables import narrow_order
from uno_csp.graph_tools.minimum_cuts import THIN, cheap_sides
from uno_csp.hub_graph.incidence import is_graph
from uno_csp.modeling.cuts import nearest
from uno_csp.processes.deadline import Deadline
from uno_csp.questions.wording import counted
from uno_csp.verifier.cards import Better, Question
from uno_csp.verifier.graphs import (
    GRAPH,
    REASON,
    WITNESS,
    Edges,
    Graph,
    Levels,
    allowed,
    components,
    matching,
    of_hand,
)
from uno_csp.verifier.proofs import row
from uno_csp.verifier.reading import Budget, Refused

if TYPE_CHECKING:
    from uno_csp.algorithms._subtours import Proof

MANY_CARDS = 30
"""Number of cards from which a hand that is a graph is certified as one; smaller hands are refuted
by their hubs, which the proved checker reads."""

Goal = tuple[int, int]  # number of paths, and of vertices not visited, of a better answer


def certify_graph(
    data: Mapping[str, Any],
    claim: Mapping[str, Any],
    paths: Sequence[Sequence[int]] | None,
    folder: str | PathLike[str],
    *,
    removed: Sequence[int] | None = None,
    time_limit_s: float | None = None,
    on_effort: EffortListener = unheard,
) -> dict[str, Any]:
    """Write a certificate about a graph, and return what it proves; see :func:`certify`.

    ``data`` is the content of ``graph.json``, ``claim`` has status, objective and how the answer
    was found, ``paths`` attain an optimum, as places of vertices, and the vertices ``removed`` may
    be a separator.
    """
    graph = Graph(dict(data))
    options = ProofOptions(Deadline.after(time_limit_s), on_effort=on_effort)

    def make() -> Draft:
        return _make(graph, allowed(graph, dict(claim)), options, removed)

    files = {GRAPH: to_json(data)}
    if paths is not None:
        files[WITNESS] = to_json({"paths": paths})
    return certify_draft(folder, make, claim, files, {"graph": dict(data)})


def of_graph_hand(question: Question, goal: Better, options: ProofOptions) -> Draft | None:
    """Return a certificate of a hand by the graph of its cards, if it is one of many cards.

    A hand is one if no value is on three cards (see
    :func:`~uno_csp.hub_graph.incidence.is_graph`).
    """
    sparse = is_graph(tuple(question.counted), question.at_least) and question.supply is None
    if not sparse or options.strict or not options.bounds or len(question.counted) < MANY_CARDS:
        return None
    data, allowed = of_hand(question, goal, matching(question))
    draft = _make(Graph(data), allowed, options)
    if draft.kind == "separator":
        removed = json.loads(draft.files[REASON])["removed"]
        groups = groups_without(question, removed)
        if len(groups) - len(removed) > goal.sequences:
            words = describe_groups(question, removed, groups)
            reason = {"removed": removed, "groups": groups}
            return Draft("groups", {REASON: to_json(reason)}, words)
    return replace(draft, files={GRAPH: to_json(data), **draft.files})


def _make(
    graph: Graph, goal: Goal | None, options: ProofOptions, removed: Sequence[int] | None = None
) -> Draft:
    """Make the kind that is easiest to read: a separator, few inequalities, an order, or any."""
    if goal is None:
        return Draft("witness", {}, "nothing can be better")
    return (
        separator(graph, goal, removed)
        or subtours(graph, goal, options)
        or find_few_inequalities(graph, goal, options)
        or order(graph, goal)
        or refutation(graph, goal, options)
    )


def separator(graph: Graph, goal: Goal, known: Sequence[int] | None = None) -> Draft | None:
    """Return vertices without which the graph falls into too many components: known ones first."""
    if graph.goal == "longest":
        return None
    if known is not None:
        count = components(graph, known)
        if count > max(1, goal[0] + len(known) - len({*known}.intersection(graph.ends))):
            return _draft_separator(known, count)
    at: list[list[int]] = [[] for _ in graph.near]
    for number, edge in enumerate(graph.edges):
        for vertex in edge:
            at[vertex].append(number)
    found = separating(at, goal[0])
    return None if found is None else _draft_separator(found[0], len(found[1]))


def _draft_separator(removed: Sequence[int], count: int) -> Draft:
    without = counted(len(removed), "vertex", "vertices")
    words = f"without {without} it falls into {count} components"
    return Draft("separator", {REASON: to_json({"removed": list(removed)})}, words)


def subtours(graph: Graph, goal: Goal, options: ProofOptions) -> Draft | None:
    """Return a separator that a linear program points at, or degrees and cut sets, if they do."""
    from uno_csp.algorithms._subtours import PathProblem, bounded  # scipy loads slowly

    options.require_time()
    paths, left = goal
    skips = graph.goal == "longest"
    problem = PathProblem(graph.near, paths, tuple(graph.ends), skips)
    target = (left if skips else paths) + 1
    found = bounded(problem, options.deadline, target)
    options.require_time()
    if found.least < target:
        return None
    if found.separator is not None:
        return _draft_separator(found.separator, components(graph, found.separator))
    assert found.proof is not None  # noqa: S101
    stated = Edges(graph, *goal)
    rows = needed(stated, list(_name_rows(stated, found.proof)))
    return draft_of([Refuted(stated, {"rows": rows}, None)], {})


def _name_rows(stated: Edges, proof: "Proof") -> Iterator[tuple[int, Row]]:
    """Yield the rows of a proof as the verifier names them, with the sum that they contradict."""
    last = len(stated.sums) - 1
    objective, rows = proof
    yield objective, ["sum", last]
    for times, each in rows:
        match each.kind:
            case "degree":
                (vertex,) = each.vertices
                yield abs(times), ["sum", 2 * vertex + (times > 0)]
            case "end":
                ends = [(stated.single[end], stated.alone[end]) for end in each.vertices]
                yield times, ["clause", stated.clauses.index(ends[0])]
            case "visited":
                kept = [(-stated.left[vertex],) for vertex in each.vertices]
                yield times, ["clause", stated.clauses.index(kept[0])]
            case "most":
                yield times, ["sum", last - 1]
            case _:
                data = {"vertices": sorted(each.vertices), "inside": each.vertices[0]}
                yield times, ["around", data]


def find_few_inequalities(graph: Graph, goal: Goal, options: ProofOptions) -> Draft | None:
    """Return a bound with few cases."""
    stated = Edges(graph, *goal)
    bound = run(few_cases(Steps(find_bound(EdgeRelaxation(stated)))), options)
    return None if bound is None else draft_of([Refuted(stated, bound, None)], {})


def order(graph: Graph, goal: Goal) -> Draft | None:
    """Return an order of the vertices, or its reverse, along which no state is left.

    Raises HasSolution when one is left.
    """
    narrow = narrow_order([sorted(each) for each in graph.near])
    for vertices in (narrow, narrow[::-1]):  # it matters whether the ends of paths come first
        levels = Levels(graph, *goal, Budget(0))
        try:
            levels.run(vertices)
        except Refused:
            continue
        if levels.level:
            raise HasSolution("a better answer was found along an order of the vertices")
        words = f"no state is left of {levels.seen} along an order of the vertices"
        return Draft("order", {REASON: to_json({"order": vertices})}, words)
    return None


def refutation(graph: Graph, goal: Goal, options: ProofOptions) -> Draft:
    """Return a bound or a refutation, whichever is found first; a refutation without bounds."""
    relaxed = EdgeRelaxation(Edges(graph, *goal))
    stated = relaxed.formula, relaxed.cuts
    found = refute_by_turns(lambda: stated, relaxed if options.bounds else None, options)
    return draft_of([found], {})


class EdgeRelaxation:
    """The linear relaxation of the formula of a graph."""

    def __init__(self, formula: Edges) -> None:
        self.formula = formula
        self.size = formula.graph.size

    def clauses(self) -> Iterable[int]:
        """Return the numbers of the clauses about given ends."""
        stated = self.formula
        wanted = {(stated.single[end], stated.alone[end]) for end in stated.graph.ends}
        return [n for n, clause in enumerate(stated.clauses) if clause in wanted]

    def undecided(self, values: Sequence[float]) -> int | None:
        """Return the edge that is nearest to one half, or a vertex that may be left out."""
        found = fractional(values, self.formula.chosen)
        return found if found is not None else fractional(values, self.formula.left)

    def violated(self, values: Sequence[float]) -> Iterator[Row]:
        """Yield rows around sets with a small cut, and parity rows of their odd edges.

        The sets of parity rows are the components of the edges with fractional values, which is a
        heuristic (Padberg and Hong 1980).
        """
        around = [*self._around(values)]
        yield from around
        if around:
            return
        stated, graph = self.formula, self.formula.graph
        sets = DisjointSets(graph.size)
        for (one, other), literal in zip(graph.edges, stated.chosen, strict=True):
            if THIN < values[literal] < 1 - THIN:
                sets.unite(one, other)
        for group in sets.groups(range(graph.size)):
            if len(group) > 1 and (stated.paths or len(group) < graph.size):
                yield from self._parity(group, values)

    def cuts(self, true: set[int]) -> Iterator[Mapping[str, Any]]:
        """Yield the sets of vertices that a solution violates: its components without an end."""
        values = [float(literal in true) for literal in range(self.formula.variables + 1)]
        for _, around in self._around(values, integral=True):
            yield around

    def _around(self, values: Sequence[float], *, integral: bool = False) -> Iterator[Row]:
        stated = self.formula
        graph = stated.graph
        ends = [(v, values[stated.single[v]]) for v in range(graph.size)]
        ends += [(v, 2 * values[stated.alone[v]]) for v in range(graph.size)]
        chosen = zip(graph.edges, stated.chosen, strict=True)
        edges = [(one, other, values[literal]) for (one, other), literal in chosen]
        edges += [(vertex, graph.size, width) for vertex, width in ends]
        wide, thorough = (1, False) if integral else (2, True)  # of integers, components are enough
        for side in cheap_sides(graph.size + 1, edges, graph.size, wide=wide, thorough=thorough):
            if not stated.paths and len(side) == graph.size:
                continue
            group = sorted(side)
            inside = group[0]
            if stated.left:
                inside = min(group, key=lambda v: values[stated.left[v]])
            found = ["around", {"vertices": group, "inside": inside}]
            terms, least = row(stated, found)
            if sum(weight * values[literal] for weight, literal in terms) < least - BROKEN:
                yield found

    def _parity(self, group: Sequence[int], values: Sequence[float]) -> Iterator[Row]:
        data: dict[str, Any] = {"vertices": sorted(group)}
        once, _ = self.formula.around(data)
        odd, total = nearest({literal: values[literal] for literal in once}, odd=True)
        if total < 1 - BROKEN:
            yield ["parity", {**data, "chosen": sorted(odd)}]
