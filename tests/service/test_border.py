"""Duties of HTTP to clients, proxies and operators: heads, ranges, caches, compression, names."""

import gzip
import logging
import re
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from fastapi.testclient import TestClient

from tests.support.serving import PAIR, client_of, done
from tests.support.tables import table
from uno_csp.agents.players import AGENTS
from uno_csp.processes.channel import TimeLimit
from uno_csp.service.api.bundles import version
from uno_csp.service.api.guarded import counted_as
from uno_csp.service.handlers.declaring import Work
from uno_csp.service.handlers.games import GRACE_S, MoveRequest, choose_move
from uno_csp.service.jobs import updates
from uno_csp.service.jobs.updates import Updates
from uno_csp.service.problems import Problem, StoreUnavailable
from uno_csp.service.stores.sqlite_store import SqliteStore

CSS = f"http://localhost/v/{version()}/index.css"
ODDS = "http://localhost/odds.json"


JSON = {"Content-Type": "application/json"}


def test_what_can_be_got_has_a_head_and_no_unknown_parameter(client: TestClient) -> None:
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        if "get" in methods and "{" not in path:
            address = f"http://localhost{path}"
            assert client.head(address).status_code == 200, path
            refused = client.get(f"{address}?x=1")
            assert (refused.status_code, refused.json()["place"]) == (422, "x"), path
    assert client.get("http://localhost/openapi.json?x=1").json()["place"] == "x"
    assert client.head("/jobs/nothing").status_code == 404
    assert client.head("/jobs/nothing/events").status_code == 405


@pytest.mark.parametrize(
    "path", ["example.json", "odds.json", "docs", "", "preview.png", "uno-verify"]
)
def test_a_known_file_is_not_sent_again(client: TestClient, path: str) -> None:
    found = client.get(f"http://localhost/{path}")
    assert found.headers["cache-control"] == "no-cache"
    tag = found.headers["etag"].removeprefix("W/")
    for known in (tag, f'"x", W/{tag}', "*", " * "):
        again = client.get(f"http://localhost/{path}", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("given", ["bytes=0-3", "bytes=99999999-"])
def test_a_range_of_a_known_file_is_not_sent_again(client: TestClient, given: str) -> None:
    whole = client.get(ODDS)
    for name, known, other in (
        ("If-None-Match", whole.headers["etag"], '"x"'),
        ("If-Modified-Since", whole.headers["last-modified"], "Thu, 01 Jan 1970 00:00:00 GMT"),
    ):
        again = client.get(ODDS, headers={name: known, "Range": given})
        assert (again.status_code, again.content) == (304, b"")
        assert "content-range" not in again.headers
        found = client.get(ODDS, headers={name: other, "Range": given})
        assert found.status_code == (206 if given == "bytes=0-3" else 416)
        assert "content-range" in found.headers


def test_only_the_tag_of_the_bytes_themselves_lets_a_range_through(tmp_path: Path) -> None:
    (tmp_path / "large.txt").write_text("x" * 10_000)
    large = "http://localhost/guide/large.txt"
    with client_of(tmp_path / "data", guide=tmp_path) as client:
        packed = client.get(large)
        assert packed.headers["content-encoding"] == "gzip"
        plain = client.get(large, headers={"Accept-Encoding": "identity"})
        tag = plain.headers["etag"]
        assert packed.headers["etag"] == f"W/{tag}"
        for given, status in ((tag, 206), (f"W/{tag}", 200), (plain.headers["last-modified"], 200)):
            ranged = {"Range": "bytes=0-3", "If-Range": given}
            assert client.get(large, headers=ranged).status_code == status


@pytest.mark.parametrize("number", ["1_0", "+1", " 1", "\u0661", "1e", "inf", "nan", "0x1", ""])
def test_a_number_in_the_address_has_digits_only(client: TestClient, number: str) -> None:
    for method, name in (("GET", "count"), ("GET", "before"), ("DELETE", "older_days")):
        found = client.request(method, "/jobs", params={name: number})
        assert (found.status_code, found.json()["place"]) == (422, name)
    assert client.get("/jobs?count=10&before=007").status_code == 200
    assert client.delete("/jobs?older_days=36500").status_code == 200
    for days in ("1000.5", "1e1", "3.65E4", "1000000e-3"):
        assert client.delete(f"/jobs?older_days={days}").status_code == 200
    assert client.get("/jobs?count=2e1").status_code == 200
    for count in ("1.5", "1e3", "1e999"):
        assert client.get(f"/jobs?count={count}").json()["place"] == "count"


def test_the_description_has_the_longest_time_and_the_answers_of_the_framework(
    client: TestClient,
) -> None:
    document = client.get("/openapi.json").json()
    limit = document["components"]["schemas"]["SolveRequest"]["properties"]["time_limit_s"]
    assert limit["anyOf"][0]["maximum"] == 3600
    refused = client.post("/jobs", json={"instance": PAIR, "time_limit_s": 3600.5})
    assert refused.json()["detail"] == "time_limit_s: 3600.5 is not allowed; expected at most 3600"
    operations = [each for path in document["paths"].values() for each in path.values()]
    assert all("Allow" in each["responses"]["405"]["headers"] for each in operations)
    certificate = document["paths"]["/api/v1/jobs/{name}/certificate"]["get"]["responses"]
    assert {"200", "206", "304", "416"} <= certificate.keys()


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        ("If-Match", "*", 200),
        ("If-Match", "{tag}", 200),
        ("If-Match", '"x", {tag}', 200),
        ("If-Match", '"x"', 412),
        ("If-Match", "W/{tag}", 412),  # weak tags match nothing here
        ("If-Match", "", 412),
        ("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT", 412),
        ("If-Unmodified-Since", "Fri, 31 Dec 9999 00:00:00 GMT", 200),
        ("If-Unmodified-Since", "nonsense", 200),
    ],
)
def test_preconditions(client: TestClient, name: str, value: str, status: int) -> None:
    for path in ("odds.json", "", "uno-verify", "preview.png"):
        address = f"http://localhost/{path}"
        whole = client.get(address, headers={"Accept-Encoding": "identity"})
        wanted = {name: value.format(tag=whole.headers["etag"])}
        expected = status if name == "If-Match" or "last-modified" in whole.headers else 200
        known = [{"If-None-Match": "*"}] if name == "If-Match" else []  # a 304 has no date
        for more in ({}, {"Range": "bytes=0-3"}, {"Range": "bytes=99999999-"}, *known):
            found = client.get(address, headers={**wanted, **more})
            assert (found.status_code == 412) == (expected == 412), more
            if expected == 412:
                assert found.headers["content-type"] == "application/problem+json"
                assert found.json()["status"] == 412
                assert "content-range" not in found.headers
        assert client.head(address, headers=wanted).status_code == expected


