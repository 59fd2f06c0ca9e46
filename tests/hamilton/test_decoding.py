"""The way back from a solver's output for the exported hand of a graph to its vertices."""

import io
from pathlib import Path

import networkx as nx
import pytest
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver

from tests.support.running import answered, refused
from tests.support.tables import table
from uno_csp import InstanceError, NotAccepted, Status, export
from uno_csp.hamilton import Goal
from uno_csp.hamilton.decoding import decode_problem
from uno_csp.hamilton.hands import hand_of
from uno_csp.hamilton.problems import HamiltonProblem, problem_of
from uno_csp.hamilton.solving import solve_problem

STAR = [("m", "a"), ("m", "b"), ("m", "c"), ("m", "d")]
NAMED = [("x y", "1"), ("1", "ö"), ("ö", "x y"), ("ö", "z")]
GRAPHS: dict[str, list[tuple[object, object]]] = {
    "triangle": [*NAMED[:3]],
    "named": [*NAMED],
    "petersen": [*nx.petersen_graph().edges],
}


def exported(problem: HamiltonProblem, to: str, method: str | None = None) -> str:
    text = io.StringIO()
    export(hand_of(problem, for_file=True).question, to, text, method=method)
    return text.getvalue()


def output_of(file: str) -> str:
    """What a solver prints for a file; for MaxSAT, any assignment of the hard clauses."""
    clauses = WCNF(from_string=file).hard if "\nh " in file else CNF(from_string=file).clauses
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        if not solver.solve():
            return "s UNSATISFIABLE\n"
        return f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model() or ()))} 0\n"


@pytest.mark.parametrize("method", [None, "position", "successor"])
@pytest.mark.parametrize(("name", "goal", "ends", "status"), table("hamilton", "decoded outputs"))
def test_an_output_is_about_the_vertices(
    name: str, goal: str, ends: list[str | None], status: str, method: str | None
) -> None:
    problem = problem_of(GRAPHS[name], Goal(goal), *ends)
    file = exported(problem, "dimacs", method)
    output = output_of(file)
    answer = decode_problem(problem, output, file)
    assert answer.status == status
    if status == Status.UNSATISFIABLE:
        assert answer.reason == "as the external solver says"
        with pytest.raises(NotAccepted, match="the exported file"):
            decode_problem(problem, output)
        return
    assert answer.checked
    assert answer.path is not None
    assert {*answer.path} == {*problem.vertices}
    assert decode_problem(problem, output, method=method).path == answer.path
    assert all(end in (None, answer.path[at]) for at, end in zip((0, -1), ends, strict=True))


@pytest.mark.parametrize("goal", [Goal.LONGEST, Goal.PATHS])
@pytest.mark.parametrize("edges", [STAR, NAMED, NAMED[:2]])
def test_a_value_is_about_the_vertices(goal: Goal, edges: list[tuple[str, str]]) -> None:
    problem = problem_of(edges, goal)
    file = exported(problem, "wcnf")
    answer = decode_problem(problem, output_of(file), file)
    best = solve_problem(problem).objective
    assert best is not None
    if goal is Goal.PATHS:
        assert answer.objective is not None
    if answer.objective is None:  # a path without a vertex is none
        assert answer.paths is None
        return
    assert answer.checked
    assert answer.objective <= best if goal is Goal.LONGEST else answer.objective >= best


def test_a_file_of_another_graph_or_goal_is_refused() -> None:
    problem = problem_of(STAR, Goal.PATH)
    for other in (problem_of(STAR, Goal.CYCLE), problem_of(NAMED, Goal.PATH)):
        with pytest.raises(InstanceError, match="of another graph or goal"):
            decode_problem(problem, "s UNSATISFIABLE\n", exported(other, "dimacs"))


def test_the_command_shows_vertices(tmp_path: Path) -> None:
    graph, file, output = (str(tmp_path / name) for name in ("tri.el", "tri.cnf", "tri.out"))
    Path(graph).write_text("a b\nb c\nc a\n")
    Path(file).write_text(answered(0, f"hamilton {graph} --export dimacs"))
    Path(output).write_text(output_of(Path(file).read_text()))
    assert sorted(
        answered(10, f"hamilton {graph} --decode {output} --exported {file}")
        .splitlines()[-1]
        .split()
    ) == ["a", "b", "c"]
    assert "--exported goes with --decode" in refused(f"hamilton {graph} --exported {file}")
    assert "tri.el: this is no exported file" in refused(
        f"hamilton {graph} --decode {output} --exported {graph}"
    )
