"""Graphs as objects of other libraries."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sparse

from uno_csp import InstanceError, hamiltonian_path
from uno_csp.graph_files.objects import read_object
from uno_csp.processes.deadline import NEVER

WAYS: dict[str, Callable[[Any], Any]] = {
    "networkx": lambda graph: graph,
    "igraph": igraph.Graph.from_networkx,
    "matrix": nx.to_numpy_array,
    "whole numbers": lambda graph: nx.to_numpy_array(graph).astype(np.int8),
    "truths": lambda graph: nx.to_numpy_array(graph).astype(bool),
    "sparse": nx.to_scipy_sparse_array,
    "sparse matrix": lambda graph: sparse.coo_matrix(nx.to_numpy_array(graph)),
    "frame": nx.to_pandas_adjacency,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_graph_is_the_same_in_every_library(way: str) -> None:
    rng = random.Random(1)
    for size in (1, 3, 4, 7, 12):
        graph = nx.gnp_random_graph(size, 0.4, seed=rng.randrange(1000))
        vertices, edges = read_object(WAYS[way](graph), NEVER)
        assert list(vertices) == list(range(size))
        assert sorted(edges) == sorted(graph.edges)


def test_a_frame_of_edges_is_a_list_of_pairs() -> None:
    frame = nx.to_pandas_edgelist(nx.cycle_graph(5))
    vertices, edges = read_object(frame, NEVER)
    assert set(vertices) == set(range(5))
    assert len(list(edges)) == 5


NAMED = igraph.Graph(edges=[(0, 2), (1, 2)])
NAMED.vs["name"] = ["a", "a", "b"]
ONE_AND_TRUE = igraph.Graph(edges=[(0, 2), (1, 2)])
ONE_AND_TRUE.vs["name"] = [1, True, 3]
TWICE = pd.DataFrame([[0, 1, 0], [1, 0, 1], [0, 1, 0]], index=[*"aab"], columns=[*"aab"])


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        (NAMED, 'graph: two vertices are called "a"'),
        (TWICE, 'graph: two vertices are called "a"'),
        (igraph.Graph(edges=[(0, 1)], directed=True), "graph: it is directed"),
        (nx.DiGraph([(1, 2)]), "graph: it is directed"),
        (np.array([[0, 1, 0], [0, 0, 1], [0, 1, 0]]), "graph: "),
        (np.array([[0, 2, 0], [2, 0, 1], [0, 1, 0]]), "graph: "),
        (np.array([[1, 1, 0], [1, 0, 1], [0, 1, 0]]), "graph: a loop at 0"),
        (np.array([[0, np.nan, 0], [np.nan, 0, 1], [0, 1, 0]]), "graph: "),
        (nx.Graph([(1, 1)]), "graph: a loop at 1"),
        ([(True, 2), (1, 3)], "graph: 1 and True are equal in Python"),
        ([(0, 2), (2, False)], "graph: False and 0 are equal in Python"),
        ([(1, 2), (2, np.True_)], "graph: True and 1 are equal in Python"),
        ([(1.0, 2), (1, 3)], "graph: 1 and 1.0 are equal in Python"),
        ([(1, 2), (2.0, 3)], "graph: 2.0 and 2 are equal in Python"),
        ([(Fraction(1), 2), (1, 3)], "graph: 1 and Fraction(1, 1) are equal in Python"),
        ([((1, True), 2), ((1, 1), 3)], "graph: (1, 1) and (1, True) are equal in Python"),
        ([(frozenset({1}), 2), (frozenset({True}), 3)], "graph: frozenset({True}) and frozenset"),
        ([(1, True)], "graph: True and 1 are equal in Python"),
        (ONE_AND_TRUE, "graph: True and 1 are equal in Python"),
    ],
)
def test_what_is_no_simple_graph_is_refused(graph: Any, says: str) -> None:
    with pytest.raises(InstanceError) as caught:
        read_object(graph, NEVER)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    "pairs",
    [
        [(True, False), (False, 2)],
        [(1.0, 2.0), (2.0, np.float64(1.5))],
        [(np.float64(1), 2.0), (1.0, 3.0)],
        [(np.int64(1), 2), (1, 3)],
        [("1", 1), (1, "True")],
        [((1, 2), (2, 3)), ((1, 2), (3, 4))],
    ],
)
def test_vertices_of_one_kind_are_vertices(pairs: Any) -> None:
    answer = hamiltonian_path(pairs)
    assert answer.path is not None
    assert len(answer.path) == 3


def test_an_end_is_a_vertex_of_its_kind() -> None:
    for end, said in ((True, "True and 1 are"), (1.0, "1.0 and 1 are"), (Fraction(1), "Fraction")):
        for name in ("source", "target"):
            with pytest.raises(InstanceError, match=f"^{name}: {said}"):
                hamiltonian_path([(1, 2), (2, 3)], **{name: end})
    assert hamiltonian_path([(1, 2), (2, 3)], source=np.int64(1)).path == (1, 2, 3)
