"""The examples of docs/extending.md, written as a package of somebody else's and used."""

import json
import os
import re
import subprocess
import sys
import tomllib
from copy import copy
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

from tests.support import ROOT
from tests.support.running import printed, shell
from tests.support.tables import table
from uno_csp.methods import BACKENDS, ENCODINGS
from uno_csp.questions import question_types
from uno_csp.registry import Registry

GUIDE = (ROOT / "docs/extending.md").read_text()
PAIRS = {"question": "pairs", "cards": ["R5", "B7", "R7", "B5"]}


def lay_out(folder: Path, points: dict[str, dict[str, str]]) -> None:
    """What an installer writes: the entry points of a package."""
    listed = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in points.items()
    )
    info = folder / "uno_pairs-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: uno-pairs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(listed)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    files = re.findall(r"^`([\w/.]+)`\n\n```\w+\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert len(files) == 6
    for name, text in files:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    lay_out(folder, project["entry-points"])
    return folder


SEVERAL = """
import contextlib, io, json, sys
from uno_csp_command import main
said = []
for arguments, given in json.load(sys.stdin):
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
    out, err, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            sys.argv = ["uno-csp", *arguments]
            main()
        except SystemExit as left:
            code = left.code
    said.append((code, out.getvalue(), err.getvalue()))
json.dump(said, sys.__stdout__)
"""
"""Runs commands one after another in a process that sees the package."""


def ran(site: Path, *asked: tuple[str, object]) -> list[tuple[int, str, str]]:
    """Return code, output and errors of commands, each with a question on standard input."""
    given = [
        (line.split(), question if isinstance(question, str) else json.dumps(question))
        for line, question in asked
    ]
    done = subprocess.run(
        [sys.executable, "-c", SEVERAL],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(site)},
        timeout=200,
    )
    return [(code, out, err) for code, out, err in json.loads(done.stdout)]


@pytest.mark.parametrize(
    ("registry", "file", "name"),
    [
        (ENCODINGS, "encoding", "partners"),
        (BACKENDS, "backend", "dpll"),
        (cast("Registry[Any]", question_types()), "question", "pairs"),
    ],
)
def test_its_files_work_in_the_folders(
    registry: Registry[Any],
    file: str,
    name: str,
    site: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(site)
    package = import_module(registry._package)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    (tmp_path / "dropped_in.py").write_text((site / f"uno_pairs/{file}.py").read_text())
    dropped = copy(registry)
    for each in ("own", "_by_name"):
        vars(dropped).pop(each, None)
    assert name in dropped.own
    assert {*registry.own} | {name} == {*dropped.own}
    del sys.modules[f"{package.__name__}.dropped_in"]


YES = "YES  the hand can be laid down in pairs"
SOLVED = [
    (["R5", "B7", "R7", "B5"], 10, f"{YES} (4 official cards)"),
    (["R5", "B7", "R7"], 20, "NO  the hand cannot be laid down in pairs (3 official cards)"),
    ([], 10, f"{YES} (0 official cards)"),
]
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"cards": [["red", 5], None]}, "cards[1]: null is not allowed; a card is a list"),
    ({"supply": []}, "supply: unknown key; allowed are question, name, comment, "),
    ({"at_least": 3}, "at_least: 3 is more than the 2 attributes"),
]


def test_a_question_from_outside_is_treated_like_any_other(site: Path, tmp_path: Path) -> None:
    wrong = {"question": "pairs", "status": "SATISFIABLE", "sequence": [["red", 5], ["blue", 7]]}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    cases = [(backend, *case) for backend in ("dpll", "highs") for case in SOLVED]
    said = ran(
        site,
        *((f"solve - --backend {case[0]}", {**PAIRS, "cards": case[1]}) for case in cases),
        *(("solve -", {**PAIRS, **changed}) for changed, _ in REFUSED),
        (f"check - {tmp_path / 'wrong.json'}", {**PAIRS, "cards": ["R5", "B7"]}),
        ("list questions --format json", None),
        ("export - --to dimacs --varnames", PAIRS),
        ("describe partners", None),
        ("generate staircase --steps 4", None),
    )
    for (backend, _, code, says), (left, out, err) in zip(cases, said, strict=False):
        assert (left, err) == (code, "")
        assert out.startswith(says)
        assert f"partners + {backend}" in out
        assert ("checked" in out.split(", ")[-1]) == (code == 10)
    for (_, message), (code, _, err) in zip(REFUSED, said[len(cases) :], strict=False):
        assert code == 2
        assert message in err
    checked, listed, exported, described, made = said[len(cases) + len(REFUSED) :]
    assert checked[:2] == (1, "not valid: match at step 2: the two do not match\n")
    assert json.loads(listed[1])[-1]["name"] == "pairs"
    assert "c var 1 x[1,3] cards 1 and 3 are a pair" in exported[1]
    assert described[0] == 0
    assert json.loads(made[1])["name"] == "staircase of 4"


@pytest.mark.slow
def test_the_commands_of_the_guide(site: Path, tmp_path: Path) -> None:
    (block,) = re.findall(r"^```console\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix("$ ") for line in block.splitlines()]
    codes = [shell(line, tmp_path, PYTHONPATH=str(site)).returncode for line in lines]
    assert codes == [0, 10, 10, 0]


