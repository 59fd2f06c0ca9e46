"""The record file: an append-only file with one JSON line per finished run.

A line is written and synced to disk at once, so that a finished run is never lost. If the writer is
killed in the middle of a line, the incomplete line is removed when the file is opened again.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from uno_csp.errors import InstanceError, NotAccepted
from uno_csp.experiments.suites import Suite
from uno_csp.processes.locks import Taken, lock

RECORDS, PLAN = "records.jsonl", "plan.json"  # file names in a results folder
Record = Mapping[str, Any]


def read_records(folder: Path) -> list[Record]:
    """Read the records of finished runs in order; raise InstanceError at one that is none."""
    path = folder / RECORDS
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InstanceError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    found: dict[str, Record] = {}
    whole = text[: text.rfind(b"\n") + 1]
    for number, line in enumerate(whole.splitlines(), start=1):
        record = _record(line)
        if record is None:
            raise InstanceError(f"{path}: line {number} is not a record")
        if record["run"] in found:
            raise InstanceError(f"{path}: line {number} repeats the run {record['run']}")
        found[record["run"]] = record
    return [*found.values()]


_KEYS = frozenset(("run", "suite", "combination", "instance", "asked", "limits", "category"))
"""Keys that every record has."""


def _record(line: bytes) -> Record | None:
    """Parse a line; return None if it is not a record."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.keys() >= _KEYS else None


def read_plan(folder: Path) -> dict[str, Any]:
    """Read the plan: the name of the suite and the ids of all its runs."""
    try:
        plan = json.loads((folder / PLAN).read_bytes())
    except OSError as error:
        raise InstanceError(f"{folder / PLAN}: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        plan = None
    if not _is_plan(plan):
        raise InstanceError(f"{folder / PLAN}: it is no plan of a suite")
    return dict(plan)


def _is_plan(found: Any) -> bool:
    """Return True for an object with a text as ``suite`` and a list of texts as ``runs``."""
    if not isinstance(found, dict) or not isinstance(found.get("runs"), list):
        return False
    return {*map(type, (found.get("suite"), *found["runs"]))} == {str}


class RecordFile:
    """The record file of a suite, open for appending and locked against other processes."""

    def __init__(self, descriptor: int, finished: set[str]) -> None:
        self._descriptor = descriptor
        self.finished = finished

    def append(self, record: Record) -> None:
        """Append a record and sync it to disk, unless its run already has one."""
        if record["run"] in self.finished:
            return
        line = memoryview(json.dumps(record).encode() + b"\n")
        while line:
            line = line[os.write(self._descriptor, line) :]
        os.fsync(self._descriptor)
        self.finished.add(record["run"])


@contextmanager
def open_records(folder: Path, suite: Suite) -> Iterator[RecordFile]:
    """Open or create the record file; raise NotAccepted for another suite, or a locked one."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / RECORDS, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        try:
            lock(descriptor, wait=False)  # without a lock, it is up to who starts the suite twice
        except Taken:
            raise NotAccepted(f"{folder}: another process is running this suite") from None
        _require_plan(folder, suite)
        _cut_torn_line(folder / RECORDS, descriptor)
        yield RecordFile(descriptor, {record["run"] for record in read_records(folder)})
    finally:
        os.close(descriptor)


def _require_plan(folder: Path, suite: Suite) -> None:
    plan = {"suite": suite.name, "runs": [run.id for run in suite.runs]}
    path = folder / PLAN
    if path.exists():
        if read_plan(folder) != plan:
            raise NotAccepted(f"{folder}: it holds the records of another suite; take a new folder")
        return
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(plan))
    beside.replace(path)


def _cut_torn_line(path: Path, descriptor: int) -> None:
    text = path.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        os.ftruncate(descriptor, whole)
