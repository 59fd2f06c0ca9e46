"""A Dask cluster for the tests."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serving import wait_until


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """A scheduler and two workers on loopback, each a process of its own."""
    address_file = folder / "scheduler.json"
    local = ["--host", "127.0.0.1", "--no-dashboard"]
    found = ["--scheduler-file", str(address_file)]

    def start(program: str, *options: str) -> "subprocess.Popen[bytes]":
        """One process of the cluster."""
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *options, *local, *found],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )

    processes = [start("dask_scheduler", "--port", "0")]
    try:
        wait_until(lambda: address_file.is_file() and bool(address_file.read_text()))
        members = [start("dask_worker", "--no-nanny", "--nthreads", "1") for _ in range(2)]
        processes += members
        yield json.loads(address_file.read_text())["address"], members
    finally:
        for process in processes:
            process.kill()
            process.wait()
