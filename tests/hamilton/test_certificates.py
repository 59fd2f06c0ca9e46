"""Certificates about graphs: every kind is made, verified alone, and fits no other claim."""

import json
import random
from pathlib import Path
from shutil import copytree
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uno_csp
from tests.attacks import graphs as attack
from tests.support.certifying import judged_alone, signed, written
from tests.support.examples import examples
from tests.support.tables import table
from uno_csp import Options
from uno_csp.certificates import graphs
from uno_csp.certificates.parts import ProofOptions
from uno_csp.certificates.refutation import HasSolution
from uno_csp.errors import CheckFailed, NotAccepted
from uno_csp.families.cubic_graphs import flower_snark
from uno_csp.hamilton import Goal, HamiltonAnswer, problem_of, solve_problem
from uno_csp.hamilton.certificates import certificate_of
from uno_csp.questions.answers import Status
from uno_csp.verifier.graphs import Edges, Graph, allowed, verify
from uno_csp.verifier.proofs import check_bound, row
from uno_csp.verifier.reading import Refused


def subdivided() -> "nx.Graph[Any]":
    """A complete graph with a vertex on three edges at 0: a cycle would need all three."""
    graph: nx.Graph[Any] = nx.complete_graph(30)
    for end in (1, 2, 3):
        graph.remove_edge(0, end)
        graph.add_edges_from([(0, 30 + end), (30 + end, end)])
    return graph


@examples(60)
@given(st.data())
def test_random_graphs_against_dynamic_programming(data: st.DataObject) -> None:
    """Right claims are certified, wrong ones are not, and changed certificates are refused."""
    draw: Any = data.draw
    attack.attempt(draw)


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        (nx.barbell_graph(50, 0), "separator"),
        (nx.grid_2d_graph(9, 11), "separator"),
        (nx.star_graph(3), "separator"),
        (subdivided(), "bound"),
        (flower_snark(25), "order"),
        (nx.petersen_graph(), "bound"),
    ],
    ids=["barbell", "grid", "star", "subdivided", "snark", "petersen"],
)
def test_a_no_of_a_hundred_vertices_is_certified(
    graph: "nx.Graph[Any]", kind: str, tmp_path: Path
) -> None:
    problem = problem_of(graph, Goal.CYCLE)
    no = HamiltonAnswer(Goal.CYCLE, Status.UNSATISFIABLE)
    certificate = certificate_of(problem, no, tmp_path)
    assert certificate["certified"]
    assert certificate["kind"] == kind
    assert certificate["bytes"] < 5_000
    shown, _ = verify(tmp_path)
    assert shown.splitlines()[0] == certificate["summary"]
    assert "the graph has no Hamiltonian cycle" in shown


@examples(80)
@given(attack.problems())
def test_no_row_of_a_bound_can_be_left_out(data: attack.Data) -> None:
    """Each row is needed, and its multiplier is a positive integer."""
    graph, (status, value) = Graph(data), attack.truth(data)
    if status == "SATISFIABLE":
        return
    goal = allowed(graph, {"status": status, "objective": value})
    draft = goal and graphs.subtours(graph, goal, ProofOptions())
    if goal is None or not draft or draft.kind != "bound":
        return
    bound = json.loads(draft.files["bound.json"])["0"]
    stated = Edges(graph, *goal)
    assert check_bound(stated, bound, frozenset()) == 1
    for number, (times, which) in enumerate(bound["rows"]):
        others = [*bound["rows"][:number], *bound["rows"][number + 1 :]]
        for changed in ([], [[0, which]], [[-times, which]], [[times + 0.5, which]]):
            with pytest.raises(Refused):
                check_bound(stated, {"rows": [*others, *changed]}, frozenset())


def test_every_kind_of_proof_of_the_petersen_graph(tmp_path: Path) -> None:
    graph = Graph(_data(nx.petersen_graph(), "cycle"))
    assert graphs.separator(graph, (0, 0)) is None  # it is tough
    drafts = [
        graphs.order(graph, (0, 0)),
        graphs.find_few_inequalities(graph, (0, 0), ProofOptions()),
        graphs.refutation(graph, (0, 0), ProofOptions(bounds=False)),
    ]
    assert [draft and draft.kind for draft in drafts] == ["order", "bound", "refutation"]
    for draft in drafts:
        assert draft is not None
        data = json.dumps(_data(nx.petersen_graph(), "cycle"))
        written(tmp_path, {"graph.json": data, **draft.files})
        shown, by = verify(tmp_path)
        assert shown.startswith("proved: the graph has no Hamiltonian cycle (10 vertices, 15 edges")
        assert (by is not None) == (draft.kind == "refutation")


