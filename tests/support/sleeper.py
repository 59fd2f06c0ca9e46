"""A worker whose task sleeps until it is interrupted, and longer if it does not obey."""

import time
from threading import Event
from typing import Any

from uno_csp.processes.channel import READY, Channel


def handle(task: dict[str, Any], channel: Channel) -> dict[str, int]:
    time.sleep(task.get("loads_s", 0))
    interrupted = Event()
    if task["obeys"]:
        channel.on_interrupt(interrupted.set)
    channel.report(READY)
    interrupted.wait(60)
    return {"best": 7}