def test_a_list_of_tags_may_stand_in_several_lines(client: TestClient) -> None:
    tag = client.get(ODDS).headers["etag"].removeprefix("W/")
    for tags, status in ((('"x"', tag), 200), ((tag, '"x"'), 200), (('"x"', '"y"'), 412)):
        lines = [("If-Match", each) for each in tags]
        assert client.get(ODDS, headers=lines).status_code == status
    lines = [("If-Match", "*"), ("If-Match", '"x"')]
    assert client.delete("/jobs/nothing", headers=lines).status_code == 412


def test_nothing_is_changed_under_a_tag_that_it_has_not(client: TestClient) -> None:
    job, other = done(client, PAIR)["id"], {"If-Match": '"x"'}
    assert client.delete(f"/jobs/{job}", headers=other).status_code == 412
    assert client.post("/jobs", json={"instance": PAIR}, headers=other).json()["status"] == 412
    assert client.get("/jobs/nothing", headers=other).status_code == 404
    assert client.delete(f"/jobs/{job}", headers={"If-Match": "*"}).status_code == 204


@pytest.mark.parametrize(("given", "status"), table("service", "ranges"))
def test_ranges(client: TestClient, given: str, status: int) -> None:
    found = client.get(ODDS, headers={"Range": given})
    assert found.status_code == status
    if status == 206 and "," not in given:
        whole = client.get(ODDS).content
        assert found.content == (whole[-3:] if given.startswith("bytes=-") else whole[:4])
        size = found.headers["content-range"].rpartition("/")[2]
        assert int(size) == len(whole)
    other = client.get(ODDS, headers={"Range": given, "If-Range": '"another"'})
    assert other.status_code == 200
    assert "content-encoding" not in found.headers or status == 200
    if status == 416:
        assert found.headers["content-type"] == "application/problem+json"
        assert found.headers["content-range"].startswith("bytes */")
    picture = client.get("http://localhost/preview.png", headers={"Range": given})
    assert picture.status_code == 200  # what is made for a request is sent whole


