"""The house itself: layers, layout, names, and what importing it costs."""

import ast
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import uno_csp
from tests.support import ROOT
from tests.support.layers import LAYERS, SERVICE, room
from tests.support.running import printed
from tests.support.tables import table

SOURCES = sorted([*ROOT.glob("uno_csp/**/*.py"), *ROOT.glob("encodings/*.py")])


@cache
def read() -> dict[Path, tuple[str, ast.Module]]:
    """The text and the syntax tree of each source file."""
    return {path: (text := path.read_text(), ast.parse(text)) for path in SOURCES}


TOP_LEVEL = table("repository", "top level")
SOLVERS = table("repository", "imported late")


def imported(tree: ast.Module) -> set[str]:
    """Return the modules of the package that a file imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("uno_csp", "uno_csp.service"):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("uno_csp.")}


def layer(name: str) -> int:
    return next(level for level, rooms in enumerate(LAYERS) if name in rooms)


def test_imports_go_down_only() -> None:
    wrong = [
        f"{path} imports {other}"
        for path, (_, tree) in read().items()
        if path.parent.name != "uno_csp" or not path.name.startswith("__")
        for other in {name.split(".")[1] for name in imported(tree)} - {room(path)}
        if layer(other) >= layer(room(path))
    ]
    assert wrong == []


def part_of_service(module: str) -> tuple[int, str]:
    """Return the layer inside ``service`` and the part to which a module belongs."""
    inner = module.removeprefix("uno_csp.service.")
    parts = [
        (level, part)
        for level, every in enumerate(SERVICE)
        for part in every
        if f"{inner}.".startswith(f"{part}.")
    ]
    return max(parts, key=lambda found: len(found[1]))


def test_imports_inside_the_service_go_down_only() -> None:
    wrong = []
    for path, (_, tree) in read().items():
        if "service" not in path.parts:
            continue
        own = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if own == "uno_csp.service":
            continue
        level, part = part_of_service(own)
        for other in imported(tree):
            if other.startswith("uno_csp.service."):
                below, other_part = part_of_service(other)
                if other_part != part and below >= level:
                    wrong.append(f"{own} imports {other}")
    assert wrong == []


def test_the_top_level_is_as_drawn() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert {name.split("/")[0] for name in listed if not name.startswith(".")} <= {*TOP_LEVEL}


def test_the_encodings_folder_is_safe() -> None:
    assert not (ROOT / "encodings/__init__.py").exists()
    link = ROOT / "uno_csp/encodings"
    assert link.is_symlink()
    assert link.resolve() == ROOT / "encodings"
    for path in (ROOT / "encodings").glob("*.py"):
        assert path.stem not in sys.stdlib_module_names
    root_on_path = {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", "''.encode('cp1252')"], env=root_on_path, check=True)


def test_exports_are_documented_and_real() -> None:
    assert sorted(uno_csp.__all__) == uno_csp.__all__
    for name in uno_csp.__all__:
        value = getattr(uno_csp, name)
        if name != "Instance":
            assert value.__doc__, name
    assert (ROOT / "uno_csp/py.typed").exists()


def test_public_names_hide_no_package() -> None:
    code = (
        "import uno_csp; [getattr(uno_csp, name) for name in uno_csp.__all__];"
        "import uno_csp.encodings.hub_trail, uno_csp.backends.pysat, uno_csp.algorithms.matching;"
        "assert uno_csp.encodings.hub_trail and uno_csp.backends.pysat;"
        "assert set(uno_csp.__all__) <= set(dir(uno_csp))"
    )
    assert printed(code) == ""


def described() -> Iterator[str]:
    """Yield a line for each public name, with its parameters, and for each member of a class."""
    for name in sorted(uno_csp.__all__):
        offered = getattr(uno_csp, name)
        if inspect.isclass(offered):
            members = {member for member in dir(offered) if not member.startswith("_")}
            if offered.__mro__[1] is not object:
                members -= {*dir(Exception), *dir(str), *dir(int)}
            yield f"{name}: {' '.join(sorted(members))}".rstrip(" :")
        elif callable(offered):
            yield f"{name}({', '.join(inspect.signature(offered).parameters)})"
        else:
            yield name


def test_the_public_names_are_those_listed() -> None:
    """A change of the list is a change of the interface."""
    listed = Path(__file__).with_name("public_names.txt").read_text()
    assert listed.splitlines() == list(described())


def test_importing_loads_neither_a_solver_nor_what_is_not_used() -> None:
    code = (
        "import sys, uno_csp; print([name for name in sys.modules if 'uno_csp.' in name]);"
        "import uno_csp.methods, uno_csp.cli.solve;"
        "uno_csp.encoding_names(); uno_csp.algorithm_names();"
        "[uno_csp.methods.find_backend(name).available() for name in uno_csp.backend_names()];"
        f"print([name for name in {SOLVERS!r} if name in sys.modules])"
    )
    assert printed(code) == "[]\n[]\n"


@pytest.mark.parametrize("order", [1, pytest.param(-1, marks=pytest.mark.slow)])
def test_all_solvers_live_in_one_process(order: int) -> None:
    """Some releases of highspy and ortools do not; our version bounds must keep them apart."""
    names = ["pysat.solvers", "pysat.pb", "ortools.sat.python.cp_model", "pulp", "highspy"][::order]
    code = "; ".join(f"import {name}" for name in names)
    code += "; import pulp; assert 'HiGHS' in pulp.listSolvers(onlyAvailable=True)"
    assert printed(code) == ""


def test_sizes_stay_readable() -> None:
    for path, (text, tree) in read().items():
        assert text.count("\n") <= 500, path
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                if body:
                    length = (body[-1].end_lineno or 0) - body[0].lineno + 1
                    assert length <= 60, f"{path}: {node.name}"


def test_no_unfinished_work_and_no_machine_paths() -> None:
    for path, (text, _) in read().items():
        assert not re.search(r"T[O]DO|F[I]XME|X[X]X|raise N[o]tImplementedError", text), path


def test_every_script_can_be_run() -> None:
    """Each file of scripts/ without an ending is a program, or a link to the one that runs it."""
    for path in (ROOT / "scripts").iterdir():
        if path.suffix == "" and path.is_file():
            assert os.access(path, os.X_OK), path
            assert path.read_text().startswith("#!"), path
            if path.with_suffix(".py").exists():
                assert path.is_symlink(), path
                assert path.readlink() == Path("run"), path
