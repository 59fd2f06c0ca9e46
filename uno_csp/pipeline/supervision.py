"""A program under limits of wall-clock time, CPU time and memory, with all it starts.

The program reads its task as one line on standard input, which stays open afterwards: when this
process is gone, however it went, a signal ends the program too. It says ``ready``
in a line when it has loaded what it needs; only then the clocks start. Memory and CPU time are
sampled over the whole tree of processes.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from typing import Any

import psutil

from uno_csp.pipeline.lifeline import die_with_parent

READY = "ready"
"""What the program prints when the clocks shall start."""

STARTUP_S = 120.0
"""So long a program may take to be ready."""

GRACE_S = 3.0
"""Beyond the wall-clock limit a program that stops itself has so long to say what it found."""

_SHORT_S, _LONG_S, _LONG_AFTER_S = 0.02, 0.1, 1.0
_MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use; None is no limit.

    ``cpu_s`` and ``memory_mb`` are of all its processes together.
    """

    wall_s: float | None = None
    cpu_s: float | None = None
    memory_mb: float | None = None


@dataclass(frozen=True, slots=True)
class Supervised:
    """How a program ended.

    Parameters
    ----------
    message
        The JSON object it printed last; None if it printed none.
    reached
        The limit it was ended at, in words; empty if it ended by itself.
    exit_code
        Negative for a signal.
    wall_s, cpu_s, peak_memory_mb
        Since it was ready; memory is the largest sum over its processes at one time.
    last_words
        The last line on standard error.
    """

    message: Mapping[str, Any] | None
    reached: str
    exit_code: int
    wall_s: float
    cpu_s: float
    peak_memory_mb: float
    last_words: str


def run_supervised(
    command: Sequence[str], task: Mapping[str, Any], limits: Limits, stop: Event | None = None
) -> Supervised:
    """Run a program on a task until it ends or reaches a limit, when its whole tree is killed.

    Parameters
    ----------
    command
        The program; it speaks as the module says.
    task
        What it reads, as JSON.
    limits
        In force once it is ready.
    stop
        When it is set the program is ended at once.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=out, stderr=words, start_new_session=True
        )
        try:
            assert process.stdin is not None  # noqa: S101
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(task).encode() + b"\n")
                process.stdin.flush()
            watch = _Watch(psutil.Process(process.pid), limits, stop or Event())
            reached = watch.until_end(process, out)
        finally:
            _kill_tree(process)
            with suppress(BrokenPipeError):
                process.stdin.close()  # type: ignore[union-attr]
        out.seek(0)
        words.seek(0)
        lines = out.read().decode(errors="replace").splitlines()
        said = words.read().decode(errors="replace").strip().splitlines()
    return Supervised(
        _last_object(lines), reached, process.returncode, round(watch.wall_s, 6),
        round(watch.cpu_s, 3), round(watch.peak_memory_mb, 1), said[-1] if said else "",
    )  # fmt: skip


class _Watch:
    """Samples a tree of processes."""

    def __init__(self, process: psutil.Process, limits: Limits, stop: Event) -> None:
        self._process = process
        self._stop = stop
        self._limits = limits
        self._began = time.monotonic()
        self._ready_cpu_s: float | None = None
        self.wall_s = self.cpu_s = self.peak_memory_mb = 0.0

    def until_end(self, process: "subprocess.Popen[bytes]", out: Any) -> str:
        """Wait for the end, or for a limit, and say which."""
        interval = _SHORT_S
        while True:
            ended = process.poll() is not None
            self._sample(out)
            if ended:
                return ""
            reached = self._reached()
            if reached:
                return reached
            if self.wall_s > _LONG_AFTER_S:
                interval = _LONG_S
            with suppress(subprocess.TimeoutExpired):
                process.wait(interval)

    def _sample(self, out: Any) -> None:
        now = time.monotonic()
        if self._ready_cpu_s is None and out.seek(0, os.SEEK_END) >= len(READY):
            self._began = now
            self._ready_cpu_s = 0.0
            self._ready_cpu_s = self._usage()[0]
            self.cpu_s = 0.0
        self.wall_s = now - self._began
        cpu_s, memory_mb = self._usage()
        self.peak_memory_mb = max(self.peak_memory_mb, memory_mb)
        if self._ready_cpu_s is not None:
            self.cpu_s = max(self.cpu_s, cpu_s - self._ready_cpu_s)

    def _usage(self) -> tuple[float, float]:
        cpu_s = memory_mb = 0.0
        with suppress(psutil.NoSuchProcess):
            for each in (self._process, *self._process.children(recursive=True)):
                with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                    spent = each.cpu_times()
                    cpu_s += spent.user + spent.system
                    cpu_s += spent.children_user + spent.children_system
                    memory_mb += each.memory_info().rss / _MB
        return cpu_s, memory_mb

    def _reached(self) -> str:
        limits = self._limits
        if self._stop.is_set():
            return "it was stopped"
        if limits.memory_mb is not None and self.peak_memory_mb > limits.memory_mb:
            return f"memory limit of {limits.memory_mb:g} MB reached"
        if self._ready_cpu_s is None:
            return "it was not ready in time" if self.wall_s > STARTUP_S else ""
        if limits.wall_s is not None and self.wall_s > limits.wall_s + GRACE_S:
            return f"time limit of {limits.wall_s:g} s reached"
        if limits.cpu_s is not None and self.cpu_s > limits.cpu_s:
            return f"CPU limit of {limits.cpu_s:g} s reached"
        return ""


def _kill_tree(process: "subprocess.Popen[bytes]") -> None:
    """End a process and every one it has started, in whichever session."""
    tree: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        tree = psutil.Process(process.pid).children(recursive=True)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for each in tree:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    process.wait()


def _last_object(lines: Sequence[str]) -> Mapping[str, Any] | None:
    for line in reversed(lines):
        if line.startswith("{"):
            with suppress(ValueError):
                found: Mapping[str, Any] = json.loads(line)
                return found
    return None


def read_task() -> dict[str, Any]:
    """In the program: the task, once this process is sure to end with its parent."""
    task: dict[str, Any] = json.loads(sys.stdin.readline())
    die_with_parent(sys.stdin.fileno())
    return task


def say_ready() -> None:
    """In the program: let the clocks start."""
    sys.stdout.write(READY + "\n")
    sys.stdout.flush()
