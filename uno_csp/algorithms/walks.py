"""Walks through all hubs: trails with nearly every card as an edge, found in linear time.

A connected hub graph with at most two odd vertices has an Eulerian trail (Hierholzer 1873), which
plays the whole hand. A hub that only one card needs is not visited: the card waits at its other
hub. Where more hubs are odd, cards that join them in pairs are no trail edges, but wait at a hub
that is visited. They are chosen outside a spanning tree, which keeps the rest connected; so one odd
vertex may be left in each component of the cards outside the tree.

For ``longest`` and ``fill-in`` the trails also are a first sequence.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from random import Random

from uno_csp.algorithms._sequences import SequenceSearch, finding_of
from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.graph_tools.trails import Edge
from uno_csp.hub_graph.choices import Choice, read_witness
from uno_csp.hub_graph.graph import HubGraph, build_hub_graph, trail_refusal
from uno_csp.hub_graph.shrinking import odd_join
from uno_csp.modeling import Finding
from uno_csp.questions import HandQuestion
from uno_csp.questions.answers import Status
from uno_csp.questions.wording import counted

TRIES = 4  # number of random spanning trees that are tried
MOST_OFF = 3  # number of trails too many from which other trees hardly ever give few enough


class Walks(SequenceSearch):
    """Make all cards trail edges but those that join odd vertices in pairs; proves only a yes."""

    name = "walks"

    def declines(self, instance: HandQuestion) -> str | None:
        """Return a reason if there is a supply, or hubs do not determine which cards match."""
        if instance.offers:
            return "it does not support a supply"
        return trail_refusal(instance)

    def run(self, instance: HandQuestion) -> Finding:
        """Return a sequence of the whole hand, or UNKNOWN with the best one found."""
        graph = build_hub_graph(instance)
        spare = len(graph.wilds) + 1 - graph.lonely
        joins = instance.optimises and instance.supply is None
        decides = instance.whole and not joins
        trails, choice = _fewest_trails(graph, spare, spare + MOST_OFF if decides else None)
        stats = {"trails": trails}
        reason = f"the walk that was found has {counted(trails, 'trail')}"
        if trails > spare and decides:
            return Finding(Status.UNKNOWN, reason=reason, stats=stats)
        return finding_of(instance, read_witness(graph, choice), reason, stats)


def _fewest_trails(graph: HubGraph, enough: int, too_many: int | None) -> tuple[int, Choice]:
    """Return the fewest trails that are found, and their number.

    No more are tried when there are few enough, or too many to get there.
    """
    found: list[tuple[int, Choice]] = []
    for seed in range(TRIES):
        found.append(_choice(graph, Random(seed)))
        trails = found[-1][0]
        if trails <= enough or (too_many is not None and trails > too_many):
            break
    return min(found, key=itemgetter(0))


def _choice(graph: HubGraph, random: Random) -> tuple[int, Choice]:
    """Return trails, and their number."""
    hubs_of = graph.hubs_of[: len(graph.cards)]
    visited = bytearray(len(graph.hubs))
    for at in hubs_of:
        if len(at) == 1:
            visited[at[0]] = True
    edges = _without_leaves(_edges(hubs_of, random), visited)
    hubs = [hub for hub, seen in enumerate(visited) if seen]
    odd = _odd_vertices(edges)
    start = _start(graph, visited, odd)
    if start is not None:
        odd ^= {start}
    left_out = _joining(edges, odd, len(visited), random) if len(odd) > 2 else set[int]()
    kept = [edge for edge in edges if edge[2] not in left_out]
    odd = _odd_vertices(kept)
    trails = _count_trails(kept, hubs, odd if start is None else odd ^ {start}, start)
    unstarted = graph.after_hubs is not None and start is None
    return trails + unstarted, Choice(hubs, kept, start)


def _edges(hubs_of: Sequence[tuple[int, ...]], random: Random) -> Iterator[Edge]:
    """Yield two hubs of each card that is on several."""
    for card, at in enumerate(hubs_of):
        if len(at) > 1:
            u, v = at if len(at) == 2 else random.sample(at, 2)
            yield u, v, card


def _without_leaves(edges: Iterable[Edge], visited: bytearray) -> list[Edge]:
    """Return the edges but those to a hub that no other card needs; mark the hubs to visit."""
    edges = list(edges)
    degrees = Counter(chain(map(itemgetter(0), edges), map(itemgetter(1), edges)))
    kept = []
    for edge in edges:
        u, v, _ = edge
        if degrees[u] == 1 and not visited[u]:
            visited[v] = True
        elif degrees[v] == 1 and not visited[v]:
            visited[u] = True
        else:
            kept.append(edge)
    for u, v, _ in kept:
        visited[u] = visited[v] = True
    return kept


def _odd_vertices(edges: Iterable[Edge]) -> set[int]:
    degrees = Counter(chain.from_iterable((u, v) for u, v, _ in edges))
    return {hub for hub, degree in degrees.items() if degree % 2}


def _start(graph: HubGraph, visited: bytearray, odd: set[int]) -> int | None:
    """Return the hub by which the first sequence leaves the pile, an odd one if there is one."""
    near = [hub for hub in graph.after_hubs or () if visited[hub]]
    return next((hub for hub in near if hub in odd), near[0] if near else None)


def _joining(edges: Sequence[Edge], odd: set[int], size: int, random: Random) -> set[int]:
    """Return cards outside a spanning forest that join odd vertices in pairs, but for a few."""
    order = list(edges)
    random.shuffle(order)
    sets = DisjointSets(size)
    outside = [edge for edge in order if not sets.unite(edge[0], edge[1])]
    chosen = odd_join(size, [edge[:2] for edge in outside], odd)
    return {outside[index][2] for index in chosen}


def _count_trails(
    kept: Sequence[Edge], hubs: Sequence[int], odd: set[int], start: int | None
) -> int:
    """Return the number of trails: in each component half of its odd vertices, or one.

    A trail from the pile begins there, so it has one odd vertex less.
    """
    sets = DisjointSets(max(hubs, default=0) + 1)
    sets.unite_all((u, v) for u, v, _ in kept)
    ends = Counter(map(sets.find, odd))
    if start is not None:
        ends[sets.find(start)] += 1
    return sum(max(1, ends[root] // 2) for root in {*map(sets.find, hubs)})


ALGORITHM = Walks()
