"""Worker module whose tasks start a program, report its process id, and wait for it."""

import subprocess
from typing import Any

from uno_csp.processes.channel import Channel


def handle(seconds: Any, channel: Channel) -> None:
    program = subprocess.Popen(["sleep", str(seconds)])
    channel.report(program.pid)
    program.wait()
