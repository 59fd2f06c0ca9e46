"""UNO graphs and back, the paper's reductions both ways, and graph files."""

import runpy

import networkx as nx
import pytest
from hypothesis import given

from tests.support import ROOT
from tests.support.drawing import hands
from tests.support.examples import examples
from uno_csp import (
    Answer,
    Cooperative,
    NotAccepted,
    Play,
    Status,
    Uncooperative,
    Uno1,
    check,
    solve,
)
from uno_csp.graphs.paper import cubic_hand, equal_hands, incidence_hands
from uno_csp.graphs.uno_graphs import Graph, uno_graph
from uno_csp.graphs.writers import WRITERS, to_dot, to_graph6, to_graphml
from uno_csp.questions.answers import Witness

OBSERVATION_1, THEOREM_3_1, THEOREM_3_3 = (
    runpy.run_path(str(ROOT / f"examples/theorems/{name}.py"))
    for name in ("observation_1", "theorem_3_1", "theorem_3_3")
)
cards_of = OBSERVATION_1["cards_of"]


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
    """Without a claw, a hole of five vertices, and a diamond of no twins there are 105."""
    found = 0
    for graph in nx.graph_atlas_g():
        cards = cards_of(graph) if 1 <= len(graph) <= 6 else None
        if cards is not None:
            found += 1
            hand = Uno1(tuple(cards[vertex] for vertex in graph))
            assert edges(uno_graph(hand)) == edges(graph)
    assert found == 105


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
    hand = cubic_hand(graph)
    for seed, backend in ((0, "cadical195"), (1, "cp-sat"), (2, "cadical195")):
        answer = solve(hand, seed=seed, backend=backend)
        path = THEOREM_3_3["path_of"](graph, answer.sequence or ())
        back = Witness(THEOREM_3_3["sequence_of"](graph, path))
        assert not check(hand, Answer("uno-1", Status.SATISFIABLE, back))


def test_solution_maps_of_cooperative_play() -> None:
    graph = nx.petersen_graph()
    path_of, plays_of = THEOREM_3_1["path_of"], THEOREM_3_1["plays_of"]
    answer = solve(incidence_hands(graph, apart=True))
    path = path_of(graph, answer.plays or (), apart=True)
    for apart in (True, False):
        plays = plays_of(graph, path, apart=apart)
        yes = Answer("cooperative", Status.SATISFIABLE, Witness(plays=plays))
        assert not check(incidence_hands(graph, apart=apart), yes)
        assert path_of(graph, plays, apart=apart) == path
    equal = equal_hands(graph, path[0])
    opening = [Play(1, ("x", "x"))] * (graph.number_of_edges() - len(graph))
    opening += [Play(1, ("x", "y")), Play(2, (path[0], "y"))]
    plays = (*opening, *plays_of(graph, path))
    assert not check(equal, Answer("cooperative", Status.SATISFIABLE, Witness(plays=plays)))
    assert len({len(hand) for hand in equal.hands}) == 1


def test_a_yes_by_skips_is_no_path() -> None:
    """The smallest kind of graph on which the printed reduction of Theorem 3.1 fails."""
    graph: Graph = nx.empty_graph(6)
    graph.add_edges_from([(0, 4), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (4, 5)])
    answer = solve(incidence_hands(graph))
    assert answer.status is Status.SATISFIABLE
    assert THEOREM_3_1["path_of"](graph, answer.plays or ()) is None
    assert solve(incidence_hands(graph, apart=True)).status is Status.UNSATISFIABLE


@pytest.mark.parametrize("graph", [nx.path_graph(3), nx.Graph([(0, 1), (2, 3), (3, 4), (4, 2)])])
def test_graphs_the_reductions_do_not_take(graph: Graph) -> None:
    with pytest.raises(NotAccepted):
        incidence_hands(graph)
    with pytest.raises(NotAccepted):
        cubic_hand(graph)


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
