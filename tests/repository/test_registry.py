"""A folder with what works, what is broken and what offers nothing."""

import ctypes
import io
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

import uno_csp
from tests.support.running import run
from uno_csp.encodings.position import PositionEncoder
from uno_csp.errors import PlugInError
from uno_csp.methods import ALGORITHMS, BACKENDS, ENCODINGS, _require_method
from uno_csp.modeling import Algorithm, Finding
from uno_csp.registry import Guarded, PlugInWarning, Registry, instances_of, keep_stdout

FILES = {
    "__init__": "class Tool: size = 1",
    "_hidden": "raise ValueError",
    "empty": "from tools import Tool",
    "fails": "import no_such_module",
    "leaves": "raise SystemExit(3)",
    "one": "from tools import Tool\nclass One(Tool): name = 'one'\nANY = One()",
    "several": "from tools.one import ANY, Tool\n"
    "class Two(Tool):\n  def __init__(self, name): self.name = name\n"
    "BOTH = (Two('two'), Two('three'), ANY)",
    "taken": "from tools import Tool\nclass One(Tool): name = 'one'\nANY = One()",
    "unmade": "from tools import Tool\nclass Three(Tool): name = 'three'",
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


def registry(needed: Sequence[str], **more: Any) -> Registry[Any]:
    kind = import_module("tools").Tool
    return Registry("tool", "tools", instances_of(kind), needed, **more)


@pytest.mark.usefixtures("tools")
def test_a_broken_file_breaks_no_other() -> None:
    with pytest.warns(PlugInWarning) as caught:
        assert list(registry(("name", "size"))) == ["one", "two", "three"]
    said = [str(each.message).removeprefix("module tools.") for each in caught]
    assert "fails is left out: ModuleNotFoundError: No module named" in said[0]
    assert said[1:] == [
        "leaves is left out: SystemExit: 3",
        "taken is left out: ValueError: there is a 'one' already",
        "unmade is left out: TypeError: Three is a class; an object of it is wanted",
    ]


@pytest.mark.usefixtures("tools")
def test_what_lacks_something_is_left_out() -> None:
    with pytest.warns(PlugInWarning) as caught:
        assert not registry(("name", "colour"))
    said = {str(each.message) for each in caught}
    assert "module tools.one is left out: TypeError: it has no colour" in said


@pytest.mark.usefixtures("tools")
def test_an_entry_point_may_name_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = SimpleNamespace(load=lambda: import_module("tools.several"))
    monkeypatch.setattr("uno_csp.registry._entries", lambda _: [entry])
    monkeypatch.setattr("uno_csp.registry._title", lambda _: "mine")
    kind = import_module("tools").Tool
    assert list(Registry("tool", "tools.one", instances_of(kind))) == ["one", "two", "three"]


def plug_in(name: str, say: Callable[[str], object] = print, **more: Any) -> Any:
    """An encoding of another package that prints, with functions of its own."""

    class Mine(PositionEncoder):
        def encode(self, instance: Any) -> Any:
            say("encoding")
            return super().encode(instance)

        def decode(self, encoded: Any, assignment: Any) -> Any:
            say("decoding")
            return super().decode(encoded, assignment)

    made = Mine()
    for each, value in {"name": name, **more}.items():
        setattr(made, each, value)
    return made


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Registry[Any]]:
    """Return the encodings with those of another package."""

    def offer(plug_in: Any) -> Registry[Any]:
        entry = SimpleNamespace(name="mine", value="mine", group="g", load=lambda: plug_in)
        monkeypatch.setattr(
            "uno_csp.registry._entries",
            lambda group: [entry] if group == "uno_csp.encodings" else [],
        )
        for registry in (ENCODINGS, ALGORITHMS, BACKENDS):
            monkeypatch.delitem(vars(registry), "_by_name", raising=False)
        return ENCODINGS

    return offer


@pytest.mark.parametrize(
    "name",
    [
        *("width", "walks", "position"),
        *("default", "default:x", "dimacs:x", "dimacs:cadical", "cpmpy:x", "dimacs"),
        *("a b", "a\nb", "-a", "", "ä", "a:b:c", 5),
    ],
)
def test_a_plug_in_with_a_taken_or_odd_name_is_left_out(
    name: Any, offered: Callable[..., Registry[Any]]
) -> None:
    with pytest.warns(PlugInWarning) as caught:
        assert set(offered(plug_in(name))) == {*ENCODINGS.own}
    assert len(caught) == 1
    assert "\n" not in str(caught[0].message)


