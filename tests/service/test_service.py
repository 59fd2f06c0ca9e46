"""The service: one API, described and held to its description, with limits that hold."""

import json
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from fastapi.concurrency import run_in_threadpool
from fastapi.testclient import TestClient

from tests.support import ROOT
from tests.support.loading import questions
from tests.support.running import shell
from tests.support.serving import (
    API,
    LONG,
    PAIR,
    client_of,
    done,
    finished,
    free_port,
    job_of,
    made,
    served,
    wait_until,
)
from tests.support.tables import table
from uno_csp import Uno1, check, generate, parse, parse_answer, solve
from uno_csp.families import families, shuffled
from uno_csp.formats import question_to_dict
from uno_csp.service.handlers.canonical import canonical
from uno_csp.service.messages import JobBody
from uno_csp.verifier.hands import verify

JSON = {"content-type": "application/json"}


@pytest.mark.slow
def test_every_kind_of_question_is_answered_at_once_and_by_a_job(client: TestClient) -> None:
    for instance in questions(7):
        asked = {"instance": question_to_dict(instance)}
        response = client.post("/solve", json=asked)
        assert response.status_code == 200
        answer, expected = parse_answer(response.text), solve(instance)
        assert not check(instance, answer)
        assert (answer.status, answer.objective) == (expected.status, expected.objective)
        job = done(client, **asked, proof=True)
        verdict = client.post("/check", json={**asked, "answer": job["answer"]}).json()
        assert verdict["valid"], verdict
        assert "stats" in verdict["unchecked"]


def test_a_long_question_becomes_a_job_that_can_be_watched_and_cancelled(tmp_path: Path) -> None:
    with client_of(tmp_path, wait_s=0.3) as client:
        response = client.post("/solve", json={"instance": LONG, "time_limit_s": 50})
        assert response.status_code == 202
        assert response.headers["location"] == f"jobs/{response.json()['id']}"
        name = response.json()["id"]
        wait_until(lambda: bool((job_of(client, name)["progress"] or {}).get("objective")))
        shown = job_of(client, name)["progress"]
        cancelled = client.post(f"/jobs/{name}/cancel").json()
        assert cancelled["state"] == "cancelled"
        answer = cancelled["answer"]
        assert (answer["status"], answer["reason"]) == ("UNKNOWN", "it was stopped")
        assert shown["objective"] <= answer["objective"] <= answer["bound"] <= shown["bound"]
        assert not check(parse(LONG), parse_answer(json.dumps(answer)))
        assert client.post(f"/jobs/{name}/cancel").json()["state"] == "cancelled"
        events = client.get(f"/jobs/{name}/events").text
        assert 'event: state\ndata: {"state": "cancelled"}' in events.replace("\r", "")
        assert done(client, PAIR)["answer"]["status"] == "SATISFIABLE"


def test_events_tell_of_rounds_and_bounds(client: TestClient) -> None:
    name = made(client, LONG, time_limit_s=600)
    service = client.app.state.job_service  # type: ignore[attr-defined]

    async def events() -> list[tuple[str, Any]]:
        """The job is cancelled once it has shown progress."""
        found = []
        async for event in service.events(service.find(name)):
            found.append((event.event, event.data))
            if event.event == "progress" and event.data["rounds"] > 1:
                await run_in_threadpool(service.cancel, name)
        return found

    assert client.portal is not None
    seen = client.portal.call(events)
    assert {kind for kind, _ in seen} == {"state", "progress", "end"}
    answer = seen[-1][1]["answer"]
    assert (answer["status"], answer["reason"]) == ("UNKNOWN", "it was stopped")
    assert answer["objective"] <= answer["bound"]
    assert answer["checked"]


def test_jobs_are_listed_found_and_forgotten(own_client: TestClient) -> None:
    names = [made(own_client, {**PAIR, "name": str(i)}) for i in range(5)]
    for name in names:
        assert finished(own_client, name)["answer"]["status"] == "SATISFIABLE"
    first = own_client.get("/jobs", params={"count": 2}).json()
    assert [job["id"] for job in first["jobs"]] == names[:2:-1]
    left_out = {"instance", "answer", "time_limit_s", "memory_limit_mb"}
    assert set(first["jobs"][0]) == set(JobBody.model_fields) - left_out
    second = own_client.get("/jobs", params={"count": 3, "before": first["next"]}).json()
    assert [job["id"] for job in second["jobs"]] == names[2::-1]
    assert own_client.get("/jobs", params={"state": "queued"}).json() == {"jobs": [], "next": None}
    assert own_client.delete(f"/jobs/{names[0]}").status_code == 204
    assert own_client.get(f"/jobs/{names[0]}").status_code == 404
    assert own_client.delete(f"/jobs/{names[0]}").status_code == 404


