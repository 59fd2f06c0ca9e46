"""A worker whose tasks start a worker of their own, and report the ids of it and of its parent."""

from typing import Any

import psutil

from uno_csp.processes.channel import Channel
from uno_csp.processes.pool import Worker

STARTS = ("tests.support.sleeper",)


def handle(_task: Any, channel: Channel) -> None:
    worker = Worker("tests.support.sleeper")
    worker.start({"obeys": False})
    worker.receive()
    channel.report((worker.pid, psutil.Process(worker.pid).ppid()))
    worker.receive()
