"""Certificates: whatever is certified is right, and what was tampered with is refused."""

import shutil
from collections.abc import Generator
from dataclasses import replace
from errno import ENOSPC
from functools import cache, partial
from itertools import count, repeat
from pathlib import Path
from typing import Any, TypeVar

import networkx as nx
import pytest
from hypothesis import given

from tests.support.certifying import LONGEST, certificate, put_certificate
from tests.support.drawing import questions
from tests.support.examples import examples
from tests.support.hands import nontraceable
from tests.support.running import Patch
from uno_csp import (
    Answer,
    CheckFailed,
    FillIn,
    Longest,
    NotAccepted,
    Status,
    Uno1,
    certify,
    generate,
    parse,
    solve,
)
from uno_csp.certificates import parts, refutation
from uno_csp.certificates.bounds import TrailRelaxation, find_bound, trail_cuts
from uno_csp.certificates.refutation import HasSolution, refute
from uno_csp.families.structured_hands import diamond_hand, petersen_fragments_hand
from uno_csp.formats import question_to_dict
from uno_csp.pipeline import Progress
from uno_csp.questions import Instance
from uno_csp.questions.answers import Witness
from uno_csp.verifier.cards import Question, better
from uno_csp.verifier.hands import formula, verify
from uno_csp.verifier.trails import Trails

FoundT = TypeVar("FoundT")


def refuted(
    question: Instance, status: Status, objective: int | None = None, *, levels: bool = False
) -> bool:
    """Whether a proof of a claim can be made, be it right or wrong."""
    read = Question(question_to_dict(question))
    goal = better(read, {"status": str(status), "objective": objective})
    if goal is None:
        return True
    stated = formula(read, goal, strict=False, levels=levels)
    if isinstance(stated, Trails) and bounded(stated):
        return True
    try:
        cuts = partial(trail_cuts, stated) if isinstance(stated, Trails) else None
        return bool(finished(refute(stated, cuts)).proof)
    except HasSolution:
        return False


def bounded(stated: Trails, most_leaves: int = 3) -> bool:
    """Return True if inequalities in few cases contradict each other."""
    search = find_bound(TrailRelaxation(stated))
    try:
        while next(search) <= most_leaves:
            pass
    except StopIteration as ended:
        return ended.value is not None
    return False


@cache
def fragments() -> tuple[FillIn, Answer]:
    """An optimum that takes a count, with its answer."""
    hand = FillIn(petersen_fragments_hand(nx.petersen_graph(), range(4)).cards)
    return hand, solve(hand)


def finished(search: Generator[int, None, FoundT]) -> FoundT:
    """Run a search to its end and return what it finds."""
    try:
        while True:
            next(search)
    except StopIteration as ended:
        found: FoundT = ended.value
        return found


@examples(50)
@given(questions("uno-1", "longest", "fill-in", "cooperative"))
def test_nothing_wrong_can_be_refuted(instance: Instance) -> None:
    """Of a claim one too good the formula has a solution, and no inequalities contradict it."""
    answer = solve(instance)
    value = answer.objective
    if answer.status is Status.SATISFIABLE:
        assert not refuted(instance, Status.UNSATISFIABLE)
    elif isinstance(instance, FillIn) and value is not None:
        assert not refuted(instance, Status.OPTIMAL, value + 1)
        if value and instance.supply is None and 2 * instance.at_least > instance.dimension:
            assert not refuted(instance, Status.OPTIMAL, value + 1, levels=True)
        if instance.supply is not None:
            assert not refuted(instance, Status.UNSATISFIABLE)
    elif isinstance(instance, Longest) and value:
        assert not refuted(instance, Status.OPTIMAL, value - 1)


@pytest.mark.parametrize(
    ("hand", "kind"),
    [
        *((hand, None) for hand in nontraceable()[:2]),
        (diamond_hand(nx.complete_bipartite_graph(3, 3)), "bound"),
        (diamond_hand(nx.petersen_graph()), "bound"),
        (petersen_fragments_hand(nx.petersen_graph(), range(4)), "refutation"),
        (generate("random", colours=60, numbers=60, cards=80, seed=1), "bound"),
    ],
    ids=lambda each: getattr(each, "name", each),
)
def test_known_noes_and_their_optima_are_certified(
    hand: Uno1, kind: str | None, tmp_path: Path
) -> None:
    """The kind is that of the certificate of the fewest cards that are missing."""
    no = certificate(hand, tmp_path / "no")
    assert no["certified"]
    assert verify(tmp_path / "no")[0].splitlines()[0] == no["summary"]
    if kind is not None:
        best = certificate(FillIn(hand.cards), tmp_path / "best")
        assert (best["certified"], best["kind"]) == (True, kind)
        assert kind == "refutation" or best["bytes"] < 20_000


