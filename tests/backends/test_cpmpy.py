"""Solvers that CPMpy drives, and models handed to CPMpy."""

import re
from collections import Counter

import pytest

import uno_csp
from tests.support import ROOT
from tests.support.running import Capture
from uno_csp import BackendUnavailable, NotAccepted, Options, Status, UnknownName
from uno_csp.methods import find_backend
from uno_csp.models import to_cpmpy

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
