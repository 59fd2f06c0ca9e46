"""Asks a server many small questions from many clients at once, and checks every answer itself.

Starts servers of its own on free ports of loopback: one that keeps its jobs in SQLite, and one and
two on a PostgreSQL of their own. Each question is new up to names, so that answers come from
solving; a second round asks the same ones under other names.
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
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median, quantiles

import httpx2 as httpx

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


def questions(count: int) -> list[Instance]:
    """So many, of all kinds in turn."""
    return [
        generate(family, seed=seed, question=question, **parameters)
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


def told(found: Sequence[tuple[float, str]], wall_s: float) -> str:
    """The figures of a round, as cells of a table."""
    times = [taken for taken, _ in found]
    wrong = [error for _, error in found if error]
    for error in wrong[:5]:
        print("  ", error, file=sys.stderr)
    late = quantiles(times, n=20)[-1]
    return f"{len(found) / wall_s:.0f} | {median(times):.3f} | {late:.3f} | {len(wrong)}"


def measured(name: str, servers: int, store: str | None, given: argparse.Namespace) -> bool:
    """Two rounds with servers of their own, a line for each; whether every answer was right."""
    asked = questions(given.questions)
    with tempfile.TemporaryDirectory() as folder:
        urls, running = [], []
        try:
            for number in range(servers):
                url, server = started(Path(folder, str(number)), store, given.jobs // servers)
                urls.append(url)
                running.append(server)
            for url in urls:
                wait_until_ready(url)
            right = True
            for title, instances in (
                ("new", asked),
                ("known under other names", [shuffled(each, 1) for each in asked]),
            ):
                began = time.perf_counter()
                found = asyncio.run(ask_all(urls, instances, given.clients))
                wall_s = time.perf_counter() - began
                print(f"| {name} | {servers} | {title} | {told(found, wall_s)} |", flush=True)
                right &= not any(error for _, error in found)
            return right
        finally:
            for server in running:
                server.terminate()
            for server in running:
                server.wait()


def started(data: Path, store: str | None, jobs: int) -> "tuple[str, subprocess.Popen[bytes]]":
    """A server on a free port, and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uno_csp", "serve", "--port", str(port), "--rate", "1e9"]
    command += ["--data", str(data), "--jobs", str(jobs), "--log-level", "warning"]
    command += [] if store is None else ["--store", store]
    return f"http://127.0.0.1:{port}/api/v1", subprocess.Popen(command)


def main() -> int:
    """Measure every way to keep the jobs; 1 if an answer was wrong or lost."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--questions", type=int, default=1000)
    options.add_argument("--clients", type=int, default=50)
    options.add_argument("--jobs", type=int, default=2, help="solved at a time, by all servers")
    given = options.parse_args()
    print("# Many clients at once\n\nBy `scripts/load_service > results/load_service.md`: ", end="")
    print(f"{given.questions} questions, {given.clients} clients, {given.jobs} jobs at a time,")
    print(f"{os.cpu_count()} cores, which clients, servers and solvers share.")
    print("\n| jobs in | servers | questions | a second | median s | 95 % s | wrong or lost |")
    print("|---|---:|---|---:|---:|---:|---:|")
    right = measured("SQLite", 1, None, given)
    for servers in (1, 2):
        with postgres() as url:
            right &= measured("PostgreSQL", servers, url, given)
    return 0 if right else 1


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
