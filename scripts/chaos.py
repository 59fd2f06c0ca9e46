"""Kill parts of a service at random times; check that every accepted job is done exactly once.

Two servers share a queue in PostgreSQL and a Dask cluster of two workers. Clients keep submitting
questions, each with an idempotency key, and retry until they are accepted. Meanwhile random parts
are killed (or terminated) and restarted after a random pause, as systemd would. At the end all
parts run until the queue is empty. A database trigger counts how often each job ends; every answer
is checked.
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psycopg

from tests.support.clusters import Cluster, cluster
from tests.support.databases import Postgres, postgres_server
from tests.support.loading import questions
from tests.support.serving import LONG, free_port, is_ready, wait_until
from uno_csp import Instance, Status, check, parse, parse_answer
from uno_csp.formats import question_to_dict

CLIENTS = 4
BETWEEN_FAULTS_S = (3.0, 12.0)
DOWN_S = (0.2, 8.0)
PACE_S = 0.8  # pause of a client between two questions in seconds, so that the queue stays bounded
LONG_EVERY, LONG_LIMIT_S = 12, 3.0
SETTLE_S = 600.0  # maximum wait for the remaining jobs at the end, in seconds
PARTS = ("server 1", "server 2", "worker 1", "worker 2", "scheduler", "database")
AUDIT = """
CREATE TABLE IF NOT EXISTS ends (job TEXT, state TEXT);
CREATE OR REPLACE FUNCTION note_end() RETURNS trigger AS $$
BEGIN
    IF NEW.state IN ('done', 'failed', 'cancelled') AND NEW.result IS NOT NULL
        AND (OLD.result IS NULL OR OLD.result <> NEW.result OR OLD.finished <> NEW.finished)
    THEN INSERT INTO ends VALUES (NEW.id, NEW.state); END IF;
    RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE OR REPLACE TRIGGER noted AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION note_end();
"""


@dataclass(slots=True)
class Asked:
    """A submitted question, and the ids of the jobs that its key was given."""

    instance: Instance
    body: dict[str, Any]
    names: set[str] = field(default_factory=set)


class Service:
    """The parts of the service, each of which can be killed and restarted."""

    def __init__(self, folder: Path, database: Postgres, there: Cluster) -> None:
        self._folder = folder
        self._database = database
        self._cluster = there
        self._ports = [free_port(), free_port()]
        self.urls = [f"http://127.0.0.1:{port}/api/v1" for port in self._ports]
        self._servers = [self._start_server(number) for number in range(2)]

    def fault(self, part: str, down_s: float, *, orderly: bool) -> None:
        """Stop a part and restart it after a pause."""
        how = signal.SIGTERM if orderly else signal.SIGKILL
        kind, _, number = part.partition(" ")
        index = int(number or 1) - 1
        if kind == "database":
            self._database.lose()
            time.sleep(down_s)
            self._database.start()
        elif kind == "scheduler":
            _end(self._cluster.scheduler, how)
            time.sleep(down_s)
            self._cluster.start_scheduler()
        elif kind == "worker":
            _end(self._cluster.workers[index], how)
            time.sleep(down_s)
            self._cluster.workers[index] = self._cluster.start_worker()
        else:
            _end(self._servers[index], how)
            time.sleep(down_s)
            self._servers[index] = self._start_server(index)

    def revive(self) -> None:
        """Restart dead parts: workers that lost their scheduler, servers that failed to start."""
        for index, worker in enumerate(self._cluster.workers):
            if worker.poll() is not None:
                self._cluster.workers[index] = self._cluster.start_worker()
        for index, server in enumerate(self._servers):
            if server.poll() is not None:
                self._servers[index] = self._start_server(index)

    def close(self) -> None:
        """Terminate the servers."""
        for server in self._servers:
            _end(server, signal.SIGTERM)

    def _start_server(self, index: int) -> "subprocess.Popen[bytes]":
        options = ["--port", str(self._ports[index]), "--data", str(self._folder / str(index))]
        options += ["--store", self._database.url, "--cluster", self._cluster.address]
        options += ["--jobs", "4", "--rate", "1e9", "--log-format", "json"]
        command = [sys.executable, "-m", "uno_csp", "serve", *options]
        with (self._folder / f"server-{index}.log").open("ab") as log:
            return subprocess.Popen(command, stderr=log)


def _end(process: "subprocess.Popen[bytes]", how: signal.Signals) -> None:
    process.send_signal(how)
    process.wait()


class Clients:
    """Threads that submit questions and retry until each is accepted."""

    def __init__(self, urls: list[str], seed: int) -> None:
        self._urls = urls
        self._seed = seed
        self._stop = threading.Event()
        self.asked: dict[str, Asked] = {}
        self.refused: Counter[str] = Counter()
        self._threads = [
            threading.Thread(target=self._run, args=(number,)) for number in range(CLIENTS)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop submitting."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _run(self, number: int) -> None:
        seed = 1_000_000 * self._seed + 10_000 * number
        turn = 0
        while not self._stop.is_set():
            for instance in questions(7, seed + turn):
                turn += 1
                body = {"instance": question_to_dict(instance), "seed": turn}
                if turn % LONG_EVERY == 0:
                    body["instance"], body["time_limit_s"] = LONG, LONG_LIMIT_S
                    instance = parse(LONG)  # noqa: PLW2901
                key = f"{number}-{turn}"
                self.asked[key] = Asked(instance, body)
                self._hand_in(key, number)
                if self._stop.wait(PACE_S):
                    return

    def _hand_in(self, key: str, number: int) -> None:
        asked = self.asked[key]
        for attempt in range(10_000):
            url = self._urls[(number + attempt) % len(self._urls)]
            try:
                with httpx.Client(timeout=20) as client:
                    headers = {"Idempotency-Key": key}
                    answer = client.post(f"{url}/jobs", json=asked.body, headers=headers)
            except httpx.TransportError as error:
                self.refused[type(error).__name__] += 1
            else:
                if answer.status_code == 201:
                    asked.names.add(answer.json()["id"])
                    return
                self.refused[str(answer.status_code)] += 1
            time.sleep(0.2)


@contextmanager
def service() -> Iterator[tuple[Service, Postgres]]:
    """Run all the parts of the service."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(postgres_server(durable=True))
        there = stack.enter_context(cluster(folder))
        parts = Service(folder, database, there)
        stack.callback(parts.close)
        for url in parts.urls:
            wait_until(partial(is_ready, url))
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute(AUDIT)
        yield parts, database


