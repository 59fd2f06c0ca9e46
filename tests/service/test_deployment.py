"""The files of a deployment: versions that the package allows, and memory that adds up."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.support import ROOT
from uno_csp.service.handlers.declaring import LANES, SHORT_MB

DEPLOY = ROOT / "examples/deploy"
EXTRAS = ("service", "postgres", "cluster", "proofs", "games")
SERVER_MB = 500  # of the server, and for a moment of what it compiles


def test_the_locked_versions_are_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (DEPLOY / "constraints.txt").read_text().splitlines()
    locked = dict(line.split(" ;")[0].split("==") for line in lines)
    listed = [*project["dependencies"]]
    for extra in EXTRAS:
        listed += project["optional-dependencies"][extra]
    for wanted in map(Requirement, listed):
        if wanted.name != "uno-csp":
            assert wanted.specifier.contains(locked[wanted.name.lower()]), wanted


def test_all_that_is_installed_has_a_locked_version() -> None:
    container = (DEPLOY / "Containerfile").read_text()
    guide = (ROOT / "docs/deployment.md").read_text()
    installs = re.findall(r"pip install .*?'\.\[(.*)\]'", container + guide)
    assert len(installs) == 3
    assert {*installs} == {"service,postgres,cluster,proofs"}
    assert len(re.findall(r"pip install.*--constraint", container + guide)) == 3


@pytest.mark.parametrize("file", ["uno-csp.service", "Containerfile"])
def test_the_limits_of_memory_add_up(file: str) -> None:
    text = (DEPLOY / file).read_text()
    jobs, memory_mb = (
        int(re.search(rf'--{name}"?,? "?(\d+)', text)[1])  # type: ignore[index]
        for name in ("jobs", "memory-mb")
    )
    most = re.search(r"MemoryMax=(\d+)G|--memory (\d+)g", text)
    assert most is not None
    needed = jobs * memory_mb + sum(lane.at_a_time for lane in LANES) * SHORT_MB + SERVER_MB
    assert needed <= 1000 * int(most[1] or most[2]) < needed + 1000


def test_a_process_beyond_the_memory_ends_alone() -> None:
    for unit in DEPLOY.glob("*.service"):
        text = unit.read_text()
        assert ("MemoryMax" in text) == ("OOMPolicy=continue" in text), unit
