"""Lazy enforcement of the global constraints: cuts that an assignment violates.

A cut requires a chosen edge that leaves a node set S if there are present nodes on both sides.
Unlike a clause that forbids only the component found, it holds for every solution, independent of
the edges inside S, so few rounds suffice (Dantzig, Fulkerson and Johnson 1954 for the travelling
salesman; here for SAT).

For :class:`Connected` a cut is strengthened in two ways. A *cover* inside S proves that S always
has a present node, so the cut needs no condition. Absent nodes whose neighbours all lie in one
component are added to that component, which shortens the cut. When few components are left and
one of them is a single node, isolated nodes are forbidden everywhere at once, because most of the
remaining components are single nodes. Doing so from the start is faster still for the hands of
random cubic graphs, but far slower for those of generalised Petersen graphs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

from uno_csp.graph_tools.disjoint_sets import DisjointSets
from uno_csp.modeling.model import Assignment, AtLeastTwo, Circuit, Connected, Cut, Global, holds

FEW_COMPONENTS = 12  # maximum number of components at which isolated nodes are forbidden everywhere

_NOWHERE = -1


def _values(literals: Iterable[int], assignment: Assignment) -> list[bool]:
    return [holds(literal, assignment) for literal in literals]


def violated_cuts(constraint: Global, assignment: Assignment) -> list[Cut]:
    """Return cuts that the constraint implies and the assignment violates; none if it is satisfied.

    These are one violated clause for each component, for an even graph also an
    :class:`AtLeastTwo` for each, and possibly other useful clauses.
    """
    if isinstance(constraint, Circuit):
        return _circuit_cuts(constraint, assignment)
    return _connected_cuts(constraint, assignment)


def _connected_cuts(constraint: Connected, assignment: Assignment) -> list[Cut]:
    present = _values(constraint.presence, assignment)
    component, count = _components(constraint, assignment, present)
    if count <= 1:
        return []
    sizes = Counter(component)
    member = [_NOWHERE] * count
    for node, where in enumerate(component):
        if where != _NOWHERE:
            member[where] = node
    _absorb_absent_nodes(component, constraint)
    crossing = _crossing_edges(component, count, constraint)
    covered = _components_with_a_cover(component, constraint)
    conditions: list[list[int]] = [[] for _ in crossing]
    for side, absent in enumerate(conditions):
        if side not in covered:
            absent.append(-constraint.presence[member[side]])
        if not covered - {side}:
            absent.append(-constraint.presence[member[(side + 1) % count]])
    cuts: list[Cut] = [
        [*(constraint.literals[edge] for edge in edges), *absent]
        for edges, absent in zip(crossing, conditions, strict=True)
    ]
    if constraint.implied.weights is not None:
        cuts += _even_cuts(component, crossing, conditions, constraint)
    if count <= FEW_COMPONENTS and any(sizes[side] == 1 for side in range(count)):
        cuts += _cuts_around_single_nodes(constraint)
    return cuts


def _even_cuts(
    component: Sequence[int],
    crossing: Sequence[Sequence[int]],
    conditions: Sequence[Sequence[int]],
    constraint: Connected,
) -> list[Cut]:
    """Return the cuts of an even graph: the weight that crosses each border is at least 2."""
    assert constraint.implied.weights is not None  # noqa: S101
    loose: list[list[int]] = [[] for _ in crossing]
    for node, literal in constraint.implied.loose:
        if component[node] != _NOWHERE:
            loose[component[node]].append(literal)
    cuts: list[Cut] = []
    for edges, ends, absent in zip(crossing, loose, conditions, strict=True):
        once, twice = list(ends), list(absent)
        for edge in edges:
            of_weight = once if constraint.implied.weights[edge] == 1 else twice
            of_weight.append(constraint.literals[edge])
        cuts.append(AtLeastTwo(once, twice))
    return cuts


def _circuit_cuts(constraint: Circuit, assignment: Assignment) -> list[Cut]:
    skip = {tail: literal for tail, head, literal in constraint.edges() if tail == head}
    present = [
        node not in skip or _values([-skip[node]], assignment)[0]
        for node in range(constraint.num_nodes)
    ]
    component, count = _components(constraint, assignment, present)
    if count <= 1:
        return []
    leaving: list[list[int]] = [[] for _ in range(count)]
    entering: list[list[int]] = [[] for _ in range(count)]
    for tail, head, literal in constraint.edges():
        if component[tail] != component[head]:
            for cuts, side in ((leaving, component[tail]), (entering, component[head])):
                if side != _NOWHERE:
                    cuts[side].append(literal)
    # If all nodes of a side may be skipped, one of them is the condition of its cut. The home side
    # has node 0, which cannot be skipped, so its condition is that of another side.
    condition: list[int | None] = [0] * count
    for node, side in enumerate(component):
        if side != _NOWHERE and condition[side] is not None:
            condition[side] = skip.get(node)
    home = component[0]
    for side in range(count):
        skipped = condition[side if side != home else (home + 1) % count]
        if skipped is not None:
            leaving[side].append(skipped)
            entering[side].append(skipped)
    # Of two sides, what enters one leaves the other.
    return list(leaving) if count == 2 and not skip else [*leaving, *entering]


def _components(
    constraint: Global, assignment: Assignment, present: Sequence[bool]
) -> tuple[list[int], int]:
    """Return the component of each node under the chosen edges (-1 if absent), and their number."""
    sets = DisjointSets(len(present))
    chosen = _values(constraint.literals, assignment)
    tails, heads = compress(constraint.tails, chosen), compress(constraint.heads, chosen)
    sets.unite_all(zip(tails, heads, strict=True))
    number: dict[int, int] = {}
    component = [_NOWHERE] * len(present)
    for node, is_present in enumerate(present):
        if is_present:
            component[node] = number.setdefault(sets.find(node), len(number))
    return component, len(number)


def _absorb_absent_nodes(component: list[int], constraint: Connected) -> None:
    """Add an absent node to a component if all its neighbours lie in it."""
    if _NOWHERE not in component:
        return
    only: dict[int, int] = {}
    torn: set[int] = set()
    for tail, head in zip(constraint.tails, constraint.heads, strict=True):
        if component[tail] != _NOWHERE != component[head]:
            continue
        for node, other in ((tail, head), (head, tail)):
            if component[node] == _NOWHERE:
                side = component[other]
                if side == _NOWHERE or only.setdefault(node, side) != side:
                    torn.add(node)
    for node, side in only.items():
        if node not in torn:
            component[node] = side


def _crossing_edges(component: Sequence[int], count: int, constraint: Connected) -> list[list[int]]:
    """Return for each component the edges that leave it."""
    crossing: list[list[int]] = [[] for _ in range(count)]
    for edge, (tail, head) in enumerate(zip(constraint.tails, constraint.heads, strict=True)):
        one, other = component[tail], component[head]
        if one != other:
            if one != _NOWHERE:
                crossing[one].append(edge)
            if other != _NOWHERE:
                crossing[other].append(edge)
    return crossing


def _cuts_around_single_nodes(constraint: Connected) -> list[list[int]]:
    """Return clauses: a present node outside some cover has a chosen edge."""
    in_every_cover = set(range(len(constraint.presence))).intersection(*constraint.implied.covers)
    around: list[list[int]] = [[] for _ in constraint.presence]
    for tail, head, literal in constraint.edges():
        around[tail].append(literal)
        around[head].append(literal)
    return [
        [-presence, *around[node]]
        for node, presence in enumerate(constraint.presence)
        if node not in in_every_cover
    ]


def _components_with_a_cover(component: Sequence[int], constraint: Connected) -> set[int]:
    found = {_NOWHERE}
    for first, *others in constraint.implied.covers:
        side = component[first]
        if side not in found and all(component[node] == side for node in others):
            found.add(side)
    return found - {_NOWHERE}


def nearest(values: Mapping[int, float], *, odd: bool) -> tuple[set[int], float]:
    """Return the subset of odd or even size whose 0-1 point is nearest to values, and how near.

    That is the sum of the differences; 1 or more without any values.
    """
    true = {one for one, value in values.items() if value > 0.5}
    if values and len(true) % 2 != odd:
        true ^= {min(values, key=lambda one: abs(values[one] - 0.5))}
    total = sum(1 - value if one in true else value for one, value in values.items())
    return true, total if values else 1.0
