"""The docs agree with the code: tests, files, links, programs, proofs that Coq checks.

Their Python passes a type checker as users run it; that of docs/programs.md works where it says:
in threads, in an event loop, in forked processes.
"""

import ast
import re
import runpy
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from proofs.check import THEOREMS
from scripts.blocks import blocks, ran
from tests.support import ROOT
from tests.support.layers import LAYERS, room
from tests.support.running import Capture, shell

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])
WALK = re.findall(
    r"^(\w+) +(\S+\.py) +(\w+) +-> (\S+\.py)$",
    (ROOT / "docs/architecture.md").read_text(),
    re.MULTILINE,
)


def module_of(path: str) -> str:
    inside = path if path.startswith("uno_csp") else f"uno_csp/{path}"
    return inside.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def test_tests_and_files_that_are_named_are_there() -> None:
    rooms = "uno_csp|encodings|examples|scripts|docs|tests|results"
    for page in PAGES:
        text = page.read_text()
        for file, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text):
            assert f"def {name}(" in (ROOT / file).read_text(), (page, name)
        for file in re.findall(rf"`((?:{rooms})/[\w./-]+)`", text):
            assert (ROOT / file).exists(), (page, file)


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), (page, target)


EXAMPLES = sorted((ROOT / "examples/theorems").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.stem))
def test_a_theorem_prints_what_stands_beside_it(path: Path, capsys: Capture) -> None:
    runpy.run_path(str(path), run_name="__main__")
    said, complained = capsys.readouterr()
    assert said == path.with_suffix(".txt").read_text()
    assert re.fullmatch(r"(uno-csp: compiling .*\n)*", complained)  # until it is kept


def test_no_theorem_is_left_out() -> None:
    names = {f"theorem_{number}" for number in ("3_1", "3_3", "3_4", "4_1", "4_2")}
    assert names | {"observation_1", "corollary_1", "fill_in"} <= {path.stem for path in EXAMPLES}


def names_called(tree: ast.Module) -> set[str]:
    """Return the functions that a file calls, and the objects whose methods it calls."""
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    owners = [each.value if isinstance(each, ast.Attribute) else each for each in called]
    return {each.id for each in owners if isinstance(each, ast.Name)}


