"""One contract for every backend."""

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import REQUIRED
from tests.support.running import Patch
from tests.support.tables import table
from uno_csp.backends.dimacs_program import resolve
from uno_csp.errors import BackendError, BackendUnavailable, NotAccepted, UnknownName
from uno_csp.methods import backend_names, find_backend, require_available
from uno_csp.modeling import (
    Backend,
    BoundingSession,
    Circuit,
    Connected,
    Model,
    Objective,
    Relation,
    Session,
)
from uno_csp.questions.answers import Status

YES = (Status.SATISFIABLE, Status.OPTIMAL)


@pytest.fixture
def backend(backend_name: str) -> Backend:
    return require_available(find_backend(backend_name))


def status(backend: Backend, model: Model) -> Status:
    return backend.open(model).solve().status


def pigeons(count: int) -> Model:
    """count + 1 pigeons do not fit into count holes."""
    model = Model()
    rows = [model.new_vars(count) for _ in range(count + 1)]
    for row in rows:
        model.add_clause(*row)
    for hole in range(count):
        model.at_most([row[hole] for row in rows], 1)
    return model


def hard_3_sat() -> Model:
    """A random formula of 400 variables, near the threshold, so that it is hard to refute."""
    rng = random.Random(1)
    model = Model(400)
    for _ in range(1840):
        model.add_clause(*(rng.choice((v, -v)) for v in rng.sample(range(1, 401), 3)))
    return model


@pytest.mark.parametrize("name", REQUIRED)
def test_required_backends_are_here(name: str) -> None:
    assert find_backend(name).available()
    assert find_backend(name).version()


def test_sums_of_nothing(backend: Backend) -> None:
    for sense, bound, holds in (
        (Relation.AT_MOST, 3, True),
        (Relation.AT_MOST, -1, False),
        (Relation.AT_LEAST, 1, False),
        (Relation.AT_LEAST, -2, True),
        (Relation.EQUAL, 0, True),
        (Relation.EQUAL, 1, False),
    ):
        model = Model()
        model.add_linear([], [], sense, bound)
        assert (status(backend, model) in YES) is holds, (sense, bound)


def test_an_empty_clause_is_not(backend: Backend) -> None:
    model = Model(2)
    model.add_clause(1)
    model.add_clause()
    assert status(backend, model) is Status.UNSATISFIABLE
    session = backend.open(Model(1))
    assert session.solve().status in YES
    session.add([()])
    assert session.solve().status is Status.UNSATISFIABLE


def test_free_variables_have_a_value(backend: Backend) -> None:
    for count, chosen in ((0, []), (5, [3])):
        model = Model(count)
        model.add_clauses([[each] for each in chosen])
        result = backend.open(model).solve()
        assert result.status in YES
        assert result.assignment is not None
        assert len(result.assignment) == count + 1
        assert all(result.assignment[each] for each in chosen)


def test_every_constraint_kind(backend: Backend) -> None:
    model = Model(6)
    model.add_clause(-1, 2)
    model.add_clause(1)
    model.add_parity([1, 2, 3], odd=True)
    model.add_parity([3, -4], odd=False)
    model.add_linear([3, -2, 5], [4, 5, 6], Relation.AT_MOST, -2)
    model.exactly([1, 2, 3, 4, 5, 6], 3)
    model.add_linear([1, 1], [2, 5], Relation.AT_LEAST, 2)
    result = backend.open(model).solve()
    # 1 and 2 hold, so 3 does; then 3 + not 4 is even only with 4 false, which leaves too much
    assert result.status is Status.UNSATISFIABLE
    model.parities.pop()
    model.linears = [model.linears[0], model.linears[2]]
    result = backend.open(model).solve()
    assert result.assignment is not None
    assert list(result.assignment)[1:] == [True, True, True, False, True, False]


