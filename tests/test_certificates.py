"""Certificates: whatever is certified is right, and what was tampered with is refused."""

import ast
import hashlib
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from scripts.attacks.drawing import draw
from tests.hands import nontraceable, truth
from uno_csp import (
    Answer,
    CheckFailed,
    FillIn,
    Longest,
    NotAccepted,
    Options,
    Status,
    Uno1,
    certify,
    generate,
    parse,
    solve,
)
from uno_csp.answers import Witness
from uno_csp.certificates import verifier
from uno_csp.certificates.refutation import HasSolution, refute
from uno_csp.certificates.verifier import Formula, Question, Refused, better, verify
from uno_csp.encodings._trail_model import HubTrail, TrailModel
from uno_csp.families.structured_hands import diamond_hand, petersen_fragments_hand
from uno_csp.formats import question_to_dict
from uno_csp.pipeline.stages import Task, run
from uno_csp.questions import Instance

COVER_CARDS = TrailModel.cover_cards
VERIFIER = Path(verifier.__file__)
ONE_HAND = ("uno-1", "longest", "fill-in")
HONEST = ("is wild, yet not to all cards", "of which no proof speaks yet")
"""What is said where there is no certificate."""


def certificate(instance: Instance, folder: Path) -> dict[str, Any]:
    told = solve(instance, proof=str(folder)).certificate
    assert told is not None
    return dict(told)


def refuted(question: Instance, status: Status, objective: int | None) -> bool:
    """Whether a proof of a claim can be made, be it right or wrong."""
    read = Question(question_to_dict(question))
    goal = better(read, {"status": str(status), "objective": objective})
    if goal is None:
        return True
    try:
        return bool(refute(Formula(read, goal)).proof)
    except HasSolution:
        return False


@pytest.mark.parametrize("block", range(4))
def test_small_questions_are_certified(block: int, tmp_path: Path) -> None:
    """Every no and every optimum, unless it is said why not."""
    dice = random.Random(block)
    seen: Counter[str] = Counter()
    for _ in range(100):
        instance = draw(dice, dice.choice(ONE_HAND))
        told = certificate(instance, tmp_path)
        assert told["certified"] or told["told"].endswith(HONEST), told
        seen[told.get("kind", "none")] += 1
    assert min(seen[kind] for kind in ("witness", "groups", "refutation")) > 5, seen


@pytest.mark.parametrize("block", range(4))
def test_nothing_wrong_can_be_refuted(block: int) -> None:
    """Of a claim one too good the formula has a solution, whatever cuts are added."""
    dice = random.Random(100 + block)
    tried = 0
    while tried < 100:
        instance = draw(dice, dice.choice(ONE_HAND))
        answer = solve(instance)
        try:
            Question(question_to_dict(instance))
        except Refused:
            continue
        tried += 1
        value = answer.objective
        if isinstance(instance, Uno1) and answer.status is Status.SATISFIABLE:
            assert not refuted(instance, Status.UNSATISFIABLE, None), instance
        elif isinstance(instance, FillIn) and value is not None:
            assert not refuted(instance, Status.OPTIMAL, value + 1), instance
            if instance.supply is not None:
                assert not refuted(instance, Status.UNSATISFIABLE, None), instance
        elif isinstance(instance, Longest) and value:
            assert not refuted(instance, Status.OPTIMAL, value - 1), instance


def test_every_no_and_optimum_of_the_truth_is_certified(tmp_path: Path) -> None:
    kinds: Counter[str] = Counter()
    for proved in truth():
        if proved.instance.question in ONE_HAND and proved.status != "SATISFIABLE":
            told = certificate(proved.instance, tmp_path)
            assert told["certified"] or told["told"].endswith(HONEST), told
            kinds[told.get("kind", "none")] += 1
    assert min(kinds[kind] for kind in ("groups", "refutation")) > 5, kinds


