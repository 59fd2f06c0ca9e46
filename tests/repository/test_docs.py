"""What the docs say of the code is so: tests, files, links, and the walk of a question."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.layers import LAYERS, room

PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])
WALK = re.findall(
    r"^(\w+) +(\S+\.py) +(\w+) +-> (\S+\.py)$",
    (ROOT / "docs/architecture.md").read_text(),
    re.MULTILINE,
)


def module_of(path: str) -> str:
    inside = path if path.startswith("uno_csp") else f"uno_csp/{path}"
    return inside.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_tests_and_files_that_are_named_are_there(page: Path) -> None:
    text = page.read_text()
    for file, name in re.findall(r"`(tests/\w+\.py)::(\w+)`", text):
        assert f"def {name}(" in (ROOT / file).read_text(), (page, name)
    for file in re.findall(
        r"`((?:uno_csp|encodings|examples|scripts|docs|tests|results)/[\w./-]+)`", text
    ):
        assert (ROOT / file).exists(), (page, file)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), (page, target)


@pytest.mark.parametrize(("where", "caller", "name", "callee"), WALK, ids=str)
def test_the_walk_of_a_question(where: str, caller: str, name: str, callee: str) -> None:
    assert room(ROOT / caller) == where
    tree = ast.parse((ROOT / caller).read_text())
    imported = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    found = getattr(import_module(imported[name]), name)
    assert found.__module__ == module_of(callee)
    used = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    } | {
        node.func.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    }
    assert name in used


def test_the_walk_is_whole() -> None:
    assert len(WALK) >= 20
    assert {where for where, *_ in WALK} >= {"cli", "formats", "pipeline", "encodings", "checker"}


def test_the_floors_are_as_drawn() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", text, re.MULTILINE)
    drawn = {int(floor): set(re.findall(r"(?:^|· )`(\w+)`", rooms)) for floor, rooms in rows}
    assert [drawn[floor] for floor in sorted(drawn)] == [set(rooms) for rooms in LAYERS]
