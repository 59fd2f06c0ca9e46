"""The checker that Coq has proved: its verdicts are those of the Python verifiers."""

import faulthandler
import fcntl
import hashlib
import json
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from tests.support import ROOT
from tests.support.certifying import changed, edited, key, put_certificate, signed
from tests.support.drawing import cards, drawn, often, questions
from tests.support.running import Capture, Patch, answered, run
from tests.support.tables import table
from uno_csp import FillIn, Longest, Status, Uno1, certify, generate, parse, solve
from uno_csp.certificates import proved
from uno_csp.certificates.named import NamedPrices, describe
from uno_csp.formats import question_to_dict
from uno_csp.questions import Instance
from uno_csp.reductions import reduce
from uno_csp.verifier import hands
from uno_csp.verifier.hands import verify
from uno_csp.verifier.reading import judged

SAID = table("certificates", "proved")
"""Questions, and what is proved of each."""

NO, _, LEVELS, LONGEST, _, OFFERED = (question for question, _ in SAID[:6])
WAYS: list[dict[str, Any]] = [{}, {"bounds": False}, {"bounds": False, "strict": True}]
WIDTHS = {"levels": (3, 4, 5)}
"""Attributes of the cards of random hands, where they are not two or three."""

pytestmark = [
    pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc to build it"),
    pytest.mark.usefixtures("_built"),
    pytest.mark.timeout(1500),  # Coq may build it before the first test
]


