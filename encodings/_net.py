"""The graph that walked cards have to connect, collected while a model is written."""

from collections.abc import Iterable, Sequence

from uno_csp.modeling import Connected, Hints


class Net:
    """The graph that has to be connected, and what is known of it; the hubs are its first nodes."""

    def __init__(self, hubs: Iterable[int]) -> None:
        self.presence = list(hubs)
        self.covers: list[tuple[int, ...]] = []
        self.loose: list[tuple[int, int]] = []
        self._tails: list[int] = []
        self._heads: list[int] = []
        self._literals: list[int] = []
        self._weights: list[int] = []

    def node(self, literal: int) -> int:
        """A node that is there when the literal is true."""
        self.presence.append(literal)
        return len(self.presence) - 1

    def link(self, tail: int, head: int, literal: int, weight: int = 1) -> None:
        """An edge that is there when the literal is true, and counts so much."""
        self._tails.append(tail)
        self._heads.append(head)
        self._literals.append(literal)
        self._weights.append(weight)

    def at_nodes(self) -> Iterable[tuple[int, Sequence[int]]]:
        """For each node its literal and those of the edges at it."""
        around: list[list[int]] = [[] for _ in self.presence]
        for tail, head, literal in zip(self._tails, self._heads, self._literals, strict=True):
            around[tail].append(literal)
            around[head].append(literal)
        return zip(self.presence, around, strict=True)

    def connected(self) -> Connected:
        """The constraint."""
        hints = Hints(self.covers, self._weights, self.loose)
        return Connected(self.presence, self._tails, self._heads, self._literals, hints)

    def always_there(self, literal: int) -> int:
        """A node whose literal is always true."""
        node = self.node(literal)
        self.covers.append((node,))
        return node
