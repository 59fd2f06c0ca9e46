"""Load test: send many small questions from concurrent clients, and check every answer.

It starts servers on free loopback ports: one with SQLite; one and two on a PostgreSQL that syncs
commits to disk; and servers whose jobs run on a Dask cluster of two workers. No two questions are
equal up to renaming, so every answer has to be computed; a second round sends the same questions
several times with renamed cards, without those of kinds whose answers are not stored. Meanwhile a
process of its own asks the first server for ``/health``.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any

import psutil

from tests.support.loading import SETUPS, Setup, ask_all, questions, running
from uno_csp.families import shuffled
from uno_csp.service.handlers.canonical import canonical

WARM_UP = 140  # number of unmeasured questions at the start, so that processes load their libraries
WARM_UP_SEED = 1_000_000
RENAMINGS = 4  # of each question, so that the second round lasts long enough to be measured


@contextmanager
def probing(url: str, times: list[float]) -> Iterator[None]:
    """Ask a server for its health meanwhile; at the end, add the seconds that it took to a list.

    Raises a CalledProcessError if the server did not answer once.
    """
    host, _, path = f"{url}/health".removeprefix("http://").partition("/")
    command = [sys.executable, "-m", "scripts.health_probe", host, f"/{path}"]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as probe:
        if probe.stdout is not None:
            probe.stdout.readline()  # it is connected
        yield
        written, _ = probe.communicate()
    if probe.returncode:
        raise subprocess.CalledProcessError(probe.returncode, command)
    times += json.loads(written)


def memory_mb() -> float:
    """Return the memory of the servers, which are children of this process, in megabytes."""
    servers = [each for each in psutil.Process().children() if "serve" in each.cmdline()]
    return sum(each.memory_info().rss for each in servers) / 1e6


def cells(found: Sequence[tuple[float, str]], wall_s: float, health: Sequence[float]) -> str:
    """Format the figures of a round as table cells."""
    times = [taken for taken, _ in found]
    wrong = [error for _, error in found if error]
    for error in wrong[:5]:
        print("  ", error, file=sys.stderr)
    late = quantiles(times, n=20)[-1]
    slow_ms = 1000 * quantiles(health, n=100, method="inclusive")[-1]
    figures = f"{len(found) / wall_s:.0f} | {median(times):.3f} | {late:.3f} | {len(wrong)}"
    return f"{figures} | {slow_ms:.0f} | {memory_mb():.0f}"


def measured(setup: Setup, jobs: int, given: argparse.Namespace) -> bool:
    """Measure a setup and print a row per round; return True if all answers were right."""
    asked = questions(given.questions)
    rounds = [("new", asked)]
    if given.again:
        kept = [each for each in asked if canonical(each) is not None]
        renamed = [shuffled(each, seed) for seed in range(RENAMINGS) for each in kept]
        rounds.append(("renamed, answers stored", renamed))
    right = True
    with running(setup, jobs, given.log_level) as urls:
        ask_all(urls, questions(WARM_UP, WARM_UP_SEED), given.clients)
        for title, instances in rounds:
            health: list[float] = []
            probe = probing(urls[0], health)
            wall_s, found = ask_all(urls, instances, given.clients, probe)
            solved = "a cluster" if setup.on_cluster else "its own"
            row = f"| {setup.store} | {setup.servers} | {solved} | {jobs} | {title} |"
            print(row, cells(found, wall_s, health), "|", flush=True)
            right &= not any(error for _, error in found)
    return right


def main() -> int:
    """Measure every setup; return 1 if an answer was wrong or lost."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--questions", type=int, default=1000)
    options.add_argument("--clients", type=int, default=32)
    options.add_argument(
        "--jobs", type=int, nargs="+", default=[2], help="concurrent jobs of all servers"
    )
    options.add_argument(
        "--only", choices=SETUPS, nargs="+", default=list(SETUPS), help="the setups to measure"
    )
    options.add_argument(
        "--no-second-round",
        dest="again",
        action="store_false",
        help="skip the round of renamed questions",
    )
    options.add_argument("--log-level", default="warning")
    given = options.parse_args()
    command = " ".join(["scripts/load_service", *sys.argv[1:]])
    print(f"# Many clients at once\n\nBy `{command} > results/load_service.md`:")
    print(
        f"{given.questions} questions, {given.clients} clients, {os.cpu_count()} cores, shared by ",
        end="",
    )
    print("clients, servers, solvers, database and cluster.")
    print("PostgreSQL and SQLite sync every commit to disk; the cluster has two workers.")
    print(
        "\n| jobs in | servers | workers | parallel | questions | per s | median s | 95 % s |",
        end="",
    )
    print(" wrong or lost | health 99 % ms | MB |\n|---|---:|---|---:|---|" + "---:|" * 6)
    rows = [measured(SETUPS[name], jobs, given) for name in given.only for jobs in given.jobs]
    return 0 if all(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
