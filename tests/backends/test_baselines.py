"""Backends from outside: LKH, MiniZinc with Gecode, and the solvers that CPMpy drives."""

import re
from collections import Counter
from typing import Any

import pytest

import uno_csp
from tests.support import ROOT
from tests.support.hands import nontraceable, truth
from tests.support.running import Capture, Patch
from tests.support.tables import table
from uno_csp import (
    BackendUnavailable,
    Longest,
    NotAccepted,
    Options,
    Status,
    UnknownName,
    Uno1,
    generate,
    solve,
)
from uno_csp.backends.minizinc import MiniZincBackend, MiniZincSession, _read
from uno_csp.errors import BackendError
from uno_csp.methods import find_backend
from uno_csp.modeling import Circuit, Model
from uno_csp.models import to_cpmpy

CIRCUIT: dict[str, Any] = {"method": "successor", "connectivity": "native"}


def test_lkh_finds_and_never_refutes() -> None:
    found = 0
    for proved in truth("uno-1")[::2]:
        answer = solve(proved.instance, backend="lkh", presolve=False, **CIRCUIT)
        if proved.status == "UNSATISFIABLE":
            assert answer.status is Status.UNKNOWN
            assert "proves nothing" in answer.reason
        else:
            assert answer.status is Status.SATISFIABLE
            assert answer.checked
            found += 1
    assert found >= 10


def test_lkh_on_a_larger_hand() -> None:
    hand = generate("planted", colours=20, numbers=20, cards=100)
    answer = solve(hand, backend="lkh", seed=1, presolve=False, **CIRCUIT)
    assert (answer.status, answer.checked) == (Status.SATISFIABLE, True)


def test_lkh_refuses_what_is_no_circuit() -> None:
    hand = Uno1((("red", 5), ("red", 7)))
    with pytest.raises(NotAccepted, match="nothing but one circuit"):
        solve(hand, method="hub-trail", backend="lkh", presolve=False)
    with pytest.raises(NotAccepted, match="nothing but one circuit"):
        solve(Longest(hand.cards), backend="lkh", presolve=False, **CIRCUIT)
    with pytest.raises(NotAccepted, match="nothing but one circuit"):
        solve(hand, method="successor", connectivity="order", backend="lkh", presolve=False)
    many = Model(1)
    many.add_global(Circuit(5000, [0], [0], [1]))
    with pytest.raises(NotAccepted, match="up to 4000 nodes"):
        find_backend("lkh").open(many)
    with pytest.raises(NotAccepted, match="takes no cuts"):
        find_backend("lkh").open(Model()).add([[1]])
    assert find_backend("lkh").open(Model(2)).solve().status is Status.SATISFIABLE


@pytest.mark.parametrize("question", ["uno-1", "fill-in", "longest"])
def test_minizinc_on_proved_instances(question: str) -> None:
    if not find_backend("minizinc").available():
        pytest.skip("minizinc is not installed")
    for proved in truth(question)[::12]:
        answer = solve(proved.instance, backend="minizinc", presolve=False, **CIRCUIT)
        assert (answer.status, answer.objective) == (proved.status, proved.objective)


def test_clingo_refutes_with_the_textbook_program() -> None:
    answer = solve(nontraceable()[0], backend="clingo", presolve=False, **CIRCUIT)
    assert answer.status is Status.UNSATISFIABLE
    assert answer.connectivity == "native"


@pytest.mark.parametrize(("text", "message"), table("backends", "unsound outputs of MiniZinc"))
def test_what_minizinc_may_not_print(monkeypatch: Patch, text: str, message: str) -> None:
    model = Model(2)
    model.add_clause(1, 2)
    said = [text, "[true, false]\n----------\n"]
    monkeypatch.setattr(MiniZincSession, "run", lambda *_: _read(said.pop(0).splitlines()))
    session = MiniZincBackend().open(model)
    with pytest.raises(BackendError, match=message):
        session.solve()
    assert session.solve().status is Status.SATISFIABLE


HANDS = (
    [[1, 1], [1, 2], [2, 2], [3, 3], [3, 1]],
    [[1, 1], [1, 2], [2, 2], [4, 4]],
    [[1, 1], [2, 2], [3, 3], [1, 2], [4, 1], [4, 5]],
)


@pytest.mark.parametrize("solver", ["pumpkin", "ortools"])
@pytest.mark.parametrize(
    ("method", "connectivity"),
    [("successor", "native"), ("successor", "lazy"), ("hub-trail", None)],
)
def test_a_solver_of_cpmpy_answers_as_the_default_does(
    solver: str, method: str, connectivity: str | None
) -> None:
    for kind in ("uno-1", "longest", "fill-in"):
        for cards in HANDS:
            question = uno_csp.parse({"question": kind, "cards": cards})
            found = uno_csp.solve(
                question, method=method, backend=f"cpmpy:{solver}", connectivity=connectivity
            )
            right = uno_csp.solve(question)
            assert (found.status, found.objective) == (right.status, right.objective)


def test_a_solver_that_only_satisfies_refuses_an_optimum() -> None:
    hand = uno_csp.parse({"question": "uno-1", "cards": HANDS[0]})
    options = Options(method="successor", backend="cpmpy:pindakaas", presolve=False)
    assert uno_csp.solve(hand, options).status is Status.SATISFIABLE
    longest = uno_csp.parse({"question": "longest", "cards": HANDS[1]})
    with pytest.raises(NotAccepted, match="only satisfaction"):
        uno_csp.solve(longest, options)


def test_names_of_solvers() -> None:
    assert find_backend("cpmpy:minizinc:chuffed").name == "cpmpy:minizinc:chuffed"
    for name in ("cpmpy:", "cpmpy:nothing", "cpmpy:../choco", "cpmpy:choco "):
        with pytest.raises(UnknownName, match=r"choco"):
            find_backend(name)
    hand = uno_csp.parse({"question": "uno-1", "cards": HANDS[0]})
    with pytest.raises(BackendUnavailable, match="cpmpy:hexaly"):
        uno_csp.solve(hand, method="successor", backend="cpmpy:hexaly")


def test_the_example_of_the_docs_adds_a_constraint(capsys: Capture) -> None:
    page = (ROOT / "docs/extending.md").read_text()
    (code,) = re.findall(r"```python\n([^`]*to_cpmpy[^`]*)```", page)
    exec(compile(code, "extending.md", "exec"), {})  # noqa: S102
    played = eval(capsys.readouterr().out)  # noqa: S307
    colours = [colour for colour, _ in played]
    assert sorted(played) == sorted(
        [("red", 5), ("blue", 7), ("red", 7), ("blue", 5), ("green", 5)]
    )
    assert colours.index("blue") > max(i for i, colour in enumerate(colours) if colour == "red")


@pytest.mark.parametrize("method", [None, "hub-trail", "position", "successor", "closed-trail"])
def test_every_encoding_is_a_model_of_cpmpy(method: str | None) -> None:
    hand = uno_csp.parse("R5 R7 B7 B5")
    posed = to_cpmpy(hand, method)
    assert posed.model.solve(solver="ortools")
    played = posed.witness().sequence
    assert played is not None
    assert Counter(played) == Counter(hand.cards)


def test_a_model_without_a_solution_has_no_witness() -> None:
    posed = to_cpmpy(uno_csp.parse({"question": "uno-1", "cards": ["R5", "B7"]}))
    with pytest.raises(NotAccepted, match="no solution"):
        posed.witness()
    assert not posed.model.solve(solver="ortools")
    with pytest.raises(NotAccepted, match="no solution"):
        posed.witness()
