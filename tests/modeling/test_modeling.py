"""Models against every assignment: lowerings, ways to enforce globals, and verification."""

import random
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.solutions import HOLDS, Values, lazy_solutions, solutions, value
from uno_csp.errors import NotAccepted
from uno_csp.modeling import (
    DECOMPOSITIONS,
    Circuit,
    Clauses,
    Connected,
    ImpliedFacts,
    Linear,
    Model,
    Parity,
    Relation,
    add_residues,
    decompose,
    relax,
    to_cnf,
    to_rows,
    violated_cuts,
)
from uno_csp.modeling.model import Objective
from uno_csp.modeling.solvers import Result
from uno_csp.modeling.verification import broken_constraint
from uno_csp.questions.answers import Status


def row_solutions(model: Model, num_vars: int) -> set[Values]:
    """All 0/1 points of the rows, the integer slacks being tried out."""
    program = to_rows(model)
    slacks = [range(upper + 1) for upper in program.upper[num_vars:]]
    found = set()
    for values in product((False, True), repeat=num_vars):
        for rest in product(*slacks):
            point = [*map(int, values), *rest]
            sums = [
                (sum(c * point[v] for c, v in zip(row.coefficients, row.columns, strict=True)), row)
                for row in program.rows
            ]
            if all(HOLDS[row.relation](total, row.bound) for total, row in sums):
                found.add(values)
    return found


LITERALS = st.lists(st.sampled_from([1, 2, 3, 4, 5, -1, -2, -3, -4, -5]), max_size=6)


@examples(300)
@given(
    LITERALS,
    st.lists(st.integers(-9, 9), min_size=6, max_size=6),
    st.sampled_from(list(Relation)),
    st.integers(-10, 12),
)
def test_linear_constraints(
    literals: list[int], weights: list[int], sense: Relation, b: int
) -> None:
    literals = [v if v in literals else -v for v in range(1, 6) if {v, -v} & set(literals)]
    constraint = Linear(weights[: len(literals)], literals, sense, b)
    model = Model(5, linears=[constraint])
    expected = {
        values
        for values in product((False, True), repeat=5)
        if HOLDS[sense](
            sum(w for w, lit in zip(weights, literals, strict=False) if value(lit, values)), b
        )
    }
    assert solutions(model, 5) == expected
    assert solutions(model, 5, native=True) == expected
    assert row_solutions(model, 5) == expected


@pytest.mark.parametrize("count", range(10))
@pytest.mark.parametrize("odd", [False, True])
def test_parities(count: int, odd: bool) -> None:
    literals = [v if v % 3 else -v for v in range(1, count + 1)]
    model = Model(count, parities=[Parity(literals, odd)])
    expected = {
        values
        for values in product((False, True), repeat=count)
        if sum(value(lit, values) for lit in literals) % 2 == odd
    }
    assert solutions(model, count) == expected
    assert row_solutions(model, count) == expected


@pytest.mark.parametrize(
    ("count", "bound"), [(12, 1), (12, 2), (12, 7), (6, 5), (5, 0), (3, 3), (5, 1)]
)
def test_cardinalities_of_every_encoding(count: int, bound: int) -> None:
    model = Model(count)
    model.at_most(range(1, count + 1), bound)
    expected = {v for v in product((False, True), repeat=count) if sum(v) <= bound}
    assert solutions(model, count) == expected
    exact = Model(count)
    exact.exactly(range(1, count + 1), bound)
    assert solutions(exact, count) == {v for v in expected if sum(v) == bound}


@pytest.mark.parametrize(("count", "bound"), [(7, 2), (2000, 2), (30, 5), (9, 1)])
def test_the_size_of_the_sequential_counter(count: int, bound: int) -> None:
    model = Model(count)
    model.at_most(range(1, count + 1), bound)
    cnf = to_cnf(model)
    assert cnf.num_vars - count == bound * (count - 1) - bound * (bound - 1) // 2
    assert len(cnf.clauses) <= (2 * bound + 1) * count


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    nodes = draw(st.integers(1, 5))
    pair = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))
    return nodes, draw(st.lists(pair.filter(lambda edge: edge[0] != edge[1]), max_size=6))


def connected_model(nodes: int, edges: list[tuple[int, int]], *, covers: bool) -> Model:
    """Presence of the nodes, then the edges; with covers an end of every edge is present."""
    model = Model(nodes + len(edges))
    links = range(nodes + 1, nodes + len(edges) + 1)
    for (u, v), link in zip(edges, links, strict=True):
        model.add_clauses([(-link, u + 1), (-link, v + 1)])
        if covers:
            model.add_clause(u + 1, v + 1)
    tails, heads = [u for u, _ in edges], [v for _, v in edges]
    model.add_global(
        Connected(range(1, nodes + 1), tails, heads, links, ImpliedFacts(edges if covers else ()))
    )
    return model


