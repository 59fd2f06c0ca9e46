"""The programs that do the server's work, kept from one task to the next."""

import sys

from uno_csp.processes.programs import Program

COMMAND = (sys.executable, "-m", "uno_csp.service.worker")
MOST_TASKS = 10_000
"""A program is replaced after so many tasks, or when it keeps half of the memory it may use."""

LOOK_EVERY = 10
"""After so many tasks its memory is looked at."""


def in_shape(program: Program | None, memory_mb: float) -> Program:
    """A program that can take a task: the one there was, or a new one in its place."""
    if program is not None:
        bloated = program.tasks % LOOK_EVERY == 0 and program.memory_mb > memory_mb / 2
        if program.alive and program.tasks < MOST_TASKS and not bloated:
            return program
        program.end()
    return Program(COMMAND)
