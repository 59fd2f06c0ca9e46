"""Flatten records into rows with one column per value, for spreadsheets and data frames."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uno_csp.errors import BackendUnavailable
from uno_csp.experiments.records import Record, read_records

if TYPE_CHECKING:
    import pandas as pd

_ASKED = ("method", "backend", "connectivity", "presolve", "workers", "seed")
_FOUND = ("category", "status", "objective", "bound", "checked", "reason")
_SPENT = ("wall_s", "cpu_s", "peak_memory_mb", "measured_by")
SIZES = ("variables", "clauses", "linear_constraints", "parities", "rounds", "cuts")
_CERTIFICATE = ("kind", "bytes", "made_s", "checked_s")


def flat(record: Record) -> dict[str, Any]:
    """Return a record as a flat row of identity, outcome, limits, sizes and machine, or None."""
    instance = record["instance"]
    source = json.loads(instance["source"])
    asked, limits = record["asked"], record["limits"]
    stats, certificate = record.get("stats") or {}, record.get("certificate") or {}
    machine, packages = record.get("machine") or {}, record.get("packages") or {}
    return {
        **{name: record.get(name) for name in ("run", "suite")},
        **{name: instance[name] for name in ("question", "family", "origin")},
        "instance": instance["name"],
        "instance_seed": source.get("seed"),
        "shuffle": source.get("shuffle"),
        **{f"parameter_{name}": value for name, value in source.get("parameters", {}).items()},
        **{name: record.get(name) for name in ("cards", "attributes", "at_least")},
        "combination": record["combination"],
        **{name: asked.get(name) for name in _ASKED},
        **{name: record.get(name) for name in (*_FOUND, *_SPENT)},
        **{f"limit_{name}": limits.get(name) for name in ("wall_s", "cpu_s", "memory_mb")},
        **{name: stats.get(name) for name in (*SIZES, "solver_wall_s", "native_status")},
        **{f"certificate_{name}": certificate.get(name) for name in _CERTIFICATE},
        "backend_version": record.get("backend_version"),
        "python": record.get("python"),
        **{f"version_{name}": found for name, found in packages.items()},
        **{name: machine.get(name) for name in ("system", "processor", "cores")},
        **{name: record.get(name) for name in ("commit", "started", "command")},
    }


def columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the union of the rows' columns, merged so that their order is kept."""
    found: list[str] = []
    for row in rows:
        place = 0
        for name in row:
            if name in found:
                place = found.index(name) + 1
            else:
                found.insert(place, name)
                place += 1
    return found


def read(folder: "Path | str") -> "pd.DataFrame":
    """Read the records in a results folder of ``uno-csp bench run`` as a data frame.

    It has a row for each run, and the columns of :func:`flat`. Raises BackendUnavailable if pandas
    is not installed, and InstanceError if there are no records in the folder.
    """
    try:
        import pandas as pd
    except ImportError:
        raise BackendUnavailable(
            "a data frame needs pandas, which is not installed; pip install 'uno-csp[frames]'"
        ) from None
    rows = [flat(record) for record in read_records(Path(folder))]
    return pd.DataFrame(rows, columns=columns(rows))
