"""The compiled search of the open game, against the rules, minimax and the search in Python."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawing import dealt_games, drawn, games, large_games
from tests.support.examples import examples
from tests.support.open_games import minimax
from uno_csp import solve
from uno_csp.algorithms.proof_number import ProofNumber
from uno_csp.cli import serve
from uno_csp.open_game import compiled_search, compiling, winning
from uno_csp.open_game.compiled import run
from uno_csp.open_game.compiled_forced import settle
from uno_csp.open_game.compiled_moves import (
    DRAWN,
    MOST_MOVES,
    NOTHING,
    SYMBOL,
    UNDECIDED,
    Moves,
    moves,
)
from uno_csp.open_game.compiled_search import CompiledSearch
from uno_csp.open_game.compiled_states import setup_of, state_of
from uno_csp.open_game.positions import NO_SYMBOL, Move, Outcome, Position
from uno_csp.open_game.search import ProofNumberSearch, Unfinished
from uno_csp.open_game.winning import WinSearch, why_uncompiled
from uno_csp.processes.deadline import Deadline
from uno_csp.processes.pausing import paused_s
from uno_csp.questions.answers import Status
from uno_csp.questions.open_game import OpenGame, dealt, start_of

GAMES = games() | large_games() | dealt_games()


def label_of(position: Position, move: Move) -> int:
    played = NOTHING if move.kind is None else 4 * move.kind + (move.colour or 0)
    return played + DRAWN * bool(move.drawn and not position.pending)


@examples(20)
@given(GAMES, st.data())
def test_the_moves_are_those_of_the_rules(instance: OpenGame, data: st.DataObject) -> None:
    game, position = start_of(instance)
    setup = setup_of(game, {0}, position)
    children = np.zeros((MOST_MOVES, len(setup.spare)), dtype=np.int64)
    winners, labels = np.zeros((2, MOST_MOVES), dtype=np.int64)
    to = Moves(children, winners, labels)
    while True:
        expected = game.moves(position)
        assert moves(setup, state_of(setup, position), to) == len(expected)
        assert labels[: len(expected)].tolist() == [
            label_of(position, move) for move, _ in expected
        ]
        for (_, outcome), child, winner in zip(expected, children, winners, strict=False):
            if isinstance(outcome, int):
                assert winner == outcome
            else:
                assert winner == UNDECIDED
                assert (child == state_of(setup, outcome)).all()
        _, chosen = data.draw(st.sampled_from(expected))
        if isinstance(chosen, int):
            return
        position = chosen


@examples(20)
@given(GAMES, st.data())
def test_what_is_forced_is_played(instance: OpenGame, data: st.DataObject) -> None:
    """A settled position is a later one with a choice, or its game is decided."""
    game, position = start_of(instance)
    setup = setup_of(game, {0}, position)
    while True:
        state = state_of(setup, position)
        winner = settle(setup, state)
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
            expected = state_of(setup, following)
            if state[setup.words + SYMBOL] == NO_SYMBOL:
                expected[setup.words + SYMBOL] = NO_SYMBOL
            assert (state == expected).all()
        chosen = data.draw(st.sampled_from(game.moves(position)))[1]
        if isinstance(chosen, int):
            return
        position = chosen


@pytest.mark.parametrize("seed", range(4))
def test_most_lost_games_are_known_to_be_won_by_the_others(seed: int) -> None:
    instance = dealt((4, 4), seed)
    game, start = start_of(instance)
    search = CompiledSearch(game, {0}, start)
    if not search.wins(start, 10**7):
        others = CompiledSearch(game, {1}, start)
        assert search.known_to_lose(start) is others.wins(start, 10**7)


@pytest.mark.parametrize("full", [False, True])
def test_the_winner_is_that_of_minimax(full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winning, "SHORT", -1)  # compiled from the beginning
    if full:  # a table that is full all the time
        monkeypatch.setattr(compiled_search, "FEWEST_SLOTS", 8)
        monkeypatch.setattr(compiled_search, "TABLE_BYTES", 0)
    for instance in drawn(games(), 12):
        truth = minimax(instance, 20_000)
        if truth is None:
            continue
        game, start = start_of(instance)
        sides = ({0}, set(range(1, game.players)))
        for side, wins, others in zip(sides, truth, truth[::-1], strict=True):
            search = WinSearch(game, side, start)
            assert search.wins(start) is wins
            assert search.known_to_win(start) is wins
            assert others or not search.known_to_lose(start)


def test_both_searches_answer_the_same_for_every_move() -> None:
    instance = dealt((4, 4), 0)
    game, start = start_of(instance)
    for side in ({0}, {1}):
        plain = ProofNumberSearch(game, side)
        compiled = CompiledSearch(game, side, start, table_bytes=0)
        for _, outcome in game.moves(start):
            assert compiled.wins(outcome, 10**7) is plain.wins(outcome)
        assert compiled.positions > 0


def test_a_table_grows_and_keeps_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    game, start = start_of(dealt((7, 7), 9003))
    whole = CompiledSearch(game, {0}, start)
    expected = whole.wins(start, 10**7)
    monkeypatch.setattr(compiled_search, "FEWEST_SLOTS", 64)
    monkeypatch.setattr(compiled_search, "AT_ONCE", 50)
    growing = CompiledSearch(game, {0}, start, table_bytes=1 << 22)
    assert growing.wins(start, 10**7) is expected
    assert growing.known_to_win(start) is expected


def test_limits_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    game, start = start_of(dealt((10, 10), 1))
    assert CompiledSearch(game, {0}, start).wins(start, 500) is None
    past = Deadline.after(0)
    assert CompiledSearch(game, {0}, start, past).wins(start, 10**7) is None
    search = WinSearch(game, {0}, start)
    search.most = 2_000
    with pytest.raises(Unfinished):
        search.wins(start)
    assert search.positions >= 2_000
    assert search.known_to_win(start) is None


@pytest.fixture
def forgetful() -> Iterator[None]:
    """The search may be compiled or not; the test finds out, and again after it."""
    winning.why_uncompiled.cache_clear()
    yield
    winning.why_uncompiled.cache_clear()


@pytest.mark.usefixtures("forgetful")
def test_without_numba_the_search_is_in_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = dealt((3, 3), 3)
    expected = solve(instance).status
    monkeypatch.setattr(winning, "SHORT", 10)
    monkeypatch.setitem(sys.modules, "uno_csp.open_game.compiled", None)
    found = [ProofNumber(most).run(instance) for most in (10**6, 50)]
    assert [each.status for each in found] == [expected, Status.UNKNOWN]
    assert "the search was not compiled: import of" in found[1].reason
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith("uno-csp: not compiled: the search of the open game")


@pytest.mark.usefixtures("forgetful")
def test_where_compiling_fails_the_search_is_in_python(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiling, "is_kept", lambda _: False)
    monkeypatch.setattr(compiling, "program", lambda *_: (sys.executable, "-c", "exit('broken')"))
    monkeypatch.setattr(winning, "SHORT", 100)
    game, start = start_of(dealt((4, 4), 3))
    search, other = WinSearch(game, {0}, start), WinSearch(game, {1}, start)
    assert search.wins(start) is not other.wins(start)
    assert search.uncompiled == "broken"
    assert search._long is other._long is None
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("uno-csp: compiling the search of the open game (once, about")
    assert second.endswith(": broken")


@pytest.mark.usefixtures("forgetful")
def test_without_a_folder_for_it_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "folder_of", lambda _: None)
    assert winning.why_uncompiled() == compiling.NO_FOLDER


def test_compiling_moves_the_deadline_of_every_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that stands still but for the pause; no time that is left decides."""
    game, start = start_of(dealt((4, 4), 3))
    searches = [WinSearch(game, side, start, Deadline.after(0.1)) for side in ({0}, {1})]
    before = [search._deadline for search in searches]

    def compiled() -> str:
        monkeypatch.setattr(winning, "paused_s", lambda: paused_s() + 1000)
        return ""

    monkeypatch.setattr(winning, "why_uncompiled", compiled)
    monkeypatch.setattr(winning, "SHORT", 1)
    assert len({search.wins(start) for search in searches}) == 2
    for search, deadline in zip(searches, before, strict=True):
        assert search._deadline == search._short.deadline == deadline.shifted(1000)
        assert search.positions > len(search._short.known)


