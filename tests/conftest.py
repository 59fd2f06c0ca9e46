"""Switches and fixtures of the test suite."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from uno_csp.registry import backend_names, find_backend

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

REQUIRED = (
    "cadical195",
    "glucose4",
    "minicard",
    "kissat404",
    "cms",
    "cp-sat",
    "cbc",
    "highs",
    "dimacs:kissat",
)
"""Backends without which a test run is worth nothing: they must be installed."""


NOT_GENERAL = ("lkh", "minizinc")
"""One takes circuits and nothing else, the other learns nothing and is started each time.

They have tests of their own, and minizinc is held to the contract of all backends.
"""

# The kissat program comes inside a package that does not put it on the PATH.
_carrier = find_spec("sage_wheels")
for _folder in _carrier.submodule_search_locations or () if _carrier else ():
    os.environ["PATH"] += os.pathsep + str(Path(_folder, "bin"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--backends", default="all", help="comma-separated backends to test, or all (installed)"
    )


def excluded(name: str, module: str) -> bool:
    """Whether a backend is left out of the tests of a module."""
    if name == "minizinc" and module.endswith("test_backends"):
        return False
    return name in NOT_GENERAL


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend_name" in metafunc.fixturenames:
        asked = metafunc.config.getoption("--backends")
        installed = [
            name
            for name in backend_names()
            if find_backend(name).available() and not excluded(name, metafunc.module.__name__)
        ]
        names = [*REQUIRED, *(name for name in installed if name not in REQUIRED)]
        metafunc.parametrize("backend_name", names if asked == "all" else asked.split(","))


@pytest.fixture
def client(tmp_path: Path) -> "Iterator[TestClient]":
    """A client of a server with default settings, in this process."""
    from tests.serving import client_of

    with client_of(tmp_path / "data") as client:
        yield client
