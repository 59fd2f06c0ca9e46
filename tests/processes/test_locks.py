"""Locks: held, held by somebody else, or not to be had on a disk."""

import errno
import fcntl
import os
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support.serving import PAIR, client_of, done
from tests.support.suites import TINY, suite_of
from uno_csp.experiments.records import open_records
from uno_csp.processes.locks import Taken, lock
from uno_csp.processes.scratch import scratch_folder, sweep


def test_a_lock_is_for_one(tmp_path: Path) -> None:
    first, second = (os.open(tmp_path, os.O_RDONLY) for _ in "ab")
    assert lock(first) == ""
    with pytest.raises(Taken):
        lock(second, wait=False)
    os.close(first)
    assert lock(second, wait=False) == ""
    os.close(second)


@pytest.mark.parametrize("cause", [errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP])
def test_a_disk_without_locks(
    cause: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(fcntl, "flock", Mock(side_effect=OSError(cause, os.strerror(cause))))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # away from sweeps of other processes
    with scratch_folder() as folder:
        os.utime(folder, (0, 0))
        sweep()
        assert folder.exists()  # it may belong to a process that is alive
    with open_records(tmp_path / "out", suite_of(TINY, tmp_path)) as records:
        assert not records.finished
    with client_of(tmp_path / "data") as client:
        assert done(client, PAIR)["answer"]["status"] == "SATISFIABLE"
        assert client.get("/ready").status_code == 200
    (said,) = (each for each in caplog.messages if "no file locks" in each)
    assert said.endswith("start no other server with this folder")