def test_clauses_may_be_added_after_solving(backend: Backend) -> None:
    model = Model(3)
    model.exactly([1, 2, 3], 1)
    session = backend.open(model)
    seen = set()
    for _ in range(3):
        result = session.solve()
        assert result.assignment is not None
        chosen = list(result.assignment).index(True)
        seen.add(chosen)
        session.add([[-chosen]])
    assert seen == {1, 2, 3}
    assert session.solve().status is Status.UNSATISFIABLE
    session.close()


def test_same_seed_same_answer(backend: Backend) -> None:
    model = Model(12)
    for i in range(1, 11):
        model.add_clause(i, i + 1, -(i + 2))
    for seed in (0, 7):
        answers = {tuple(backend.open(model, seed=seed).solve().assignment or ()) for _ in range(2)}
        assert len(answers) == 1


def test_a_global_that_is_not_native_is_refused(backend: Backend) -> None:
    model = Model(3)
    model.add_global(Connected([1, 2], [0], [1], [3]))
    if Connected in backend.native_globals:
        assert status(backend, model) is Status.SATISFIABLE
        return
    with pytest.raises(NotAccepted):
        backend.open(model)


def test_circuit_where_native(backend: Backend) -> None:
    model = Model(4)
    model.add_global(Circuit(3, [0, 1, 2, 1], [1, 2, 0, 0], [1, 2, 3, 4]))
    if Circuit in backend.native_globals:
        result = backend.open(model).solve()
        assert result.assignment is not None
        assert list(result.assignment) == [False, True, True, True, False]
    else:
        with pytest.raises(NotAccepted):
            backend.open(model)


def test_an_objective_is_minimised_or_bounded(backend: Backend) -> None:
    model = Model(3)
    model.add_clause(1, 2)
    model.add_clause(2, 3)
    model.objective = Objective([2, 3, 2], [1, 2, 3], offset=10)
    if backend.minimises:
        result = backend.open(model).solve()
        assert result.status is Status.OPTIMAL
        assert (result.objective, result.bound) == (13, 13)
    else:
        session = backend.open(model)
        assert isinstance(session, BoundingSession)
        weights, literals = model.objective.coefficients, model.objective.literals
        four, two = (session.at_most(weights, literals, bound) for bound in (4, 2))
        assert session.solve().status is Status.SATISFIABLE
        assert session.solve_assuming([two]).status is Status.UNSATISFIABLE
        bounded = session.solve_assuming([four])
        assert bounded.assignment is not None
        assert model.objective.value(bounded.assignment) in (13, 14)
        session.close()


def test_a_solver_that_dies_without_a_limit_is_an_error(monkeypatch: Patch) -> None:
    from pulp.apis import coin_api

    session = find_backend("cbc").open(pigeons(2))
    monkeypatch.setattr(coin_api, "pulp_cbc_path", "/bin/true")
    with pytest.raises(BackendError, match="cbc"):
        session.solve()


def test_a_limit_that_a_library_cannot_hold_is_none(backend: Backend) -> None:
    assert status(backend, pigeons(4)) is Status.UNSATISFIABLE
    session = backend.open(pigeons(2))
    for limit_s in (1e7, 1e10, 1e300):
        assert session.solve(limit_s).status is Status.UNSATISFIABLE
    session.close()


@pytest.mark.parametrize("name", ["cp-sat", "cbc", "highs"])
def test_a_limit_inside_the_solver_is_unknown_and_never_no(name: str) -> None:
    result = find_backend(name).open(hard_3_sat()).solve(0.5)
    assert result.status is Status.UNKNOWN
    assert result.stop_reason


def test_cbc_is_not_believed_when_its_time_ends_while_it_prepares() -> None:
    """It says "infeasible" of a problem whose preparation the limit cuts short."""
    model = Model(1200)
    for first in range(1, 1200):
        model.add_clause(first, first + 1)
    model.objective = Objective([1 + each % 3 for each in range(1200)], list(range(1, 1201)))
    session = find_backend("cbc").open(model)
    for limit_s in (1e-6, *(0.004 * step for step in range(1, 15, 3))):
        assert session.solve(limit_s).status is not Status.UNSATISFIABLE
    impossible = find_backend("cbc").open(pigeons(2))
    assert impossible.solve(1e-6).status is Status.UNKNOWN
    assert impossible.solve(60).status is Status.UNSATISFIABLE


