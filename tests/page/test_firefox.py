"""Each page works in Firefox, too."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import ROOT

FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


@pytest.mark.slow
@pytest.mark.skipif(
    FIREFOX is None or shutil.which("node") is None, reason="there is no Firefox or no Node here"
)
def test_each_page_works_in_firefox(server: str, tmp_path: Path) -> None:
    script = ROOT / "tests/page/firefox.js"
    found = subprocess.run(
        ["node", "--experimental-websocket", script, str(FIREFOX), tmp_path, server],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not found.returncode, found.stderr
    assert len(found.stdout.splitlines()) == 5
