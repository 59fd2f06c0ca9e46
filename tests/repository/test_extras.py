"""Missing extras: what is left out without them, and the line that names them."""

import sys

import pytest

from uno_csp import BackendUnavailable
from uno_csp.formats.pictures.style import own_style
from uno_csp.open_game import compiling
from uno_csp.open_game.compiling import NO_NUMBA, Compilation
from uno_csp.open_game.forced import settle


def test_without_numba_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    compiling.machine_code.cache_clear()
    asked = Compilation("it", "nothing", (settle,), list)
    assert not asked.is_kept()
    assert asked.why_not() == NO_NUMBA


def test_without_matplotlib_a_picture_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BackendUnavailable, match=r"uno-csp\[plots\]"), own_style():
        pass