def test_a_compressed_body_is_refused_as_such(client: TestClient) -> None:
    for path in ("/parse", "/jobs"):
        body, headers = gzip.compress(b'{"text": "R5"}'), {"Content-Encoding": "gzip"}
        found = client.post(path, content=body, headers={**JSON, **headers})
        assert (found.status_code, found.headers["accept-encoding"]) == (415, "identity")
        assert found.json()["detail"] == "the body must not be compressed"
    headers = {**JSON, "Content-Encoding": "identity"}
    assert client.post("/parse", content=gzip.decompress(body), headers=headers).status_code == 200


def test_large_answers_are_compressed(client: TestClient) -> None:
    for path in (CSS, "/openapi.json"):
        assert client.get(path).headers["content-encoding"] == "gzip"
        plain = client.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
    for accepted, packs in (
        ("gzip;q=0", False),
        ("gzip; q=0.000, identity", False),
        ("identity;q=1, GZIP ;Q=0", False),
        ("*;q=0", False),
        ("notgzip", False),
        ("", False),
        ("gzip;q=0.001", True),
        ("br, gzip", True),
        ("identity;q=0.5, gzip;q=1.0", True),
    ):
        found = client.get(CSS, headers={"Accept-Encoding": accepted})
        assert ("content-encoding" in found.headers) is packs, accepted
    assert "content-encoding" not in client.get("/health").headers


def test_hidden_files_are_not_served(tmp_path: Path) -> None:
    hidden = (".secret", ".git/config", "shown/.env")
    for name in (*hidden, "index.html", "shown/index.html"):
        (tmp_path / "guide" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "guide" / name).write_text("shown")
    with client_of(tmp_path / "data", guide=tmp_path / "guide") as client:
        assert client.get("http://localhost/guide/").text == "shown"
        assert client.get("http://localhost/guide").text == "shown"
        for name in hidden:
            assert client.get(f"http://localhost/guide/{name}").status_code == 404


def test_all_is_there_below_a_path_of_a_proxy(tmp_path: Path) -> None:
    (tmp_path / "guide/part").mkdir(parents=True)
    (tmp_path / "guide/part/index.html").write_text("part")
    folders: dict[str, Any] = {"guide": tmp_path / "guide", "results": tmp_path / "guide"}
    with client_of(tmp_path / "data", behind_proxy=True, **folders) as client:
        head = {"X-Forwarded-Prefix": "/a/uno"}

        def get(path: str, **more: str) -> Any:
            """As the proxy asks, which follows no redirect."""
            address = f"http://localhost/{path}"
            return client.get(address, headers={**head, **more}, follow_redirects=False)

        for path in ("", "odds.json", "guide/part/", "results/part/", "api/v1/formats"):
            assert get(path).status_code == 200, path
        moved = get("guide/part").headers["location"]
        assert moved == "http://localhost/a/uno/guide/part/"
        assert get("api/v1/").headers["location"] == "../../docs"
        assert get("guide").headers["location"] == "guide/"
        assert 'href="/a/uno/' in get("nothing", accept="text/html").text
        assert get("api/v1/nothing", accept="text/html").json()["status"] == 404
        described = get("api/v1/openapi.json").json()
        assert described["servers"] == [{"url": "/a/uno"}]
        refused = client.put("http://localhost/guide/part/", headers=head)
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_a_request_is_named_and_so_is_its_job(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "uno_csp"):
        mine = client.post("/jobs", json={"instance": PAIR}, headers={"X-Request-ID": "mine-1"})
        other = client.get("/formats", headers={"X-Request-ID": "bad name\t"})
    assert mine.headers["x-request-id"] == "mine-1"
    assert len(other.headers["x-request-id"]) == 32
    entries: list[Any] = [each for each in caplog.records if each.message == "request"]
    assert (entries[0].request, entries[0].job) == ("mine-1", mine.json()["id"])


def test_clients_are_counted_by_what_they_own() -> None:
    counted = {
        "10.0.0.1": "10.0.0.1",
        "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
        "2001:db8:1:2::9%eth0": "2001:db8:1:2::/64",
        "::ffff:10.0.0.1": "10.0.0.1",
        "testclient": "testclient",
    }
    assert {address: counted_as(address) for address in counted} == counted