def test_the_walk_of_a_question() -> None:
    for where, caller, name, callee in WALK:
        assert room(ROOT / caller) == where
        tree = ast.parse((ROOT / caller).read_text())
        imported = {
            alias.name: node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        found = getattr(import_module(imported[name]), name)
        assert found.__module__ == module_of(callee), (caller, name)
        assert name in names_called(tree), (caller, name)


def test_the_walk_is_whole() -> None:
    assert len(WALK) >= 20
    assert {where for where, *_ in WALK} >= {"cli", "formats", "pipeline", "encodings", "checker"}


def test_the_floors_are_as_drawn() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", text, re.MULTILINE)
    drawn = {int(floor): set(re.findall(r"(?:^|· )`(\w+)`", rooms)) for floor, rooms in rows}
    assert [drawn[floor] for floor in sorted(drawn)] == [set(rooms) for rooms in LAYERS]


BLOCK = re.compile(r"(?:^`([\w/]+\.py)`\n\n)?^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLIENT = "generate --path openapi.json --meta none --output-path asking"  # as docs/service.md says
SETTINGS = """
[mypy]
strict = True
explicit_package_bases = True

[mypy-asking.*]
ignore_errors = True
"""
"""Those of ``mypy --strict``; what a generator wrote is not our code."""

TAKEN = """
import gzip
import io
import os
from fractions import Fraction
from pathlib import Path, PurePath

import numpy as np

import uno_csp

three, ten, yes = np.int64(3), np.float64(10), np.bool_(True)
hand, places = uno_csp.parse("R5 R7"), np.arange(2)
game = uno_csp.OpenGame([["R5"], ["B5"]], after="R1", to_move=three, decks=three)
seat = uno_csp.Seat(["R5"], "R1", places, seen=["R7"])
uno_csp.advise(seat, deals=three, time_limit_s=ten, seed=three)
uno_csp.analyse(game, [], most=three, time_limit_s=Fraction(9, 2))
uno_csp.count(hand, time_limit_s=ten)
uno_csp.sample(hand, three, seed=three, time_limit_s=ten)
list(uno_csp.review(game, [{"lays": "R5"}], deals=three, seed=three))
uno_csp.puzzle(three, missing=three, seed=three, time_limit_s=ten)
uno_csp.generate("random", seed=three, shuffle=three, colours=three, numbers=3, cards=2)
for out in ("-", Path("x"), PurePath("x"), io.StringIO(), gzip.open("x", "wt"), None):
    uno_csp.export(hand, "dimacs", out, bound=three, varnames=yes, question=yes, limit_mb=three)
for entry in os.scandir():
    uno_csp.export(hand, "dimacs", entry)
    uno_csp.decode(hand, "s UNKNOWN", bound=three, proof=entry)
    uno_csp.certify(hand, uno_csp.solve(hand, proof=entry), PurePath("x"), strict=yes, bounds=yes)
uno_csp.solve(hand, time_limit_s=ten, memory_limit_mb=three, seed=three, workers=three)
uno_csp.parse(PurePath("hand.json"))
"""
"""A program whose arguments are numbers of libraries and paths of all kinds."""


def written(folder: Path) -> list[Path]:
    """Write each block to a file, of its own name if its page gives one; return the files."""
    files = []
    for page in PAGES:
        for number, (name, code) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8"))):
            files.append(folder / (name or f"{page.stem.replace('-', '_')}_{number}.py"))
            files[-1].parent.mkdir(exist_ok=True)
            files[-1].write_text(code, encoding="utf-8")
    return files


@pytest.mark.slow
def test_the_python_of_the_documentation_is_typed(client: "TestClient", tmp_path: Path) -> None:
    assert CLIENT in (ROOT / "docs/service.md").read_text(encoding="utf-8")
    (tmp_path / "openapi.json").write_text(client.get("/openapi.json").text, encoding="utf-8")
    assert shell(f"openapi-python-client {CLIENT}", tmp_path).returncode == 0
    (tmp_path / "mypy.ini").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "taken.py").write_text(TAKEN, encoding="utf-8")
    files = ["taken.py", *(str(file.relative_to(tmp_path)) for file in written(tmp_path))]
    assert len(files) >= 15
    done = shell(f"{sys.executable} -m mypy {' '.join(files)}", tmp_path)
    assert done.stdout == f"Success: no issues found in {len(files)} source files\n"


PRINTED = (
    "['YES', 'NO', 'YES']\n",
    "it was stopped\n",
    "['YES', 'NO']\n2\n",
    "YES\n['YES', 'NO']\n",
)
PROGRAMS = blocks("docs/programs.md", "python")


@pytest.mark.parametrize(("number", "printed"), [*enumerate(PRINTED)])
def test_a_block_prints_its_answers_and_nothing_else(
    number: int, printed: str, tmp_path: Path
) -> None:
    assert len(PROGRAMS) == len(PRINTED)
    assert ran(PROGRAMS[number], sys.executable, tmp_path) == (printed, printed)


KERNEL = """
import asyncio, uno_csp
loop = asyncio.get_running_loop()
answer = await uno_csp.solve_async("R5 R7 B7")
print(answer.status.word, uno_csp.solve("R5 B7").status.word)
print(*(each.status.word for each in uno_csp.solve_many(["R5 R7", "R5 B7"])))
"""


def test_a_cell_of_a_notebook_awaits_and_calls() -> None:
    book = new_notebook(cells=[new_code_cell(KERNEL)])  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=200).execute()
    assert "".join(output.text for output in book.cells[0].outputs) == "YES NO\nYES NO\n"


COQ = sorted(ROOT.glob("proofs/*.v"))
STATED = {
    f"{path.stem}.{name}"
    for path in COQ
    for name in re.findall(r"^(?:Theorem|Lemma|Corollary) (\w+)", path.read_text(), re.MULTILINE)
}
LISTED = {f"{file}.{theorem}" for file, theorem, _ in THEOREMS}


def test_main_theorems_are_stated() -> None:
    assert len(LISTED) == len(THEOREMS) > 20
    assert LISTED <= STATED


def test_theorems_that_are_named_are_checked() -> None:
    files = "|".join(path.stem for path in COQ)
    for page in ("docs/theory.md", "docs/certificates.md", "proofs/README.md"):
        named = set(re.findall(rf"`((?:{files})\.(?!v`)\w+)`", (ROOT / page).read_text()))
        assert named <= LISTED
        assert named or page != "docs/theory.md"


def test_every_file_is_described() -> None:
    described = set(
        re.findall(r"^\| `(\w+\.v)`", (ROOT / "proofs/README.md").read_text(), re.MULTILINE)
    )
    assert described == {path.name for path in COQ}


def test_nothing_is_assumed() -> None:
    for path in COQ:
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(), flags=re.DOTALL)
        assumed = r"\b(Admitted|admit|Axiom|Abort|Parameter|Conjecture)\b"
        assert not re.search(assumed, text), path


def test_the_report_lists_them() -> None:
    rows = re.findall(
        r"^\| `(\w+)\.v` \| `(\w+)` \|", (ROOT / "results/proofs.md").read_text(), re.MULTILINE
    )
    assert rows == [(file, theorem) for file, theorem, _ in THEOREMS]
