"""Tables of cases, which stand in tests/data: a file for each room, a row for each case."""

import json
from functools import cache
from typing import Any

from tests.support import ROOT


@cache
def _tables(room: str) -> dict[str, Any]:
    return dict(json.loads((ROOT / f"tests/data/{room}.json").read_text(encoding="utf-8")))


def table(room: str, name: str) -> Any:
    """Return the rows of a table."""
    return _tables(room)[name]
