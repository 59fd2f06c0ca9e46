"""Canonical form of a question, invariant under renaming of values and reordering of cards.

A question becomes a coloured graph with a node for each distinct card, each coordinate, and each
value of a coordinate. A value is joined to its coordinate; a card is joined to its values, and to
each coordinate in which it is wild. Two questions have the same answer if their graphs are
isomorphic. BLISS (through igraph) computes a canonical labelling, which gives a hash for the cache
of answers, and canonical names in which a cached answer is stored.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from uno_csp.graph_tools.igraph_alone import load_igraph
from uno_csp.questions import Instance, Sense
from uno_csp.questions.cards import WILD, Card, Value

MANY_CARDS = 2000  # largest question with a canonical form; more cards take too long
_CARDS = ("sequence", "added")


@dataclass(frozen=True, slots=True)
class Canonical:
    """Hash of a question, and its canonical names."""

    hash: str  # equal for questions that differ only in names and order
    order: tuple[int, ...]  # the coordinates in canonical order
    # for each coordinate, the canonical number of each value
    names: tuple[Mapping[Value, int], ...]

    def to_canonical(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer in canonical names; values not in the question get negative numbers."""
        new: list[dict[Value, int]] = [{} for _ in self.names]

        def number(place: int, value: Value) -> Value:
            if value == WILD or value in self.names[place]:
                return self.names[place].get(value, WILD)
            return new[place].setdefault(value, -1 - len(new[place]))

        return _rename(answer, lambda card: [number(place, card[place]) for place in self.order])

    def from_canonical(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Translate an answer from canonical names into the names of this question."""
        values = [{number: value for value, number in known.items()} for known in self.names]

        def rename(card: list[Value]) -> list[Value]:
            found: list[Value] = [WILD] * len(card)
            for place, number in zip(self.order, card, strict=True):
                if isinstance(number, int):
                    known = values[place]
                    found[place] = known[number] if number >= 0 else f"new {-number}"
            return found

        return _rename(answer, rename)


def canonical(instance: Instance) -> Canonical | None:
    """Return the canonical form; None if the question is too large or its names are not free."""
    # Not inherited: a subclass may add fields that the graph lacks, so it must declare it itself.
    if not vars(type(instance)).get("names_are_free") or not 0 < instance.size <= MANY_CARDS:
        return None
    drawn = _Drawing(instance, instance.dimension)
    kinds = sorted(set(drawn.colours))
    number = {kind: index for index, kind in enumerate(kinds)}
    colours = [number[kind] for kind in drawn.colours]
    graph = load_igraph().Graph(len(colours), drawn.edges)
    nodes = graph.canonical_permutation(color=colours)  # of each label, despite igraph's manual
    label = sorted(range(len(nodes)), key=nodes.__getitem__)
    edges = sorted(sorted((label[u], label[v])) for u, v in drawn.edges)
    by_label = [colours[node] for node in nodes]
    supplied = instance.sense is Sense.MINIMISE and instance.supply is not None
    text = json.dumps([instance.question, instance.at_least, supplied, kinds, by_label, edges])
    names = tuple({value: label[node] for value, node in values.items()} for values in drawn.values)
    order = sorted(range(instance.dimension), key=lambda place: label[drawn.coordinates[place]])
    return Canonical(hashlib.sha256(text.encode()).hexdigest(), tuple(order), names)


class _Drawing:
    """Coloured graph of a question; the colour of a node is its kind, count and cost."""

    def __init__(self, instance: Instance, dimension: int) -> None:
        self.colours: list[tuple[str, int, int]] = []
        self.edges: list[tuple[int, int]] = []
        self.coordinates = [self._node("coordinate") for _ in range(dimension)]
        self.values: list[dict[Value, int]] = [{} for _ in range(dimension)]
        for player, hand in enumerate(instance.hands):
            self._cards(f"hand {player}", Counter((card, 0) for card in hand))
        self._cards("supply", Counter(instance.offers))
        if instance.after is not None:
            self._cards("after", Counter([(instance.after, 0)]))

    def _cards(self, role: str, counts: Mapping[tuple[Card, int], int]) -> None:
        for (card, cost), count in counts.items():
            node = self._node(role, count, cost)
            for place, value in enumerate(card):
                if value == WILD:
                    self.edges.append((node, self.coordinates[place]))
                else:
                    self.edges.append((node, self._value(place, value)))

    def _value(self, place: int, value: Value) -> int:
        known = self.values[place]
        if value not in known:
            known[value] = self._node("value")
            self.edges.append((known[value], self.coordinates[place]))
        return known[value]

    def _node(self, kind: str, count: int = 0, cost: int = 0) -> int:
        self.colours.append((kind, count, cost))
        return len(self.colours) - 1


def _rename(
    answer: Mapping[str, Any], rename: Callable[[list[Value]], list[Value]]
) -> dict[str, Any]:
    found = dict(answer)
    for key in _CARDS:
        if key in found:
            found[key] = [rename(card) for card in found[key]]
    if "plays" in found:
        found["plays"] = [{**play, "card": rename(play["card"])} for play in found["plays"]]
    return found
