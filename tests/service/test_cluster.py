"""The service with its jobs on a Dask cluster."""

import asyncio
import json
import socket
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from queue import Queue
from threading import Event
from typing import Any
from unittest.mock import Mock

import dask
import psutil
import pytest
from distributed import Scheduler, Worker
from distributed.security import Security
from fastapi.testclient import TestClient

from tests.support.clusters import cluster
from tests.support.loading import SETUPS, ask_all, questions, running
from tests.support.processes import JOBS, named_below
from tests.support.running import refused
from tests.support.serving import LONG, PAIR, done, finished, job_of, lives, made, wait_until
from tests.support.serving import client_of as local_client_of
from uno_csp import NotAccepted, generate
from uno_csp.formats import question_to_dict
from uno_csp.pipeline import Options
from uno_csp.processes import clusters
from uno_csp.processes.supervision import Control, Limits, Outcome
from uno_csp.service.api.app import create_app
from uno_csp.service.handlers.declaring import do
from uno_csp.service.handlers.solving import ANSWER, solve_job
from uno_csp.service.job import State
from uno_csp.service.jobs import cluster_tasks
from uno_csp.service.jobs.cluster_runner import ClusterRunner, _kept
from uno_csp.service.jobs.cluster_tasks import Returned, Submission, run_task
from uno_csp.service.jobs.runners import LocalRunner
from uno_csp.service.settings import Settings
from uno_csp.service.stores.sqlite_store import SqliteStore

CUBIC = question_to_dict(generate("random-cubic", vertices=20, seed=1))
NO = {"question": "uno-1", "cards": ["R5", "B7"]}


@contextmanager
def client_of(folder: Path, address: str, **options: Any) -> Iterator[TestClient]:
    settings = Settings(folder, **options)
    app = create_app(settings, SqliteStore(folder), ClusterRunner(address))
    with TestClient(app, base_url="http://localhost/api/v1") as client:
        yield client


def solving(member: Any) -> list[psutil.Process]:
    """The workers for jobs below a worker of the cluster."""
    return named_below(member.pid, JOBS)


@pytest.mark.slow
def test_a_worker_is_killed_and_every_job_is_finished_once(tmp_path: Path) -> None:
    with cluster(tmp_path) as there, client_of(tmp_path / "d", there.address) as client:
        first = made(client, LONG, time_limit_s=12.0)
        wait_until(lambda: job_of(client, first)["progress"] is not None)
        busy = next(each for each in there.workers if solving(each))
        children = solving(busy)
        busy.kill()
        rest = [made(client, PAIR, seed=seed, backend="cadical195") for seed in range(6)]
        for name in rest:
            assert finished(client, name)["answer"]["status"] == "SATISFIABLE"
        job = finished(client, first)
        assert job["state"] == "done"
        assert job["answer"]["wall_s"] >= 3
        wait_until(lambda: not any(lives(each) for each in children))
        with client.stream("GET", f"/jobs/{first}/events") as events:
            expected = [line for line in events.iter_lines() if line.startswith("data:")]
        assert json.loads(expected[-1][5:])["id"] == first


@pytest.mark.slow
def test_jobs_on_a_cluster_obey(tmp_path: Path) -> None:
    with cluster(tmp_path) as there:
        with client_of(tmp_path / "small", there.address, memory_mb=150.0) as client:
            heavy = done(client, LONG, backend="cp-sat", time_limit_s=30.0)
            assert "memory" in heavy["answer"]["reason"]
        with client_of(tmp_path / "d", there.address) as client:
            name = made(client, LONG)
            wait_until(lambda: bool((job_of(client, name)["progress"] or {}).get("objective")))
            cancelled = client.post(f"/jobs/{name}/cancel").json()
            assert cancelled["state"] == "cancelled"
            assert cancelled["answer"]["objective"] <= cancelled["answer"]["bound"]
            proved = done(client, NO, proof=True)
            assert proved["answer"]["status"] == "UNSATISFIABLE"
            packed = client.get(f"/jobs/{proved['id']}/certificate").content
            assert zipfile.ZipFile(BytesIO(packed)).namelist()
            left = made(client, LONG)
            wait_until(lambda: job_of(client, left)["progress"] is not None)
            children = [child for each in there.workers for child in solving(each)]
        # The server is gone, and so is what it had the workers do.
        wait_until(lambda: not all(lives(each) for each in children))


