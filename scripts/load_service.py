"""Asks servers many small questions from many clients at once, and checks every answer itself.

Starts servers of its own on free ports of loopback: one that keeps its jobs in SQLite; one and two
on a PostgreSQL that writes to the disk what it commits; and one whose jobs are solved by a Dask
cluster of two workers. Each question is new up to names, so that answers come from solving; a
second round asks the same ones under other names.
"""

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import httpx2 as httpx

from tests.clusters import cluster
from tests.databases import postgres
from uno_csp import Instance, Status, check, generate, parse_answer
from uno_csp.families import shuffled
from uno_csp.formats import question_to_dict

DEALS: Sequence[tuple[str, dict[str, int], str | None]] = (
    ("random", {"colours": 7, "numbers": 7, "cards": 20}, None),
    ("random", {"colours": 9, "numbers": 9, "cards": 14}, "fill-in"),
    ("random", {"colours": 9, "numbers": 9, "cards": 14}, "longest"),
    ("planted", {"colours": 8, "numbers": 8, "cards": 30}, None),
    ("cooperative", {"cards": 6, "values": 4}, None),
    ("uncooperative", {"cards": 8, "values": 5}, None),
    ("dimensions", {"dimension": 3, "values": 4, "cards": 15}, None),
)


WARM_UP = 140
"""Questions asked before the clock starts: programs load their libraries when they need them."""

WARM_UP_SEED = 1_000_000


@dataclass(frozen=True, slots=True)
class Setup:
    """A way to run the service: the store, the number of servers, and whether a cluster solves."""

    name: str
    store: str
    servers: int
    on_cluster: bool


SETUPS = {
    each.name: each
    for each in (
        Setup("sqlite", "SQLite", 1, False),
        Setup("postgres", "PostgreSQL", 1, False),
        Setup("two-servers", "PostgreSQL", 2, False),
        Setup("cluster", "SQLite", 1, True),
        Setup("cluster-postgres", "PostgreSQL", 1, True),
    )
}


