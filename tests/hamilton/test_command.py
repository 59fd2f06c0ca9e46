"""``uno-csp hamilton``."""

import json
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

from tests.support.running import Capture, answered, refused, run

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


def test_each_goal_has_its_answer_and_exit_code(square: str, star: str) -> None:
    for code, arguments, said in (
        (10, (square,), "SATISFIABLE: the graph has a Hamiltonian cycle"),
        (20, (star,), "UNSATISFIABLE: the graph has no Hamiltonian cycle"),
        (20, (star, "--path"), "UNSATISFIABLE: the graph has no Hamiltonian path"),
        (30, (star, "--paths"), "OPTIMAL: 3 paths, and no fewer, visit every vertex"),
        (30, (square, "--paths"), "OPTIMAL: the graph has a Hamiltonian path"),
        (30, (star, "--longest"), "OPTIMAL: a longest path visits 3 of the vertices"),
    ):
        assert answered(code, "hamilton", *arguments).startswith(said)


def test_ends_of_a_path_are_named_as_in_the_file(square: str, capsys: Capture) -> None:
    answer = json.loads(answered(10, f"hamilton {square} --path --from b --to c --format json"))
    assert answer["paths"] == [["b", "a", "d", "c"]]
    assert answer["read"] == "read as an edge list: 4 vertices, 4 edges"
    assert run(f"hamilton {square} --path --from b --to d") == 20
    capsys.readouterr()
    assert "square.edges: --from: x is no vertex of the graph" in refused(
        f"hamilton {square} --path --from x"
    )
    assert "--to: x is no vertex of the graph, and no format" in refused(
        f"hamilton {square} --path --to x"
    )
    assert "--from goes with --path" in refused(f"hamilton {square} --from a")
    assert "--path and --longest are two goals" in refused(f"hamilton {square} --longest --path")
    for instead in ("--export dimacs", f"--decode {square}"):
        said = refused(f"hamilton {square} --proof folder {instead}")
        assert "--proof goes with an answer, not with --export or --decode" in said


def test_tours_and_competition_lines_number_the_vertices(
    square: str, star: str, capsys: Capture
) -> None:
    lines = answered(10, f"hamilton {square} --format tour").splitlines()
    assert lines[1:3] == ["TYPE : TOUR", "COMMENT : read as an edge list: 4 vertices, 4 edges"]
    assert lines[3:7] == [f"COMMENT : vertex {n} is {v}" for n, v in enumerate("abcd", start=1)]
    assert lines[7:9] == ["DIMENSION : 4", "TOUR_SECTION"]
    assert sorted(lines[9:13]) == ["1", "2", "3", "4"]
    assert lines[13:] == ["-1", "EOF"]
    lines = answered(30, f"hamilton {star} --paths --format competition").splitlines()
    assert lines[:2] == ["c read as an edge list: 5 vertices, 4 edges", "c vertex 1 is c"]
    assert lines[6:8] == ["o 3", "s OPTIMUM FOUND"]
    assert sorted(" ".join(lines[8:]).replace("v", "").split()) == sorted("12345000")
    assert run(f"hamilton {star} --format tour") == 20
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == (
        "uno-csp: there is no tour: UNSATISFIABLE: "
        "the graph has no Hamiltonian cycle: a has one neighbour only\n"
    )
    assert "DIMENSION : 4" in answered(30, f"hamilton {square} --paths --format tour").splitlines()
    assert "a tour is a single path or cycle; the answer has 3" in refused(
        f"hamilton {star} --paths --format tour"
    )


@pytest.mark.parametrize(
    ("text", "goal"), [("2 1\n1 3\n", "--path"), ("3 5\n5 1\n1 4\n4 2\n2 3\n", "--cycle")]
)
def test_numbers_of_a_tour_are_the_names_if_these_are_1_to_n(
    text: str, goal: str, tmp_path: Path
) -> None:
    file = tmp_path / "numbers.txt"
    file.write_text(text)
    edges = {frozenset(line.split()) for line in text.splitlines()}
    for style in ("tour", "competition"):
        lines = answered(10, "hamilton", str(file), goal, "--format", style).splitlines()
        assert not any("vertex" in line and " is " in line for line in lines)
        numbers = [word for line in lines if line[:1] in "v123456789" for word in line.split()]
        path = [word for word in numbers if word not in ("v", "0")]
        assert all(frozenset(pair) in edges for pair in pairwise(path))
        assert len(set(path)) == len({end for edge in edges for end in edge})


