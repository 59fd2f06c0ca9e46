"""UNO graphs and back, the paper's reductions both ways, and graph files."""

import runpy
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from tests.support import ROOT
from tests.support.drawing import hands
from tests.support.examples import examples
from uno_csp import Answer, Cooperative, NotAccepted, Status, Uncooperative, Uno1, check, solve
from uno_csp.graphs.paper import CubicReduction, EqualHandsReduction, IncidenceReduction
from uno_csp.graphs.uno_graphs import Graph, uno_graph
from uno_csp.graphs.writers import WRITERS, to_dot, to_graph6, to_graphml
from uno_csp.questions.answers import Witness

cards_of = runpy.run_path(str(ROOT / "examples/theorems/observation_1.py"))["cards_of"]


def edges(graph: Graph) -> set[frozenset[object]]:
    return {frozenset(edge) for edge in graph.edges()}


@examples(80)
@given(hands(max_cards=8, after=False))
def test_every_hand_gives_a_graph_that_is_recognised(instance: Uno1) -> None:
    if instance.dimension == 2 and instance.at_least == 1:
        graph = uno_graph(instance)
        cards = cards_of(graph)
        assert cards is not None
        again = uno_graph(Uno1(tuple(cards[vertex] for vertex in graph)))
        assert edges(again) == edges(graph)


def test_recognition_on_all_small_graphs() -> None:
    """Against the definition: the UNO-1 graphs of all hands on three colours and numbers."""
    found = 0
    graphs: list[Graph] = list(nx.graph_atlas_g())
    for graph in graphs:
        if 1 <= len(graph) <= 6:
            cards = cards_of(graph)
            claw_free = not contains(graph, nx.star_graph(3))
            odd_holes = any(contains(graph, nx.cycle_graph(n)) for n in (5,))
            diamond = nx.complete_graph(4)
            diamond.remove_edge(0, 1)
            if cards is None:
                assert not claw_free or odd_holes or contains(twin_free(graph), diamond)
            else:
                found += 1
                assert claw_free
                assert not odd_holes
                hand = Uno1(tuple(cards[vertex] for vertex in graph))
                assert edges(uno_graph(hand)) == edges(nx.convert_node_labels_to_integers(graph))
    assert found == 105


def contains(graph: Graph, pattern: Any) -> bool:
    """As an induced subgraph."""
    matcher: Any = nx.algorithms.isomorphism.GraphMatcher(graph, pattern)
    return bool(matcher.subgraph_is_isomorphic())


def twin_free(graph: Graph) -> Graph:
    first: dict[frozenset[object], object] = {}
    for vertex in graph:
        first.setdefault(frozenset(graph[vertex]) | {vertex}, vertex)
    kept: Graph = graph.subgraph(set(first.values()))
    return kept


def test_graphs_of_several_hands() -> None:
    two = uno_graph(Cooperative((((1, 1), (1, 2)), ((1, 3), (2, 2)))))
    assert edges(two) == {frozenset(pair) for pair in ((0, 2), (1, 2), (1, 3))}
    assert nx.is_bipartite(two)
    three = uno_graph(Uncooperative((((1, 1),), ((1, 2),), ((1, 3),))))
    assert sorted(three.edges()) == [(0, 1), (1, 2), (2, 0)]
    assert two.nodes[3] == {"card": (2, 2), "player": 2}


@pytest.mark.parametrize(
    "graph", [nx.complete_graph(4), nx.petersen_graph(), nx.tutte_graph(), nx.cubical_graph()]
)
def test_solution_maps_of_cubic_graphs(graph: Graph) -> None:
    reduction = CubicReduction(graph)
    for seed, backend in ((0, "cadical195"), (1, "cp-sat"), (2, "cadical195")):
        answer = solve(reduction.instance, seed=seed, backend=backend)
        path = reduction.path_of(answer.sequence or ())  # checks that it is Hamiltonian
        back = Answer("uno-1", Status.SATISFIABLE, Witness(reduction.sequence_of(path)))
        assert not check(reduction.instance, back)


def test_solution_maps_of_cooperative_play() -> None:
    graph = nx.petersen_graph()
    apart = IncidenceReduction(graph, apart=True)
    answer = solve(apart.instance)
    path = apart.path_of(answer.plays or ())
    for reduction in (apart, IncidenceReduction(graph)):
        plays = reduction.plays_of(path)
        yes = Answer("cooperative", Status.SATISFIABLE, Witness(plays=plays))
        assert not check(reduction.instance, yes)
        assert reduction.path_of(plays) == path
    equal = EqualHandsReduction(graph, path[0])
    plays = equal.plays_of(path)
    assert not check(
        equal.instance, Answer("cooperative", Status.SATISFIABLE, Witness(plays=plays))
    )
    assert equal.path_of(plays) == path
    assert len({len(hand) for hand in equal.instance.hands}) == 1


def test_a_yes_by_skips_is_no_path() -> None:
    """The smallest kind of graph on which the printed reduction of Theorem 3.1 fails."""
    graph = nx.Graph([(0, 4), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (4, 5)])
    graph = nx.relabel_nodes(graph, {v: v for v in range(6)})
    ordered: Graph = nx.Graph()
    ordered.add_nodes_from(range(6))
    ordered.add_edges_from(graph.edges())
    printed = IncidenceReduction(ordered)
    answer = solve(printed.instance)
    assert answer.status is Status.SATISFIABLE
    with pytest.raises(NotAccepted):
        printed.path_of(answer.plays or ())
    assert solve(IncidenceReduction(ordered, apart=True).instance).status is Status.UNSATISFIABLE


@pytest.mark.parametrize("graph", [nx.path_graph(3), nx.Graph([(0, 1), (2, 3), (3, 4), (4, 2)])])
def test_graphs_the_reductions_do_not_take(graph: Graph) -> None:
    with pytest.raises(NotAccepted):
        IncidenceReduction(graph)
    with pytest.raises(NotAccepted):
        CubicReduction(graph)


def test_graph_files() -> None:
    graph = uno_graph(Uno1((("red", 5), ("red", 7), ('a "b"', 7))))
    assert r'2 [label="\"a \\\"b\\\"\" 7"];' in to_dot(graph)
    assert "1 -- 2;" in to_dot(graph)
    read = nx.from_graph6_bytes(to_graph6(graph).encode())
    assert edges(read) == edges(graph)
    text = to_graphml(graph)
    again = nx.parse_graphml(text)
    assert again.nodes["0"]["card"] == "red 5"
    arcs = uno_graph(Uncooperative((((1, 1),), ((1, 2),), ((1, 3),))))
    assert "0 -> 1;" in to_dot(arcs)
    with pytest.raises(NotAccepted, match="graph6"):
        to_graph6(arcs)
    assert set(WRITERS) == {"dot", "graphml", "graph6"}
