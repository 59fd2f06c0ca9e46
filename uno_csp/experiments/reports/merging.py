"""Merge the records of several folders, and tell machines and versions apart."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uno_csp.errors import InstanceError
from uno_csp.experiments.records import Record, read_plan, read_records


def merge(folders: Sequence[Path]) -> tuple[dict[str, Any], list[Record]]:
    """Return the plan and the records of one suite whose runs were made in several folders.

    Raises InstanceError if the folders have different suites, or different records of a run that
    was made on the same machine with the same versions.
    """
    read = [read_records(folder) for folder in folders]
    plan, *others = map(read_plan, folders)
    for folder, other in zip(folders[1:], others, strict=True):
        if other["suite"] != plan["suite"]:
            raise InstanceError(
                f"{folder}: results of {other['suite']!r} are not merged with those of "
                f"{plan['suite']!r}"
            )
        plan["runs"] = list(dict.fromkeys([*plan["runs"], *other["runs"]]))
    found: dict[tuple[str, ...], Record] = {}
    for folder, records in zip(folders, read, strict=True):
        for record in records:
            key = (str(record["run"]), *_surroundings(record).values())
            if found.setdefault(key, record) != record:
                raise InstanceError(
                    f"{folder}: run {record['run']} is in another folder as well, measured on the "
                    "same machine with the same versions"
                )
    return plan, tell_apart([*found.values()])


def tell_apart(records: Sequence[Record]) -> list[Record]:
    """Add to the name of a combination what differs between the surroundings of its runs."""
    values: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in records:
        for name, value in _surroundings(record).items():
            values[record["combination"]][name].add(value)
    return [_named(record, values[record["combination"]]) for record in records]


def _named(record: Record, values: Mapping[str, set[str]]) -> Record:
    """Return a record whose combination names the surroundings that have several values."""
    there = _surroundings(record)
    differing = [there.get(name, f"no {name}") for name in values if len(values[name]) > 1]
    if not differing:
        return record
    return {**record, "combination": f"{record['combination']} ({', '.join(differing)})"}


def _surroundings(record: Record) -> dict[str, str]:
    """Return the machine and the versions of a run as texts."""
    machine = record.get("machine") or {}
    packages = record.get("packages") or {}
    return {
        "processor": str(machine.get("processor", "unknown processor")),
        "cores": f"{machine.get('cores', 'unknown')} cores",
        "system": str(machine.get("system", "unknown system")),
        "python": f"Python {record.get('python', 'unknown')}",
        "commit": f"commit {str(record.get('commit') or 'unknown')[:12]}",
        "measured": f"measured by {record.get('measured_by', 'sampling')}",
        "backend": str(record.get("backend_version") or "no backend"),
        **{name: f"{name} {version}" for name, version in packages.items()},
    }
