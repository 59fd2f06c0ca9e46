"""The Python of the README and of the documentation passes a type checker as users run it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.repository.test_docs import PAGES
from tests.support import ROOT

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

PROGRAMS = Path(sys.executable).parent
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
    asked = [f"{PROGRAMS}/openapi-python-client", *CLIENT.split()]
    subprocess.run(asked, cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "mypy.ini").write_text(SETTINGS, encoding="utf-8")
    files = [str(file.relative_to(tmp_path)) for file in written(tmp_path)]
    assert len(files) >= 15
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *files],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"Success: no issues found in {len(files)} source files\n"
