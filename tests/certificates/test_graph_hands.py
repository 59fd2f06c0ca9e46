"""Certificates of hands by the graph of their cards: right ones are made, wrong ones refused."""

import random
import shutil
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from tests.support.certifying import changed, edited, written
from tests.support.running import Patch
from tests.support.tables import table
from tests.support.truth import truth
from uno_csp import Answer, FillIn, Longest, Status, Uno1, certify
from uno_csp.certificates import graphs, proved
from uno_csp.certificates.parts import ProofOptions
from uno_csp.certificates.refutation import HasSolution, Unproved
from uno_csp.families.cubic_graphs import flower_snark
from uno_csp.formats import question_to_dict
from uno_csp.hamilton import Goal, problem_of
from uno_csp.hamilton.hands import hand_of
from uno_csp.hub_graph.incidence import is_graph
from uno_csp.questions import HandQuestion
from uno_csp.verifier import hands
from uno_csp.verifier.cards import Question, better
from uno_csp.verifier.graphs import verify
from uno_csp.verifier.reading import NoChecker, Refused

Claim = tuple[str, int | None, bool]
"""Status and objective, and whether they are right."""


def blobs(size: int) -> "nx.Graph[Any]":
    """Three complete graphs between two cut vertices."""
    graph = nx.disjoint_union_all([nx.complete_graph(size)] * 3)
    for blob in range(3):
        graph.add_edges_from([("x", blob * size), ("y", blob * size + 1)])
    return graph


def certified(graph: "nx.Graph[Any]", folder: Path) -> dict[str, Any]:
    """Certify that the hand of a Hamiltonian cycle cannot be played."""
    hand = hand_of(problem_of(graph, Goal.CYCLE)).question
    answer = certify(hand, Answer("uno-1", Status.UNSATISFIABLE), folder)
    assert answer.certificate is not None
    assert answer.certificate["certified"]
    return dict(answer.certificate)


@pytest.mark.parametrize(
    ("graph", "kind"),
    [(nx.barbell_graph(50, 0), "bound"), (blobs(12), "groups")],
    ids=["barbell", "blobs"],
)
def test_the_hands_of_graphs_are_certified(
    graph: "nx.Graph[Any]", kind: str, tmp_path: Path
) -> None:
    certificate = certified(graph, tmp_path)
    assert certificate["kind"] == kind
    check = hands.verify if kind == "groups" else verify
    assert check(tmp_path)[0].splitlines()[0] == certificate["summary"]
    if kind == "bound":
        said = "proved: uno-1, 103 cards, 1 of 53 attributes agree: UNSATISFIABLE: inequalities"
        assert certificate["summary"].startswith(said)


@pytest.fixture(scope="module")
def snark_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of the hand of a flower snark."""
    folder = tmp_path_factory.mktemp("snark")
    assert certified(flower_snark(7), folder)["kind"] == "order"
    return folder


@pytest.mark.parametrize(("file", "change", "message"), table("certificates", "changed graphs"))
def test_a_changed_certificate_is_refused(
    file: str, change: dict[str, Any], message: str, snark_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(snark_folder, tmp_path, dirs_exist_ok=True)
    with pytest.raises(Refused, match="allowed files"):
        hands.verify(tmp_path)
    changed(tmp_path, file, edited(lambda there: there.update(change)))
    if message == "not accepted":  # a universal card on the pile changes nothing
        assert verify(tmp_path)
        return
    with pytest.raises(Refused, match=message):
        verify(tmp_path)


def test_a_certificate_without_a_graph_is_none_of_a_graph(
    snark_folder: Path, tmp_path: Path
) -> None:
    written(tmp_path, {"question.json": (snark_folder / "question.json").read_text()})
    with pytest.raises(Refused, match=r"claim\.json: it lists no graph\.json"):
        verify(tmp_path)


def test_the_proved_checker_does_not_handle_graphs(snark_folder: Path) -> None:
    with pytest.raises(NoChecker, match="does not handle certificates about graphs"):
        proved.verify(snark_folder)


def random_graph_hand(rng: random.Random) -> HandQuestion:
    """A hand that is a graph, of any question, perhaps with wild cards and a card on the pile."""
    kind, size, dimension = (
        rng.choice((Uno1, FillIn, Longest)),
        rng.randint(2, 6),
        rng.randint(3, 4),
    )
    wild = rng.choice((0, 0, 1))
    own = iter(range(1000, 2000))
    cards = [[next(own) for _ in range(dimension)] for _ in range(size)]
    for value in range(rng.randint(0, 9)):
        place = rng.randrange(dimension)
        for card in rng.sample(cards, 2):
            if card[place] >= 1000:
                card[place] = value
    after = tuple(cards.pop()) if rng.random() < 0.4 else None
    hand = tuple(map(tuple, cards))
    return kind((*hand, *[("*",) * dimension] * wild), after=after)


def test_only_right_claims_are_certified(monkeypatch: Patch) -> None:
    monkeypatch.setattr(graphs, "MANY_CARDS", 1)
    rng = random.Random("graph hands 0")
    made = 0
    for _ in range(100):
        hand = random_graph_hand(rng)
        question = Question(question_to_dict(hand))
        status, value = truth(hand)
        if status == "SATISFIABLE":
            claims: list[Claim] = [("UNSATISFIABLE", None, False)]
        else:
            wrong = None if value is None else value + (1 if isinstance(hand, FillIn) else -1)
            claims = [(status, value, True), (status, wrong, False)][: 1 if wrong is None else 2]
        for claimed, number, right in claims:
            if number is not None and number < question.wilds:
                continue  # no certificate has such a claim
            goal = better(question, {"status": claimed, "objective": number})
            if goal is None:
                continue
            try:
                draft = graphs.of_graph_hand(question, goal, ProofOptions())
            except HasSolution:
                draft = None
            except Unproved:
                assert right
                continue
            assert (draft is not None) is right or not is_graph(tuple(question.counted), 1), hand
            made += draft is not None
    assert made > 10