def questions(count: int, first_seed: int = 0) -> list[Instance]:
    """That number of questions, of all kinds in turn."""
    return [
        generate(family, seed=first_seed + seed, question=question, **parameters)
        for seed in range(-(-count // len(DEALS)))
        for family, parameters, question in DEALS
    ][:count]


async def ask(client: httpx.AsyncClient, instance: Instance) -> tuple[float, str]:
    """The seconds, and what is wrong with the answer; nothing if it is right."""
    started = time.perf_counter()
    answer = await client.post("/solve", json={"instance": question_to_dict(instance)})
    while answer.status_code == 202:
        where = answer.headers["Location"].removeprefix("/api/v1")
        await asyncio.sleep(0.2)
        job = (await client.get(where)).json()
        if job["state"] == "done":
            answer = httpx.Response(200, json=job["answer"])
    taken = time.perf_counter() - started
    if answer.status_code != 200:
        return taken, f"{answer.status_code} {answer.text}"
    claim = parse_answer(json.dumps(answer.json()))
    violations = check(instance, claim)
    if claim.status is Status.UNKNOWN or violations:
        return taken, f"{claim.status} {claim.reason} {violations}"
    return taken, ""


async def ask_all(
    urls: Sequence[str], asked: Sequence[Instance], clients: int
) -> list[tuple[float, str]]:
    """Every question once, so many at a time, of the servers in turn."""
    room = asyncio.Semaphore(clients)
    limits = httpx.Limits(max_connections=clients)
    async with AsyncExitStack() as open_clients:
        opened = [
            await open_clients.enter_async_context(
                httpx.AsyncClient(base_url=url, timeout=120, limits=limits)
            )
            for url in urls
        ]

        async def one(number: int, instance: Instance) -> tuple[float, str]:
            """When there is room."""
            async with room:
                return await ask(opened[number % len(opened)], instance)

        return await asyncio.gather(*(one(i, each) for i, each in enumerate(asked)))


def cells(found: Sequence[tuple[float, str]], wall_s: float) -> str:
    """The figures of a round, as cells of a table."""
    times = [taken for taken, _ in found]
    wrong = [error for _, error in found if error]
    for error in wrong[:5]:
        print("  ", error, file=sys.stderr)
    late = quantiles(times, n=20)[-1]
    return f"{len(found) / wall_s:.0f} | {median(times):.3f} | {late:.3f} | {len(wrong)}"


def measured(setup: Setup, jobs: int, given: argparse.Namespace) -> bool:
    """Ask the servers of a setup, a line for each round; return whether every answer was right."""
    asked = questions(given.questions)
    rounds = [("new", asked)]
    if given.again:
        rounds.append(("known under other names", [shuffled(each, 1) for each in asked]))
    right = True
    with running(setup, jobs, given.log_level) as urls:
        asyncio.run(ask_all(urls, questions(WARM_UP, WARM_UP_SEED), given.clients))
        for title, instances in rounds:
            began = time.perf_counter()
            found = asyncio.run(ask_all(urls, instances, given.clients))
            wall_s = time.perf_counter() - began
            solved = "a cluster" if setup.on_cluster else "its own"
            row = f"| {setup.store} | {setup.servers} | {solved} | {jobs} | {title} |"
            print(row, cells(found, wall_s), "|", flush=True)
            right &= not any(error for _, error in found)
    return right


@contextmanager
def running(setup: Setup, jobs: int, log_level: str) -> Iterator[list[str]]:
    """The addresses of servers that share ``jobs`` jobs at a time."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        options = ["--jobs", str(max(jobs // setup.servers, 1)), "--log-level", log_level]
        if setup.store == "PostgreSQL":
            options += ["--store", stack.enter_context(postgres(durable=True))]
        if setup.on_cluster:
            options += ["--cluster", stack.enter_context(cluster(folder)).address]
        urls = []
        for number in range(setup.servers):
            url, server = started(folder / str(number), options)
            stack.callback(server.wait)
            stack.callback(server.terminate)
            urls.append(url)
        for url in urls:
            wait_until_ready(url)
        yield urls


def started(data: Path, options: Sequence[str]) -> "tuple[str, subprocess.Popen[bytes]]":
    """A server on a free port, and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uno_csp", "serve", "--port", str(port), "--rate", "1e9"]
    command += ["--data", str(data), *options]
    server = subprocess.Popen(command)
    return f"http://127.0.0.1:{port}/api/v1", server


def main() -> int:
    """Measure every setup; 1 if an answer was wrong or lost."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--questions", type=int, default=1000)
    options.add_argument("--clients", type=int, default=32)
    options.add_argument(
        "--jobs", type=int, nargs="+", default=[2], help="solved at a time, by all servers"
    )
    options.add_argument(
        "--only", choices=SETUPS, nargs="+", default=list(SETUPS), help="the setups to measure"
    )
    options.add_argument(
        "--no-second-round",
        dest="again",
        action="store_false",
        help="do not ask for the answers that are known",
    )
    options.add_argument("--log-level", default="warning")
    given = options.parse_args()
    command = " ".join(["scripts/load_service", *sys.argv[1:]])
    print(f"# Many clients at once\n\nBy `{command} > results/load_service.md`:")
    print(
        f"{given.questions} questions, {given.clients} clients, {os.cpu_count()} cores, which ",
        end="",
    )
    print("clients, servers, solvers, database and cluster share.")
    print("PostgreSQL and SQLite write to the disk what they commit; the cluster has two workers.")
    print(
        "\n| jobs in | servers | workers | at a time | questions | a second | median s | 95 % s |",
        end="",
    )
    print(" wrong or lost |\n|---|---:|---|---:|---|---:|---:|---:|---:|")
    rows = [measured(SETUPS[name], jobs, given) for name in given.only for jobs in given.jobs]
    return 0 if all(rows) else 1


def wait_until_ready(url: str) -> None:
    """Until the server can take jobs."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/ready").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise TimeoutError("the server did not start")


if __name__ == "__main__":
    sys.exit(main())
