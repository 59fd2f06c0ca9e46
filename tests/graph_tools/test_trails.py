"""From edges to walks: one by one and in bulk."""

import random
from collections import Counter

import pytest

from uno_csp.graph_tools import trails
from uno_csp.graph_tools.trails import APEX, JOINT, Edge, split_into_trails


def drawn(rng: random.Random) -> tuple[list[Edge], range]:
    nodes = range(rng.randrange(1, 12))
    count = rng.randrange(20)
    return [(rng.choice(nodes), rng.choice(nodes), label) for label in range(count)], nodes


@pytest.mark.parametrize("many", [0, trails.MANY_EDGES], ids=["in bulk", "one by one"])
def test_trails_walk_every_edge_once(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trails, "MANY_EDGES", many)
    rng = random.Random(2)
    several = 0
    for _ in range(400):
        edges, nodes = drawn(rng)
        ends = {label: {u, v} for u, v, label in edges}
        found = split_into_trails(edges, nodes)
        walked: Counter[int] = Counter()
        passed = set()
        for trail in found:
            here = APEX
            for label, node in trail:
                if label != JOINT:
                    assert ends[label] == {here, node}
                    walked[label] += 1
                here = node
                passed.add(node)
            assert here == APEX
        assert walked == Counter(ends.keys())
        assert passed == {APEX, *nodes}
        assert len(found) == fewest(edges, nodes)
        several += len(found) > 1
    assert several > 100


def fewest(edges: list[Edge], nodes: range) -> int:
    """Each component takes one trail, or one for every two odd nodes."""
    reached = {node: {node} for node in nodes}
    for u, v, _ in edges:
        merged = reached[u] | reached[v]
        for node in merged:
            reached[node] = merged
    degrees = Counter(end for u, v, _ in edges for end in (u, v))
    components = {min(own): own for own in reached.values()}.values()
    return sum(max(1, sum(degrees[node] % 2 for node in own) // 2) for own in components)