def connected_choices(nodes: int, edges: list[tuple[int, int]], covers: bool) -> Iterator[Values]:
    for values in product((False, True), repeat=nodes + len(edges)):
        present = {v for v in range(nodes) if values[v]}
        chosen = [edge for edge, on in zip(edges, values[nodes:], strict=True) if on]
        graph = nx.Graph(chosen)
        graph.add_nodes_from(present)
        covered = not covers or all({u, v} & present for u, v in edges)
        if set(graph) == present and covered and (not present or nx.is_connected(graph)):
            yield values


def enforced(model: Model, connectivity: str) -> set[Values]:
    """Return the solutions under a way to enforce connectivity."""
    if connectivity == "lazy":
        return lazy_solutions(model, model.num_vars)
    return solutions(decompose(model, connectivity), model.num_vars)


@pytest.mark.parametrize("connectivity", ["lazy", *DECOMPOSITIONS])
@pytest.mark.parametrize("covers", [False, True])
@examples(12)
@given(drawn=graphs())
def test_connected_under_every_connectivity(
    connectivity: str, covers: bool, drawn: tuple[int, list[tuple[int, int]]]
) -> None:
    nodes, edges = drawn
    model = connected_model(nodes, edges, covers=covers)
    assert enforced(model, connectivity) == set(connected_choices(nodes, edges, covers))


@st.composite
def circuits(draw: st.DrawFn) -> Model:
    nodes = draw(st.integers(2, 4))
    pair = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))
    arcs = draw(st.lists(pair.filter(lambda arc: arc != (0, 0)), max_size=9, unique=True))
    return circuit_model(nodes, arcs)


@st.composite
def two_covers(draw: st.DrawFn) -> Model:
    """The arcs of two covers by cycles, in which some nodes may be skipped."""
    nodes = range(draw(st.integers(3, 6)))
    covers = [enumerate(draw(st.permutations(nodes))) for _ in range(2)]
    return circuit_model(len(nodes), sorted({*covers[0], *covers[1]} - {(0, 0)}))


def circuit_model(nodes: int, arcs: list[tuple[int, int]]) -> Model:
    model = Model(len(arcs))
    tails, heads = [u for u, _ in arcs], [v for _, v in arcs]
    model.add_global(Circuit(nodes, tails, heads, range(1, len(arcs) + 1)))
    return model


def is_circuit(circuit: Circuit, values: Values) -> bool:
    """Whether the chosen arcs are loops and one directed circuit through node 0 and the rest."""
    arcs = [(u, v) for u, v, on in zip(circuit.tails, circuit.heads, values, strict=True) if on]
    following = dict(arcs)
    if len(following) != len(arcs) or len(arcs) != circuit.num_nodes:
        return False
    node, met = following.get(0), {0}
    while node is not None and node not in met:
        met.add(node)
        node = following.get(node)
    skipped = {u for u, v in arcs if u == v}
    return node == 0 and met | skipped == set(range(circuit.num_nodes)) and not met & skipped


@pytest.mark.parametrize("connectivity", ["lazy", *DECOMPOSITIONS])
@examples(30)
@given(model=circuits())
def test_circuit_under_every_connectivity(connectivity: str, model: Model) -> None:
    (circuit,) = model.globals
    assert isinstance(circuit, Circuit)
    every = product((False, True), repeat=model.num_vars)
    expected = {values for values in every if is_circuit(circuit, values)}
    assert enforced(model, connectivity) == expected


def cycle_lengths(circuit: Circuit, values: Values) -> list[int]:
    """The lengths of the cycles that a relaxed assignment chooses, that of node 0 first."""
    arcs = zip(circuit.tails, circuit.heads, values, strict=True)
    chosen: nx.DiGraph[int] = nx.DiGraph([(u, v) for u, v, on in arcs if on])
    cycles = list(nx.simple_cycles(chosen))
    return [len(cycle) for cycle in sorted(cycles, key=lambda cycle: 0 not in cycle)]


@pytest.mark.parametrize("modulus", [2, 3, 4])
def test_residues_leave_cycles_of_fitting_lengths(modulus: int) -> None:
    """Cycles without node 0 have a multiple of the modulus, or one node, which is skipped."""
    forbidden: list[Values] = []

    @examples(100)
    @given(two_covers())
    def run(model: Model) -> None:
        (circuit,) = model.globals
        assert isinstance(circuit, Circuit)
        relaxed = solutions(relax(model), model.num_vars)
        skips = any(u == v for u, v in zip(circuit.tails, circuit.heads, strict=True))
        expected = set()
        for values in relaxed:
            home, *others = cycle_lengths(circuit, values)
            fits = all(length == 1 or length % modulus == 0 for length in others)
            if fits and (skips or (home - circuit.num_nodes) % modulus == 0):
                expected.add(values)
        forbidden.extend(relaxed - expected)
        labelled = relax(model)
        add_residues(labelled, circuit, modulus)
        assert solutions(labelled, model.num_vars) == expected
        assert {values for values in relaxed if is_circuit(circuit, values)} <= expected

    run()
    assert forbidden