@pytest.mark.parametrize(
    "hand",
    [
        *nontraceable(),
        diamond_hand(nx.complete_bipartite_graph(3, 3)),
        diamond_hand(nx.petersen_graph()),
        petersen_fragments_hand(nx.petersen_graph(), range(10)),
    ],
    ids=lambda hand: hand.name,
)
def test_known_noes_are_certified(hand: Uno1, tmp_path: Path) -> None:
    told = certificate(hand, tmp_path)
    assert told["certified"], told
    assert verify(tmp_path)[0] == told["told"]


@pytest.mark.parametrize("checker", ["dratify", "drup"])
def test_every_checker_takes_a_proof(checker: str, tmp_path: Path) -> None:
    assert certificate(parse(LONGEST), tmp_path)["kind"] == "refutation"
    assert verify(tmp_path, checker)[1] == checker


def test_an_optimum_that_takes_a_search_is_certified(tmp_path: Path) -> None:
    hand = FillIn(diamond_hand(nx.complete_bipartite_graph(3, 3)).cards)
    told = certificate(hand, tmp_path)
    assert (told["certified"], told["kind"]) == (True, "refutation")


def test_a_reason_is_as_small_as_can_be(tmp_path: Path) -> None:
    star = Uno1(tuple((i, j) for i, j in ((1, 1), (1, 2), (1, 3), (4, 2), (5, 3), (6, 1))))
    told = certificate(star, tmp_path)
    assert told["kind"] in ("groups", "refutation")
    two = Uno1((("red", 1), ("blue", 2)))
    assert certificate(two, tmp_path)["told"].startswith("proved: without 0 cards")


LONGEST = """{"question": "longest",
    "cards": [[1, 1], [1, 2], [1, 3], [4, 2], [5, 3], [6, 1], [7, 7]]}"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The certificate of an optimum by refutation."""
    assert certificate(parse(LONGEST), tmp_path)["kind"] == "refutation"
    return tmp_path


def signed(folder: Path, **changed: Any) -> None:
    """Make the claim fit the files, as a forger would."""
    claim = json.loads((folder / "claim.json").read_text())
    claim["files"] = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in claim["files"]
    }
    (folder / "claim.json").write_text(json.dumps({**claim, **changed}))


def without_a_clause(folder: Path) -> None:
    lines = (folder / "formula.cnf").read_text().splitlines()
    (folder / "formula.cnf").write_text("\n".join([*lines[:3], *lines[4:]]) + "\n")


def with_a_clause(folder: Path) -> None:
    with (folder / "formula.cnf").open("a") as file:
        file.write("1 0\n-1 0\n")


def first_cut(folder: Path, **changed: Any) -> None:
    first, *others = (folder / "cuts.jsonl").read_text().splitlines()
    cut = json.dumps({**json.loads(first), **changed})
    (folder / "cuts.jsonl").write_text("\n".join([cut, *others]) + "\n")


def shorter_proof(folder: Path) -> None:
    (folder / "proof.drat").write_text("")


def other_question(folder: Path) -> None:
    told = json.loads(LONGEST)
    told["cards"][0] = [7, 1]
    (folder / "question.json").write_text(json.dumps(told))


def other_witness(folder: Path) -> None:
    told = json.loads((folder / "witness.json").read_text())
    (folder / "witness.json").write_text(json.dumps({"sequence": told["sequence"][:-1]}))


def unmatched_witness(folder: Path) -> None:
    told = json.loads((folder / "witness.json").read_text())
    (folder / "witness.json").write_text(json.dumps({"sequence": told["sequence"][::-1][1:] * 2}))


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (without_a_clause, "formula.cnf: line 4"),
        (with_a_clause, "formula.cnf: line"),
        (lambda folder: first_cut(folder, inside={"card": 6}), "does not lie inside"),
        (lambda folder: first_cut(folder, inside={"card": 99}), "there is no card 99"),
        (lambda folder: first_cut(folder, inside={"hub": -1}), "hub -1 is not inside"),
        (lambda folder: first_cut(folder, outside={"hub": -1}), "hub -1 is not outside"),
        (lambda folder: first_cut(folder, hubs=[77]), "a hub that is not there"),
        (lambda folder: first_cut(folder, cards=[0]), "not on three hubs"),
        (lambda folder: first_cut(folder, hubs=[0, 1]), "cuts.jsonl: line 1"),
        (shorter_proof, "proof.drat: dratify does not accept it"),
        (other_question, "witness.json"),
        (other_witness, "witness.json: its value is 4"),
        (unmatched_witness, "witness.json"),
    ],
)
def test_what_was_tampered_with_is_refused(
    made: Path, forge: Callable[[Path], None], said: str
) -> None:
    verify(made)
    forge(made)
    with pytest.raises(Refused, match="it is not the file that was certified"):
        verify(made)
    signed(made)
    with pytest.raises(Refused, match=said):
        verify(made)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"objective": 4}, "witness.json: its value is 5"),
        ({"status": "UNSATISFIABLE"}, "UNSATISFIABLE needs no certificate"),
        ({"version": 2}, "version 1"),
    ],
)
def test_another_claim_is_refused(made: Path, changed: dict[str, Any], said: str) -> None:
    signed(made, **changed)
    with pytest.raises(Refused, match=said):
        verify(made)