@pytest.mark.parametrize("seed", range(4))
def test_a_process_begins_in_python_and_goes_on_compiled(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, start = start_of(dealt((3, 3), seed))
    wins = set()
    monkeypatch.setattr(winning, "SHORT", 100_000)
    for before in (0, 100_000):
        monkeypatch.setattr(WinSearch, "in_python", before)
        search = WinSearch(game, {0}, start)
        wins.add(search.wins(start))
        assert (search._long is not None) is (before > 0)
        assert WinSearch.in_python - before == len(search._short.known)
    assert len(wins) == 1


def test_the_search_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert why_uncompiled() == ""
    monkeypatch.setattr(compiling, "_compile_apart", None)  # it is not called
    assert winning.why_uncompiled.__wrapped__() == ""
    monkeypatch.setattr(
        cast("Any", run).targetctx, "codegen", lambda: SimpleNamespace(magic_tuple=tuple)
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
        assert said == f"uno-csp: compiling {winning.WHAT}\n"
    assert len([*tmp_path.rglob("compiled.run-*.nbi")]) == 1
    assert len([*tmp_path.rglob("compiled.run-*.nbc")]) == 1


def test_a_server_compiles_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        """A process that is kept in a list."""

        def __init__(self, *given: Any, **how: Any) -> None:
            super().__init__(*given, **how)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    with serve._compiling():
        assert [process.poll() for process in started] == [None]
    assert started[0].returncode is not None
