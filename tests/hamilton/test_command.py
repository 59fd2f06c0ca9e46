"""``uno-csp hamilton``."""

import json
from pathlib import Path

import networkx as nx
import pytest

from tests.support.running import run

SQUARE = "a b\nb c\nc d\nd a\n"
STAR = "c a\nc b\nc d\nc e\n"


@pytest.fixture
def square(tmp_path: Path) -> str:
    """A file with a square."""
    file = tmp_path / "square.edges"
    file.write_text(SQUARE)
    return str(file)


@pytest.fixture
def star(tmp_path: Path) -> str:
    """A file with a star of four leaves."""
    file = tmp_path / "star.txt"
    file.write_text(STAR)
    return str(file)


def test_each_goal_has_its_answer_and_exit_code(
    square: str, star: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for code, arguments, said in (
        (10, (square,), "SATISFIABLE: the graph has a Hamiltonian cycle"),
        (20, (star,), "UNSATISFIABLE: the graph has no Hamiltonian cycle"),
        (20, (star, "--path"), "UNSATISFIABLE: the graph has no Hamiltonian path"),
        (30, (star, "--paths"), "OPTIMAL: 3 paths, and no fewer, visit every vertex"),
        (30, (square, "--paths"), "OPTIMAL: the graph has a Hamiltonian path"),
        (30, (star, "--longest"), "OPTIMAL: a longest path visits 3 of the vertices"),
    ):
        assert run("hamilton", *arguments) == code
        assert capsys.readouterr().out.startswith(said)


def test_ends_of_a_path_are_named_as_in_the_file(
    square: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("hamilton", square, "--path", "--from", "b", "--to", "c", "--format", "json") == 10
    answer = json.loads(capsys.readouterr().out)
    assert answer["paths"] == [["b", "a", "d", "c"]]
    assert run("hamilton", square, "--path", "--from", "b", "--to", "d") == 20
    capsys.readouterr()
    assert run("hamilton", square, "--path", "--from", "x") == 2
    assert "square.edges: from: x is no vertex of the graph" in capsys.readouterr().err
    assert run("hamilton", square, "--path", "--to", "x") == 2
    assert "--to: x is no vertex of the graph, and no format" in capsys.readouterr().err
    assert run("hamilton", square, "--from", "a") == 2
    assert "--from goes with --path" in capsys.readouterr().err


def test_tours_and_competition_lines_number_the_vertices(
    square: str, star: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("hamilton", square, "--format", "tour") == 10
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:4] == ["TYPE : TOUR", "DIMENSION : 4", "TOUR_SECTION"]
    assert sorted(lines[4:8]) == ["1", "2", "3", "4"]
    assert lines[8:] == ["-1", "EOF"]
    assert run("hamilton", star, "--paths", "--format", "competition") == 30
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["o 3", "s OPTIMUM FOUND"]
    assert sorted(" ".join(lines[2:]).replace("v", "").split()) == sorted("12345000")
    assert run("hamilton", star, "--format", "tour") == 20
    shown = capsys.readouterr()
    assert shown.out == ""
    assert (
        shown.err
        == "uno-csp: there is no tour: UNSATISFIABLE: the graph has no Hamiltonian cycle\n"
    )
    assert run("hamilton", square, "--paths", "--format", "tour") == 30
    assert capsys.readouterr().out.splitlines()[2] == "DIMENSION : 4"
    assert run("hamilton", star, "--paths", "--format", "tour") == 2
    assert "a tour is a single path or cycle; the answer has 3" in capsys.readouterr().err


def test_many_graphs_are_answered_as_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graphs = (nx.cycle_graph(5), nx.star_graph(3), nx.complete_graph(4))
    file = tmp_path / "several.g6"
    file.write_bytes(b"".join(nx.to_graph6_bytes(graph, header=False) for graph in graphs))
    assert run("hamilton", str(file)) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    statuses = [(answer["graph"], answer["status"]) for answer in answers]
    assert statuses == [(1, "SATISFIABLE"), (2, "UNSATISFIABLE"), (3, "SATISFIABLE")]
    assert run("hamilton", str(file), "--export", "dimacs") == 2
    assert "take one graph, not several" in capsys.readouterr().err
    assert run("hamilton", str(file), "--format", "tour") == 2


def test_the_hand_and_its_formula_can_be_written(
    square: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("hamilton", square, "--to", "question") == 0
    text = capsys.readouterr().out
    assert json.loads(text)["question"] == "uno-1"
    (tmp_path / "hand.json").write_text(text)
    assert run("solve", str(tmp_path / "hand.json")) == 10
    capsys.readouterr()
    assert run("hamilton", square, "--export", "cnf") == 0
    assert "p cnf " in capsys.readouterr().out
    assert run("hamilton", square, "--to", "dimcas") == 2
    assert "dimacs" in capsys.readouterr().err


def test_a_proof_is_about_the_graph(
    star: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "proof")
    assert run("hamilton", star, "--proof", folder) == 20
    assert "proved: the graph has no Hamiltonian cycle" in capsys.readouterr().out
    assert run("verify", folder) == 0
    said = capsys.readouterr().out.splitlines()
    stated = "proved: the graph has no Hamiltonian cycle (5 vertices, 4 edges)"
    assert said[0] == f"{stated}: without c it falls into 4 components"
    assert run("hamilton", star, "--paths", "--proof", folder) == 30  # replaces the older one
    capsys.readouterr()
    assert run("verify", folder) == 0
    assert "the fewest paths that visit every vertex once are 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "graph: it has no vertex"),
        ("a a\n", "line 1: a loop at a"),
        ("p edge 3 2\ne 1 2\n", "the file is cut off"),
    ],
)
def test_a_file_that_is_no_graph_ends_with_one_line(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "graph"
    file.write_text(text)
    assert run("hamilton", str(file)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"uno-csp: {file}: ")
    assert message in line
