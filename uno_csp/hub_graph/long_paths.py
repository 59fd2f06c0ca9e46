"""A long path in a hub graph, and with it a number of cards that can be played."""

from collections.abc import Iterator, Sequence

from uno_csp.hub_graph.graph import HubGraph

_UNSEEN, _ROOT = -2, -1


def cards_along_a_path(graph: HubGraph) -> int:
    """Return how many cards of the hand a path of hubs and cards plays; 0 if no cards share a hub.

    The path leads to the deepest hub of a depth-first search among hubs and cards. It walks every
    card that it passes, and plays all others on its hubs.
    """
    on: list[list[int]] = [[] for _ in graph.hubs]
    hubs_of = graph.hubs_of[: len(graph.cards)]
    for card, at in enumerate(hubs_of):
        for hub in at:
            on[hub].append(card)
    before, passed = [_UNSEEN] * len(on), [False] * len(hubs_of)
    best = 0
    for root in range(len(on)):
        if before[root] == _UNSEEN:
            before[root] = _ROOT
            hub = _deepest(root, on, hubs_of, before, passed)
            played: set[int] = set()
            while hub != _ROOT:
                played.update(on[hub])
                hub = before[hub]
            best = max(best, len(played))
    return best


def _deepest(
    root: int,
    on: Sequence[Sequence[int]],
    hubs_of: Sequence[Sequence[int]],
    before: list[int],
    passed: list[bool],
) -> int:
    """Return the deepest hub of the search from a root; ``before`` gets the hub before each."""
    path, ways = [root], [_steps(root, on, hubs_of, passed)]
    deepest, most = root, 1
    while path:
        hub = next((hub for hub in ways[-1] if before[hub] == _UNSEEN), None)
        if hub is None:
            path.pop()
            ways.pop()
            continue
        before[hub] = path[-1]
        path.append(hub)
        ways.append(_steps(hub, on, hubs_of, passed))
        if len(path) > most:
            deepest, most = hub, len(path)
    return deepest


def _steps(
    hub: int, on: Sequence[Sequence[int]], hubs_of: Sequence[Sequence[int]], passed: list[bool]
) -> Iterator[int]:
    """Yield the hubs next to a hub; each card is passed from the first of its hubs only."""
    for card in on[hub]:
        if not passed[card]:
            passed[card] = True
            yield from hubs_of[card]