def by_system_call(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def by_c(text: str) -> None:
    ctypes.CDLL(None).puts(text.encode())


def by_program(text: str) -> None:
    subprocess.run(["echo", text], check=True)


@pytest.mark.parametrize("say", [print, by_system_call, by_c, by_program])
@pytest.mark.parametrize("name", ["mine", "my:own"])
def test_a_plug_in_prints_to_standard_error(
    name: str,
    say: Callable[[str], object],
    offered: Callable[..., Registry[Any]],
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    assert name in offered(plug_in(name, say))
    text = io.StringIO()
    uno_csp.export(uno_csp.parse("R5 R7"), "dimacs", text, method=name)
    assert run("export", "R5", "R7", "--to", "dimacs", "--method", name) == 0
    found = capfd.readouterr()
    assert found.err == "encoding\n" * 2
    assert found.out == text.getvalue()
    (tmp_path / "q.cnf").write_text(text.getvalue())
    (tmp_path / "out").write_text("s SATISFIABLE\nv 1 -2 -3 4 0\n")
    asked = ("decode", str(tmp_path / "q.cnf"), str(tmp_path / "out"), "--format", "json")
    assert run(*asked) == 10
    found = capfd.readouterr()
    assert found.err == "encoding\ndecoding\n"
    assert json.loads(found.out)["method"] == name


def test_where_output_is_closed_a_plug_in_is_called_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as closed:
        closed.setattr(os, "dup", Mock(side_effect=OSError(9, "Bad file descriptor")))
        closed.setattr(sys, "stdout", None)
        with keep_stdout():
            assert sys.stdout is sys.stderr
        assert sys.stdout is None


def test_a_guarded_object_is_pickled() -> None:
    again = pickle.loads(pickle.dumps(Guarded(ENCODINGS.own["position"], "title")))  # noqa: S301
    assert (again.name, again.__class__) == ("position", type(ENCODINGS.own["position"]))


def test_an_algorithm_that_does_nothing_is_left_out() -> None:
    class Idle(Algorithm[uno_csp.Uno1]):
        name = "idle"
        takes = (uno_csp.Uno1,)

    with pytest.raises(TypeError, match="neither run nor run_until"):
        _require_method(Idle())


def export_and_decode(method: str) -> None:
    """Export a hand by an encoding with all that it says, and decode a solution of it."""
    text = io.StringIO()
    uno_csp.export(uno_csp.parse("R5 R7"), "dimacs", text, method=method, varnames=True)
    uno_csp.decode(text.getvalue(), "s SATISFIABLE\nv 1 -2 -3 4 0\n")


def wrong(*_: Any, **__: Any) -> Any:
    raise KeyError("mine")


def wrong_later(*_: Any) -> Iterator[Any]:
    yield 1, "first"
    raise ZeroDivisionError


def leaves(*_: Any) -> None:
    raise SystemExit(0)


@pytest.mark.parametrize(
    ("part", "function"),
    [
        ("encode", wrong),
        ("encode", leaves),
        ("meanings", wrong),
        ("meanings", wrong_later),
        ("decode", wrong),
        ("refusal", leaves),
    ],
)
def test_an_error_in_a_plug_in_names_it(
    part: str, function: Any, offered: Callable[..., Registry[Any]]
) -> None:
    assert "mine" in offered(plug_in("mine", **{part: function}))
    with pytest.raises(PlugInError, match=rf"plug-in 'mine' \(mine\) .* fails in {part}") as caught:
        export_and_decode("mine")
    line = function.__code__.co_firstlineno
    assert any(f"line {line + more})" in str(caught.value) for more in (1, 2))
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("part", "returned", "said"),
    [
        ("encode", None, "NoneType, and not Encoded"),
        ("decode", "yes", "str, and not Witness | None"),
        ("refusal", 5, "int, and not str | None"),
    ],
)
def test_a_plug_in_that_returns_something_else_is_named(
    part: str, returned: Any, said: str, offered: Callable[..., Registry[Any]]
) -> None:
    assert "mine" in offered(plug_in("mine", **{part: lambda *_, **__: returned}))
    with pytest.raises(PlugInError, match=re.escape(f"fails in {part}: it returned {said}")):
        export_and_decode("mine")


@pytest.mark.parametrize(("status", "witness"), [("SAT", None), (uno_csp.Status.SATISFIABLE, 5)])
def test_a_finding_of_other_types_is_refused(status: Any, witness: Any) -> None:
    with pytest.raises(TypeError, match="expected a Status and a Witness"):
        Finding(status, witness)