@pytest.mark.slow
def test_the_scheduler_is_lost_and_every_job_is_finished_once(tmp_path: Path) -> None:
    with cluster(tmp_path) as there, client_of(tmp_path / "d", there.address) as client:
        first = made(client, LONG, time_limit_s=12.0)
        wait_until(lambda: job_of(client, first)["progress"] is not None)
        children = [child for each in there.workers for child in solving(each)]
        there.scheduler.kill()
        there.scheduler.wait()
        wait_until(lambda: not any(lives(each) for each in children))
        second = made(client, PAIR)
        there.start_scheduler()
        there.start_worker()
        assert finished(client, second)["answer"]["status"] == "SATISFIABLE"
        job = finished(client, first)
        assert (job["state"], job["answer"]["wall_s"] >= 3) == ("done", True)


@pytest.mark.slow
def test_a_job_whose_workers_die_fails_and_the_next_is_done(tmp_path: Path) -> None:
    with cluster(tmp_path) as there, client_of(tmp_path / "d", there.address) as client:
        name = made(client, LONG)
        while job_of(client, name)["state"] in ("queued", "running"):
            for each in list(there.workers):
                if each.poll() is None and solving(each):
                    each.kill()
                    each.wait()
                    there.workers.remove(each)
                    there.workers.append(there.start_worker())
            time.sleep(0.1)
        job = job_of(client, name)
        assert job["state"] == "failed"
        assert "workers died" in job["problem"]["detail"]
        assert done(client, PAIR)["answer"]["status"] == "SATISFIABLE"


@pytest.mark.slow
def test_many_jobs_at_once_on_a_cluster() -> None:
    with running(SETUPS["cluster"], 16, "warning") as urls:
        _, found = ask_all(urls, questions(400), clients=32)
    assert [error for _, error in found if error] == []