def test_a_slow_machine_makes_the_same_certificate(tmp_path: Path, monkeypatch: Patch) -> None:
    """The clock may run as it likes: only work done decides what is tried next."""
    hand, answer = fragments()
    expected = []
    for number, pace in enumerate((1.0, 1000.0)):
        with monkeypatch.context() as patched:
            ticks = count(1)
            patched.setattr(
                "time.clock_gettime", lambda _, pace=pace, ticks=ticks: pace * next(ticks)
            )
            certified = certify(hand, answer, tmp_path / str(number)).certificate or {}
        expected.append({key: certified[key] for key in ("kind", "reason", "bytes")})
        files = {each.name: each.read_bytes() for each in (tmp_path / str(number)).iterdir()}
        expected[-1]["files"] = {name: data for name, data in files.items() if name != "claim.json"}
    assert expected[0] == expected[1]


def test_a_hopeless_search_does_not_starve_the_other(monkeypatch: Patch) -> None:
    """A bound that is never found leaves half of the turns to the refutation, and the reverse."""

    def never(*_: object) -> Generator[int, None, None]:
        yield from repeat(parts.FEW_CASES + 1)

    hand = petersen_fragments_hand(nx.petersen_graph(), range(4))
    read = Question(question_to_dict(hand))
    goal = better(read, {"status": "UNSATISFIABLE", "objective": None})
    assert goal is not None
    monkeypatch.setattr(parts, "find_bound", never)
    assert parts.impossible(read, goal, parts.ProofOptions()).refutation is not None
    monkeypatch.undo()
    monkeypatch.setattr(parts, "refute", never)
    hand = diamond_hand(nx.complete_bipartite_graph(3, 3))
    read = Question(question_to_dict(hand))
    assert parts.impossible(read, goal, parts.ProofOptions()).bound is not None


def test_a_search_has_limits(monkeypatch: Patch, tmp_path: Path) -> None:
    hand, answer = fragments()
    late = certify(hand, answer, tmp_path, time_limit_s=0.01).certificate
    assert late == {"certified": False, "summary": "no proof was found within the time limit"}
    monkeypatch.setattr(refutation, "MOST_CONFLICTS", 10)
    monkeypatch.setattr(refutation, "CONFLICTS", 20)
    expected = certify(hand, answer, tmp_path, bounds=False).certificate
    assert expected == {"certified": False, "summary": "no proof was found within 10 conflicts"}
    wide = Uno1(tuple(tuple(range(i, i + 14)) for i in (0, 0, 90)), at_least=7)
    assert certificate(wide, tmp_path) == {"certified": False, "summary": "over 256 hubs a card"}


def test_a_wrong_no_is_caught(tmp_path: Path) -> None:
    """What a bug in an encoding would lead to."""
    yes = Uno1(((1, 1), (1, 2), (2, 2)))
    with pytest.raises(CheckFailed, match="has a solution"):
        certify(yes, Answer("uno-1", Status.UNSATISFIABLE), tmp_path)
    dear = Answer(
        "fill-in", Status.OPTIMAL, Witness(((1, 1), (1, 2), (1, 1)), added=((1, 2),), objective=1)
    )
    with pytest.raises(CheckFailed, match="has a solution"):
        certify(FillIn(((1, 1), (1, 1))), dear, tmp_path)


def test_a_yes_needs_no_certificate(tmp_path: Path) -> None:
    expected = certificate(Uno1(((1, 1), (1, 2))), tmp_path)
    assert expected == {"certified": True, "summary": "the witness shows the answer"}
    assert not list(tmp_path.iterdir())
    unseen = certify(Uno1(((1, 1),)), Answer("uno-1", Status.SATISFIABLE), tmp_path).certificate
    assert unseen == {"certified": False, "summary": "no witness shows the answer"}


