"""The verifier: what was tampered with is refused, each time with a message of its own."""

import ast
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cdclkit  # noqa: F401  # brings dratify its native engine
import dratify
import networkx as nx
import pytest

from tests.support.certifying import (
    LONGEST,
    changed,
    edited,
    judged_alone,
    key,
    put_certificate,
    replaced,
    signed,
    written,
)
from tests.support.running import Patch, run
from tests.support.tables import table
from uno_csp import FillIn, Uncooperative, Uno1, certify, generate, solve
from uno_csp.families.structured_hands import diamond_hand
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance
from uno_csp.verifier import cards, games, proofs, reading
from uno_csp.verifier.cards import Question
from uno_csp.verifier.hands import formula, verify
from uno_csp.verifier.reading import Refused
from uno_csp.verifier.trails import Trails


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The certificate of an optimum by refutation."""
    return put_certificate(tmp_path, LONGEST, bounds=False)


def first_cut(**new: Any) -> Callable[[str], str]:
    def how(text: str) -> str:
        first, _, others = text.partition("\n")
        return json.dumps({**json.loads(first), **new}) + "\n" + others

    return how


def sequence(change: Callable[[Any], Any]) -> tuple[str, Callable[[str], str]]:
    return "witness.json", key("sequence", change)


@pytest.mark.parametrize(
    ("name", "how", "said"),
    [
        *((name, replaced(*how), said) for name, how, said in table("certificates", "tampered")),
        *(("cuts.jsonl", first_cut(**new), said) for new, said in table("certificates", "cuts")),
        (*sequence(lambda old: old[:-1]), "witness.json: its value is 4"),
        (*sequence(lambda old: old[::-1][1:] * 2), "witness.json"),
        (*sequence(lambda old: [[*map(float, card)] for card in old]), r"\d.0 is not an integer"),
    ],
)
def test_what_was_tampered_with_is_refused(
    name: str, how: Callable[[str], str], said: str, made: Path
) -> None:
    verify(made)
    (made / name).write_text(how((made / name).read_text()))
    with pytest.raises(Refused, match="not the file that was certified"):
        verify(made)
    signed(made)
    with pytest.raises(Refused, match=said):
        verify(made)


@pytest.mark.parametrize(("claim", "said"), table("certificates", "other claims"))
def test_another_claim_is_refused(made: Path, claim: dict[str, Any], said: str) -> None:
    signed(made, **claim)
    with pytest.raises(Refused, match=said):
        verify(made)


@pytest.mark.parametrize(
    "question",
    [Uno1(((1, 1), (2, 2))), Uncooperative((((1, 1),), ((1, 2),)))],
    ids=lambda question: question.question,
)
def test_a_no_has_no_objective(question: Instance, tmp_path: Path) -> None:
    assert solve(question, proof=tmp_path / "proof").status == "UNSATISFIABLE"
    verify(tmp_path / "proof")
    signed(tmp_path / "proof", objective="42\nbelieved: nothing")
    with pytest.raises(Refused, match=r"claim\.json: objective is"):
        verify(tmp_path / "proof")


def test_files_out_of_the_folder_are_refused(made: Path) -> None:
    changed(made, "claim.json", key("files", lambda files: {**files, "../question.json": ""}))
    with pytest.raises(Refused, match="allowed files:"):
        verify(made)


@pytest.mark.parametrize("name", ["question.json", "formula.cnf", "proof.drat", "witness.json"])
def test_files_that_the_claim_does_not_list_are_missed(name: str, made: Path) -> None:
    changed(made, "claim.json", key("files", lambda files: files.pop(name) and files))
    with pytest.raises(Refused, match=rf"{name}: not listed in claim|it needs .*{name}"):
        verify(made)


def test_a_cut_over_cards_that_need_not_be_played_is_refused(tmp_path: Path) -> None:
    supply = FillIn(((1, 1), (2, 2), (3, 3)), ((1, 2), (2, 3)), (3, 4))
    read = Question(question_to_dict(supply))
    trails = Trails(read, cards.Better(1, cost=6))
    with pytest.raises(Refused, match="card 3 need not be played"):
        trails.cut({"hubs": [0, 3], "inside": {"card": 3}, "outside": {"card": 2}})
    assert trails.cut({"hubs": [0, 1], "inside": {"card": 0}, "outside": {"card": 2}})


@pytest.mark.parametrize(("reason", "said"), table("certificates", "no reasons"))
def test_reasons_that_are_none_are_refused(reason: dict[str, Any], said: str) -> None:
    question = Question(question_to_dict(Uno1(((1, 1), (2, 2), (2, 3)))))
    with pytest.raises(Refused, match=said):
        cards.check_groups(question, cards.Better(1), reason)


def test_the_verifier_stands_alone(tmp_path: Path) -> None:
    """It needs nothing but Python's own library, and no site-packages."""
    outside = {"cdclkit", "dratify", "drup"}
    for file in Path(reading.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            own = [name for name in names if not name.startswith("uno_csp.verifier")]
            assert {name.split(".")[0] for name in own} <= sys.stdlib_module_names | outside
    put_certificate(tmp_path / "no", "R1 B2")
    found = judged_alone(tmp_path / "no")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("proved: the cards fall into 2 groups\n")
    put_certificate(tmp_path / "best", LONGEST, bounds=False)
    found = judged_alone(tmp_path / "best")
    assert found.returncode == (0 if shutil.which("drat-trim") else 3)
    (tmp_path / "no" / "reason.json").unlink()
    found = judged_alone(tmp_path / "no")
    said = "refused: reason.json: missing, or not a regular file\n"
    assert (found.returncode, found.stderr) == (1, said)
    assert judged_alone(tmp_path / "nowhere").returncode == 2


def test_the_verifier_is_exported(made: Path, tmp_path: Path) -> None:
    """The same file each time, whether or not a certificate is verified as well."""
    assert run("verify", "--export", str(tmp_path / "one")) == 0
    assert run("verify", str(made), "--export", str(tmp_path / "other")) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert run("verify") == 2


@pytest.fixture
def sums(tmp_path: Path) -> Path:
    """The certificate of an optimum by inequalities, in more than one case."""
    hand = generate("random", colours=10, numbers=10, cards=13, seed=7, question="longest")
    return put_certificate(tmp_path, json.dumps(question_to_dict(hand)))


def leaf(expected: dict[str, Any]) -> dict[str, Any]:
    """Some case of a bound."""
    node = next(iter(expected.values()))
    while "rows" not in node:
        node = node["true"]
    found: dict[str, Any] = node
    return found


def case(expected: dict[str, Any]) -> dict[str, Any]:
    """Some bound that has cases."""
    found: dict[str, Any] = next(node for node in expected.values() if "literal" in node)
    return found


def first_row(expected: dict[str, Any], kind: str) -> list[Any]:
    rows = leaf(expected)["rows"]
    found: list[Any] = next(row for row in rows if row[1][0] == kind)
    return found


def new_value(kind: str | None, way: list[Any], value: Any) -> Callable[[dict[str, Any]], None]:
    """Put a value at the end of a way into the first row of a kind, or of any."""

    def how(data: dict[str, Any]) -> None:
        place = first_row(data, kind) if kind else leaf(data)["rows"][0]
        for step in way[:-1]:
            place = place[step]
        place[way[-1]] = value

    return how


@pytest.mark.parametrize(
    ("change", "said"),
    [
        *((new_value(*change), said) for *change, said in table("certificates", "bounds")),
        (lambda data: leaf(data)["rows"].pop(0), "the rows do not contradict each other"),
        (lambda data: first_row(data, "around")[1][1]["hubs"].pop(), "part"),
        (lambda data: case(data).__setitem__("literal", 0), "0 is not a literal"),
        (lambda data: case(data).pop("false"), "part"),
        (lambda data: case(data).update(false={"rows": []}), "do not contradict"),
    ],
)
def test_bounds_that_are_none_are_refused(
    sums: Path, change: Callable[[dict[str, Any]], Any], said: str
) -> None:
    verify(sums)
    changed(sums, "bound.json", edited(change))
    with pytest.raises(Refused, match=rf"bound.json: part \d+: .*{said}|{said}"):
        verify(sums)


def test_strategies_that_are_none_are_refused() -> None:
    message = {"question": "uncooperative", "hands": [[[1, 1], [2, 2]], [[1, 2], [2, 1]]]}
    question = Question(message)
    assert games.check_pairs(question, [[0, 0], [1, 1]])
    for pairs, said in (
        ([[0, 0]], "not each card"),
        ([[0, 0], [1, 0]], "a partner twice"),
        ([[0, 0], [1, 5]], "not held"),
    ):
        with pytest.raises(Refused, match=said):
            games.check_pairs(question, pairs)
    apart = Question({**message, "hands": [[[1, 1], [2, 2]], [[3, 1], [3, 3]]]})
    with pytest.raises(Refused, match="does not match"):
        games.check_pairs(apart, [[0, 0], [1, 1]])
    with pytest.raises(Refused, match="no card for player 2"):
        games.check_strategy(question, [])
    # Blue 9 has no partner, and cannot come up.
    hands = [[["red", 5], ["blue", 9]], [["red", 1], ["green", 8]]]
    piled = Question({**message, "hands": hands, "after": ["red", 0]})
    assert games.check_pairs(piled, [[0, 0]])
    for pile in ("blue", "green"):
        with pytest.raises(Refused, match="can come up without a partner"):
            games.check_pairs(Question({**message, "hands": hands, "after": [pile, 9]}), [[0, 0]])


def test_too_large_for_a_strict_certificate_is_said(tmp_path: Path) -> None:
    hand = diamond_hand(nx.random_regular_graph(3, 100, seed=1))
    message = certify(hand, solve(hand), tmp_path, strict=True).certificate
    assert message is not None
    assert not message["certified"]
    assert message["summary"].startswith("strict: ")
    assert "over 4000000" in message["summary"]


FORGED: dict[str, Any] = table("certificates", "questions with a solution")


@pytest.mark.parametrize("message", FORGED.values(), ids=FORGED)
@pytest.mark.parametrize("engine", ["native", "python"])
def test_deletions_beside_rat_prove_nothing(
    message: dict[str, Any], engine: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    """Of a clause that is deleted, what it has led to stays in dratify; RAT is then unsound."""
    whole = dratify.check_proof
    monkeypatch.setattr(
        dratify, "check_proof", lambda *given, **chosen: whole(*given, **chosen, engine=engine)
    )
    stated = formula(Question(message), cards.Better(1), strict=False)
    z, y = stated.variables + 1, stated.variables + 2
    proof = f"{z} 0\n{y} -{z} 0\nd {y} -{z} 0\n-{y} -{z} 0\n0\n"
    clauses = dratify.parse_dimacs(proofs.joined([stated]))
    assert dratify.check_proof(clauses, proof).ok
    files = {"question.json": json.dumps(message), "formula.cnf": proofs.joined([stated])}
    written(tmp_path, {**files, "cuts.jsonl": "", "proof.drat": proof})
    with pytest.raises(Refused, match=r"proof\.drat: dratify does not accept it"):
        verify(tmp_path)


@pytest.mark.parametrize(("more", "said"), table("certificates", "no questions"))
def test_questions_that_are_none_are_refused(
    more: dict[str, Any], said: str, tmp_path: Path
) -> None:
    message: dict[str, Any] = {"question": "uno-1", "cards": [[1, 1], [1, 2]]} | more
    message = {key: value for key, value in message.items() if (key, value) != ("cards", None)}
    written(tmp_path, {"question.json": json.dumps(message)})
    with pytest.raises(Refused, match=said):
        verify(tmp_path)


def test_large_formulas_of_small_files_are_refused() -> None:
    dear = {
        "question": "fill-in",
        "cards": [[1, 1], [2, 2]],
        "supply": [[1, i] for i in range(40)],
        "costs": [10**6 + 7**i % 10**6 for i in range(40)],
    }
    with pytest.raises(Refused, match="costs with too many sums"):
        Trails(Question(dear), cards.Better(1, cost=3 * 10**7))
    many = {"question": "cooperative", "hands": [[[1, 1], [1, 2]]] * 75}
    with pytest.raises(Refused, match="pairs of cards by step"):
        formula(Question(many), cards.Better(1), strict=False)