def test_streams_of_events_have_places(monkeypatch: pytest.MonkeyPatch, client: TestClient) -> None:
    monkeypatch.setattr(updates, "MOST_OF_CLIENT", 2)
    monkeypatch.setattr(updates, "MOST_STREAMS", 3)
    held: Updates = client.app.state.updates  # type: ignore[attr-defined]
    with held.stream("a"), held.stream("a"), held.stream("b"):
        for asking in "abc":
            with pytest.raises(Problem), held.stream(asking):
                pass
    job = done(client, PAIR)["id"]
    for _ in range(4):  # a stream that has ended frees its place
        assert "event: end" in client.get(f"/jobs/{job}/events").text
    assert not held._streams
    monkeypatch.setattr(updates, "MOST_STREAMS", 0)
    refused = client.get(f"/jobs/{job}/events")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")


def test_the_reason_of_a_fault_is_logged_and_not_told(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise StoreUnavailable("could not open base/5/123 at db.example")

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "add", away)
        patched.setattr(SqliteStore, "ping", away)
        for found in (client.post("/jobs", json={"instance": PAIR}), client.get("/ready")):
            assert (found.status_code, "db.example" in found.text) == (503, False)
    reasons = [getattr(each, "reason", "") for each in caplog.records]
    assert reasons == ["could not open base/5/123 at db.example"] * 2


def test_an_agent_has_a_limit_and_is_blamed_for_its_nonsense(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An agent of a plug-in may have any fault."""
    odd = Mock(**{"return_value.advise.side_effect": ZeroDivisionError})
    monkeypatch.setattr(type(AGENTS), "find", lambda *_: odd)
    game = {"question": "open-game", "hands": [["R5", "R7"], ["B7"]], "after": "R1"}
    asked = {"instance": game, "agent": "odd", "time_limit_s": 7.0}
    channel = Mock()
    with pytest.raises(Problem) as blamed:
        choose_move.function(MoveRequest.model_validate(asked, context=100), Work({}, channel))
    channel.report.assert_called_once_with(TimeLimit(7.0, GRACE_S))  # beyond it the worker is ended
    assert (blamed.value.status, str(blamed.value)) == (500, 'the agent "odd" failed')


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", CSS, {}, 200),
        ("GET", CSS, {"If-None-Match": "*"}, 304),
        ("GET", f"{CSS}s", {}, 404),
        ("POST", CSS, {}, 405),
        ("GET", CSS, {"If-Match": '"x"'}, 412),
        ("GET", CSS, {"Host": "elsewhere.example"}, 421),
    ],
)
def test_only_files_that_were_found_are_kept_for_good(
    client: TestClient, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    found = client.request(method, path, headers=headers)
    assert found.status_code == status
    assert ("immutable" in found.headers["cache-control"]) == (status in (200, 304))


def test_pages_ask_for_the_files_of_their_version(client: TestClient) -> None:
    page = client.get("http://localhost/").text
    assert "<title>uno-csp</title>" in page
    assert page.count("index.css") == page.count(f'href="v/{version()}/index.css"') == 1
    for name in re.findall(r'"(v/\w+/index\.\w+)"', page):
        assert client.get(f"http://localhost/{name}").status_code == 200
    assert client.get("http://localhost/v/../api/pages.py").status_code == 404


def test_only_a_get_has_ranges(client: TestClient) -> None:
    ranged = {"Range": "bytes=0-3"}
    assert client.get(ODDS, headers=ranged).status_code == 206
    found = client.head(ODDS, headers=ranged)
    assert (found.status_code, "content-range" in found.headers) == (200, False)
    asked = {"instance": PAIR, "to": "dimacs"}
    whole = client.post("/export", json=asked, headers=ranged)
    assert (whole.status_code, "content-range" in whole.headers) == (200, False)


@pytest.mark.parametrize(("header", "status"), [("If-Match", 412), ("If-None-Match", 304)])
def test_what_replaces_a_file_has_none_of_its_headers(
    client: TestClient, header: str, status: int
) -> None:
    job = done(client, {**PAIR, "cards": ["R5", "B7"]}, proof=True)
    path = f"/jobs/{job['id']}/certificate"
    tag = client.get(path).headers["etag"] if status == 304 else '"x"'
    found = client.get(path, headers={header: tag, "Range": "bytes=0-3"})
    assert found.status_code == status
    assert not {"content-range", "content-disposition"} & set(found.headers)
