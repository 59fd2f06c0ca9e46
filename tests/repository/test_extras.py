"""Missing extras: what is left out without them, and the line that names them."""

import sys

import pytest

from uno_csp import BackendUnavailable
from uno_csp.formats.pictures.style import own_style
from uno_csp.open_game import compiled_moves
from uno_csp.open_game.compiling import NO_NUMBA, have_kept, is_kept


def test_without_numba_a_function_stays_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_moves, "njit", None)

    def doubled(number: int) -> int:
        return 2 * number

    assert compiled_moves.compiled(doubled) is doubled
    assert not is_kept(doubled)
    assert have_kept((doubled,), "nothing", "it") == NO_NUMBA


def test_without_matplotlib_a_picture_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BackendUnavailable, match=r"uno-csp\[plots\]"), own_style():
        pass
