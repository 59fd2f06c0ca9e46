"""Graphs as hands: a card for each vertex, an attribute for each colour of an edge colouring.

In a proper edge colouring the edges at a vertex have different colours, so an attribute for each
colour can have the edge of that colour as its value; a vertex without one has a value of its own
there. Then two cards agree in an attribute if and only if their vertices are adjacent, and the
feasible sequences are the paths of the graph (docs/theory.md, Theorem 22). A last attribute, in
which no two cards agree, tells all cards apart.

A Hamiltonian cycle is a Hamiltonian path after one vertex is doubled and either copy has a further
neighbour, which must be an end. An end that is given has such a neighbour as well.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import rustworkx

from uno_csp.hamilton.problems import Goal, HamiltonProblem
from uno_csp.hub_graph.chains import chained
from uno_csp.questions import FillIn, HandQuestion, Longest, Uno1
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card
from uno_csp.questions.fields import MAX_DIMENSION

MOST_COLOURS = 1_000_000  # maximum number of attributes of a card that stands for a vertex
MOST_ENTRIES = 2_000_000  # maximum number of vertices times the largest degree
MANY_COLOURS = MAX_DIMENSION  # maximum number of attributes of a card that can be written to a file
MOST_FLIPS = 1_000_000  # maximum number of edges times colours to look for few colours


@dataclass(frozen=True, slots=True)
class _VertexPath(Uno1):
    most_attributes: ClassVar[int] = MOST_COLOURS


@dataclass(frozen=True, slots=True)
class _VertexPaths(FillIn):
    most_attributes: ClassVar[int] = MOST_COLOURS


@dataclass(frozen=True, slots=True)
class _LongestVertexPath(Longest):
    most_attributes: ClassVar[int] = MOST_COLOURS


_KINDS: Mapping[Goal, tuple[type[HandQuestion], type[HandQuestion]]] = {
    Goal.PATHS: (FillIn, _VertexPaths),
    Goal.LONGEST: (Longest, _LongestVertexPath),
}
"""The questions that stand for goals, for cards of few attributes and of many."""


@dataclass(frozen=True, slots=True)
class GraphHand:
    """A hand for a graph."""

    problem: HamiltonProblem
    question: HandQuestion  # the question about the hand
    # for each card, the place of its vertex; None for a card that was added to the graph
    vertex: Sequence[int | None]

    @property
    def fits_a_file(self) -> bool:
        """True if the cards have no more attributes than a question in a file may have."""
        return self.question.dimension <= MANY_COLOURS

    def paths(self, sequence: Sequence[Card]) -> list[list[int]]:
        """Return the paths that a sequence of cards plays, as places; added cards part them."""
        place = dict(zip(self.question.cards, self.vertex, strict=True))
        paths: list[list[int]] = [[]]
        for card in sequence:
            if card not in place:
                paths.append([])
                continue
            vertex = place[card]
            if vertex is not None:
                paths[-1].append(vertex)
        found = [path for path in paths if path]
        if self.problem.goal is Goal.CYCLE:
            return [found[0][:-1]]  # the doubled vertex comes first and last
        return found

    def witness(self, paths: Sequence[Sequence[int]]) -> Witness | None:
        """Return the witness of an optimisation for given paths; None if there are none."""
        pieces = [[self.question.cards[place] for place in path] for path in paths]
        if not pieces or not self.problem.goal.optimises:
            return None
        if self.problem.goal is Goal.LONGEST:
            return Witness(tuple(pieces[0]), objective=len(pieces[0]))
        return chained(pieces, 1)


def too_large(problem: HamiltonProblem) -> str | None:
    """Return why a graph is too large for a hand; None if it is not."""
    degree = max(map(len, problem.neighbours))
    if len(problem.vertices) * degree <= MOST_ENTRIES:
        return None
    return (
        f"{len(problem.vertices)} vertices of up to {degree} neighbours are too many for a "
        f"search, which takes graphs with {MOST_ENTRIES:,} for the product of these numbers"
    )


def hand_of(problem: HamiltonProblem, *, for_file: bool = False) -> GraphHand:
    """Return the hand of a graph, with as few colours as a file needs where it is for one."""
    size, edges = len(problem.vertices), list(problem.edges)
    vertex: list[int | None] = list(range(size))
    ends = [end for end in (problem.source, problem.target) if end is not None]
    if problem.goal is Goal.CYCLE:
        doubled = min(range(size), key=lambda place: len(problem.neighbours[place]))
        edges += [(near, size) for near in sorted(problem.neighbours[doubled])]
        vertex.append(doubled)
        ends = [doubled, size]
    for end in ends:
        edges.append((end, len(vertex)))
        vertex.append(None)
    cards = _cards(len(vertex), edges, for_file=for_file)
    kind, wide_kind = _KINDS.get(problem.goal, (Uno1, _VertexPath))
    question = (kind if len(cards[0]) <= MANY_COLOURS else wide_kind)(cards)
    return GraphHand(problem, question, vertex)


def _cards(size: int, edges: Sequence[tuple[int, int]], *, for_file: bool) -> tuple[Card, ...]:
    """Return the cards: the edge of each colour, and last a value of its own for each vertex."""
    degree = max(Counter(chain.from_iterable(edges)).values(), default=0)
    few = degree < MANY_COLOURS - 1 and (for_file or len(edges) * degree <= MOST_FLIPS)
    colour = _few_colours(size, edges) if few else _greedy_colours(size, edges)
    colours = max(colour, default=0) + 1
    # A value below 0 is of one vertex alone.
    cards = [[-1 - vertex] * (colours + 1) for vertex in range(size)]
    for edge, (one, other) in enumerate(edges):
        cards[one][colour[edge]] = cards[other][colour[edge]] = edge
    return tuple(map(tuple, cards))


def _few_colours(size: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the colours of the edges: at most one more than the largest degree (Misra-Gries)."""
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size))
    graph.add_edges_from_no_data(list(edges))
    colour = rustworkx.graph_misra_gries_edge_color(graph)
    return [colour[edge] for edge in range(len(edges))]


def _greedy_colours(size: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the colours of the edges, each the first that is free at both of its ends."""
    used = [0] * size  # bit sets of colours
    found = []
    for one, other in edges:
        taken = used[one] | used[other]
        free = ~taken & (taken + 1)
        used[one] |= free
        used[other] |= free
        found.append(free.bit_length() - 1)
    return found