def test_a_job_that_is_not_finished_is_not_forgotten(client: TestClient) -> None:
    name = made(client, LONG)
    response = client.delete(f"/jobs/{name}")
    assert (response.status_code, response.json()["detail"]) == (
        409,
        "the job is not finished; cancel it first",
    )
    client.post(f"/jobs/{name}/cancel")


@pytest.mark.slow
def test_the_same_question_under_other_names_is_known(client: TestClient) -> None:
    for number, instance in enumerate(questions(7)):
        if instance.question == "uncooperative":
            continue
        asked = question_to_dict(instance)
        first = done(client, asked)
        renamed = shuffled(instance, number + 1)
        body = {"instance": question_to_dict(renamed)}
        second = client.post("/jobs", json=body).json()
        decided = first["answer"]["method"] is None
        assert second["cached"] is not decided
        second = finished(client, second["id"])
        assert not check(renamed, parse_answer(json.dumps(second["answer"])))
        assert second["answer"]["status"] == first["answer"]["status"]
        forced = client.post("/jobs", json={**body, "backend": "glucose4"}).json()
        assert not forced["cached"]


@pytest.mark.parametrize("name", families())
def test_canonical_forms(name: str) -> None:
    instance = generate(name)
    form = canonical(instance)
    if not instance.names_are_free:
        assert form is None
        return
    assert form is not None
    answer = solve(instance).to_dict()
    kept = form.to_canonical(answer)
    for seed in range(3):
        other = shuffled(instance, seed)
        same = canonical(other)
        assert same is not None
        assert same.hash == form.hash
        assert not check(other, parse_answer(json.dumps(same.from_canonical(kept))))


def test_what_differs_has_another_hash() -> None:
    asked = table("service", "questions that differ")
    forms = [canonical(parse(each)) for each in asked]
    assert len({form.hash for form in forms if form}) == len(asked)


def test_a_job_has_its_certificate(client: TestClient, tmp_path: Path) -> None:
    hand = {"question": "uno-1", "cards": [["red", 5], ["blue", 7]]}
    job = made(client, hand, proof=True)
    certificate = finished(client, job)["answer"]["certificate"]
    assert (certificate["certified"], certificate["kind"]) == (True, "groups")
    assert "path" not in certificate
    file = client.get(f"/jobs/{job}/certificate")
    assert (file.status_code, file.headers["content-type"]) == (200, "application/zip")
    known = {"If-None-Match": file.headers["etag"]}
    assert client.get(f"/jobs/{job}/certificate", headers=known).status_code == 304
    packed = tmp_path / "certificate.zip"
    packed.write_bytes(file.content)
    assert verify(packed)[0].splitlines()[0] == certificate["summary"]
    assert client.delete(f"/jobs/{job}").status_code == 204
    assert client.get(f"/jobs/{job}/certificate").status_code == 404


def test_a_job_without_a_certificate_says_why(client: TestClient) -> None:
    for asked, said in (
        ({"instance": PAIR}, "none was asked for"),
        ({"instance": PAIR, "proof": True}, "the witness shows the answer"),
    ):
        response = client.get(f"/jobs/{done(client, **asked)['id']}/certificate")
        detail = f"the job has no certificate: {said}"
        assert (response.status_code, response.json()["detail"]) == (404, detail)
    running = made(client, LONG, proof=True)
    assert client.get(f"/jobs/{running}/certificate").status_code == 409
    client.post(f"/jobs/{running}/cancel")


def test_certificates_are_bounded_in_size_and_time(tmp_path: Path) -> None:
    large = question_to_dict(Uno1(tuple((i, i) for i in range(20))))
    slow = generate("random", colours=500, numbers=500, cards=750, seed=1, question="fill-in")
    with client_of(tmp_path, certificate_bytes=100) as client:
        answer = client.post("/solve", json={"instance": large, "proof": True}).json()
        assert (answer["status"], answer["certificate"]["certified"]) == ("UNSATISFIABLE", False)
        assert answer["certificate"]["summary"].endswith("at most 100 are kept")
        asked = {"instance": question_to_dict(slow), "proof": True, "time_limit_s": 2}
        answer = client.post("/solve", json=asked).json()
        # Which of the limits is met first depends on the machine.
        assert not answer["certificate"]["certified"]
        if answer["status"] == "OPTIMAL":
            assert re.search("time|at most 100 are kept", answer["certificate"]["summary"])
    assert not list((tmp_path / "certificates").iterdir())


