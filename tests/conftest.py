"""Switches and fixtures of the test suite."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browsing import browser, page, server  # noqa: F401  # fixtures
from uno_csp.methods import backend_names, find_backend

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

# A shell that runs the tests in the background lets them ignore Ctrl-C, and all they start as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The kissat program comes inside a package that does not put it on the PATH.
_carrier = find_spec("sage_wheels")
for _folder in _carrier.submodule_search_locations or () if _carrier else ():
    os.environ["PATH"] += os.pathsep + str(Path(_folder, "bin"))


QUICK = ("cadical195", "cp-sat", "highs")
"""The backends that a quick run holds against all questions; the others have their contract."""

MANY_RUNS = ("test_agreement", "test_degenerate")
"""What is run by every backend, question after question."""

_left_out: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--backends", default="all", help="comma-separated backends to test, or all (installed)"
    )
    parser.addoption("--quick", action="store_true", help="leave out what takes long")


def _takes_long(item: pytest.Item) -> bool:
    if item.get_closest_marker("slow") is not None:
        return True
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    name = parameters.get("backend_name")
    return item.path.stem in MANY_RUNS and name is not None and name not in QUICK


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--quick"):
        return
    left_out = [item for item in items if _takes_long(item)]
    _left_out.update(item.path.name for item in left_out)
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not _takes_long(item)]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # tell the process that sums up
        session.config.workeroutput["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _left_out.clear()  # every worker collects the same
    _left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if _left_out:
        places = ", ".join(f"{name} {count}" for name, count in sorted(_left_out.items()))
        expected = f"{sum(_left_out.values())} slow tests left out ({places})"
        terminalreporter.write_line(f"{expected}; scripts/test --all runs them")


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
    from tests.support.serving import client_of

    with client_of(tmp_path / "data") as client:
        yield client