def read(path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    return dict(json.loads(path.read_text()))


@pytest.fixture(scope="session")
def checker() -> str:
    """The program that is installed, or else one of these sources, which is built once and kept."""
    if found := proved.program():
        return found
    proofs = ROOT / "proofs"
    sources = sorted([*proofs.glob("*.v"), *proofs.glob("checker/*"), proofs / "build"])
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    folder = ROOT / "build/checker" / digest
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other test processes wait for the first
        if not (folder / proved.PROGRAM).exists():
            faulthandler.cancel_dump_traceback_later()  # it would end this process after 330 s
            subprocess.run([proofs / "build", folder], check=True, capture_output=True)
    return str(folder / proved.PROGRAM)


@pytest.fixture
def _built(checker: str, monkeypatch: Patch) -> None:
    monkeypatch.setattr(proved, "program", lambda: checker)


@pytest.mark.parametrize(("question", "words"), SAID)
def test_what_is_proved(question: dict[str, object], words: str, tmp_path: Path) -> None:
    asked = parse(question)
    assert (certify(asked, solve(asked), tmp_path / "c").certificate or {})["certified"]
    printed = answered(0, "verify", str(tmp_path / "c"), "--checker", "coq")
    assert words in printed
    assert proved.BELIEVED in printed


def require_proved(asked: Instance, folder: Path) -> None:
    """Assert that the proved checker and a Python verifier accept a certificate."""
    code, line = proved.verdict(folder)
    assert (code, judged(folder, "auto", verify)[0]) == (0, 0), (asked, line)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("kind", ["uno-1", "fill-in", "levels", "longest", "supply"])
def test_certificates_of_random_hands_are_proved(
    kind: str, way: dict[str, Any], tmp_path: Path
) -> None:
    """Also those of wild cards, of a card on the pile, and of hands that fall apart."""
    if kind == "levels" and way.get("strict"):
        return  # its proofs are too long
    wanted, seen = "refutation" if way else "bound", set[int]()
    for number, asked in enumerate(searched(kind)):
        folder = tmp_path / str(number)
        summary = certify(asked, solve(asked), folder, **way).certificate or {}
        if summary.get("kind") == wanted:
            require_proved(asked, folder)
            if way or read(folder / "claim.json")["levels"] == (kind == "levels"):
                seen.add(asked.dimension)
    assert seen
    assert seen <= {*WIDTHS.get(kind, (2, 3))}


def test_random_timetables_are_proved(tmp_path: Path) -> None:
    players = Counter[int]()
    noes = questions("cooperative").filter(lambda x: solve(x).status is Status.UNSATISFIABLE)
    for number, asked in enumerate(drawn(noes, 6)):
        folder = tmp_path / str(number)
        certify(asked, solve(asked), folder)
        require_proved(asked, folder)
        players[len(asked.hands)] += 1
    assert len(players) > 1


def test_refutations_of_several_groups_are_proved(tmp_path: Path) -> None:
    rng = random.Random(93)
    cards = [
        [rng.randrange(8) + 20 * n, rng.randrange(8, 16) + 20 * n] for n in [0] * 11 + [1] * 11
    ]
    asked = parse({"question": "fill-in", "cards": cards})
    certify(asked, solve(asked), tmp_path, bounds=False)
    size, choice, *_ = (tmp_path / "formula.cnf").read_text().splitlines()
    variables = int(size.split()[2])
    assert choice.split() == [str(variables - 1), str(variables), "0"]
    assert proved.verdict(tmp_path)[0] == 0


RANDOM = FillIn(generate("random", colours=30, numbers=30, cards=40, seed=1).cards)
AROUND = {"hubs": [0], "inside": {"hub": 0}, "outside": {"hub": 1}}


def put_proved(folder: Path, asked: FillIn, *, bounds: bool) -> None:
    """Write a certificate that is proved."""
    put_certificate(folder, json.dumps(question_to_dict(asked)), bounds=bounds)
    assert proved.verdict(folder)[0] == 0


def last_row(change: Callable[[int, Any], list[Any]]) -> Callable[[str], str]:
    """Replace the last row of the first bound in a file."""

    def how(bounds: dict[str, Any]) -> None:
        rows = next(iter(bounds.values()))["rows"]
        rows += change(*rows.pop())

    return edited(how)


@pytest.mark.parametrize(
    ("asked", "bounds", "name", "how"),
    [
        (RANDOM, False, "proof.drat", lambda text: text[: text.index("\n", len(text) // 2) + 1]),
        (RANDOM, False, "proof.drat", lambda _: "0\n"),
        (RANDOM, False, "formula.cnf", lambda text: text[: text.rindex("\n", 0, -1) + 1]),
        (RANDOM, False, "cuts.jsonl", lambda text: '{"hubs": [0], "inside": {"hub": 1}}\n' + text),
        (RANDOM, False, "proof.drat", lambda text: "-1 x 0\n" + text),
        (RANDOM, True, "bound.json", last_row(lambda _, row: [[0, row]])),
        (RANDOM, True, "bound.json", last_row(lambda times, _: [[times, ["around", AROUND]]])),
        (RANDOM, True, "bound.json", last_row(lambda times, _: [[times, ["sum", 99]]])),
        (RANDOM, True, "bound.json", last_row(lambda times, row: [[-times, row]])),
        (RANDOM, True, "bound.json", last_row(lambda _times, _row: [])),
        (parse(OFFERED), True, "claim.json", key("objective", lambda value: value + 1)),
        (parse(OFFERED), True, "question.json", key("costs", lambda _: [3, 1, 1, 9])),
        (parse(OFFERED), True, "witness.json", key("added", lambda old: [["R", 7], *old[1:]])),
        (parse(OFFERED), True, "witness.json", key("sequence", lambda old: old[::-1][:-1])),
    ],
)
def test_what_was_changed_is_not_proved(
    asked: FillIn, bounds: bool, name: str, how: Callable[[str], str], tmp_path: Path
) -> None:
    put_proved(tmp_path, asked, bounds=bounds)
    changed(tmp_path, name, how)
    assert proved.verdict(tmp_path)[0] in (1, 2, 3)
    assert judged(tmp_path, "auto", verify)[0] in (1, 2)


def test_a_lemma_that_it_does_not_handle(tmp_path: Path, capsys: Capture) -> None:
    """The empty clause, which follows from the others, but not by unit propagation alone."""
    put_proved(tmp_path, RANDOM, bounds=False)
    changed(tmp_path, "proof.drat", lambda _: "0\n")
    assert run("verify", str(tmp_path), "--checker", "coq") == 3
    assert "does not handle a lemma" in capsys.readouterr().err


@pytest.mark.parametrize("change", ["names", "early", "literals", "nothing"])
def test_changed_layers_are_refused(change: str, tmp_path: Path, checker: str) -> None:
    """Names and reasons are compared with the clauses that are known to hold."""
    put_certificate(tmp_path, json.dumps(LONGEST), strict=True, bounds=False)
    rows = proved.describe_rows(tmp_path)
    names, clauses = rows["0"]["names"], rows["0"]["clauses"]
    layers = [clause for clause in clauses if clause[1][0] == "layer"]
    if change == "names":
        nears = [name for _, name in names if name[0] == "near"]
        nears[0][:], nears[-1][:] = nears[-1][:], nears[0][:]
    elif change == "early":  # as if a visited hub were near an end after no step
        arrivals = [why for _, why in layers if why[1] == "arrive"]
        for why in arrivals:
            why[2] = 0
    elif change == "literals":
        for literals, _ in layers:
            del literals[-1]
    (tmp_path / proved.ROWS).write_text(json.dumps(rows))
    found = subprocess.run([checker, tmp_path], capture_output=True, check=False)
    assert found.returncode == (0 if change == "nothing" else 1)


@pytest.mark.parametrize("text", table("certificates", "malformed questions"))
def test_malformed_questions_are_not_proved(text: str, tmp_path: Path) -> None:
    asked = parse(NO)
    certify(asked, solve(asked), tmp_path / "c")
    (tmp_path / "c" / "question.json").write_text(text)
    assert proved.verdict(tmp_path / "c")[0] in (1, 2, 3)


def test_a_long_strategy(tmp_path: Path) -> None:
    rng, folder = random.Random(7), tmp_path / "c"
    hands = [[[rng.randrange(5), rng.randrange(5)] for _ in range(11)] for _ in range(3)]
    asked = parse({"question": "uncooperative", "hands": hands})
    answer = solve(asked)
    late = certify(asked, answer, tmp_path / "late", time_limit_s=1e-6).certificate or {}
    assert not late["certified"]
    assert "within the limits" in late["summary"]
    summary = certify(asked, answer, folder).certificate or {}
    assert summary["kind"] == "strategy"
    lines = (folder / "strategy.jsonl").read_text().splitlines()
    assert len(lines) > 1000
    assert summary["reason"].startswith(f"a strategy of {len(lines)} positions")
    assert proved.verdict(folder)[0] == 0
    other = next(line for line in lines if line != lines[100])
    for forged in (
        lines[:-1],
        [*lines, lines[0]],
        [*lines[:100], other, *lines[101:]],
        [*lines[:100], "null", *lines[101:]],
    ):
        (folder / "strategy.jsonl").write_text("".join(f"{line}\n" for line in forged))
        signed(folder)
        assert judged(folder, "auto", verify)[0] in (1, 2)
        assert proved.verdict(folder)[0] in (1, 2)


@st.composite
def harder(draw: st.DrawFn, kind: str) -> Uno1 | Longest | FillIn:
    """Questions whose answer often has a bound for its certificate."""
    width, values = (
        draw(st.sampled_from(WIDTHS.get(kind, (2, 2, 3)))),
        draw(st.sampled_from((8, 12, 6) if kind != "levels" else (3, 4, 6))),
    )
    card = cards(width, values, draw(st.sampled_from(("none", "none", "partial"))))
    fewest, most = (3, 7) if kind == "levels" else (6, 13)
    hand = tuple(draw(st.lists(card, min_size=fewest, max_size=most, unique=True)))
    hand += (("*",) * width,) * draw(often(0.2))
    after = draw(st.none() | cards(width, values, "none"))
    if kind in ("uno-1", "longest"):
        return (Uno1 if kind == "uno-1" else Longest)(hand, after=after)
    if kind != "supply":
        k = draw(st.integers(width // 2 + 1, width - 1)) if kind == "levels" else 1
        return FillIn(hand, at_least=k, after=after)
    supply = tuple(draw(st.lists(card, min_size=1, max_size=7)))
    return FillIn(hand, supply, draw(st.tuples(*[st.integers(0, 8)] * len(supply))), after=after)


@cache
def searched(kind: str) -> Sequence[Uno1 | Longest | FillIn]:
    """Those with something to refute, of hands that hang together where that is no matter of k."""

    def refuted(asked: Uno1 | Longest | FillIn) -> bool:
        hand = Uno1(asked.cards, at_least=asked.at_least, after=asked.after)
        if kind in ("uno-1", "fill-in") and reduce(hand).decided is not None:
            return False
        answer = solve(asked)
        return bool(answer.objective) or answer.status is Status.UNSATISFIABLE

    return drawn(harder(kind).filter(refuted), 2 if kind == "levels" else 4)


@pytest.mark.parametrize("change", ["dearer", "cheaper", "fewer hubs", "nothing"])
def test_wrong_hubs_with_prices_are_refused(change: str, tmp_path: Path, checker: str) -> None:
    asked, folder = parse(LEVELS), tmp_path / "c"
    certify(asked, solve(asked), folder)
    given = hands.Certificate(folder)
    stated = NamedPrices(*given.parts[0])
    table = describe(stated, read(folder / "bound.json")["0"])
    if change == "dearer":
        table["prices"] = [2 * price for price in table["prices"]]
    elif change == "cheaper":
        table["prices"] = [0 for _ in table["prices"]]
    elif change == "fewer hubs":
        table["at"] = [hubs[:-1] for hubs in table["at"]]
    (folder / proved.ROWS).write_text(json.dumps({"0": table}))
    found = subprocess.run([checker, folder], capture_output=True, check=False)
    assert found.returncode == (0 if change == "nothing" else 1)