def _data(graph: "nx.Graph[Any]", goal: str) -> dict[str, Any]:
    edges = [[u, v] for u, v in graph.edges]
    return {"goal": goal, "vertices": list(map(str, graph)), "edges": edges}


def test_the_verifier_needs_nothing_but_python(snark_folder: Path) -> None:
    run = judged_alone(snark_folder)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("proved: the graph has no Hamiltonian cycle (20 vertices")


@pytest.fixture(scope="module")
def snark_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that a flower snark has no cycle."""
    folder = tmp_path_factory.mktemp("snark")
    uno_csp.hamiltonian_cycle(flower_snark(5), proof=folder)
    return folder


@pytest.mark.parametrize(("file", "change", "message"), table("hamilton", "changed files"))
def test_a_changed_file_is_refused(
    file: str, change: dict[str, Any], message: str, snark_folder: Path, tmp_path: Path
) -> None:
    copytree(snark_folder, tmp_path, dirs_exist_ok=True)
    there = json.loads((tmp_path / file).read_text())
    (tmp_path / file).write_text(json.dumps({**there, **change}))
    with pytest.raises(Refused):
        verify(tmp_path)
    signed(tmp_path)
    with pytest.raises(Refused, match=message):
        verify(tmp_path)


def test_rows_hold_for_every_cycle() -> None:
    """Rows around random sets, and of odd numbers of edges, hold where a cycle is chosen."""
    rng = random.Random(3)
    graph = nx.cycle_graph(9)
    graph.add_edges_from([(0, 4), (2, 7), (1, 5), (3, 8)])
    stated = Edges(Graph(_data(graph, "cycle")), 0, 0)
    on = {frozenset((at, (at + 1) % 9)) for at in range(9)}
    pairs = zip(stated.graph.edges, stated.chosen, strict=True)
    true = {literal for edge, literal in pairs if frozenset(edge) in on}
    for _ in range(300):
        inside = rng.sample(range(9), rng.randint(1, 8))
        once, _ = stated.around({"vertices": inside})
        odd = rng.sample(once, rng.choice(range(1, len(once) + 1, 2)))
        for cut in (
            ["around", {"vertices": inside, "inside": inside[0]}],
            ["parity", {"vertices": inside, "chosen": odd}],
        ):
            terms, least = row(stated, cut)
            held = sum(weight for weight, lit in terms if (abs(lit) in true) == (lit > 0))
            assert held >= least, cut
        with pytest.raises(Refused, match="not an odd number"):
            row(stated, ["parity", {"vertices": inside, "chosen": odd[1:]}])
    with pytest.raises(Refused, match="do not contradict"):
        check_bound(stated, {"rows": [[1, ["sum", 0]]]}, frozenset())


def test_a_wrong_no_is_not_certified(tmp_path: Path) -> None:
    """As if a solver had missed the cycle of a prism."""
    prism = problem_of(nx.circular_ladder_graph(6), Goal.CYCLE)
    no = HamiltonAnswer(Goal.CYCLE, Status.UNSATISFIABLE)
    with pytest.raises(CheckFailed, match="the answer is wrong"):
        certificate_of(prism, no, tmp_path)
    graph = Graph(_data(nx.circular_ladder_graph(6), "cycle"))
    with pytest.raises(HasSolution):
        graphs.refutation(graph, (0, 0), ProofOptions())


def test_other_checkers_take_the_refutation(tmp_path: Path) -> None:
    data = _data(nx.convert_node_labels_to_integers(flower_snark(3)), "cycle")
    draft = graphs.refutation(Graph(data), (0, 0), ProofOptions(bounds=False))
    written(tmp_path, {"graph.json": json.dumps(data), **draft.files})
    assert verify(tmp_path, "dratify")[1] == "dratify"
    (tmp_path / "proof.drat").write_text("0\n")
    signed(tmp_path)
    with pytest.raises(Refused, match=r"proof\.drat"):
        verify(tmp_path, "dratify")


def test_a_folder_with_other_files_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(NotAccepted, match="letter"):
        uno_csp.hamiltonian_cycle(nx.petersen_graph(), proof=tmp_path)
    yes = solve_problem(problem_of(nx.cycle_graph(5), Goal.CYCLE), Options(proof=tmp_path / "new"))
    assert yes.certificate is not None
    assert not (tmp_path / "new").exists()


def test_names_are_escaped_once(tmp_path: Path) -> None:
    problem = problem_of([("x\u202ey", "b"), ("b", "c"), ("b", "d")], Goal.PATH, "x\u202ey")
    answer = solve_problem(problem)
    certificate_of(problem, answer, tmp_path / "proof")
    assert r" from 'x\u202ey' " in verify(tmp_path / "proof")[0]