def test_check_export_and_generate(client: TestClient) -> None:
    right = {"question": "uno-1", "status": "SATISFIABLE", "sequence": ["R5", "R7"]}
    response = client.post("/check", json={"instance": PAIR, "answer": right}).json()
    parts = {"checked": "sequence", "unchecked": []}
    assert response == {"valid": True, **parts, "violations": []}
    wrong = {**right, "sequence": ["R5"]}
    response = client.post("/check", json={"instance": PAIR, "answer": wrong}).json()
    assert not response["valid"]
    assert response["violations"][0]["rule"]
    exported = client.post("/export", json={"instance": PAIR, "to": "dimacs", "varnames": True})
    assert exported.headers["content-type"].startswith("text/plain")
    assert exported.text.startswith("c uno-csp dimacs: uno-1, 2 cards\n")
    drawn = {"family": "random", "parameters": {"cards": 4}, "seed": 3}
    found = client.post("/generate", json=drawn).json()
    assert parse(found) == generate("random", cards=4, seed=3)


def test_lists(own_client: TestClient) -> None:
    assert {row["name"] for row in own_client.get("/families").json()} == set(families())
    assert own_client.get("/encodings").json()[0]["name"] == "hub-trail"
    assert own_client.get("/backends").json()[0] == {
        "name": "cadical195",
        "installed": True,
        "version": f"python-sat {version('python-sat')}",
        "install": None,
        "summary": "SAT solver in PySAT",
    }
    assert len(own_client.get("/questions").json()) == 6
    assert {"name": "wcnf"} in own_client.get("/formats").json()
    schema = own_client.get("/schema/question").json()
    assert len(schema["oneOf"]) == 6
    fields = [
        each for kind in schema["$defs"].values() for each in kind.get("properties", {}).items()
    ]
    assert not any("default" in field for _, field in fields)
    assert {field["description"] for name, field in fields if name == "at_least"} == {
        "By default 1."
    }
    assert "sequence" in own_client.get("/schema/answer").json()["properties"]
    assert own_client.get("/openapi.json").json()["openapi"].startswith("3.")
    assert 'uno_csp_jobs{state="done"} 0.0' in own_client.get("/metrics").text
    assert own_client.get("/ready").json() == {"status": "ok"}


def test_sizes_and_rates_are_bounded(tmp_path: Path) -> None:
    with client_of(tmp_path / "a", body_bytes=2000, cards=5) as client:
        large = {"instance": {"question": "uno-1", "cards": [[1, 1]] * 6}}
        response = client.post("/solve", json=large)
        assert (response.status_code, response.json()["detail"]) == (
            413,
            "6 cards are more than the 5 allowed",
        )
        huge = {"instance": {"question": "uno-1", "cards": [[1, 1]] * 2000}}
        response = client.post("/solve", json=huge)
        assert response.status_code == 413
        assert response.headers["content-type"] == "application/problem+json"

        def pieces() -> Iterator[bytes]:
            """A body that does not say how long it is."""
            yield from [b" " * 1000] * 5

        response = client.post("/solve", content=pieces(), headers=JSON)
        assert (response.status_code, response.json()["detail"]) == (413, "the body is too large")


def test_the_rate_of_a_client_is_bounded_and_told(tmp_path: Path) -> None:
    with client_of(tmp_path, requests_per_minute=3) as client:
        found = [client.get("/formats") for _ in range(4)]
        assert [expected.status_code for expected in found] == [200, 200, 200, 429]
        assert {expected.headers["ratelimit-policy"] for expected in found} == {'"client";q=3;w=60'}
        left = [expected.headers["ratelimit"].split(";")[1] for expected in found]
        assert left == ["r=2", "r=1", "r=0", "r=0"]
        assert 1 <= int(found[3].headers["retry-after"]) <= 60
        assert found[3].headers["ratelimit"].endswith(f"t={found[3].headers['retry-after']}")
        assert "no-referrer" in found[3].headers["referrer-policy"]
        assert client.get("/health").status_code == 200
        assert "ratelimit" not in client.get("/health").headers


