"""Patching: what it makes of a cycle cover is one circuit, and satisfies the rest of the model."""

import random
from collections.abc import Sequence

import networkx as nx
import pytest

from uno_csp import Status, hamiltonian_cycle
from uno_csp.methods import find_backend
from uno_csp.modeling import Circuit, Model, broken_constraint, relax, violated_cuts
from uno_csp.pipeline.patching import Patcher

Arc = tuple[int, int]

LADDER = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (1, 4), (2, 7)])
"""Two squares, and two edges that join them."""


def circuit_model(arcs: Sequence[Arc]) -> tuple[Model, Circuit]:
    """A model of a circuit through these arcs and nothing else; variables are numbered alike."""
    model = Model()
    nodes = 1 + max(map(max, arcs))
    literals = model.new_vars(len(arcs))
    tails, heads = zip(*arcs, strict=True)
    circuit = Circuit(nodes, tails, heads, literals)
    model.add_global(circuit)
    return model, circuit


def both_ways(graph: "nx.Graph[int]") -> list[Arc]:
    return [arc for tail, head in graph.edges for arc in ((tail, head), (head, tail))]


def cover(arcs: Sequence[Arc], cycles: Sequence[Sequence[int]]) -> list[bool]:
    """The assignment that chooses the arcs of these cycles; place 0 stands for no variable."""
    chosen = {arc for cycle in cycles for arc in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}
    return [False, *(arc in chosen for arc in arcs)]


@pytest.mark.parametrize("turned", [False, True])
def test_a_cycle_is_turned_round_where_that_joins_it(turned: bool) -> None:
    """Two squares beside each other, walked in the same or in opposite directions."""
    arcs = both_ways(LADDER)
    model, circuit = circuit_model(arcs)
    second = [7, 6, 5, 4] if turned else [4, 5, 6, 7]
    found = Patcher(model, circuit)(cover(arcs, [[0, 1, 2, 3], second]))
    assert found is not None
    assert broken_constraint(model, found) is None


def test_random_covers() -> None:
    """Directed and undirected graphs, with nodes that are skipped, arcs twice, and clauses."""
    rng = random.Random(4)
    joined = left = 0
    for _ in range(400):
        size = rng.randint(4, 14)
        graph = nx.gnp_random_graph(size, rng.uniform(0.2, 0.7), seed=rng.randrange(10**6))
        arcs = [arc for arc in both_ways(graph) if rng.random() < rng.choice((0.8, 1.0))]
        arcs += rng.sample(arcs, min(len(arcs), rng.choice((0, 0, 2))))
        arcs += [(node, node) for node in range(1, size) if rng.random() < rng.choice((0, 0.3))]
        if not arcs:
            continue
        model, circuit = circuit_model(arcs)
        if rng.random() < 0.3:
            model.add_clause(*rng.sample(range(1, len(arcs) + 1), min(3, len(arcs))))
        session = find_backend("cadical195").open(relax(model), seed=rng.randrange(9))
        assignment = session.solve().assignment
        session.close()
        if assignment is None or not violated_cuts(circuit, assignment):
            continue
        found = Patcher(model, circuit)(assignment)
        if found is None:
            left += 1
        else:
            joined += 1
            assert broken_constraint(model, found) is None
    assert min(joined, left) > 20


def test_a_grid_takes_few_rounds() -> None:
    answer = hamiltonian_cycle(
        nx.grid_2d_graph(20, 20), method="successor", backend="cadical195", presolve=False
    )
    assert answer.status is Status.SATISFIABLE
    assert (answer.stats or {})["rounds"] < 10
