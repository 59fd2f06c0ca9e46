"""Cuts against assignments without a legal order of play, because cards wait for one another.

A card after which a player is skipped *waits* for all cards of that player that match it. Take a
set B of cards, a set N of nodes, and a play with some card of B. The first card of B that is played
opens the play, or is entered at a node outside N, or some card outside B leads to a node of N. It
waits for no card of B, and it is not the last card of the play if another card of B is played. This
is a clause; B and N have to be chosen such that the assignment makes all its literals false.

To find them, follow the ways from the first card, but take a card only when all those it waits for
have been taken. If there is a legal order, every card is taken, one by one in that order. A card
that is left waits for another that is left, or is entered at a node to which only such cards lead,
or is the last card. Let B be closed under these reasons, and let N be the nodes among them. The
smallest such sets give the strongest cuts.

The same holds in reverse: from the last card, take a card when all that wait for it are taken.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from uno_csp.encodings._turn_graph import TurnGraph, Way
from uno_csp.modeling import Assignment, Clause

_START = -1  # the artificial node at which the first card is entered

Ends = Sequence[Sequence[tuple[int, int]]]
"""For each card, the nodes at which it may be entered (or left), with their literals."""

Waits = Mapping[int, Sequence[tuple[int, Sequence[int]]]]
"""For each card, pairs of the literal for "it does not wait" and the cards it waits for."""


@dataclass(frozen=True, slots=True)
class _Direction:
    """The ways forwards or backwards; ``last`` has by card the literal for "they end with it"."""

    ins: Ends
    outs: Ends
    last: Mapping[int, int]


class OrderCuts:
    """Separator that finds the violated cuts of one graph."""

    def __init__(self, graph: TurnGraph) -> None:
        self._graph = graph
        entered, left = _by_card(graph, graph.entered), _by_card(graph, graph.left)
        self._forwards = _Direction(_with_start(entered, graph.first), left, graph.last)
        self._backwards = _Direction(_with_start(left, graph.last), entered, graph.first)

    def __call__(self, assignment: Assignment) -> list[Clause]:
        """Return cuts that an assignment violates; none if both directions take every card."""
        graph = self._graph
        played = {card for card, literal in enumerate(graph.played) if assignment[literal]}
        after: defaultdict[int, list[tuple[int, Sequence[int]]]] = defaultdict(list)
        before: defaultdict[int, list[tuple[int, Sequence[int]]]] = defaultdict(list)
        for (card, _), (waiting, held) in graph.waits.items():
            if card in played and not assignment[waiting]:
                after[card].append((waiting, held))
                for other in held:
                    before[other].append((waiting, [card]))
        return [
            clause
            for direction, waits in ((self._forwards, after), (self._backwards, before))
            for clause in _CycleSearch(graph, direction, waits, played, assignment).cuts()
        ]


def _by_card(graph: TurnGraph, ways: Iterable[Way]) -> Ends:
    own: list[list[tuple[int, int]]] = [[] for _ in graph.cards]
    for card, node, literal in ways:
        own[card].append((node, literal))
    return own


def _with_start(ways: Ends, first: Mapping[int, int]) -> Ends:
    return [
        [*own, (_START, first[card])] if card in first else own for card, own in enumerate(ways)
    ]


class _CycleSearch:
    """The search for cuts in one direction of one assignment."""

    def __init__(
        self,
        graph: TurnGraph,
        direction: _Direction,
        waits: Waits,
        played: set[int],
        assignment: Assignment,
    ) -> None:
        self._graph, self._direction, self._waits = graph, direction, waits
        self._played, self._assignment = played, assignment
        self._last = next(card for card, lit in direction.last.items() if assignment[lit])
        self._by = {card: self._chosen(direction.ins[card]) for card in played}
        self._to = {card: self._chosen(direction.outs[card]) for card in played - {self._last}}

    def cuts(self) -> list[Clause]:
        """Return a cut for each of some disjoint, smallest sets of mutually waiting cards."""
        left = self._played - self._taken() - {self._last}
        if not left:
            return []
        reasons = self._reasons(left)
        found: list[Clause] = []
        covered: set[int] = set()
        for closed in sorted((_closure(card, reasons) for card in sorted(left)), key=len):
            if covered.isdisjoint(closed):
                covered |= closed
                nodes = {node for card in closed for node in reasons[card][1]}
                found.append(self._clause(closed, nodes))
        return found

    def _chosen(self, ends: Sequence[tuple[int, int]]) -> int:
        return next(node for node, literal in ends if self._assignment[literal])

    def _taken(self) -> set[int]:
        """Return the cards that can be taken one after another, without the last card."""
        at: defaultdict[int, list[int]] = defaultdict(list)
        for card in self._to:
            at[self._by[card]].append(card)
        missing = {
            card: {other for _, held in self._waits.get(card, ()) for other in held}
            for card in self._to
        }
        taken: set[int] = set()
        reached = {_START}
        grows = True
        while grows:
            ready = {
                card
                for node in reached
                for card in at[node]
                if card not in taken and missing[card] <= taken
            }
            taken |= ready
            reached |= {self._to[card] for card in ready}
            grows = bool(ready)
        return taken

    def _reasons(self, left: set[int]) -> dict[int, tuple[set[int], set[int]]]:
        """Return, for each card left and the last one, the cards that block it and their node."""
        leading: defaultdict[int, set[int]] = defaultdict(set)
        for card in left:
            leading[self._to[card]].add(card)
        reasons: dict[int, tuple[set[int], set[int]]] = {self._last: (set(), set())}
        for card in left:
            awaited = (other for _, held in self._waits.get(card, ()) for other in held)
            other = next((other for other in awaited if other in left or other == self._last), None)
            node = self._by[card]
            reasons[card] = (leading[node], {node}) if other is None else ({other}, set())
        return reasons

    def _clause(self, cards: set[int], nodes: set[int]) -> Clause:
        """Return the cut for a set B of cards and a set N of nodes (see the module)."""
        graph, last = self._graph, self._last
        others = sorted(cards - {last})
        certain = any(graph.owners[card] == 0 for card in others)
        clause = [] if certain else [-graph.played[others[0]]]
        for card in range(len(graph.cards)):
            leading = [lit for node, lit in self._direction.outs[card] if node in nodes]
            coming = [lit for node, lit in self._direction.ins[card] if node not in nodes]
            if card in cards:
                clause += self._waiting(card, cards, coming)
            elif card in self._played or len(leading) <= len(coming):
                clause += leading
            else:  # counting it to the set gives fewer literals
                clause += coming
        return clause

    def _waiting(self, card: int, cards: set[int], coming: list[int]) -> list[int]:
        """Return literals, one of which is true if the card is the first of the set played."""
        blocks = [lit for lit, held in self._waits.get(card, ()) if not cards.isdisjoint(held)]
        if card == self._last:
            blocks.append(-self._direction.last[card])
        comes = any(self._assignment[literal] for literal in coming)
        return blocks[:1] if blocks and (comes or len(coming) > 1) else coming


def _closure(card: int, reasons: Mapping[int, tuple[set[int], set[int]]]) -> set[int]:
    """Return a card with all its direct and indirect reasons."""
    closed, stack = {card}, [card]
    while stack:
        new = reasons[stack.pop()][0] - closed
        closed |= new
        stack += new
    return closed
