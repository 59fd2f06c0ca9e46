"""What those who run a server see of it: log lines and figures."""

import json
import re
import subprocess
import sys
from contextlib import suppress
from logging.config import DictConfigurator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psutil
import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from tests.support.serving import (
    API,
    LONG,
    PAIR,
    client_of,
    done,
    free_port,
    job_of,
    made,
    start,
    wait_until,
)
from uno_csp.service.logs import log_config

TOKEN = "not-to-be-told"  # noqa: S105
HAND = {"question": "uno-1", "cards": [["secretive", 5], ["secretive", 7]]}


def figures(client: TestClient) -> dict[tuple[str, ...], float]:
    """The samples by their names and labels, without the buckets."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(client.get("/metrics").text)
        for sample in family.samples
        if not sample.name.endswith(("_bucket", "_created", "_sum"))
    }


@pytest.mark.slow
def test_a_job_can_be_followed_through_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNO_CSP_TOKEN", TOKEN)
    port, log = free_port(), tmp_path / "log"
    with log.open("wb") as stream:
        options = ("--log-level", "info", "--log-format", "json")
        server = start(tmp_path / "data", port, *options, stderr=stream)
        head = {"Authorization": f"Bearer {TOKEN}"}
        with httpx.Client(base_url=f"http://127.0.0.1:{port}{API}", headers=head) as client:
            name = done(client, HAND)["id"]
            for child in psutil.Process(server.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    assert "UNO_CSP_TOKEN" not in child.environ()
            client.get("/jobs/another", headers={"Authorization": "Bearer wrong"})
        server.terminate()
        server.wait(200)
    written = log.read_text()
    lines: list[dict[str, Any]] = [json.loads(line) for line in written.splitlines()]
    assert {"timestamp", "level", "logger", "event"} <= set.intersection(*map(set, lines))
    assert lines[0]["event"] == "listening"
    assert "missing" in lines[0]  # what the server lacks
    mine = [line for line in lines if line.get("job") == name and line["event"] != "request"]
    assert [line["event"] for line in mine] == ["job accepted", "job started", "job finished"]
    assert {line["question"] for line in mine} == {"uno-1"}
    assert (mine[2]["state"], mine[2]["status"]) == ("done", "SATISFIABLE")
    assert mine[2]["duration_s"] >= 0
    requests = [line for line in lines if line["event"] == "request"]
    assert {"method": "POST", "route": f"{API}/jobs", "status": 201}.items() <= requests[0].items()
    route = f"{API}/jobs/{{name}}"
    asked = {"method": "GET", "route": route, "status": 200, "job": name}
    assert any(asked.items() <= line.items() for line in requests)
    assert (requests[-1]["route"], requests[-1]["status"]) == (route, 401)
    assert "job" not in requests[-1]
    assert TOKEN not in written
    assert "secretive" not in written


def test_the_loss_of_a_scheduler_is_logged_by_its_runner_alone() -> None:
    """The client library logs tracebacks of errors that it raises too."""
    code = (
        "import logging; from uno_csp.service.logs import configure;"
        "configure('info', 'text');"
        "logging.getLogger('distributed.client').error('', exc_info=OSError('refused'));"
        "logging.getLogger('other').error('', exc_info=OSError('reset'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert b"refused" not in done.stderr
    assert b"reset" in done.stderr


def test_lines_for_people(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "uno_csp")
    client.post("/solve", json={"instance": HAND, "seed": 5})
    config = log_config("info", "text")
    formatter = DictConfigurator(config).configure_formatter(config["formatters"]["line"])
    written = [formatter.format(each) for each in caplog.records]
    words = r"job finished +\[uno_csp\.service\.journal\] .*duration_s=.* status=SATISFIABLE"
    assert any(re.fullmatch(rf"20\S+Z \[info *\] {words}", line) for line in written)
    assert "\x1b" not in "".join(written)


def test_figures_of_requests_have_templates_for_paths(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        for path in ("/jobs/1", "/jobs/2", "/jobs/3/events", "/nothing/4", "/formats"):
            client.get(path)
        client.request("WHATEVER", "/formats")
        found = figures(client)
    counts = {
        key[1:]: value for key, value in found.items() if key[0] == "uno_csp_http_requests_total"
    }
    assert counts == {
        ("GET", f"{API}/jobs/{{name}}", "404"): 2,
        ("GET", f"{API}/jobs/{{name}}/events", "404"): 1,
        ("GET", "other", "404"): 1,
        ("GET", f"{API}/formats", "200"): 1,
        ("other", f"{API}/formats", "405"): 1,
    }
    assert found["uno_csp_http_request_seconds_count", "GET", f"{API}/jobs/{{name}}"] == 2


def test_figures_of_jobs(tmp_path: Path) -> None:
    with client_of(tmp_path, workers=1, queue=7) as client:
        done(client, PAIR, backend="glucose4")
        names = [made(client, LONG, seed=seed) for seed in range(2)]
        wait_until(lambda: job_of(client, names[0])["state"] == "running")
        found = figures(client)
        assert found["uno_csp_queue_capacity",] == 7
        assert found["uno_csp_workers",] == 1
        assert found["uno_csp_jobs", "running"] == 1
        assert found["uno_csp_jobs", "queued"] == 1
        for name in reversed(names):
            client.post(f"/jobs/{name}/cancel")
        solved = "uno_csp_solving_seconds_count"
        wait_until(lambda: (solved, "longest", "cancelled") in figures(client))
        found = figures(client)
        assert found[solved, "uno-1", "SATISFIABLE"] == 1
        assert found[solved, "longest", "cancelled"] == 1
        assert found["uno_csp_queue_wait_seconds_count",] == 2
        for _ in range(2):
            client.post("/solve", json={"instance": {**PAIR, "question": "longest"}})
        assert figures(client)["uno_csp_recalled_answers_total", "longest"] == 1