@pytest.fixture
def opened(program: Callable[..., str]) -> Callable[..., Session]:
    """Open a model of one clause for a program that is written."""

    def session(*script: str) -> Session:
        model = Model(2)
        model.add_clause(1, 2)
        return find_backend(f"dimacs:{program(*script)}").open(model)

    return session


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo 's SATISFIABLE'; echo 'v 1 -2'; echo 'v 0'; exit 10", Status.SATISFIABLE),
        ("echo 's SATISFIABLE'; echo 'v 1 -2 0'; echo '12 conflicts'", Status.SATISFIABLE),
        ("echo 's UNSATISFIABLE'; exit 20", Status.UNSATISFIABLE),
        ("echo 's UNKNOWN'; exit 0", Status.UNKNOWN),
        ("echo 's INDETERMINATE'; exit 15", Status.UNKNOWN),
        ("exec sleep 30", Status.UNKNOWN),
        # An answer counts whatever the program does then: it leaves a child, or stays.
        ("sleep 5 & echo 's SATISFIABLE'; echo 'v 1 -2 0'; exit 10", Status.SATISFIABLE),
        ("echo 's SATISFIABLE'; echo 'v 1 -2 0'; exec sleep 30", Status.SATISFIABLE),
    ],
)
def test_what_programs_print(script: str, expected: Status, opened: Callable[..., Session]) -> None:
    result = opened(script).solve(1.0)
    assert result.status is expected
    if expected is Status.SATISFIABLE:
        assert result.assignment == [False, True, False]


@pytest.mark.parametrize(("file", "why"), table("backends", "programs that cannot start"))
def test_a_program_that_cannot_start_says_why(
    file: str, why: str, opened: Callable[..., Session]
) -> None:
    with pytest.raises(BackendError, match=f"whole cannot be started: {why}"):
        opened(file, "whole", "").solve()


@pytest.mark.parametrize(("script", "message"), table("backends", "unsound programs"))
def test_a_program_without_a_sound_answer_is_an_error(
    script: str, message: str, opened: Callable[..., Session]
) -> None:
    with pytest.raises(BackendError, match=message) as error:
        opened(script).solve()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["SAT\n1 -2 0\n", "SAT\n-1 -2 0\n", "UNSAT\n1 0\n", "UNSAT\n"])
def test_result_files(text: str, tmp_path: Path, opened: Callable[..., Session]) -> None:
    (tmp_path / "said").write_text(text)
    session = opened(f"cp {tmp_path}/said $2; exit 0", "minisat")
    if text in ("SAT\n1 -2 0\n", "UNSAT\n"):
        assert session.solve().status.startswith(text.split(maxsplit=1)[0])
    else:
        with pytest.raises(BackendError, match="minisat: solver output: "):
            session.solve()


def test_names_that_are_not_there() -> None:
    with pytest.raises(UnknownName, match="cadical195, clingo, cp-sat"):
        find_backend("cadical")
    with pytest.raises(BackendUnavailable, match="not installed"):
        require_available(find_backend("dimacs:no-such-solver"))
    for path in ("dimacs:/bin/sh", "dimacs:../sh", "dimacs:"):
        with pytest.raises(UnknownName):
            resolve(path)


def test_every_solver_in_pysat_has_a_backend() -> None:
    from pysat.solvers import SolverNames

    for attribute, aliases in vars(SolverNames).items():
        assert attribute.startswith("_") or {*aliases} & {*backend_names()}, attribute


@pytest.mark.parametrize("name", ["my files", "it's a", "tab\tbed", "né"])
def test_cbc_works_in_folders_of_any_name(name: str, tmp_path: Path, monkeypatch: Patch) -> None:
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    model = Model()
    a, b = model.new_var(), model.new_var()
    model.add_clause(a, b)
    model.add_clause(-a)
    session = find_backend("cbc").open(model)
    assert session.solve(20).status in YES
    assert not [*folder.iterdir()]
