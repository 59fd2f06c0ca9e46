"""Switches and fixtures of the test suite."""

import pytest

from uno_csp.registry import backends, find_backend

REQUIRED = ("cadical195", "glucose4", "minicard", "kissat404", "cp-sat", "cbc", "highs")
"""Backends without which a test run is worth nothing: they must be installed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--backends", default="all", help="comma-separated backends to test, or all (installed)"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend_name" in metafunc.fixturenames:
        asked = metafunc.config.getoption("--backends")
        installed = [name for name in backends() if find_backend(name).available()]
        names = [*REQUIRED, *(name for name in installed if name not in REQUIRED)]
        metafunc.parametrize("backend_name", names if asked == "all" else asked.split(","))
