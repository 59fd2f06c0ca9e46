"""Hamiltonian problems over HTTP."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.support.serving import client_of
from uno_csp.verifier.graphs import verify

SQUARE = "a b\nb c\nc d\nd a\n"


def test_a_graph_is_answered(client: TestClient) -> None:
    cycle = client.post("/hamilton", json={"text": SQUARE}).json()
    assert (cycle["status"], cycle["checked"]) == ("SATISFIABLE", True)
    assert sorted(cycle["paths"][0]) == ["a", "b", "c", "d"]
    assert cycle["read"] == "read as an edge list: 4 vertices, 4 edges"
    asked = {"text": SQUARE, "goal": "path", "source": "b", "target": "c"}
    assert client.post("/hamilton", json=asked).json()["paths"] == [["b", "a", "d", "c"]]
    star = {"text": "x a\nx b\nx c\n", "goal": "paths", "format": "edges"}
    fewest = client.post("/hamilton", json=star).json()
    assert (fewest["status"], fewest["objective"]) == ("OPTIMAL", 2)


def test_a_text_is_read_with_the_options_of_the_command(client: TestClient) -> None:
    two = {"text": "C~\nBw\n", "format": "graph6", "graph": 2}
    assert client.post("/hamilton", json=two).json()["vertices"] == [0, 1, 2]
    arcs = {"text": "&AO\n", "format": "digraph6", "undirected": True, "goal": "path"}
    assert client.post("/hamilton", json=arcs).json()["status"] == "SATISFIABLE"
    alone = {"text": "a\nb c\n", "isolated": True, "goal": "paths"}
    assert client.post("/hamilton", json=alone).json()["objective"] == 2
    asks = "TYPE: HPP\nDIMENSION: 2\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\n"
    assert client.post("/hamilton", json={"text": asks}).json()["goal"] == "path"


def test_the_time_to_read_a_graph_counts(client: TestClient) -> None:
    """It takes seconds; the worker is ended meanwhile."""
    complete = "".join(f"{i} {j}\n" for i in range(700) for j in range(i))
    response = client.post("/hamilton", json={"text": complete, "time_limit_s": 0.01})
    assert response.status_code == 422
    assert response.json()["detail"].endswith("time limit of 0.01 s reached")
    assert client.post("/hamilton", json={"text": SQUARE}).json()["status"] == "SATISFIABLE"


def test_a_no_has_a_certificate(client: TestClient, tmp_path: Path) -> None:
    packed = tmp_path / "certificate.zip"
    packed.write_bytes(client.post("/hamilton/certificate", json={"text": "a b\nb c\n"}).content)
    assert verify(packed)[0].startswith("proved: the graph has no Hamiltonian cycle")
    longest = {"text": "x a\nx b\nx c\n", "goal": "longest"}
    packed.write_bytes(client.post("/hamilton/certificate", json=longest).content)
    assert "longest" in verify(packed)[0]
    refused = client.post("/hamilton/certificate", json={"text": SQUARE})
    assert refused.status_code == 422
    assert "the path shows the answer" in refused.json()["detail"]


def test_a_graph_that_is_too_large_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    with client_of(tmp_path_factory.mktemp("large"), cards=3) as client:
        response = client.post("/hamilton", json={"text": SQUARE})
        assert response.status_code == 413
        assert "4 vertices are more than the 3 allowed" in response.json()["detail"]
