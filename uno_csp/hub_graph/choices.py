"""Trails on a hub graph, and the playing sequences that are read off them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

from uno_csp.graph_tools.trails import APEX, Edge, reversed_trail, split_into_trails
from uno_csp.hub_graph.chains import chained
from uno_csp.hub_graph.graph import HubGraph
from uno_csp.hub_graph.tables import State
from uno_csp.questions.answers import Witness
from uno_csp.questions.cards import Card
from uno_csp.questions.fill_in import cost_of


@dataclass(frozen=True, slots=True)
class Choice:
    """Trails on a hub graph, or on its core."""

    visited: Collection[int]  # the hubs on them
    edges: Sequence[Edge]  # for each trail edge, its two hubs, and its index in `hubs_of`
    # the hub through which the first sequence leaves the pile; None if it does not
    start: int | None = None
    wild_added: Sequence[int] = ()  # the indices of the `wild_offers` that are added
    states: Sequence[State] = ()  # on a core, a state of the table of each part


def read_witness(graph: HubGraph, choice: Choice) -> Witness:
    """Read the trails as card sequences and join them."""
    pieces = _read_pieces(graph, choice)
    lonely = [[card] for card, at in zip(graph.cards, graph.hubs_of, strict=False) if not at]
    if not graph.instance.whole:
        return _longest_witness(graph, pieces, lonely)
    pieces += lonely
    if not graph.instance.optimises:
        return Witness(join_pieces(pieces, graph.wilds))
    if graph.instance.supply is None:
        return _filled_witness(graph, pieces)
    return _supplied_witness(graph, pieces, choice)


_START = -2


def _read_pieces(graph: HubGraph, choice: Choice) -> list[list[Card]]:
    """Return the trails as card lists; with ``after`` the first follows it, and may be empty."""
    edges = list(choice.edges)
    hubs_of, cards, held = graph.hubs_of, graph.all_cards, len(graph.cards)
    beside = bytearray(b"\1") * held
    for _, _, index in edges:
        if index < held:
            beside[index] = False
    visited = set(choice.visited)
    dominated: defaultdict[int, list[Card]] = defaultdict(list)
    for at, card in compress(zip(hubs_of, cards, strict=True), beside):
        for hub in at:
            if hub in visited:
                dominated[hub].append(card)
                break  # a card without such a hub is not played
    if choice.start is not None:
        edges.append((APEX, choice.start, _START))
    unstarted = graph.after_hubs is not None and choice.start is None
    pieces: list[list[Card]] = [[]] if unstarted else []
    for begins, piece in read_walks(edges, visited, cards, dominated, _START):
        if begins:
            pieces.insert(0, piece)
        elif piece:
            pieces.append(piece)
    return pieces


def read_walks(
    edges: Sequence[Edge],
    visited: Iterable[int],
    cards: Sequence[Card],
    dominated: dict[int, list[Card]],
    start: int,
) -> Iterator[tuple[bool, list[Card]]]:
    """Yield the trails of edges as cards, each with whether it begins with the edge ``start``.

    The label of an edge is the place of its card, if it has one; dominated cards are
    played when their hub is first reached.
    """
    for walk in split_into_trails(edges, sorted(visited)):
        piece: list[Card] = []
        for label, hub in reversed_trail(walk) if walk[-1][0] == start else walk:
            piece += [cards[label]] if 0 <= label < len(cards) else []
            piece += dominated.pop(hub, ())
        yield start in (walk[0][0], walk[-1][0]), piece


def join_pieces(pieces: Sequence[Sequence[Card]], wilds: Iterable[Card]) -> tuple[Card, ...]:
    """Return the pieces with a wild card between any two, and the other wild cards at the end."""
    joints = iter(wilds)
    sequence: list[Card] = []
    for number, piece in enumerate(pieces):
        if number > 0:
            sequence.append(next(joints))
        sequence += piece
    return (*sequence, *joints)


def _longest_witness(
    graph: HubGraph, pieces: list[list[Card]], lonely: list[list[Card]]
) -> Witness:
    """Return the largest pieces that the wild cards can join, as one sequence."""
    first = [pieces.pop(0)] if graph.after_hubs is not None else []
    pieces = sorted(pieces + lonely, key=len, reverse=True)
    kept = first + pieces[: len(graph.wilds) + 1 - len(first)]
    sequence = join_pieces(kept, graph.wilds)
    return Witness(sequence, objective=len(sequence))


def _supplied_witness(graph: HubGraph, pieces: Sequence[Sequence[Card]], choice: Choice) -> Witness:
    """Return the pieces joined by wild cards of the hand and of the supply."""
    held = len(graph.cards)
    wild_added = [graph.wild_offers[index][0] for index in choice.wild_added]
    used = sorted(index - held for _, _, index in choice.edges if index >= held)
    added = (*wild_added, *(graph.offers[index][0] for index in used))
    sequence = join_pieces(pieces, [*graph.wilds, *wild_added])
    return Witness(sequence, added=added, objective=cost_of(added, graph.instance.offers))


def _filled_witness(graph: HubGraph, pieces: list[list[Card]]) -> Witness:
    """Return the pieces joined by wild cards and, when these are used up, by new cards."""
    instance = graph.instance
    found = chained(pieces, instance.at_least, instance.after, graph.wilds)
    assert found is not None  # noqa: S101 (only where all coordinates must agree)
    return found
