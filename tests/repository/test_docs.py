"""What the docs say of the code is so: tests, files, links, and the walk of a question."""

import ast
import re
from importlib import import_module

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
