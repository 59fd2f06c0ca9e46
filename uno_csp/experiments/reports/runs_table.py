"""The table of all runs in the HTML report, which is sorted and filtered in the browser."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uno_csp.experiments.flat_records import flat
from uno_csp.experiments.reports.tables import Run

COLUMNS: Mapping[str, str] = {
    "instance": "instance",
    "combination": "combination",
    "question": "question",
    "family": "family",
    "cards": "cards",
    "seed": "seed",
    "category": "category",
    "status": "status",
    "objective": "objective",
    "bound": "bound",
    "wall s": "wall_s",
    "CPU s": "cpu_s",
    "MB": "peak_memory_mb",
    "rounds": "rounds",
    "reason": "reason",
}
"""What is shown, and the columns of flat records that it comes from."""

CHOOSERS = ("question", "family", "combination", "category", "status")
"""Columns with few values, of which one can be chosen."""

SCRIPT = Path(__file__).with_name("runs.js")


def runs_table(runs: Sequence[Run]) -> dict[str, Any]:
    """What the template of the report needs: names of columns, the rows as JSON, the script.

    The JSON may stand in a script element: nothing in it closes one.
    """
    rows = []
    for run in runs:
        record = flat(run.record)
        rows.append([_cell(record.get(column)) for column in COLUMNS.values()])
    text = json.dumps({"columns": [*COLUMNS], "rows": rows}, separators=(",", ":"))
    return {
        "columns": [*COLUMNS],
        "choosers": CHOOSERS,
        "json": text.replace("<", "\\u003c"),
        "script": SCRIPT.read_text(encoding="utf-8"),
    }


def _cell(value: Any) -> Any:
    """Fractions to four digits after the point; an empty text is nothing."""
    if isinstance(value, float):
        return round(value, 4)
    return None if value == "" else value