def test_a_made_up_yes_is_not_certified(tmp_path: Path) -> None:
    question, other = parse("R5 B7"), parse("R5 R7")
    made_up = replace(solve(other), checked=True)
    with pytest.raises(CheckFailed, match="the answer is wrong: hand"):
        certify(question, made_up, tmp_path / "never")
    assert not (tmp_path / "never").exists()


def test_an_older_certificate_is_replaced_by_a_new_one_only(tmp_path: Path) -> None:
    assert certificate(parse(LONGEST), tmp_path, bounds=False)["kind"] == "refutation"
    kept = {each: each.read_bytes() for each in tmp_path.iterdir()}
    hand, longest = parse("R5 R7"), parse(LONGEST)
    for asked, answer, limit_s in (
        (hand, solve(hand), None),
        (hand, Answer("uno-1", Status.UNKNOWN, reason="time"), None),
        (longest, solve(longest), 1e-9),
    ):
        found = certify(asked, answer, tmp_path, bounds=False, time_limit_s=limit_s).certificate
        assert "kind" not in (found or {})
        assert {each: each.read_bytes() for each in tmp_path.iterdir()} == kept
    assert certificate(parse("R5 B7"), tmp_path)["kind"] == "groups"
    assert "proof.drat" not in {each.name for each in tmp_path.iterdir()}


@pytest.mark.parametrize("name", ["proof.zip", "PROOF.ZIP", "a.tar.gz", "proof.7z", "x/y.tgz"])
def test_a_certificate_is_not_named_as_a_packed_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotAccepted, match=r"a certificate is a folder, not a \.\w+ file"):
        solve("R5 B7", proof=tmp_path / name)
    assert not list(tmp_path.iterdir())
    for taken in ("proof", "proof.d", "2026.10", ".zip", "zip", "a.zip/proof"):
        assert certificate(parse("R5 B7"), tmp_path / taken)["certified"]
    (tmp_path / "old.zip").mkdir()
    assert certificate(parse("R5 B7"), tmp_path / "old.zip")["certified"]


def test_an_answer_stays_if_its_certificate_cannot_be_written(
    monkeypatch: Patch, tmp_path: Path
) -> None:
    move = shutil.move

    def full(made: Path, target: Path) -> Any:
        if made.name == "claim.json":
            raise OSError(ENOSPC, "No space left on device")
        return move(made, target)

    monkeypatch.setattr(shutil, "move", full)
    answer = solve("R5 B7", proof=tmp_path)
    assert answer.status is Status.UNSATISFIABLE
    assert answer.certificate == {
        "certified": False,
        "summary": f"the certificate was not written: {tmp_path}: no space left on device",
    }
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("thesis.txt", "years of work"),
        *(
            (name, '{"files": {}, "version": 1}')
            for name in ("question.json", "proof.lrat", "claim.json", "formula.cnf")
        ),
    ],
)
def test_nothing_of_others_is_overwritten(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(NotAccepted, match=f"holds '{name}'(, which is not part of an intact)?"):
        solve("R5 B7", proof=str(tmp_path))
    with pytest.raises(NotAccepted, match="is a file"):
        solve("R5 B7", proof=str(tmp_path / name))
    assert (tmp_path / name).read_text() == text
    put_certificate(tmp_path / "made", LONGEST)
    (tmp_path / "made/question.json").write_text("{}")
    with pytest.raises(NotAccepted, match=r"which is not part of an intact certificate"):
        solve(parse(LONGEST), proof=tmp_path / "made")
    assert (tmp_path / "made/question.json").read_text() == "{}"
    with pytest.raises(NotAccepted, match="/proc: the folder is not writable"):
        solve("R5 B7", proof="/proc/certificate")


def test_the_effort_is_reported_as_it_grows(tmp_path: Path) -> None:
    """Cases of a bound, or conflicts of a refutation, after the progress of the solver."""
    for strict, size in ((False, 60), (True, 20)):
        drawn = generate("random", colours=size, numbers=size, cards=4 * size // 3, seed=1)
        asked = Longest(drawn.cards)
        seen: list[Progress] = []
        solve(asked, proof=tmp_path / str(strict), strict=strict, on_progress=seen.append)
        efforts = [each.proof for each in seen if each.proof is not None]
        assert seen[-1].proof == efforts[-1]
        assert efforts == sorted(efforts)
        assert efforts[-1].conflicts > 0 if strict else efforts[-1].cases > 1
