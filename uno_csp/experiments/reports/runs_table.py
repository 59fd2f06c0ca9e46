"""The table of all runs in the HTML report, sortable and filterable in the browser."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uno_csp.experiments.flat_records import flat
from uno_csp.experiments.reports.tables import MeasuredRun

COLUMNS: Mapping[str, str] = {
    "instance": "instance",
    "combination": "combination",
    "status": "status",
    "wall s": "wall_s",
    "CPU s": "cpu_s",
    "MB": "peak_memory_mb",
    "objective": "objective",
    "bound": "bound",
    "category": "category",
    "question": "question",
    "family": "family",
    "cards": "cards",
    "seed": "seed",
    "rounds": "rounds",
    "reason": "reason",
}
"""Column titles, each with its column of the flat records."""

CHOOSERS = ("question", "family", "combination", "category", "status")
"""Columns with few values, which get a drop-down filter."""

SCRIPT = Path(__file__).with_name("runs.js")


def runs_table(runs: Sequence[MeasuredRun]) -> dict[str, Any]:
    """Return the template's column names, filters, rows as escaped JSON, and the script."""
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
    """Round fractions to four decimals, and turn empty texts into None."""
    if isinstance(value, float):
        return round(value, 4)
    return None if value == "" else value