def faults(parts: Service, seed: int, minutes: float) -> Counter[str]:
    """Inject random faults for some minutes; return how often each part was stopped."""
    rng, deadline, ended = random.Random(seed), time.monotonic() + 60 * minutes, Counter[str]()
    while time.monotonic() < deadline:
        time.sleep(rng.uniform(*BETWEEN_FAULTS_S))
        part, orderly = rng.choice(PARTS), rng.random() < 0.3
        print(f"  {part}, {'SIGTERM' if orderly else 'SIGKILL'}", file=sys.stderr, flush=True)
        parts.fault(part, rng.uniform(*DOWN_S), orderly=orderly)
        ended[part.split()[0]] += 1
        parts.revive()
    return ended


def settle(parts: Service, database: Postgres) -> None:
    """Wait until no job is queued or running."""
    left = "SELECT count(*) FROM jobs WHERE state IN ('queued', 'running')"
    deadline = time.monotonic() + SETTLE_S
    while time.monotonic() < deadline:
        parts.revive()
        with suppress(psycopg.Error), psycopg.connect(database.url) as connection:
            row = connection.execute(left).fetchone()
            if row is not None and row[0] == 0:
                return
        time.sleep(1)


def verdict(asked: dict[str, Asked], database: Postgres) -> dict[str, int]:
    """Count the outcomes of the submitted questions."""
    found: Counter[str] = Counter()
    with psycopg.connect(database.url) as connection:
        rows = connection.execute("SELECT id, state, result, attempts FROM jobs").fetchall()
        ends = Counter(row[0] for row in connection.execute("SELECT job FROM ends").fetchall())
    jobs = {name: (state, result, attempts) for name, state, result, attempts in rows}
    for each in asked.values():
        if not each.names:
            continue  # the clients stopped before it was accepted
        found["accepted"] += 1
        found["two jobs"] += len(each.names) > 1
        state, result, attempts = jobs.get(min(each.names), ("lost", None, 0))
        found[state] += 1
        found["begun again"] += attempts > 1
        found["ended twice"] += ends[min(each.names)] > 1
        if state == "done":
            found["wrong"] += _is_wrong(each, json.loads(result))
        elif state == "failed":
            print("  failed:", json.loads(result)["detail"], file=sys.stderr)
    return found


def _is_wrong(asked: Asked, result: dict[str, Any]) -> bool:
    claim = parse_answer(json.dumps(result))
    limited = "time_limit_s" in asked.body
    return bool(check(asked.instance, claim)) or (claim.status is Status.UNKNOWN and not limited)


COLUMNS: dict[str, Callable[[Counter[str], dict[str, int]], int]] = {
    "servers": lambda ended, _: ended["server"],
    "workers": lambda ended, _: ended["worker"],
    "scheduler": lambda ended, _: ended["scheduler"],
    "database": lambda ended, _: ended["database"],
    "accepted": lambda _, found: found["accepted"],
    "begun again": lambda _, found: found["begun again"],
    "done": lambda _, found: found["done"],
    "failed": lambda _, found: found["failed"],
    "left or lost": lambda _, found: found["queued"] + found["running"] + found["lost"],
    "ended twice": lambda _, found: found["ended twice"] + found["two jobs"],
    "wrong": lambda _, found: found["wrong"],
}


def run(seed: int, minutes: float) -> bool:
    """Do one run and print its row; return True if all accepted jobs were done once and right."""
    with service() as (parts, database):
        clients = Clients(parts.urls, seed)
        try:
            ended = faults(parts, seed, minutes)
        finally:
            clients.close()
        settle(parts, database)
        found = verdict(clients.asked, database)
    cells = [str(column(ended, found)) for column in COLUMNS.values()]
    print(f"| {seed} | {minutes:g} | {' | '.join(cells)} |", flush=True)
    print(f"  refused: {dict(clients.refused)}", file=sys.stderr)
    return found["done"] == found["accepted"] > 0 and not (
        found["wrong"] or found["ended twice"] or found["two jobs"]
    )


def main() -> int:
    """Run every seed; return 1 unless all accepted jobs were done once and right."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=10.0, help="minutes per seed")
    options.add_argument("--seeds", type=int, nargs="+", default=[1])
    given = options.parse_args()
    command = " ".join(["scripts/chaos", *sys.argv[1:]])
    print(f"# Fault injection\n\nBy `{command} > results/chaos.md`: two servers on")
    print("one PostgreSQL and one Dask cluster of two workers, all on one machine, and")
    print(f"{CLIENTS} clients that submit questions. Every few seconds a part is killed (in")
    print("three of ten cases terminated by SIGTERM) and restarted after up to 8 seconds. A")
    print("database trigger counts how often each job ends, and every answer is checked.\n")
    print(f"| seed | minutes | {' | '.join(COLUMNS)} |")
    print("|---:|---:|" + "---:|" * len(COLUMNS))
    right = [run(seed, given.minutes) for seed in given.seeds]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
