"""Switches and fixtures of the test suite."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

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


CIRCUITS = "lkh"
"""A backend that takes circuits and nothing else, with tests of its own."""

# A shell that runs the tests in the background lets them ignore Ctrl-C, and all they start as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The kissat program comes inside a package that does not put it on the PATH.
_carrier = find_spec("sage_wheels")
for _folder in _carrier.submodule_search_locations or () if _carrier else ():
    os.environ["PATH"] += os.pathsep + str(Path(_folder, "bin"))


_left_out: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--backends", default="all", help="comma-separated backends to test, or all (installed)"
    )
    parser.addoption("--quick", action="store_true", help="leave out what takes long")


def _is_asked(item: pytest.Item, backends: str) -> bool:
    name = getattr(getattr(item, "callspec", None), "params", {}).get("backend_name")
    return name is None or backends == "all" or name in backends.split(",")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if not _is_asked(item, config.getoption("--backends"))]
    if config.getoption("--quick"):
        slow = [item for item in items if item.get_closest_marker("slow") is not None]
        _left_out.update(item.path.name for item in slow)
        left_out += slow
    config.hook.pytest_deselected(items=left_out)
    unwanted = {*left_out}
    items[:] = [item for item in items if item not in unwanted]


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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marks = metafunc.definition.iter_markers("parametrize")
    chosen = any("backend_name" in mark.args[0] for mark in marks)
    if "backend_name" in metafunc.fixturenames and not chosen:
        installed = [
            name for name in backend_names() if name != CIRCUITS and find_backend(name).available()
        ]
        metafunc.parametrize("backend_name", dict.fromkeys((*REQUIRED, *installed)))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[TestClient]":
    """A client of a server with default settings, in this process, for all tests of a file."""
    from tests.support.serving import client_of

    with client_of(tmp_path_factory.mktemp("served")) as client:
        yield client


@pytest.fixture
def own_client(tmp_path: Path) -> "Iterator[TestClient]":
    """The same for a test that kills it, fills it, or counts what it has done."""
    from tests.support.serving import client_of

    with client_of(tmp_path / "data") as client:
        yield client


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with default settings, which is a process of its own."""
    from tests.support.serving import free_port, served

    port = free_port()
    with served(tmp_path_factory.mktemp("served") / "data", port):
        yield f"http://127.0.0.1:{port}/"
