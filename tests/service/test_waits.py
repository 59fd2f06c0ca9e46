"""Work that delays no request: it is done before the first one, or in a thread of its own."""

import asyncio
import gc
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import TypeAdapter
from uvicorn import Config

from uno_csp.service.api.connections import EndingServer


def test_the_collector_is_kept_from_what_stays_with_a_server() -> None:
    """A collection looks through what requests leave behind, not through the whole server."""

    async def nothing(_scope: Any, _receive: Any, _send: Any) -> None:
        """An application that answers nothing."""

    server = EndingServer(Config(nothing, lifespan="off", log_config=None), lambda: None)
    server.should_exit = True  # once it has started
    try:
        asyncio.run(server.serve(sockets=[]))
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()


def test_the_routes_are_built_before_the_first_request(
    own_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    built, make = list[Any](), TypeAdapter.__init__

    def init(adapter: Any, kind: Any, **options: Any) -> None:
        """Each parameter of a route has an adapter."""
        built.append(kind)
        make(adapter, kind, **options)

    monkeypatch.setattr(TypeAdapter, "__init__", init)
    for path in ("/health", "/jobs", "/backends"):
        assert own_client.get(path).status_code == 200
    assert not built
    TypeAdapter(int)
    assert built == [int]


def test_the_description_is_made_beside_the_requests(
    own_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops, make = list[Any](), FastAPI.openapi

    def openapi(app: FastAPI) -> dict[str, Any]:
        loops.append(asyncio._get_running_loop())
        return make(app)

    monkeypatch.setattr(FastAPI, "openapi", openapi)
    assert own_client.get("/openapi.json").json()["openapi"]
    assert loops == [None]