def test_the_queue_is_bounded(tmp_path: Path) -> None:
    with client_of(tmp_path, workers=1, queue=2) as client:
        names: list[str] = []
        for seed in range(3):
            names.append(made(client, LONG, seed=seed))
            wait_until(lambda: job_of(client, names[0])["state"] == "running")
        response = client.post("/jobs", json={"instance": LONG, "seed": 9})
        assert response.status_code == 429
        assert int(response.headers["retry-after"]) > 0
        for name in names:
            client.post(f"/jobs/{name}/cancel")


def test_wrong_tokens_cannot_be_tried_quickly(tmp_path: Path) -> None:
    word = "secr\u00e9t"
    with client_of(tmp_path, token=word, requests_per_minute=3) as client:
        for shown, status in ((word, 200), ("no", 401), ("no", 401), ("no", 429)):
            headers = [(b"Authorization", f"Bearer {shown}".encode())]
            assert client.get("/jobs", headers=headers).status_code == status


def test_a_name_that_is_no_job_is_not_found(client: TestClient) -> None:
    for name in ("%00", "x" * 500, "0" * 32):
        for path in (f"/jobs/{name}", f"/jobs/{name}/certificate", f"/jobs/{name}/events"):
            assert client.get(path).status_code == 404


def test_a_job_shows_the_limits_that_hold(tmp_path: Path) -> None:
    with client_of(tmp_path, wall_s=9, memory_mb=500) as client:
        for asked, limits in (
            ({}, (9, 500)),
            ({"time_limit_s": 20, "memory_limit_mb": 400}, (20, 400)),
            ({"memory_limit_mb": 501}, (9, 500)),
        ):
            new = client.post("/jobs", json={"instance": PAIR, **asked}).json()
            for job in (new, finished(client, new["id"])):
                assert (job["time_limit_s"], job["memory_limit_mb"]) == limits


def test_memory_and_cpu_time_are_limited(tmp_path: Path) -> None:
    large = question_to_dict(generate("random", colours=300, numbers=300, cards=2000))
    slow = {"method": "position", "presolve": False}
    with client_of(tmp_path, memory_mb=250, cores=0.005) as client:
        for instance, more, reason in (
            (large, {**slow, "time_limit_s": 1000}, "memory limit of 250 MB reached"),
            (LONG, {"time_limit_s": 200, "backend": "cadical195"}, "CPU limit of 1 s reached"),
        ):
            answer = done(client, instance, proof=True, **more)["answer"]
            assert (answer["status"], answer["reason"]) == ("UNKNOWN", reason)
            assert answer["certificate"] == {"certified": False, "summary": reason}


@pytest.mark.slow
def test_the_api_keeps_to_its_own_description(tmp_path: Path) -> None:
    """Thousands of requests made from OpenAPI; the rules that tie parts together are not in it."""
    port = free_port()
    url = f"http://127.0.0.1:{port}{API}/openapi.json"
    limits = "--max-examples 10 --workers 1 --generation-deterministic --request-timeout 60"
    limits += " --no-color --exclude-checks positive_data_acceptance"
    with served(tmp_path / "data", port):
        # Those that take a whole question have too many variants to try each of them, and a puzzle
        # takes a second to make.
        large = "/(solve|solve-many|jobs|check|export|advise|analyse|puzzle)$"
        for phase, left_out in (("coverage", f"'events|{large}'"), ("fuzzing", "events")):
            sort = f"--phases {phase} --exclude-path-regex {left_out}"
            ran = shell(f"schemathesis run {url} {limits} {sort}", tmp_path)
            assert ran.returncode == 0, ran.stdout[-3000:]
            assert "generated" in ran.stdout


@pytest.mark.slow
def test_the_curl_examples_of_the_documentation(tmp_path: Path) -> None:
    found = re.search(r"```http\n(.*?)```", (ROOT / "docs/service.md").read_text(), re.DOTALL)
    assert found is not None
    commands = found[1].splitlines()
    assert len(commands) == 6
    port = free_port()
    with served(tmp_path / "data", port):
        for command in commands:
            line = command.replace("localhost:8000", f"127.0.0.1:{port}")
            ran = shell(f"{line} --fail", tmp_path)
            assert ran.returncode == 0, command
            assert ran.stdout.startswith("c uno-csp" if "export" in command else "{")
