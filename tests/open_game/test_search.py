"""The search of the open game: plain and as machine code, against the rules and minimax."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawing import dealt_games, drawn, games, large_games
from tests.support.examples import examples
from tests.support.open_games import minimax
from tests.support.running import Capture, Patch
from uno_csp import solve
from uno_csp.algorithms.proof_number import ProofNumber
from uno_csp.cli import serve
from uno_csp.open_game import compiling, search
from uno_csp.open_game.compiling import machine_code
from uno_csp.open_game.forced import settle
from uno_csp.open_game.moves import MOST_MOVES, NO_SYMBOL, UNDECIDED, Moves, moves
from uno_csp.open_game.positions import Game, Outcome, Position
from uno_csp.open_game.proof_numbers import run
from uno_csp.open_game.search import SEARCH, Unfinished, WinSearch
from uno_csp.open_game.states import SYMBOL, as_arrays, fill, narrow, zeros
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.pausing import paused_s
from uno_csp.questions.answers import Status
from uno_csp.questions.open_game import OpenGame, dealt, start_of

GAMES = games() | large_games() | dealt_games()


@pytest.fixture
def compiled(monkeypatch: Patch) -> None:
    """Searches are machine code from the beginning."""
    monkeypatch.setattr(search, "SHORT", -1)


def searching(game: Game, side: set[int], start: Position, most: int = 10**7) -> WinSearch:
    found = WinSearch(game, side, start)
    found.most = most
    return found


@examples(20)
@given(GAMES, st.data())
def test_machine_code_moves_as_plain_python_does(instance: OpenGame, data: st.DataObject) -> None:
    game, position = start_of(instance)
    cards = [kind for kind, count in enumerate(game.setup.cards) for _ in range(count)]
    narrowed = narrow(game.setup, cards)

    def narrow_state(of: Position) -> list[int]:
        row = [0] * len(narrowed.spare)
        fill(narrowed, row, (*of.hands, of.stock), of.numbers)
        return row

    length = len(narrowed.spare)
    to = Moves(*(zeros(MOST_MOVES, *more, fast=True) for more in ((length,), (), ())))
    while True:
        expected = game.moves(position)
        state = as_arrays(narrow_state(position))
        assert machine_code(moves)(as_arrays(narrowed), state, to) == len(expected)
        assert list(to.labels)[: len(expected)] == game.room.labels[: len(expected)]
        for (_, outcome), child, winner in zip(expected, to.children, to.winners, strict=False):
            if isinstance(outcome, int):
                assert winner == outcome
            else:
                assert winner == UNDECIDED
                assert [*child] == narrow_state(outcome)
        _, chosen = data.draw(st.sampled_from(expected))
        if isinstance(chosen, int):
            return
        position = chosen


@examples(20)
@given(GAMES, st.data())
def test_what_is_forced_is_played(instance: OpenGame, data: st.DataObject) -> None:
    """A settled position is a later one with a choice, or its game is decided."""
    game, position = start_of(instance)
    while True:
        state = game.state(position)
        winner = settle(game.setup, state)
        following: Outcome = position
        while isinstance(following, Position) and (only := game.moves(following))[1:] == []:
            following = only[0][1]
        if isinstance(following, int):
            assert winner == following
            return
        wins = [outcome for _, outcome in game.moves(following) if outcome == following.player]
        if wins:
            assert winner == following.player
        else:
            assert winner == UNDECIDED
            expected = game.state(following)
            if state[game.setup.words + SYMBOL] == NO_SYMBOL:
                expected[game.setup.words + SYMBOL] = NO_SYMBOL
            assert state == expected
        chosen = data.draw(st.sampled_from(game.moves(position)))[1]
        if isinstance(chosen, int):
            return
        position = chosen


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("seed", range(4))
def test_most_lost_games_are_known_to_be_won_by_the_others(seed: int) -> None:
    game, start = start_of(dealt((4, 4), seed))
    first = searching(game, {0}, start)
    if not first.wins(start):
        assert first.known_to_lose(start) is searching(game, {1}, start).wins(start)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("plain", [False, True])
def test_the_winner_is_that_of_minimax(plain: bool, full: bool, monkeypatch: Patch) -> None:
    monkeypatch.setattr(search, "SHORT", 10**9 if plain else -1)
    if full:  # a table that is full all the time
        for name in ("FEWEST_SLOTS", "FEWEST_PLAIN_SLOTS", "MOST_PLAIN_SLOTS"):
            monkeypatch.setattr(search, name, 8)
        monkeypatch.setattr(search, "TABLE_BYTES", 0)
    for instance in drawn(games(), 12):
        truth = minimax(instance, 20_000)
        if truth is None:
            continue
        game, start = start_of(instance)
        sides = ({0}, set(range(1, game.players)))
        for side, wins, others in zip(sides, truth, truth[::-1], strict=True):
            found = searching(game, side, start)
            assert found.wins(start) is wins
            assert found.known_to_win(start) is wins
            assert others or not found.known_to_lose(start)
            assert found._engine.fast is not plain or found.positions == 0


def test_a_table_grows_and_keeps_what_it_knows(monkeypatch: Patch) -> None:
    game, start = start_of(dealt((10, 10), 5))
    monkeypatch.setattr(search, "SHORT", -1)
    expected = searching(game, {0}, start).wins(start)
    monkeypatch.setattr(search, "FEWEST_SLOTS", 64)
    monkeypatch.setattr(search, "AT_ONCE", 50)
    growing = searching(game, {0}, start)
    assert growing.wins(start) is expected
    assert growing.known_to_win(start) is expected
    assert len(growing._engine.table.values) > 64


@pytest.mark.parametrize("short", [-1, 10**9])
def test_limits_end_the_search(short: int, monkeypatch: Patch) -> None:
    monkeypatch.setattr(search, "SHORT", short)
    game, start = start_of(dealt((10, 10), 1))
    for most, deadline in ((500, Deadline.after(1000)), (10**7, Deadline.after(0))):
        found = WinSearch(game, {0}, start, deadline)
        found.most = most
        with pytest.raises(Unfinished):
            found.wins(start)
        assert found.known_to_win(start) is None
        assert (found.positions >= 500) is (most == 500)


@pytest.fixture
def forgetful() -> Iterator[None]:
    """The search may be compiled or not; the test finds out, and again after it."""
    compiling._why_not.cache_clear()
    yield
    compiling._why_not.cache_clear()


@pytest.fixture
def unloaded(monkeypatch: Patch) -> None:
    """The process has not loaded the machine code of the search."""
    nothing = SimpleNamespace(currsize=0)
    monkeypatch.setattr(search._as_machine_code, "cache_info", lambda: nothing, raising=False)


@pytest.mark.usefixtures("forgetful")
def test_without_numba_the_search_is_in_python(monkeypatch: Patch, capsys: Capture) -> None:
    instance = dealt((3, 3), 3)
    expected = solve(instance).status
    machine_code.cache_clear()
    search._as_machine_code.cache_clear()
    monkeypatch.setattr(search, "SHORT", 10)
    monkeypatch.setitem(sys.modules, "numba", None)
    found = [ProofNumber(most).run(instance) for most in (10**6, 50)]
    assert [each.status for each in found] == [expected, Status.UNKNOWN]
    assert "the search was not compiled: Numba is not installed" in found[1].reason
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith("uno-csp: not compiled: the search of the open game")


@pytest.mark.usefixtures("forgetful")
def test_where_compiling_fails_the_search_is_in_python(monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(compiling, "is_kept", lambda _: False)
    monkeypatch.setattr(compiling, "program", lambda *_: (sys.executable, "-c", "exit('broken')"))
    monkeypatch.setattr(search, "SHORT", 100)
    game, start = start_of(dealt((4, 4), 3))
    first, other = (WinSearch(game, side, start) for side in ({0}, {1}))
    assert first.wins(start) is not other.wins(start)
    assert first.uncompiled == "broken"
    assert not first._engine.fast
    assert not other._engine.fast
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("uno-csp: compiling the search of the open game (once, about")
    assert said[1].endswith(": broken")
    assert len(said) == 2


@pytest.mark.usefixtures("forgetful")
def test_without_a_folder_for_it_nothing_is_compiled(monkeypatch: Patch) -> None:
    monkeypatch.setattr(compiling, "folder_of", lambda _: None)
    assert SEARCH.why_not() == compiling.NO_FOLDER


def test_compiling_moves_the_deadline_of_every_search(monkeypatch: Patch) -> None:
    """With a clock that stands still but for the pause; no time that is left decides."""
    game, start = start_of(dealt((4, 4), 3))
    searches = [WinSearch(game, side, start, Deadline.after(0.1)) for side in ({0}, {1})]
    before = [each._deadline for each in searches]

    def compiled(_: object) -> str:
        monkeypatch.setattr(search, "paused_s", lambda: paused_s() + 1000)
        return ""

    monkeypatch.setattr(compiling, "_why_not", compiled)
    monkeypatch.setattr(search, "SHORT", 1)
    assert len({each.wins(start) for each in searches}) == 2
    for each, deadline in zip(searches, before, strict=True):
        assert each._deadline == deadline.shifted(1000)
        assert each.positions > each._in_python


@pytest.mark.parametrize("loaded", [False, True])
def test_a_process_begins_in_python_and_goes_on_compiled(
    loaded: bool, request: pytest.FixtureRequest
) -> None:
    """When machine code has been loaded once, it is used from the beginning."""
    if not loaded:
        request.getfixturevalue("unloaded")
    for seed in range(4):
        game, start = start_of(dealt((3, 3), seed))
        found = searching(game, {0}, start)
        found.wins(start)
        assert found._engine.fast is (loaded or found.positions > search.SHORT)


def test_the_search_is_compiled_once(monkeypatch: Patch) -> None:
    assert SEARCH.why_not() == ""
    monkeypatch.setattr(compiling, "_compile_apart", None)  # it is not called
    assert compiling._why_not.__wrapped__(SEARCH) == ""
    monkeypatch.setattr(
        machine_code(run).targetctx, "codegen", lambda: SimpleNamespace(magic_tuple=tuple)
    )
    assert not compiling.is_kept(run)  # it is machine code of another processor


@pytest.mark.slow
def test_two_processes_that_need_it_compile_it_once(tmp_path: Path) -> None:
    """With an empty cache, and less time for the answer than compiling takes."""
    code = (
        "from uno_csp import solve\n"
        "from uno_csp.questions.open_game import dealt\n"
        "if __name__ == '__main__': print(solve(dealt((10, 10), 3), time_limit_s=20).status)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in both:
        printed, said = process.communicate()
        assert printed == "UNSATISFIABLE\n"
        assert said == f"uno-csp: compiling {SEARCH.what}\n"
    assert len([*tmp_path.rglob("proof_numbers.run_*.nbi")]) == 1
    assert len([*tmp_path.rglob("proof_numbers.run_*.nbc")]) == 1


def test_a_server_compiles_in_the_background(monkeypatch: Patch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    start = subprocess.Popen

    def noted(*given: Any, **how: Any) -> "subprocess.Popen[bytes]":
        started.append(start(*given, **how))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    with serve._compiling():
        assert [process.returncode for process in started] == [None]  # nobody has waited for it
    assert started[0].returncode is not None
