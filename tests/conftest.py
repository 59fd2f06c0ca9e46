"""Switches and fixtures of the test suite."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from uno_csp.registry import backends, find_backend

REQUIRED = (
    "cadical195", "glucose4", "minicard", "kissat404", "cms", "cp-sat", "cbc", "highs",
    "dimacs:kissat",
)  # fmt: skip
"""Backends without which a test run is worth nothing: they must be installed."""


NOT_GENERAL = ("lkh",)
"""Backends that take circuits and nothing else; they have tests of their own."""

# The kissat program comes inside a package that does not put it on the PATH.
_carrier = find_spec("sage_wheels")
for _folder in _carrier.submodule_search_locations or () if _carrier else ():
    os.environ["PATH"] += os.pathsep + str(Path(_folder, "bin"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--backends", default="all", help="comma-separated backends to test, or all (installed)"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend_name" in metafunc.fixturenames:
        asked = metafunc.config.getoption("--backends")
        installed = [
            name
            for name in backends()
            if find_backend(name).available() and name not in NOT_GENERAL
        ]
        names = [*REQUIRED, *(name for name in installed if name not in REQUIRED)]
        metafunc.parametrize("backend_name", names if asked == "all" else asked.split(","))