def test_a_server_that_waits_for_a_lost_place_can_be_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place is lost after its first task: whoever waits for it can only be stopped."""
    run, gate, tasks = LocalRunner.run, Event(), list[Any]()

    def lost(self: LocalRunner, task: Any, limits: Limits, control: Any = None) -> Outcome:
        if task["do"] != do(solve_job):
            return run(self, task, limits, control)
        tasks.append(task)
        if len(tasks) > 1:
            control.stop.wait()
            return Outcome(None, "")
        gate.wait()
        return run(self, task, limits, control)

    monkeypatch.setattr(LocalRunner, "run", lost)
    with local_client_of(tmp_path, workers=1) as client:
        first = made(client, CUBIC)
        known = made(client, {**CUBIC, "cards": CUBIC["cards"][::-1]})
        gate.set()
        assert finished(client, first)["state"] == "done"
        wait_until(lambda: job_of(client, known)["state"] == "running")
    left = SqliteStore(tmp_path)
    kept: Any = left.get(known)
    left.close()
    assert kept.state is State.QUEUED  # for the next server


def test_what_a_worker_lacks_is_no_fault_of_the_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr(cluster_tasks, "_run_task", full)
    returned = run_task(Submission({}, Limits(1.0), 0.0, "topic"))
    assert "No space left" in returned.outcome.last_words
    assert returned.certificate is None


def test_the_latest_progress_is_sent_now_and_then_and_an_answer_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    member = Mock()
    member.get_current_task.return_value = "key"

    def run(_self: LocalRunner, _task: Any, _limits: Limits, control: Control) -> Outcome:
        assert control.listener is not None
        for rounds in (1, 2):
            control.listener({"rounds": rounds})
        assert not member.log_event.called
        cluster_tasks._send_progress(member)
        cluster_tasks._send_progress(member)
        control.listener({ANSWER: "no"})
        return Outcome({}, "")

    monkeypatch.setattr(cluster_tasks, "get_worker", lambda: member)
    monkeypatch.setattr(cluster_tasks, "_watch", Mock())
    monkeypatch.setattr(LocalRunner, "run", run)
    run_task(Submission({}, Limits(1.0), 0.0, "topic"))
    sent = [event["report"] for (_, event), _ in member.log_event.call_args_list]
    assert sent == [{"rounds": 2}, {ANSWER: "no"}]


def test_a_certificate_without_room_is_no_end_of_the_job() -> None:
    """The executor then keeps the answer that was reported before the proof."""
    returned = Returned(Outcome({"result": {}}, "", wall_s=2.0), b"packed")
    outcome = _kept(returned, {"proof": {"path": "/dev/full"}})
    detail = outcome.result["error"]["detail"]
    assert "the certificate could not be written: no space left" in detail
    assert outcome.wall_s == 2.0


class ForgetfulStore(SqliteStore):
    """Its jobs are forgotten, with their certificates, just when these are to be kept."""

    def put_certificate(self, name: str, path: Path) -> None:
        path.unlink()
        self.finish(name, State.CANCELLED, None)
        self.delete(name)
        raise FileNotFoundError(path)


def test_a_job_that_is_forgotten_with_its_certificate_blocks_nobody(
    tmp_path: Path,
) -> None:
    app = create_app(Settings(tmp_path, workers=1), ForgetfulStore(tmp_path))
    with TestClient(app, base_url="http://localhost/api/v1") as client:
        made(client, NO, proof=True)
        assert done(client, PAIR)["state"] == "done"


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("nonsense://", "'nonsense://' is not a scheduler address: "),
        ("nowhere", "'nowhere' is not a scheduler address: missing port"),
    ],
)
def test_no_scheduler_is_one_line(address: str, problem: str, tmp_path: Path) -> None:
    said = refused("serve", "--data", str(tmp_path), "--cluster", address)
    assert said.startswith(f"uno-csp: {problem}")


@pytest.mark.parametrize("words", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_what_is_no_scheduler_is_one_line(words: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of something else, or one that accepts connections and stays silent."""
    monkeypatch.setattr(clusters, "CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    held.append(connection)
                    connection.sendall(words)

        held: list[socket.socket] = []
        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(NotAccepted, match=r"no Dask scheduler answers at [^\n]+$"):
            clusters.connected(address)
        for each in held:
            each.close()


@contextmanager
def scheduler_here(protocol: str, **security: Any) -> Iterator[str]:
    """The address of a scheduler with one worker, both in a thread of this process."""
    found: Queue[str] = Queue()
    end = threading.Event()

    async def serve() -> None:
        here: Any = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", **security}
        async with (
            Scheduler(port=0, protocol=protocol, **here) as scheduler,
            Worker(scheduler.address, nthreads=1, **here),
        ):
            found.put(scheduler.address)
            await asyncio.to_thread(end.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        yield found.get(timeout=200)
    finally:
        end.set()
        thread.join()
        cluster_tasks._departing.clear()  # its worker has left, and this process goes on


def settings_of(security: Any, *without: str) -> dict[str, Any]:
    """Settings of Dask with the certificates themselves, where variables name their files."""
    names = {"ca-file": "ca_file", "client.cert": "client_cert", "client.key": "client_key"}
    return {
        f"distributed.comm.tls.{name}": None
        if name in without
        else getattr(security, f"tls_{kind}")
        for name, kind in names.items()
    }


def test_a_scheduler_with_tls_answers_who_shows_a_certificate(tmp_path: Path) -> None:
    made: Any = Security.temporary
    own, other = made(), made()
    options = Options(time_limit_s=200.0).to_dict()
    task = {"do": do(solve_job), "instance": PAIR, "options": options, "hash": None, "proof": None}
    variable = "DASK_DISTRIBUTED__COMM__TLS__"
    with scheduler_here("tls", security=own) as address:
        with dask.config.set(settings_of(own)):
            runner = ClusterRunner(address)
            outcome = runner.run({**task, "backends": ()}, Limits(200.0))
            runner.close()
        assert outcome.result["result"]["answer"]["status"] == "SATISFIABLE"
        for settings, words in (
            (settings_of(own, "ca-file"), f"{variable}CA_FILE is not set"),
            (settings_of(own, "client.key"), f"{variable}CLIENT__KEY is not set"),
            (
                settings_of(own) | {"distributed.comm.tls.client.cert": f"{tmp_path}/x.pem"},
                f"{variable}CLIENT__CERT: {tmp_path}/x.pem is no file",
            ),
            (settings_of(other), "TLS certificate does not match"),
        ):
            with dask.config.set(settings), pytest.raises(NotAccepted) as refused:
                clusters.connected(address)
            assert words in str(refused.value)
            assert "\n" not in str(refused.value)
        with pytest.raises(NotAccepted, match=r"no Dask scheduler answers at tcp://[^\n]+$"):
            clusters.connected(address.replace("tls://", "tcp://"))


def test_workers_that_cannot_load_the_package_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = ModuleNotFoundError("No module named 'uno_csp'")
    monkeypatch.setattr("distributed.Client.register_plugin", Mock(side_effect=lacking))
    said = "do not take this version of uno-csp: ModuleNotFoundError"
    with scheduler_here("tcp") as address, pytest.raises(NotAccepted, match=said):
        ClusterRunner(address)
