"""Lazy treatment of the global constraints: find what an assignment breaks, as clauses.

A cut set says that some chosen edge leaves a node set S, because there are present nodes on both
sides of it. In contrast to a clause that forbids the very component found, it holds for every
solution whatever the inside of S looks like, which is why few rounds suffice (Dantzig, Fulkerson
and Johnson 1954 for the travelling salesman; here for SAT).

For :class:`Connected` a cut is made stronger in two ways. A *cover* inside S proves that S always
has a present node, so that the cut needs no condition; and absent nodes whose neighbours all lie
in one component are counted to that component, which shortens the cut. And when few components
are left and one of them is a single node, isolated nodes are forbidden everywhere at once: what
is left then is mostly a node cut off here or there. Doing so from the start is faster still for
the hands of random cubic graphs, but far slower for those of generalised Petersen graphs.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress

from uno_csp.disjoint_sets import DisjointSets
from uno_csp.modeling.model import (
    Assignment,
    AtLeastTwo,
    Circuit,
    Connected,
    Cut,
    Global,
)

FEW_COMPONENTS = 12
"""Up to this many components isolated nodes are forbidden for good."""

_NOWHERE = -1


def _values(literals: Iterable[int], assignment: Assignment) -> list[bool]:
    return [
        assignment[literal] if literal > 0 else not assignment[-literal] for literal in literals
    ]


def violated_cuts(constraint: Global, assignment: Assignment) -> list[Cut]:
    """What the constraint implies and the assignment breaks; nothing when it is satisfied.

    Returns
    -------
    list of clauses and counts to two
        If the assignment violates the constraint, one broken clause for each component, and
        perhaps others that will be useful; for an even graph a count to two beside each.
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
    if constraint.hints.weights is not None:
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
    """The weight that crosses a border in an even graph is 2 at least."""
    assert constraint.hints.weights is not None  # noqa: S101
    loose: list[list[int]] = [[] for _ in crossing]
    for node, literal in constraint.hints.loose:
        if component[node] != _NOWHERE:
            loose[component[node]].append(literal)
    cuts: list[Cut] = []
    for edges, ends, absent in zip(crossing, loose, conditions, strict=True):
        once, twice = list(ends), list(absent)
        for edge in edges:
            of_weight = once if constraint.hints.weights[edge] == 1 else twice
            of_weight.append(constraint.literals[edge])
        cuts.append(AtLeastTwo(once, twice))
    return cuts


def _circuit_cuts(constraint: Circuit, assignment: Assignment) -> list[Cut]:
    skip = {tail: literal for tail, head, literal in _edges(constraint) if tail == head}
    present = [
        node not in skip or _values([-skip[node]], assignment)[0]
        for node in range(constraint.num_nodes)
    ]
    component, count = _components(constraint, assignment, present)
    if count <= 1:
        return []
    cuts: list[list[int]] = [[] for _ in range(count)]
    for tail, head, literal in _edges(constraint):
        side = component[tail]
        if side not in (_NOWHERE, component[head]):
            cuts[side].append(literal)
    # A node that may be skipped is a condition; node 0, on the home side, never is one.
    condition: list[int | None] = [0] * count
    for node, side in enumerate(component):
        if side != _NOWHERE and condition[side] is not None:
            condition[side] = skip.get(node)
    home = component[0]
    for side, cut in enumerate(cuts):
        skipped = condition[side if side != home else (home + 1) % count]
        if skipped is not None:
            cut.append(skipped)
    return list(cuts)


def _edges(constraint: Global) -> Iterable[tuple[int, int, int]]:
    return zip(constraint.tails, constraint.heads, constraint.literals, strict=True)


def _components(
    constraint: Global, assignment: Assignment, present: Sequence[bool]
) -> tuple[list[int], int]:
    """The component of each present node under the chosen edges, numbered from 0; -1 if absent."""
    sets = DisjointSets(len(present))
    chosen = _values(constraint.literals, assignment)
    for tail, head in zip(
        compress(constraint.tails, chosen), compress(constraint.heads, chosen), strict=True
    ):
        sets.unite(tail, head)
    number: dict[int, int] = {}
    component = [_NOWHERE] * len(present)
    for node, is_present in enumerate(present):
        if is_present:
            component[node] = number.setdefault(sets.find(node), len(number))
    return component, len(number)


def _absorb_absent_nodes(component: list[int], constraint: Connected) -> None:
    """Count an absent node to a component when every neighbour it has lies there."""
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
    """For each component the edges that lead out of it."""
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
    """A present node has a chosen edge, wherever a cover elsewhere says that it is not alone."""
    in_every_cover = set(range(len(constraint.presence))).intersection(*constraint.hints.covers)
    around: list[list[int]] = [[] for _ in constraint.presence]
    for tail, head, literal in _edges(constraint):
        around[tail].append(literal)
        around[head].append(literal)
    return [
        [-presence, *around[node]]
        for node, presence in enumerate(constraint.presence)
        if node not in in_every_cover
    ]


def _components_with_a_cover(component: Sequence[int], constraint: Connected) -> set[int]:
    found = {_NOWHERE}
    for first, *others in constraint.hints.covers:
        side = component[first]
        if side not in found and all(component[node] == side for node in others):
            found.add(side)
    return found - {_NOWHERE}
