"""A folder with what works, what is broken and what offers nothing."""

import io
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import uno_csp
from uno_csp.errors import PlugInError
from uno_csp.methods import ALGORITHMS, BACKENDS, ENCODINGS
from uno_csp.registry import Guarded, PlugInWarning, Registry, constants

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


def plug_in(name: str, **more: Any) -> Any:
    """An encoding of another package that prints, with functions of its own."""

    def encode(instance: Any) -> Any:
        print("encoding")  # noqa: T201
        return ENCODINGS["position"].encode(instance)

    own = ENCODINGS["position"]
    parts = {each: getattr(own, each) for each in ("takes", "proves", "decode", "meanings")}
    more = {"refusal": own.refusal, "primal_heuristic": own.primal_heuristic, **parts, **more}
    return SimpleNamespace(name=name, **{"encode": encode, "separator": own.separator, **more})


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Registry[Any]]:
    """Return the encodings with those of another package."""

    def offer(*objects: Any) -> Registry[Any]:
        entries = [
            SimpleNamespace(name="mine", value="mine", group="g", load=lambda each=each: each)
            for each in objects
        ]
        monkeypatch.setattr(
            "uno_csp.registry._entries",
            lambda group: entries[: len(entries) * (group == "uno_csp.encodings")],
        )
        for registry in (ENCODINGS, ALGORITHMS, BACKENDS):
            monkeypatch.delitem(vars(registry), "_by_name", raising=False)
        return ENCODINGS

    return offer


@pytest.mark.parametrize(
    "name", ["width", "walks", "position", "default", "a b", "a\nb", "-a", "", "ä", "a:b:c", 5]
)
def test_a_plug_in_with_a_taken_or_odd_name_is_left_out(
    name: Any, offered: Callable[..., Registry[Any]]
) -> None:
    with pytest.warns(PlugInWarning) as caught:
        assert set(offered(plug_in(name))) == {*ENCODINGS.own}
    assert len(caught) == 1
    assert "\n" not in str(caught[0].message)


@pytest.mark.parametrize("name", ["mine", "my:own", "Own_2.0+x"])
def test_a_plug_in_prints_to_standard_error(
    name: str, offered: Callable[..., Registry[Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert name in offered(plug_in(name))
    text = io.StringIO()
    uno_csp.export(uno_csp.parse("R5 R7"), "dimacs", text, method=name)
    uno_csp.export(uno_csp.parse("R5 R7"), "dimacs", method=name)
    found = capsys.readouterr()
    assert found.err == "encoding\n" * 2
    assert found.out == text.getvalue()
    again = pickle.loads(pickle.dumps(Guarded(ENCODINGS.own["position"], "title")))  # noqa: S301
    assert (again.name, again.__class__) == ("position", type(ENCODINGS.own["position"]))


def wrong(*_: Any, **__: Any) -> Any:
    raise KeyError("mine")


def wrong_later(*_: Any) -> Iterator[Any]:
    yield 1, "first"
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("part", "function"),
    [("encode", wrong), ("meanings", wrong), ("meanings", wrong_later), ("decode", wrong)],
)
def test_an_error_in_a_plug_in_names_it(
    part: str, function: Any, offered: Callable[..., Registry[Any]]
) -> None:
    assert "mine" in offered(plug_in("mine", **{part: function}))
    hand = uno_csp.parse("R5 R7")
    with pytest.raises(PlugInError, match=rf"plug-in 'mine' \(mine\) .* fails in {part}") as caught:
        text = io.StringIO()
        uno_csp.export(hand, "dimacs", text, method="mine", varnames=True)
        uno_csp.decode(text.getvalue(), "s SATISFIABLE\nv 1 -2 -3 4 0\n")
    line = function.__code__.co_firstlineno
    assert any(f"line {line + more})" in str(caught.value) for more in (1, 2))
    assert caught.value.exit_code == 3
