"""A Dask cluster for the tests."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.serving import free_port, wait_until

Process = subprocess.Popen[bytes]


class Cluster:
    """A scheduler and workers on loopback, each a process of its own, all of them mortal."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._folder = folder
        self._options = options or ("--no-nanny",)
        self._port = free_port()
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._all: list[Process] = []
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker() for _ in range(2)]

    def start_scheduler(self) -> Process:
        """One where the last one was."""
        self.scheduler = self._start("dask_scheduler", "--port", str(self._port))
        return self.scheduler

    def start_worker(self) -> Process:
        """It waits for the scheduler, if there is none yet."""
        return self._start("dask_worker", self.address, *self._options, "--nthreads", "1")

    def _start(self, program: str, *options: str) -> Process:
        local = ("--host", "127.0.0.1", "--no-dashboard")
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *options, *local],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env={**os.environ, "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"},
        )
        self._all.append(process)
        return process

    def close(self) -> None:
        """End what is still there."""
        for process in self._all:
            process.kill()
            process.wait()


@contextmanager
def cluster(folder: Path, *options: str) -> Iterator[Cluster]:
    """A scheduler and two workers with those options, without nannies if there are none."""
    started = Cluster(folder, *options)
    try:
        wait_until(lambda: is_listening(started.address))
        yield started
    finally:
        started.close()


def is_listening(address: str) -> bool:
    """Return True if something listens at the address."""
    host, port = address.removeprefix("tcp://").split(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0
