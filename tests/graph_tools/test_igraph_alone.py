"""igraph is loaded without matplotlib, which stays importable."""

import subprocess
import sys

import pytest

ALONE = """
import sys
from uno_csp.graph_tools.igraph_alone import load_igraph
assert load_igraph().Graph(2, [(0, 1)]).is_connected()
assert "matplotlib" not in sys.modules
import matplotlib.figure
assert load_igraph() is sys.modules["igraph"]
"""

BESIDE_ANOTHER_THREAD = """
import sys, threading
from uno_csp.graph_tools.igraph_alone import load_igraph
wait = threading.Event()
thread = threading.Thread(target=wait.wait)
thread.start()
load_igraph()
wait.set()
assert "matplotlib.figure" in sys.modules
"""


@pytest.mark.parametrize(
    "code", [ALONE, pytest.param(BESIDE_ANOTHER_THREAD, marks=pytest.mark.slow)]
)
def test_nobody_misses_matplotlib(code: str) -> None:
    """Another thread might import it just then, so it is hidden from nobody but this one."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
