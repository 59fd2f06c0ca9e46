"""Orders of the vertices of a graph in which few vertices have neighbours on both sides.

The *frontier* after a vertex are those up to it with a neighbour after it; the *width* of an order
is the largest frontier, with the vertex that enters. The order is that of a breadth-first search
from a vertex far away, neighbours of small degree first (Cuthill and McKee 1969).
"""

from uno_csp.graph_tools.pieces import Near


def narrow_order(near: Near) -> list[int]:
    """Return the vertices in an order of small width."""
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(range(len(near)), key=lambda vertex: len(near[vertex])):
        if start not in seen:
            far = start
            for _ in range(2):
                far = _breadth_first(near, far, set())[-1]
            order += _breadth_first(near, far, seen)
    return order[::-1]


def _breadth_first(near: Near, start: int, seen: set[int]) -> list[int]:
    """Return the vertices reached from one, which are added to those seen."""
    order = [start]
    seen.add(start)
    for vertex in order:
        order += sorted(set(near[vertex]) - seen, key=lambda other: (len(near[other]), other))
        seen.update(near[vertex])
    return order


def width_of(near: Near, order: list[int]) -> int:
    """Return the width of an order."""
    missing = [len(others) for others in near]
    entered: set[int] = set()
    frontier = widest = 0
    for vertex in order:
        entered.add(vertex)
        frontier += 1
        widest = max(widest, frontier)
        for other in entered.intersection(near[vertex]):
            missing[other] -= 1
            missing[vertex] -= 1
            frontier -= not missing[other]
        frontier -= not missing[vertex]
    return widest
