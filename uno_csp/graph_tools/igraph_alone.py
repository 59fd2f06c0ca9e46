"""The library igraph without matplotlib, which it loads for its pictures where that is installed.

Loading matplotlib takes ten times as long as loading igraph, and longer than most searches.
"""

import sys
import threading
from importlib import import_module
from typing import Any


def load_igraph() -> Any:
    """Import igraph, without matplotlib unless another thread may be importing that."""
    hides = "matplotlib" not in sys.modules and threading.active_count() == 1
    if hides:
        sys.modules["matplotlib"] = None  # type: ignore[assignment]  # an import raises ImportError
    try:
        return import_module("igraph")
    finally:
        if hides:
            del sys.modules["matplotlib"]
