"""The backends that are baselines from outside: the LKH heuristic, and MiniZinc with Gecode."""

from typing import Any

import pytest

from tests.support.hands import nontraceable, truth
from tests.support.running import Patch
from uno_csp import Longest, NotAccepted, Status, Uno1, generate, solve
from uno_csp.backends.minizinc import MiniZincBackend, MiniZincSession, _read
from uno_csp.errors import BackendError
from uno_csp.methods import find_backend
from uno_csp.modeling import Circuit, Model

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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[false, false]\n----------\n", "breaks clause 1"),
        ("[true]\n----------\n", "fewer values than there are variables"),
        ("[true, false]\n----------\n=====UNSATISFIABLE=====\n", "UNSATISFIABLE after a solution"),
    ],
)
def test_what_minizinc_may_not_print(monkeypatch: Patch, text: str, message: str) -> None:
    model = Model(2)
    model.add_clause(1, 2)
    said = [text, "[true, false]\n----------\n"]
    monkeypatch.setattr(MiniZincSession, "run", lambda *_: _read(said.pop(0).splitlines()))
    session = MiniZincBackend().open(model)
    with pytest.raises(BackendError, match=message):
        session.solve()
    assert session.solve().status is Status.SATISFIABLE
