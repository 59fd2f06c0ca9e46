"""A folder with what works, what is broken and what offers nothing."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from uno_csp.registry import PlugInWarning, Registry, constants

FILES = {
    "__init__": "",
    "_hidden": "raise ValueError",
    "empty": "",
    "fails": "import no_such_module",
    "leaves": "raise SystemExit(3)",
    "one": "class Own: name, size = 'one', 1\nTOOL = Own",
    "several": "from tools.one import Own\nclass Two(Own): name = 'two'\nTOOLS = (Two, Own)",
}


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "tools").mkdir()
    for name, text in FILES.items():
        (tmp_path / "tools" / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == "tools"]:
        del sys.modules[name]


@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize("optional", [False, True])
def test_a_broken_file_breaks_no_other(optional: bool) -> None:
    found: Registry[Any] = Registry(
        "tool", "tools", constants("TOOL", optional=optional), ("name", "size")
    )
    with pytest.warns(PlugInWarning) as caught:
        assert list(found) == ["one", "two"]
    said = [str(each.message) for each in caught]
    assert "module tools.fails is left out: ModuleNotFoundError: No module named" in said[0]
    assert said[1] == "module tools.leaves is left out: SystemExit: 3"
    fault = "AttributeError: module 'tools.empty' has no attribute 'TOOLS'"
    assert said[:-1][2:] == [f"module tools.empty is left out: {fault}"] * (not optional)
    assert said[-1] == "module tools.several is left out: ValueError: there is a 'one' already"


@pytest.mark.usefixtures("tools")
def test_what_lacks_something_is_left_out() -> None:
    found: Registry[Any] = Registry(
        "tool", "tools", constants("TOOL", optional=True), ("name", "colour")
    )
    with pytest.warns(PlugInWarning) as caught:
        assert not found
    said = {str(each.message) for each in caught}
    assert "module tools.one is left out: TypeError: it has no colour" in said
