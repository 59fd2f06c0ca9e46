"""Processes by their names."""

import psutil

from uno_csp.processes.names import worker_name

JOBS = worker_name("uno_csp.service.jobs.worker")
RUNS = worker_name("uno_csp.experiments.worker")
SOLVERS = worker_name("uno_csp.pipeline.solver_worker")


def named_below(pid: int, *names: str) -> list[psutil.Process]:
    """The descendants of a process with one of these names."""
    found = []
    for each in psutil.Process(pid).children(recursive=True):
        try:
            if each.name() in names:
                found.append(each)
        except psutil.NoSuchProcess:
            continue
    return found