def test_a_file_may_ask_for_a_path(tmp_path: Path) -> None:
    file = tmp_path / "path.hcp"
    head = "TYPE: HPP\nDIMENSION: 3\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n"
    file.write_text(f"{head}1 2\n2 3\n-1\nEOF\n")
    shown = answered(10, f"hamilton {file}").splitlines()
    assert shown[0] == "SATISFIABLE: the graph has a Hamiltonian path"
    assert shown[2] == "read as TSPLIB: 3 vertices, 2 edges; TYPE HPP asks for a path"
    assert run(f"hamilton {file} --cycle") == 20


def test_options_say_how_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "several.txt"
    file.write_text("C~\nBw\n")
    assert "--input-format names one of edges" in refused(f"hamilton {file}")
    assert "read as graph6: 3 vertices, 3 edges" in answered(
        10, f"hamilton {file} --input-format graph6 --graph 2"
    )
    file.write_text("# directed\na b\nc\n")
    assert "its arcs are taken as edges" in answered(
        30, f"hamilton {file} --paths --undirected --isolated"
    )
    assert "the graph is directed" in refused(f"hamilton {file} --isolated")


def test_names_are_shown_harmlessly(tmp_path: Path) -> None:
    names = ["a\nproved: b", "\x1b[2J", "two words", "[red]"]
    nodes = [{"id": name} for name in names]
    edges = [{"source": one, "target": other} for one, other in pairwise(names)]
    file = tmp_path / "names.json"
    file.write_text(json.dumps({"nodes": nodes, "edges": edges}))
    for style in ("human", "tour", "competition"):
        out = answered(10, "hamilton", str(file), "--path", "--format", style)
        assert "\x1b" not in out
        assert not any(line.startswith("proved") for line in out.splitlines())
        assert "[red]" in out


def test_many_graphs_are_answered_as_lines(tmp_path: Path) -> None:
    graphs = (nx.cycle_graph(5), nx.star_graph(3), nx.complete_graph(4))
    file = tmp_path / "several.g6"
    file.write_bytes(b"".join(nx.to_graph6_bytes(graph, header=False) for graph in graphs))
    answers = [json.loads(line) for line in answered(0, f"hamilton {file}").splitlines()]
    statuses = [(answer["graph"], answer["status"]) for answer in answers]
    assert statuses == [(1, "SATISFIABLE"), (2, "UNSATISFIABLE"), (3, "SATISFIABLE")]
    assert "take one graph, not several" in refused(f"hamilton {file} --export dimacs")
    assert run(f"hamilton {file} --format tour") == 2


def test_the_hand_and_its_formula_can_be_written(
    square: str, tmp_path: Path, capsys: Capture
) -> None:
    text = answered(0, f"hamilton {square} --to question")
    assert json.loads(text)["question"] == "uno-1"
    (tmp_path / "hand.json").write_text(text)
    assert run("solve", str(tmp_path / "hand.json")) == 10
    capsys.readouterr()
    assert "p cnf " in answered(0, f"hamilton {square} --export cnf")
    assert "dimacs" in refused(f"hamilton {square} --to dimcas")


def test_a_proof_is_about_the_graph(star: str, tmp_path: Path, capsys: Capture) -> None:
    folder = str(tmp_path / "proof")
    assert "proved: the graph has no Hamiltonian cycle" in answered(
        20, f"hamilton {star} --proof {folder}"
    )
    said = answered(0, f"verify {folder}").splitlines()
    stated = "proved: the graph has no Hamiltonian cycle (5 vertices, 4 edges)"
    assert said[0] == f"{stated}: without c it falls into 4 components"
    assert run(f"hamilton {star} --paths --proof {folder}") == 30  # replaces the older one
    capsys.readouterr()
    assert "the fewest paths that visit every vertex once are 3" in answered(0, f"verify {folder}")


def test_a_file_that_is_no_graph_ends_with_one_line(tmp_path: Path) -> None:
    file = tmp_path / "graph"
    for text, message in (
        ("", "graph: it has no vertex"),
        ("a a\n", "line 1: a loop at a; a path uses none"),
    ):
        file.write_text(text)
        assert refused(f"hamilton {file}") == f"uno-csp: {file}: {message}\n"
