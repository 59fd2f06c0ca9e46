"""Builder of the graph that the chosen edges of a model must connect."""

from collections import Counter
from collections.abc import Iterable, Sequence

from uno_csp.modeling import Connected, ImpliedFacts


class Net:
    """Builds a :class:`Connected` constraint with implied facts, from its first nodes."""

    def __init__(self, first: Iterable[int]) -> None:
        self.presence = list(first)
        self.covers: list[tuple[int, ...]] = []
        self.covers_unless: list[tuple[tuple[int, ...], int]] = []
        self.loose: list[tuple[int, int]] = []
        self.mass = Counter[int]()
        self.least_mass = 0
        self._tails: list[int] = []
        self._heads: list[int] = []
        self._literals: list[int] = []
        self._weights: list[int] = []

    def node(self, literal: int) -> int:
        """Add a node that is present when the literal is true, and return its number."""
        self.presence.append(literal)
        return len(self.presence) - 1

    def link(self, tail: int, head: int, literal: int, weight: int = 1) -> None:
        """Add an edge that is present when the literal is true; parities count its weight."""
        self._tails.append(tail)
        self._heads.append(head)
        self._literals.append(literal)
        self._weights.append(weight)

    def at_nodes(self) -> Iterable[tuple[int, Sequence[int]]]:
        """Return for each node its literal and the literals of its edges."""
        around: list[list[int]] = [[] for _ in self.presence]
        for tail, head, literal in zip(self._tails, self._heads, self._literals, strict=True):
            around[tail].append(literal)
            around[head].append(literal)
        return zip(self.presence, around, strict=True)

    def connected(self) -> Connected:
        """Return the constraint."""
        mass = [self.mass[node] for node in range(len(self.presence))] if self.least_mass else ()
        implied = ImpliedFacts(
            self.covers, self.covers_unless, self._weights, self.loose, mass, self.least_mass
        )
        return Connected(self.presence, self._tails, self._heads, self._literals, implied)

    def always_there(self, literal: int) -> int:
        """Add a node whose literal is always true, and return its number."""
        node = self.node(literal)
        self.covers.append((node,))
        return node