def test_cut_sets_of_a_circuit_are_left_and_entered() -> None:
    """Three cycles of three nodes in a graph that has all arcs."""
    arcs = list(permutations(range(9), 2))
    tails, heads = zip(*arcs, strict=True)
    circuit = Circuit(9, tails, heads, range(1, len(arcs) + 1))
    chosen = [u // 3 == v // 3 and (v - u) % 3 == 1 for u, v in arcs]
    cuts = violated_cuts(circuit, [False, *chosen])
    sides = [set(range(first, first + 3)) for first in (0, 3, 6)]
    leaving = [[u in side and v not in side for u, v in arcs] for side in sides]
    entering = [[v in side and u not in side for u, v in arcs] for side in sides]
    expected = [[at for at, on in enumerate(each, 1) if on] for each in (*leaving, *entering)]
    assert sorted(map(repr, cuts)) == sorted(map(repr, expected))


def test_enforcing_connectivity_leaves_the_model_alone() -> None:
    model = connected_model(3, [(0, 1), (1, 2)], covers=True)
    before = (model.num_vars, len(model.clauses), len(model.globals))
    decompose(model, "order")
    decompose(model, "flow")
    relax(model)
    assert (model.num_vars, len(model.clauses), len(model.globals)) == before


def one_of_each(rng: random.Random) -> dict[str, Model]:
    """Return a model of a clause, one of a linear constraint and one of a parity, by name."""

    def literals() -> list[int]:
        return [rng.choice([1, -1]) * v for v in rng.sample(range(1, 7), rng.randint(1, 6))]

    chosen, odd = literals(), literals()
    weights = [rng.randint(-3, 3) for _ in chosen]
    linear = Linear(weights, chosen, rng.choice(list(HOLDS)), rng.randint(-3, 4))
    return {
        "clause 1": Model(6, Clauses([literals()])),
        "linear constraint 1": Model(6, linears=[linear]),
        "parity 1": Model(6, parities=[Parity(odd, rng.random() < 0.5)]),
    }


def test_the_first_constraint_that_an_assignment_breaks_is_named() -> None:
    rng = random.Random(50)
    for _ in range(60):
        alone = one_of_each(rng)
        clause, linear, parity = alone.values()
        whole = Model(6, clause.clauses, linear.linears, parity.parities)
        allowed = {name: solutions(each, 6) for name, each in alone.items()}
        for values in product((False, True), repeat=6):
            said = broken_constraint(whole, (False, *values)) or ""
            first = next((name for name in alone if values not in allowed[name]), "")
            assert said.startswith(first) and bool(said) == bool(first)
        assert solutions(whole, 6) == set.intersection(*allowed.values())


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"status": Status.SATISFIABLE}, "assignment if and only if"),
        ({"status": Status.UNKNOWN}, "UNKNOWN needs a stop reason"),
        ({"status": Status.OPTIMAL, "assignment": [False]}, "OPTIMAL needs an objective value"),
        ({"status": Status.UNSATISFIABLE, "objective": 1}, "cannot have an objective value"),
        ({"status": Status.UNSATISFIABLE, "assignment": [False]}, "assignment if and only if"),
    ],
)
def test_results_that_contradict_themselves_are_refused(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Result(**parts)
    assert Result(Status.UNSATISFIABLE).objective is None
    assert Result(Status.OPTIMAL, [False], 0).objective == 0


def test_bounds_are_rounded_up_but_for_rounding_errors() -> None:
    objective = Objective([2], [1], offset=1, unit=2, floor=2)
    sums = (0.0, 2.0, 2.1, 4.0000001, 4.1, 4e6 + 0.5, 4e6 + 1e-6)
    assert [objective.bound_of_sum(total) for total in sums] == [2, 2, 3, 3, 4, 2000002, 2000001]
    assert objective.value([False, True]) == 2
    assert objective.value_of_sum(6) == 4
    assert objective.largest_sum(4) == 6


def test_models_with_globals_are_not_lowered() -> None:
    model = Model()
    model.add_global(Connected(presence=model.new_vars(1), literals=[], tails=[], heads=[]))
    for lowered in (to_cnf, to_rows):
        with pytest.raises(NotAccepted):
            lowered(model)


def test_no_literal_is_0() -> None:
    with pytest.raises(ValueError, match=r"a literal of \(2, 0\) is 0"):
        Model(2).add_clauses([(1, 2), (2, 0)])
