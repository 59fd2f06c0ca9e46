"""Certificates about graphs, in terms of vertices and edges alone.

They prove that a graph has no Hamiltonian cycle or path, how many paths are needed to visit every
vertex once, or how long a longest path is; also of hands, by the graph of their cards. Let r be the
number of paths allowed, 0 for a cycle. There are four facts; each kind of certificate rests on one
of the first three, and that of a hand also on the last.

*Separator.* Without t vertices the graph falls into c components. Removing t vertices leaves r + t
pieces of the paths or fewer, less one for each given end among them; of a cycle, t pieces or fewer.
Each piece lies in one component. So c is not larger.

*Order.* Let the vertices enter one by one, and let each edge be chosen or not when its second end
enters. Of the edges chosen so far it matters only which vertices still have neighbours to come, and
for each of them how many edges it has and where the path that it ends leads. So all choices can be
tried together, as states of this kind.

*Edges.* Choose the edges of the paths. At each vertex, the chosen edges and the ends of paths are
two; a path of one vertex has both its ends there, and a vertex that is not visited counts as two.
Let S be a set of vertices. The number of edges that leave S and ends in S is even, and if a vertex
of S is visited, it is 2 or more (for a cycle, only if S is not the whole graph).

*Cards.* The cards of a hand that are not universal, in order, and last the card on the pile, are
the vertices of a graph. Cards are adjacent if they match; none is partly wild. Universal and added
cards taken out of a sequence leave paths, and one of them ends at the pile.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from uno_csp.verifier import reading
from uno_csp.verifier.cards import KINDS, Better, Clause, Question, better
from uno_csp.verifier.cards import check_witness as check_sequence
from uno_csp.verifier.proofs import (
    BOUND,
    REFUTATION,
    and_checker,
    check_bound,
    check_refutation,
    counted,
)
from uno_csp.verifier.trails import Clauses

GRAPH, REASON, WITNESS, QUESTION = "graph.json", "reason.json", "witness.json", "question.json"
GOALS = ("cycle", "path", "paths", "longest")
KEYS = {
    reading.CLAIM: "version status objective strict levels kind made_by files",
    QUESTION: "",
    GRAPH: "goal vertices edges source target",
    WITNESS: "paths sequence added",
    REASON: "removed order",
    **dict.fromkeys((BOUND, *REFUTATION), ""),
}
"""The files, each with its allowed keys."""

MANY_NAMES = 12  # maximum number of vertices of a separator whose names are printed

FULL, OUTSIDE = -1, -2
"""Of a vertex: it has two edges; the path that it ends leads to an end that has left."""

require = reading.require
State = tuple[tuple[int, ...], int]


class Graph:
    """A graph read from its JSON object, with the goal; vertices are numbered from 0."""

    def __init__(self, data: dict[str, Any], budget: reading.Budget | None = None) -> None:
        self.budget = budget or reading.Budget()
        self.goal, self.names = data["goal"], data["vertices"]
        require(self.goal in GOALS, f"{GRAPH}: unknown goal {self.goal!r}")
        require(self.names and type(self.names) is list, f"{GRAPH}: it has no vertices")
        named = {(type(name), name) for name in self.names}
        require(len(named) == len(self.names), f"{GRAPH}: a vertex is named twice")
        self.size, edges = len(self.names), reading.array(data["edges"], f"{GRAPH}: edges")
        self.edges: list[tuple[int, int]] = []
        self.near: list[set[int]] = [set() for _ in self.names]
        for edge in edges:
            one, other = reading.integers(edge, f"{GRAPH}: an edge")
            self.edges.append((one, other))
            require(self._holds(one) and self._holds(other), f"{GRAPH}: {one}, {other}: no edge")
            require(one != other, f"{GRAPH}: a loop at {one}")
            require(
                other not in self.near[one], f"{GRAPH}: {one}, {other}: the edge is there twice"
            )
            self.near[one].add(other)
            self.near[other].add(one)
        self.source, self.target = data.get("source"), data.get("target")
        self.ends = [end for end in (self.source, self.target) if end is not None]
        require(all(map(self._holds, self.ends)), f"{GRAPH}: an end is no vertex")
        alike = len({*self.ends}) < len(self.ends) and self.size > 1
        require(not alike, f"{GRAPH}: a path through several vertices has two ends")

    def _holds(self, vertex: object) -> bool:
        return type(vertex) is int and 0 <= vertex < self.size


def allowed(graph: Graph, claim: dict[str, Any]) -> tuple[int, int] | None:
    """Return how many paths, and vertices not visited, a better answer has; None if none can be."""
    require(graph.goal == "path" or not graph.ends, f"{GRAPH}: only a path has given ends")
    status, value = claim["status"], claim["objective"]
    proved = "OPTIMAL" if graph.goal in GOALS[2:] else "UNSATISFIABLE"
    require(status == proved, f"claim.json: {status} needs no certificate")
    right = proved == "OPTIMAL" or value is None
    require(right, "claim.json: only an optimum has an objective")
    if graph.goal == "cycle":
        return (0, 0) if graph.size > 2 else None
    if graph.goal == "path":
        return 1, 0
    require(type(value) is int and value > 0, "claim.json: the objective must be a number")
    if value == (1 if graph.goal == "paths" else graph.size):
        return None
    return (value - 1, 0) if graph.goal == "paths" else (1, graph.size - value - 1)


def matching(question: Question, most: float = math.inf) -> list[tuple[int, int]]:
    """Return the pairs of matching cards; raise Refused if some hub has more than ``most``."""
    require(not question.partly, f"{QUESTION}: a card is partly wild")
    on: dict[Any, list[int]] = {}
    for number, card in enumerate(question.counted):
        for hub in question.hubs(card):
            on.setdefault(hub, []).append(number)
    many = max((math.comb(len(there), 2) for there in on.values()), default=0)
    require(many <= most, f"{GRAPH}: cards that match are not adjacent")
    pairs = itertools.chain(*(itertools.combinations(there, 2) for there in on.values()))
    return sorted({*pairs})


def of_hand(
    question: Question, goal: Better, pairs: Sequence[tuple[int, int]]
) -> tuple[dict[str, Any], tuple[int, int]]:
    """Return the content of ``graph.json`` by the fact *Cards*, and what :func:`allowed` does."""
    plain = question.kind in KINDS[:3] and question.supply is None
    require(plain, f"{QUESTION}: a graph is of one hand, without a supply")
    longest, count = question.kind == "longest", len(question.cards)
    data = {
        "goal": "longest" if longest else "path",
        "vertices": [*range(len(question.counted))],
        "edges": [*map(list, pairs)],
        "source": count if question.pile else None,
        "target": None,
    }
    return data, (goal.sequences, count - goal.played if goal.played is not None else 0)


def check_witness(graph: Graph, value: int, paths: list[list[int]]) -> None:
    """Check that the paths are paths of the graph, and as good as claimed."""
    paths = [reading.integers(path, f"{WITNESS}: a path") for path in paths]
    visited = Counter(itertools.chain(*paths))
    right = all(paths) and {*visited} <= {*range(graph.size)} and {*visited.values()} <= {1}
    require(right, f"{WITNESS}: an empty path, or a vertex that is visited twice")
    for one, other in itertools.chain(*map(itertools.pairwise, paths)):
        require(other in graph.near[one], f"{WITNESS}: {one}, {other}: no edge")
    if graph.goal == "paths":
        require(len(visited) == graph.size, f"{WITNESS}: a vertex is not visited")
    found = len(paths) if graph.goal == "paths" else len(visited)
    single = graph.goal == "paths" or len(paths) == 1
    require(found == value and single, f"{WITNESS}: its value is {found}")


def components(graph: Graph, removed: Sequence[int]) -> int:
    """Return the number of components without some vertices."""
    unseen, count = {*range(graph.size)} - {*removed}, 0
    while unseen:
        count += 1
        waiting = [unseen.pop()]
        while waiting:
            fresh = unseen.intersection(graph.near[waiting.pop()])
            unseen -= fresh
            waiting += fresh
    return count


def check_separator(graph: Graph, paths: int, removed: list[int]) -> str:
    """Check the fact *Separator*; return it in words."""
    removed = reading.integers(removed, REASON)
    right = {*removed} <= {*range(graph.size)} and len({*removed}) == len(removed)
    require(right and graph.goal != "longest", f"{REASON}: these vertices separate nothing")
    count = components(graph, removed)
    most = paths + len(removed) - len({*removed}.intersection(graph.ends))
    require(count > max(1, most), f"{REASON}: it leaves {count} components only")
    named = f"{len(removed)} vertices"
    if len(removed) <= MANY_NAMES:
        named = ", ".join(shown(graph.names[vertex]) for vertex in removed)
    return f"without {named} it falls into {count} components" if removed else "it is not connected"


def shown(name: Any) -> str:
    """Return the name of a vertex in printable ASCII, in quotes unless it is a word or number."""
    text = str(name)
    return text if text.isascii() and text.isalnum() else ascii(text)


class Levels:
    """The states of the fact *Order*, vertex by vertex.

    A state has, for each vertex of the ``frontier`` (entered, with neighbours to come), the other
    end of the path that it ends, itself if it has no edge, FULL or OUTSIDE; for a longest path it
    also has the number of ends so far. A state's cost is the number of ends, or, for a longest
    path, of vertices left out; of equal states only the cheapest is kept.
    """

    def __init__(
        self, graph: Graph, paths: int, left: int, budget: reading.Budget | None = None
    ) -> None:
        self.graph, self.paths, self.left = graph, paths, left
        self.budget = budget or graph.budget
        self.level: dict[State, int] = {((), 0): 0}
        self.frontier: list[int] = []
        self.seen = 0

    def run(self, order: Sequence[int]) -> None:
        """Let all vertices enter; what is left are the states of better answers."""
        graph = self.graph
        order = reading.integers(order, REASON)
        require(sorted(order) == list(range(graph.size)), f"{REASON}: not every vertex once")
        missing = [len(near) for near in graph.near]
        for step, vertex in enumerate(order, 1):
            self.level = {((*at, vertex), used): n for (at, used), n in self.level.items()}
            self.frontier.append(vertex)
            self.budget.spend((1 + len(self.level)) * (20 + len(self.frontier)))
            for index in range(len(self.frontier) - 1):
                if self.frontier[index] in graph.near[vertex]:
                    missing[vertex] -= 1
                    missing[self.frontier[index]] -= 1
                    self._keep([*self.level.items(), *self._joined(index, step == graph.size)])
            for gone in [each for each in self.frontier if not missing[each]]:
                self._keep(list(self._without(self.frontier.index(gone))))
                self.frontier.remove(gone)

    def _keep(self, found: Iterable[tuple[State, int]]) -> None:
        self.level = {}
        for state, cost in found:
            self.level[state] = min(cost, self.level.get(state, cost))
        self.seen += len(self.level)
        self.budget.spend(len(self.level) * (40 + len(self.frontier)))

    def _joined(self, one: int, last: bool) -> Iterator[tuple[State, int]]:
        """Yield the states after an edge from the vertex at a place to the last one is chosen."""
        self.budget.spend(len(self.level) * (60 + 3 * len(self.frontier)))
        place = {vertex: index for index, vertex in enumerate(self.frontier)}
        pair = self.frontier[one], self.frontier[-1]
        for (at, used), cost in self.level.items():
            ends = at[one], at[-1]
            if FULL in ends:
                continue
            after = list(at)
            for vertex, end in zip(pair, ends, strict=True):
                if end != vertex:
                    after[place[vertex]] = FULL
            if ends[0] == pair[1]:  # it closes a cycle, which has to be the one through all
                if last and not self.paths and {*after} == {FULL}:
                    yield (tuple(after), used), cost
                continue
            for end, other in (ends, reversed(ends)):
                if end != OUTSIDE:
                    after[place[end]] = other
            yield (tuple(after), used), cost

    def _without(self, index: int) -> Iterator[tuple[State, int]]:
        """Yield the states after the vertex at a place has left; one without two edges ends there.

        A vertex without an edge is a path, or left out.
        """
        vertex, longest = self.frontier[index], self.graph.goal == "longest"
        for (at, used), cost in self.level.items():
            ends = {FULL: 0, vertex: 2}.get(at[index], 1)
            if not ends and vertex in self.graph.ends:
                continue
            rest = [OUTSIDE if end == vertex else end for end in at]
            state = (*rest[:index], *rest[index + 1 :])
            if longest and used + ends <= 2 * self.paths:
                yield (state, used + ends), cost
            if longest and ends == 2 and cost < self.left:
                yield (state, used), cost + 1
            if not longest and cost + ends <= 2 * self.paths:
                yield (state, 0), cost + ends


class Edges(Clauses):
    """The fact *Edges* in clauses, without the sets of vertices; those are cuts and rows.

    For each edge ``chosen``; for each vertex ``single`` (one end of a path), ``alone`` (both ends)
    and, for a longest path, ``left`` (not visited).
    """

    def __init__(self, graph: Graph, paths: int, left: int) -> None:
        super().__init__(graph.budget)
        self.graph, self.paths = graph, paths
        skipped = graph.size * (graph.goal == "longest")
        self.chosen, self.single, self.alone, self.left = (
            [self.new() for _ in range(count)]
            for count in (len(graph.edges), graph.size, graph.size, skipped)
        )
        near: list[list[int]] = [[end] for end in self.single]
        for edge, literal in zip(graph.edges, self.chosen, strict=True):
            for vertex in edge:
                near[vertex].append(literal)
        for vertex, ones in enumerate(near):
            twos = [self.alone[vertex], *self.left[vertex : vertex + 1]]
            terms = [(1, literal) for literal in ones] + [(2, literal) for literal in twos]
            self.at_most(terms, 2)
            most = len(ones) + 2 * len(twos) - 2
            self.at_most([(weight, -literal) for weight, literal in terms], most)
        self.clauses += [(self.single[end], self.alone[end]) for end in graph.ends]
        self.clauses += [(-self.left[end],) for end in graph.ends if self.left]
        ends = [(1, literal) for literal in self.single] + [(2, one) for one in self.alone]
        self.at_most(ends, 2 * paths)
        if self.left:
            self.at_most([(1, literal) for literal in self.left], left)

    def around(self, data: dict[str, Any]) -> tuple[list[int], list[int]]:
        """Return the literals that count once and twice around a set of vertices."""
        inside, graph = {*reading.integers(data["vertices"], "vertices")}, self.graph
        self.budget.spend(10 * len(graph.edges))
        right = inside and inside <= {*range(graph.size)}
        require(right and (self.paths or len(inside) < graph.size), "it is not a set of vertices")
        once = [
            literal
            for (one, other), literal in zip(graph.edges, self.chosen, strict=True)
            if (one in inside) != (other in inside)
        ]
        return [*once, *(self.single[v] for v in inside)], [self.alone[v] for v in inside]

    def _excused(self, data: dict[str, Any]) -> list[int]:
        """Return the literal for "the vertex named inside is not visited"."""
        inside = reading.place(data["inside"], self.graph.size, "inside")
        require(inside in data["vertices"], f"{inside} is not inside")
        return [self.left[inside]] if self.left else []

    def cut(self, data: dict[str, Any]) -> Clause:
        """Return the clause of a set of vertices."""
        once, twice = self.around(data)
        return tuple(sorted((*once, *twice, *self._excused(data))))

    def row(self, kind: str, data: dict[str, Any]) -> tuple[list[tuple[int, int]], int]:
        """Return a row of a bound, as :func:`row` does."""
        once, twice = self.around(data)
        if kind == "parity":
            odd = {*reading.integers(data["chosen"], "chosen")}
            right = len(odd) % 2 == 1 and odd <= {*once}
            require(right, "not an odd number of edges and ends around the vertices")
            return [(1, -literal if literal in odd else literal) for literal in once], 1
        require(kind == "around", f"{kind!r} is not a row")
        twos = [(2, literal) for literal in (*twice, *self._excused(data))]
        return [(1, literal) for literal in once] + twos, 2


class Certificate(reading.Files):
    """A certificate about a graph, read from a folder."""

    KEYS = KEYS
    NEEDED = GRAPH

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.question: Question | None = None
        if QUESTION in self.files:
            self._read_hand()
            return
        self.graph = Graph(self.read(GRAPH), self.budget)
        self.goal = allowed(self.graph, self.claim)
        if self.claim["status"] == "OPTIMAL":
            paths = reading.array(self.read(WITNESS)["paths"], WITNESS)
            check_witness(self.graph, self.claim["objective"], paths)

    def _read_hand(self) -> None:
        """Read the question, and check that the graph is that of its matching cards."""
        self.question, data = Question(self.read(QUESTION), self.budget), self.read(GRAPH)
        goal = better(self.question, self.claim)
        if self.claim["status"] == "OPTIMAL":
            check_sequence(self.question, self.claim, self.read(WITNESS))
        if goal is None:
            raise reading.Refused("claim.json: nothing can be better, so it needs no graph")
        more = self.claim.get("strict") or self.claim.get("levels")
        require(not more, "claim.json: a certificate by a graph is neither strict nor by levels")
        pairs = matching(self.question, len(data["edges"]))
        own, self.goal = of_hand(self.question, goal, pairs)
        require(own == data, f"{GRAPH}: it is not the graph of the cards")
        self.graph = Graph(data, self.budget)

    def statement(self) -> str:
        """Return what is claimed of the graph, or of the cards."""
        question, value = self.question, self.claim["objective"]
        if question is None:
            return statement(self.graph, value)
        number = "" if value is None else f" {value}"
        cards = counted(len(question.hand), "card")
        width = max(map(len, question.hand))
        rules = f"{question.at_least} of {width} attributes agree"
        return f"{question.kind}, {cards}, {rules}: {self.claim['status']}{number}"


def statement(graph: Graph, value: int | None) -> str:
    """Return a claim in words."""
    what = {
        "cycle": "the graph has no Hamiltonian cycle",
        "path": "the graph has no Hamiltonian path",
        "paths": f"the fewest paths that visit every vertex once are {value}",
        "longest": f"the longest path has {value} {'vertex' if value == 1 else 'vertices'}",
    }[graph.goal]
    ends = (("from", graph.source), ("to", graph.target))
    named = "".join(f" {name} {shown(graph.names[end])}" for name, end in ends if end is not None)
    size = "1 vertex" if graph.size == 1 else f"{graph.size} vertices"
    return f"{what}{named} ({size}, {counted(len(graph.edges), 'edge')})"


def prove(given: Certificate, checker: str) -> tuple[str, str | None]:
    """Check the reason of a certificate; return it in words, and the proof checker, if any."""
    graph, goal = given.graph, given.goal
    if goal is None:
        return "nothing can be better", None
    if REASON in given.files:
        reason = given.read(REASON)
        if "removed" in reason:
            return check_separator(graph, goal[0], reason["removed"]), None
        levels = Levels(graph, *goal)
        levels.run(reason["order"])
        require(not levels.level, f"{REASON}: there is a better answer")
        return f"no state is left of {levels.seen} along an order of the vertices", None
    stated = Edges(graph, *goal)
    if BOUND in given.files:
        bound = given.read(BOUND)
        cases = check_bound(stated, bound["0"], frozenset())
        return f"inequalities contradict each other in {counted(cases, 'case')}", None
    by = check_refutation(given, [stated], checker)
    return f"its formula is refuted, checked by {by}", by


def verify(path: Path, checker: str = "auto") -> tuple[str, str | None]:
    """Verify a certificate; return what was proved, and the proof checker."""
    given = Certificate(path)
    how, by = prove(given, checker)
    lines = [
        f"proved: {given.statement()}: {how}",
        *(
            f"SHA-256 of {name}: {given.files[name]}"
            for name in given.files
            if name in (QUESTION, GRAPH)
        ),
        f"believed: the facts the verifier states{and_checker(by)}",
    ]
    return "\n".join(lines), by