def test_files_out_of_the_folder_are_refused(made: Path) -> None:
    claim = json.loads((made / "claim.json").read_text())
    claim["files"]["../question.json"] = claim["files"]["question.json"]
    (made / "claim.json").write_text(json.dumps(claim))
    with pytest.raises(Refused, match="files are among"):
        verify(made)


def test_a_proof_of_something_else_is_refused(made: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    question = parse(LONGEST.replace("[7, 7]", "[7, 3]"))
    assert certificate(question, other)["kind"] == "refutation"
    shutil.copy(other / "proof.drat", made / "proof.drat")
    shutil.copy(other / "cuts.jsonl", made / "cuts.jsonl")
    signed(made)
    with pytest.raises(Refused):
        verify(made)


def test_a_cut_over_cards_that_need_not_be_played_is_refused(tmp_path: Path) -> None:
    supply = FillIn(((1, 1), (2, 2), (3, 3)), ((1, 2), (2, 3)), (3, 4))
    read = Question(question_to_dict(supply))
    formula = Formula(read, verifier.Goal(1, cost=6))
    with pytest.raises(Refused, match="card 3 need not be played"):
        formula.cut({"hubs": [0, 3], "inside": {"card": 3}, "outside": {"card": 2}})
    assert formula.cut({"hubs": [0, 1], "inside": {"card": 0}, "outside": {"card": 2}})


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ({"removed": [], "groups": [[0], [1]]}, "not every card once"),
        ({"removed": [], "groups": [[0, 1], [2]]}, "card 2 matches a card of another group"),
        ({"removed": [0], "groups": [[1, 2]]}, "it asks for 0 sequences only"),
        ({"removed": [], "groups": [[0, 1, 2], []]}, "an empty group"),
    ],
)
def test_reasons_that_are_none_are_refused(reason: dict[str, Any], said: str) -> None:
    question = Question(question_to_dict(Uno1(((1, 1), (2, 2), (2, 3)))))
    with pytest.raises(Refused, match=said):
        verifier.check_groups(question, verifier.Goal(1), reason)


def test_a_wrong_no_is_caught(tmp_path: Path) -> None:
    """What a bug in an encoding would lead to."""
    yes = Uno1(((1, 1), (1, 2), (2, 2)))
    with pytest.raises(CheckFailed, match="has a solution"):
        certify(yes, Answer("uno-1", Status.UNSATISFIABLE), tmp_path)
    dear = Answer(
        "fill-in",
        Status.OPTIMAL,
        Witness(((1, 1), (1, 2), (1, 1)), added=((1, 2),), objective=1),
    )
    with pytest.raises(CheckFailed, match="has a solution"):
        certify(FillIn(((1, 1), (1, 1))), dear, tmp_path)


def heavy_ends(write: TrailModel, trail: HubTrail) -> list[tuple[int, int]]:
    """Weight 2 for 1."""
    return [(2, literal) for literal in trail.odd.values()]


def wrong_covers(write: TrailModel) -> None:
    """A hint that every hub is visited makes cuts too strong."""
    COVER_CARDS(write)
    write._net.covers += [(hub,) for hub in range(len(write.visited))]


