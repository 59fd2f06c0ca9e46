"""Asks a server many small questions from many clients at once, and checks every answer itself.

Starts a server of its own on a free port of loopback. Each question is new up to names, so that
answers come from solving; a second round asks the same ones under other names.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

import httpx2 as httpx

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


async def ask_all(url: str, asked: Sequence[Instance], clients: int) -> list[tuple[float, str]]:
    """Every question once, so many at a time."""
    room = asyncio.Semaphore(clients)
    limits = httpx.Limits(max_connections=clients)

    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:

        async def one(instance: Instance) -> tuple[float, str]:
            """When there is room."""
            async with room:
                return await ask(client, instance)

        return await asyncio.gather(*map(one, asked))


def report(title: str, found: Sequence[tuple[float, str]], wall_s: float) -> bool:
    """A line of figures; whether every answer was right."""
    times = [taken for taken, _ in found]
    wrong = [error for _, error in found if error]
    print(
        f"{title}: {len(found)} answers, {len(wrong)} wrong or lost, median {median(times):.3f} s,"
        f" p95 {quantiles(times, n=20)[-1]:.3f} s, {len(found) / wall_s:.0f} a second"
    )
    for error in wrong[:5]:
        print("  ", error)
    return not wrong


def main() -> int:
    """Run both rounds; 1 if an answer was wrong or lost."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--questions", type=int, default=1000)
    options.add_argument("--clients", type=int, default=50)
    given = options.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/api/v1"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "uno_csp", "serve", "--port", str(port), "--rate", "1e9"]
        server = subprocess.Popen([*command, "--data", str(Path(folder, "data"))])
        try:
            wait_until_ready(url)
            asked = questions(given.questions)
            right = True
            for title, instances in (
                ("new questions", asked),
                ("the same under other names", [shuffled(each, 1) for each in asked]),
            ):
                started = time.perf_counter()
                found = asyncio.run(ask_all(url, instances, given.clients))
                right &= report(title, found, time.perf_counter() - started)
        finally:
            server.terminate()
            server.wait()
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