SERVED = """
import json, sys
from pathlib import Path
from tests.support.serving import client_of
with client_of(Path(sys.argv[1])) as client:
    said = [client.request(how, path, json=body) for how, path, body in json.loads(sys.argv[2])]
print(json.dumps([(each.status_code, each.json()) for each in said]))
"""
"""Answers requests in a process that sees the package."""


def test_the_service_knows_it(site: Path, tmp_path: Path) -> None:
    asked = [
        ("POST", "/solve", {"instance": PAIRS}),
        ("GET", "/questions", None),
        ("GET", "/schema/question", None),
        ("GET", "/openapi.json", None),
        ("POST", "/solve", {"instance": {**PAIRS, "costs": []}}),
    ]
    said = json.loads(printed(SERVED, str(tmp_path), json.dumps(asked), PYTHONPATH=str(site)))
    (_, answer), (_, listed), (_, schema), (_, described), (code, refused) = said
    assert (answer["status"], answer["checked"]) == ("SATISFIABLE", True)
    assert answer["meaning"] == "the hand can be laid down in pairs"
    assert listed[-1]["title"].startswith("Can the hand be laid")
    assert "Pairs" in schema["$defs"]
    assert "Pairs" in described["components"]["schemas"]
    assert (code, refused["place"]) == (422, "costs")


BROKEN_CODE = """
from dataclasses import dataclass
from typing import ClassVar
from uno_csp.encodings.position import ENCODER as THIEF
from uno_csp.modeling import Encoder
from uno_csp.questions import OneHand

class BARE: name = question = title = "bare"
FOREIGN = BARE()
class Nameless(Encoder): name = takes = encode = decode = None
NAMELESS = Nameless()
class Takes(Nameless): name = "takes"
TAKES = Takes()
class LISTED: question, PARTS, violations = [], set(), None
class Weird: pass

@dataclass(frozen=True, slots=True)
class Unread(OneHand):
    question: ClassVar[str] = "unread"
    title: ClassVar[str] = "?"
    extra: Weird | None = None
"""


def test_what_is_broken_is_left_out_and_named(tmp_path: Path) -> None:
    lay_out(tmp_path, table("repository", "broken"))
    (tmp_path / "broken_plug_in.py").write_text(BROKEN_CODE)
    (tmp_path / "broken_lacking.py").write_text(
        "from uno_csp.modeling import Backend\nclass Lacks(Backend): name = 'lacks'\nx = Lacks()\n"
    )
    (tmp_path / "broken_leaver.py").write_text("import sys\nsys.exit(3)\n")
    (tmp_path / "broken_families.py").write_text(
        "from uno_csp.families.declaration import *\n"
        "@family('random', Origin.RANDOM)\ndef f():\n    'Again.'\n"
    )
    asked = ("solve - --no-presolve", "red,5\nred,7"), ("list families", ""), ("list encodings", "")
    found = ran(tmp_path, *asked)
    assert [code for code, *_ in found] == [10, 0, 0]
    lines = "".join(err for *_, err in found).splitlines()
    assert all(line.startswith("uno-csp: warning: plug-in ") for line in lines), lines
    for name, reason in table("repository", "reasons"):
        assert any(f"plug-in {name!r}" in line and reason in line for line in lines), (name, lines)
    assert any("ValueError: there is a 'random' already" in line for line in lines)
