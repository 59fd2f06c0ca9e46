"""Routes of the declared handlers."""

import json
from collections.abc import AsyncIterator
from inspect import getdoc
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.requests import ClientDisconnect

from uno_csp.registry import modules_of
from uno_csp.service.api.description import BAD_BODY, BINARY, PREFIX, TEXT, body_of, problems
from uno_csp.service.api.guarded import GuardedRoute, ScratchFile, TheScheduler
from uno_csp.service.handlers.declaring import HANDLERS, Handler
from uno_csp.service.jobs.scheduler import Departed, Scheduler
from uno_csp.service.messages import TextFile, ZipFile
from uno_csp.service.problems import Problem

JSON = "application/json"
_AT_ONCE = {"Content-Encoding": "identity"}  # compression would hold back what is sent
_FILES = {TextFile: ("text/plain", TEXT), ZipFile: ("application/zip", BINARY)}
"""Media type and schema of the replies that are files."""


def handlers_router() -> APIRouter:
    """Return the routes of all handlers that are declared."""
    modules_of("uno_csp.service.handlers")
    router = APIRouter(prefix=PREFIX, route_class=GuardedRoute)
    for handler in HANDLERS.values():
        kind, schema = _FILES.get(handler.reply, (JSON, None))
        is_file = schema is not None
        about = getdoc(handler.function) or ""
        file = {"content": {kind: {"schema": schema}}, "description": "the file"}
        router.post(
            f"/{handler.path}",
            name=handler.name,
            tags=[handler.function.__module__.rpartition(".")[2]],
            summary=about.partition("\n")[0].rstrip("."),
            description=about,
            response_model=None if is_file else handler.reply,
            response_class=FileResponse if is_file else JSONResponse,
            responses={**({200: file} if is_file else {}), **problems(*BAD_BODY)},
        )(
            _file_of(handler, kind)
            if is_file
            else _stream_of(handler)
            if handler.streams
            else _of(handler)
        )
    return router


def _of(handler: Handler) -> Any:
    async def answer(
        request: Request,
        scheduler: TheScheduler,
        body: body_of(handler.request, handler.example),  # type: ignore[valid-type]
    ) -> Response:
        return JSONResponse(await scheduler.answer(handler, body, request.is_disconnected))

    return answer


def _file_of(handler: Handler, kind: str) -> Any:
    async def send(
        request: Request,
        scheduler: TheScheduler,
        body: body_of(handler.request, handler.example),  # type: ignore[valid-type]
        path: ScratchFile,
    ) -> FileResponse:
        await scheduler.answer(handler, body, request.is_disconnected, path=str(path))
        return FileResponse(path, media_type=kind)

    return send


def _stream_of(handler: Handler) -> Any:
    async def stream(
        request: Request,
        scheduler: TheScheduler,
        body: body_of(handler.request, handler.example),  # type: ignore[valid-type]
    ) -> StreamingResponse:
        lines = _lines(handler, scheduler, body, request.is_disconnected)
        first = await anext(lines)  # a bad request is told by its status
        return StreamingResponse(_joined(first, lines), headers=_AT_ONCE, media_type=JSON)

    return stream


async def _lines(
    handler: Handler, scheduler: Scheduler, body: str, departed: Departed
) -> AsyncIterator[str]:
    """Yield the lines of a reply: an object with one list, an item on each line."""
    (key,) = handler.reply.model_fields
    lead = f'{{"{key}": [\n'
    try:
        async for item in scheduler.items(handler, body, departed):
            yield lead + json.dumps(item)
            lead = ",\n"
    except Problem as problem:  # the last item says why there are no more
        if lead.startswith("{"):
            raise
        yield lead + json.dumps(problem.body)
    except ClientDisconnect:
        if lead.startswith("{"):
            raise
        return
    yield "\n]}\n" if lead == ",\n" else lead + "]}\n"


async def _joined(first: str, lines: AsyncIterator[str]) -> AsyncIterator[str]:
    yield first
    async for line in lines:
        yield line
