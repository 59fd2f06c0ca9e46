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
from uno_csp.experiments.record_checks import fault
from uno_csp.experiments.suites import Suite
from uno_csp.processes.locks import Taken, lock

RECORDS, PLAN = "records.jsonl", "plan.json"  # file names in a results folder
Record = Mapping[str, Any]


def read_records(folder: Path) -> list[Record]:
    """Read the records of finished runs in order; raise InstanceError at one that is none."""
    path = folder / RECORDS
    text = _read(path)
    found: dict[str, Record] = {}
    whole = text[: text.rfind(b"\n") + 1]
    for number, line in enumerate(whole.split(b"\n")[:-1], start=1):
        record, why = _record(line)
        if why:
            raise InstanceError(f"{path}: line {number} is not a record ({why}); {WITHOUT}")
        if record["run"] in found:
            raise InstanceError(
                f"{path}: line {number} repeats the run {record['run']}; remove one of the lines"
            )
        found[record["run"]] = record
    return [*found.values()]


WITHOUT = "without the line, bench run repeats its run"


def _record(line: bytes) -> tuple[Record, str]:
    """Parse a line, and return why it is not a record; empty if it is one."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}, "no JSON"
    return found, fault(found)


def _read(path: Path) -> bytes:
    """Read a file of the results folder."""
    try:
        _require_file(path)
        return path.read_bytes()
    except OSError as error:
        raise InstanceError(f"{path}: {(error.strerror or str(error)).lower()}") from None


def _require_file(path: Path) -> None:
    """Raise InstanceError if something else than a file has the name, such as a pipe."""
    if path.exists() and not path.is_file():
        raise InstanceError(f"{path}: it is no file")


def read_plan(folder: Path) -> dict[str, Any]:
    """Read the plan: the name of the suite and the ids of all its runs."""
    text = _read(folder / PLAN)
    try:
        plan = json.loads(text)
    except (ValueError, RecursionError):
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

    def __init__(self, path: Path, descriptor: int, finished: set[str]) -> None:
        self._path = path
        self._descriptor = descriptor
        self.finished = finished

    def append(self, record: Record) -> None:
        """Append a record and sync it to disk, unless its run already has one."""
        if record["run"] in self.finished:
            return
        line = memoryview(json.dumps(record).encode() + b"\n")
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
            os.fsync(self._descriptor)
        except OSError as error:  # the disk is full
            raise OSError(error.errno, error.strerror, str(self._path)) from None
        self.finished.add(record["run"])


@contextmanager
def open_records(folder: Path, suite: Suite) -> Iterator[RecordFile]:
    """Open or create the record file; raise NotAccepted for another suite, or a locked one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise NotAccepted(f"{folder}: it is no folder") from None
    _require_file(folder / RECORDS)
    descriptor = os.open(folder / RECORDS, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        try:
            lock(descriptor, wait=False)  # without a lock, it is up to who starts the suite twice
        except Taken:
            raise NotAccepted(f"{folder}: another process is running this suite") from None
        _require_plan(folder, suite)
        _cut_torn_line(folder / RECORDS, descriptor)
        finished = {record["run"] for record in read_records(folder)}
        yield RecordFile(folder / RECORDS, descriptor, finished)
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
    with beside.open("w") as file:
        file.write(json.dumps(plan))
        file.flush()
        os.fsync(file.fileno())  # lest a plan without content be left when the machine stops
    beside.replace(path)


def _cut_torn_line(path: Path, descriptor: int) -> None:
    text = path.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        os.ftruncate(descriptor, whole)
