"""One run from its description to its record."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from threading import Event, Lock
from typing import Any

from uno_csp.answers import Status
from uno_csp.experiments.environment import backend_version, environment
from uno_csp.experiments.runs import Combination, Run
from uno_csp.processes.programs import Program, Supervised
from uno_csp.questions import Expected, question_types

COMMAND = (sys.executable, "-m", "uno_csp.experiments.worker")

MOST_KEPT = 6
"""So many processes wait for the next run of their combination, in each thread."""

MOST_MB = 500.0
"""One that holds more is not used again: what it holds would count in the next run."""

CLEAN = "clean"
"""The key by which a process says that it has left nothing behind."""

ANSWERED, UNKNOWN, WRONG, ERROR = "answered", "unknown", "wrong", "error"
UNAVAILABLE = "unavailable"
"""What can become of a run; ``wrong`` is an answer that contradicts a proof or its check."""


class Bench:
    """Processes that do runs, kept from one run to the next where that changes nothing.

    Each thread has its own, and there is one for each combination, which so has its solver loaded.
    One that was stopped, had started programs, or holds much memory is not used again.
    """

    def __init__(self) -> None:
        self._programs: OrderedDict[tuple[int, Combination], Program] = OrderedDict()
        self._lock = Lock()

    def supervised(self, run: Run, stop: Event | None) -> Supervised:
        """Let a process do a run under its limits."""
        key = threading.get_ident(), run.combination
        with self._lock:
            program = self._programs.pop(key, None)
        if program is not None and not program.alive:
            program.end()
            program = None
        program = program or Program(COMMAND)
        keeps = False
        try:
            ended = program.run(run.to_dict(), run.process_limits, stop, measured=True)
            told = ended.message or {}
            keeps = bool(told.get(CLEAN)) and not ended.reached and program.memory_mb < MOST_MB
            return ended
        finally:
            if keeps:
                self._keep(key, program)
            else:
                program.end()

    def _keep(self, key: tuple[int, Combination], program: Program) -> None:
        with self._lock:
            self._programs[key] = program
            mine = [each for each in self._programs if each[0] == key[0]]
            oldest = self._programs.pop(mine[0]) if len(mine) > MOST_KEPT else None
        if oldest is not None:
            oldest.end()

    def close(self) -> None:
        """End the processes that wait for a run."""
        with self._lock:
            programs = list(self._programs.values())
            self._programs.clear()
        for program in programs:
            program.end()


def execute(run: Run, stop: Event | None = None, bench: Bench | None = None) -> dict[str, Any]:
    """Do a run in a process under its limits, and describe what came out.

    When ``stop`` is set meanwhile the process is killed, and what is returned is worth nothing.
    Without a bench of processes it is done in one of its own.
    """
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    if bench is not None:
        ended = bench.supervised(run, stop)
    else:
        with closing(Bench()) as own:
            ended = own.supervised(run, stop)
    told = _told(ended)
    told.pop(CLEAN, None)
    wrong = contradiction(run.source.question, told)
    if wrong:
        told |= {"category": WRONG, "reason": wrong}
    peak_mb = max(ended.peak_memory_mb, told.pop("largest_process_mb", 0.0))
    return {
        **run.identity(),
        **told,
        "wall_s": told.get("wall_s", ended.wall_s),
        "cpu_s": ended.cpu_s,
        "peak_memory_mb": peak_mb,
        "backend_version": backend_version(run.combination.backend),
        **environment(),
        "started": started,
    }


def _told(ended: Supervised) -> dict[str, Any]:
    """What the program said, or what became of it."""
    told: dict[str, Any] = dict(ended.message or {})
    if ended.reached and told.get("category") != WRONG:
        # What was found within the limit counts; a run that was killed has found nothing.
        told |= {"category": UNKNOWN, "status": "UNKNOWN", "reason": ended.reached}
    elif not told:
        reason = f"the process ended with {ended.exit_code}: {ended.last_words[:200]}"
        told = {"category": ERROR, "reason": reason}
    return told


def contradiction(question: str, told: Mapping[str, Any]) -> str:
    """How an answer contradicts what is proved of its instance; empty if it does not."""
    known, status = told.get("expected"), told.get("status")
    if not known or status in (None, Status.UNKNOWN):
        return ""
    expected = Expected(**{**known, "status": Status(known.get("status", Status.UNKNOWN))})
    sense = question_types()[question].sense
    return expected.contradicted_by(sense, Status(status), told.get("objective"))
