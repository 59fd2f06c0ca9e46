"""Servers under load: their set-ups, the questions, and clients that check every answer."""

import asyncio
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from tests.support.clusters import cluster
from tests.support.databases import postgres
from tests.support.serving import API, free_port, served
from uno_csp import Instance, Status, check, generate, parse_answer
from uno_csp.formats import question_to_dict

JSON = {"Content-Type": "application/json"}

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
class Asked:
    """A request that was answered: its seconds, HTTP status and text."""

    taken_s: float
    status: int
    text: str


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


async def _ask(client: aiohttp.ClientSession, url: str, body: str) -> Asked:
    """Send a request to solve, and wait for its job if need be."""
    began = time.perf_counter()
    async with client.post(f"{url}/solve", data=body) as response:
        status, text = response.status, await response.text()
        job = "/" + response.headers.get("Location", "")
    while status == 202:
        await asyncio.sleep(0.2)
        async with client.get(f"{url}{job}") as response:
            found = await response.json()
        if found["state"] == "done":
            status, text = 200, json.dumps(found["answer"])
    return Asked(time.perf_counter() - began, status, text)


def _error_in(asked: Asked, instance: Instance) -> str:
    """Return what is wrong with the answer to a question; empty if nothing is."""
    if asked.status != 200:
        return f"{asked.status} {asked.text}"
    claim = parse_answer(asked.text)
    violations = check(instance, claim)
    if claim.status is Status.UNKNOWN or violations:
        return f"{claim.status} {claim.reason} {violations}"
    return ""


def ask_all(
    urls: Sequence[str],
    asked: Sequence[Instance],
    clients: int,
    meanwhile: AbstractContextManager[None] | None = None,
) -> tuple[float, list[tuple[float, str]]]:
    """Send every question once, at most ``clients`` at a time, to the servers in turn.

    ``meanwhile`` is entered before the first is sent, and left after the last answer.

    Returns
    -------
    wall_s
        Seconds until the last answer; requests are written before, and answers checked after.
    found
        The seconds of each question, and the error in its answer, empty if it is right.
    """
    bodies = [json.dumps({"instance": question_to_dict(each)}) for each in asked]
    with meanwhile or nullcontext():
        began = time.perf_counter()
        answers = asyncio.run(_send(urls, bodies, clients))
        wall_s = time.perf_counter() - began
    answered = zip(answers, asked, strict=True)
    return wall_s, [(each.taken_s, _error_in(each, instance)) for each, instance in answered]


async def _send(urls: Sequence[str], bodies: Sequence[str], clients: int) -> list[Asked]:
    """Send the bodies; return what came of each."""
    room = asyncio.Semaphore(clients)
    # aiohttp takes a third of the time of httpx, which the servers have on the same cores.
    connector, timeout = aiohttp.TCPConnector(limit=0), aiohttp.ClientTimeout(120)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout, headers=JSON) as client:

        async def one(number: int, body: str) -> Asked:
            """Send one body once a slot is free."""
            async with room:
                return await _ask(client, urls[number % len(urls)], body)

        return await asyncio.gather(*(one(i, each) for i, each in enumerate(bodies)))


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
            port = free_port()
            stack.enter_context(served(folder / str(number), port, *options))
            urls.append(f"http://127.0.0.1:{port}{API}")
        yield urls