def one_clause_too_many(write: TrailModel) -> None:
    """Every card is asked for its last hub."""
    COVER_CARDS(write)
    for _, at in write.core.cards:
        write.model.add_clause(write.visited[at[-1]])


@pytest.mark.parametrize(
    ("name", "bug"),
    [
        ("ends_of", heavy_ends),
        ("cover_cards", wrong_covers),
        ("cover_cards", one_clause_too_many),
    ],
)
def test_a_bug_in_the_encoder_is_caught(
    name: str, bug: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What it makes a no is none, and the verifier's formula shows it."""
    monkeypatch.setattr(TrailModel, name, bug)
    caught = 0
    for seed in range(50):
        cubic = generate("random-cubic", vertices=10, seed=seed)
        hand = cubic if seed % 2 else generate("random", colours=6, numbers=6, cards=11, seed=seed)
        found = run(Task(hand, Options("hub-trail", "cadical195", presolve=False)))
        answer = Answer(hand.question, found.status)
        monkeypatch.undo()
        right = solve(hand).status
        monkeypatch.setattr(TrailModel, name, bug)
        if found.status is Status.UNSATISFIABLE is not right:
            caught += 1
            with pytest.raises(CheckFailed, match="has a solution"):
                certify(hand, answer, tmp_path)
    assert caught


def test_a_yes_needs_no_certificate(tmp_path: Path) -> None:
    told = certificate(Uno1(((1, 1), (1, 2))), tmp_path)
    assert told == {"certified": True, "told": "the witness shows the answer"}
    assert not list(tmp_path.iterdir())
    unseen = certify(Uno1(((1, 1),)), Answer("uno-1", Status.SATISFIABLE), tmp_path).certificate
    assert unseen == {"certified": False, "told": "no witness shows the answer"}


def test_no_older_certificate_stays_beside_an_answer_without_one(made: Path) -> None:
    assert certificate(Uno1(((1, 1), (1, 2))), made)["certified"]
    assert not list(made.iterdir())


def test_nothing_of_others_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(NotAccepted, match=r"holds 'thesis.txt'"):
        solve(Uno1(((1, 1), (2, 2))), proof=str(tmp_path))
    with pytest.raises(NotAccepted, match="is a file"):
        solve(Uno1(((1, 1), (2, 2))), proof=str(tmp_path / "thesis.txt"))
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_cards_on_many_hubs_are_not_certified(tmp_path: Path) -> None:
    hand = Uno1(tuple(tuple(range(i, i + 14)) for i in (0, 0, 90)), at_least=7)
    told = certificate(hand, tmp_path)
    assert told == {"certified": False, "told": "cards are on more than 256 hubs"}


def test_no_proof_within_the_time_is_said(tmp_path: Path) -> None:
    hand = FillIn(petersen_fragments_hand(nx.petersen_graph(), range(10)).cards)
    answer = solve(hand)
    told = certify(hand, answer, tmp_path, time_limit_s=0.01).certificate
    assert told == {"certified": False, "told": "no proof was found within the time limit"}


def test_the_verifier_stands_alone(tmp_path: Path) -> None:
    """It is one readable file that needs nothing but Python's own library, and no site-packages."""
    source = VERIFIER.read_text()
    assert len(source.splitlines()) <= 500
    outside = {"cdclkit", "dratify", "drup"}
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert all(name.split(".")[0] in sys.stdlib_module_names | outside for name in names)
    shutil.copy(VERIFIER, tmp_path / "verifier.py")
    assert certificate(Uno1(((1, 1), (2, 2))), tmp_path / "no")["kind"] == "groups"
    command = [sys.executable, "-I", "-S", "verifier.py", "no"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "proved: without 0 cards the hand falls into 2 groups\n"
    assert certificate(parse(LONGEST), tmp_path / "best")["kind"] == "refutation"
    command[-1] = "best"
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == (0 if shutil.which("drat-trim") else 3)
    (tmp_path / "no" / "reason.json").unlink()
    command[-1] = "no"
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, "refused: reason.json: it is not there\n")
    command[-1] = "nowhere"
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 2
