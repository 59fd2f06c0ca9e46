"""Servers under load: their set-ups, the questions, and clients that check every answer."""

import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx

from tests.support.clusters import cluster
from tests.support.databases import postgres
from uno_csp import Instance, Status, check, generate, parse_answer
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


@dataclass(frozen=True, slots=True)
class Setup:
    """A setup of the service: store, number of servers, and whether jobs run on a cluster."""

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
    """Generate ``count`` questions, cycling through all kinds."""
    return [
        generate(family, seed=first_seed + seed, question=question, **parameters)
        for seed in range(-(-count // len(DEALS)))
        for family, parameters, question in DEALS
    ][:count]


async def ask(client: httpx.AsyncClient, instance: Instance) -> tuple[float, str]:
    """Solve a question; return the seconds and the error in the answer, empty if right."""
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
    """Send every question once, at most ``clients`` at a time, to the servers in turn."""
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
            """Send one question once a slot is free."""
            async with room:
                return await ask(opened[number % len(opened)], instance)

        return await asyncio.gather(*(one(i, each) for i, each in enumerate(asked)))


@contextmanager
def running(setup: Setup, jobs: int, log_level: str) -> Iterator[list[str]]:
    """Run the servers of a setup with ``jobs`` concurrent jobs in total; yield their URLs."""
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
    """Start a server on a free port; return its URL and process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uno_csp", "serve", "--port", str(port), "--rate", "1e9"]
    command += ["--data", str(data), *options]
    server = subprocess.Popen(command)
    return f"http://127.0.0.1:{port}/api/v1", server


def wait_until_ready(url: str) -> None:
    """Wait until the server accepts jobs."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/ready").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise TimeoutError("the server did not start")
