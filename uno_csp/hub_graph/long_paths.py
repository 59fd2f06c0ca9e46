"""A long path in a hub graph, and with it a number of cards that can be played."""

from collections.abc import Iterator

from uno_csp.hub_graph.graph import HubGraph


def cards_along_a_path(graph: HubGraph) -> int:
    """Return how many cards of the hand a path of hubs and cards plays; 0 if no cards share a hub.

    The path leads to the deepest node of a depth-first search among hubs and cards. It walks every
    card that it passes, and plays all others on its hubs.
    """
    on: list[list[int]] = [[] for _ in graph.hubs]
    for card, at in enumerate(graph.hubs_of[: len(graph.cards)]):
        for hub in at:
            on[hub].append(card)
    seen_hubs, seen_cards = [False] * len(on), [False] * len(graph.cards)
    best = 0
    for root in range(len(on)):
        if not seen_hubs[root]:
            path = _deepest(root, on, graph, seen_hubs, seen_cards)
            best = max(best, len({card for hub in path for card in on[hub]}))
    return best


def _deepest(
    root: int, on: list[list[int]], graph: HubGraph, seen_hubs: list[bool], seen_cards: list[bool]
) -> list[int]:
    """Return the hubs on the path from a root to the deepest hub of its search tree."""
    path, longest = [root], [root]
    ways = [_steps(root, on, graph, seen_cards)]
    seen_hubs[root] = True
    while path:
        hub = next((hub for hub in ways[-1] if not seen_hubs[hub]), None)
        if hub is None:
            if len(path) > len(longest):
                longest = list(path)
            path.pop()
            ways.pop()
        else:
            seen_hubs[hub] = True
            path.append(hub)
            ways.append(_steps(hub, on, graph, seen_cards))
    return longest


def _steps(hub: int, on: list[list[int]], graph: HubGraph, seen_cards: list[bool]) -> Iterator[int]:
    """Yield the hubs next to a hub; each card is passed from the first of its hubs only."""
    for card in on[hub]:
        if not seen_cards[card]:
            seen_cards[card] = True
            yield from graph.hubs_of[card]
