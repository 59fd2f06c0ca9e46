"""Routes of short requests: files in and out, the checker, families, and the real game."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import FileResponse

from uno_csp.processes.scratch import scratch_folder
from uno_csp.service.api.bodies import PuzzleBody, Question
from uno_csp.service.api.dependencies import Text, TheShortRequests
from uno_csp.service.api.description import PREFIX, TEXT, problems
from uno_csp.service.api.replies import (
    AdviceBody,
    AnalysisBody,
    CountBody,
    HamiltonBody,
    HintBody,
    MoveBody,
    Verdict,
)

router = APIRouter(prefix=PREFIX)


async def _exported(
    request: Request, body: Text, requests: TheShortRequests
) -> AsyncIterator[Path]:
    """Yield the path of an exported file, which is removed when it is sent or sending it fails."""
    with scratch_folder() as folder:
        path = folder / "exported"
        await requests.export(body, path, request.is_disconnected)
        yield path


@router.post("/parse", responses=problems(400, 415, 422, 502))
async def parse_question(body: Text, requests: TheShortRequests) -> Question:
    """Return the question in a file's text, JSON or one card a line."""
    return await requests.parse(body)


@router.post("/check", responses=problems(400, 415, 422, 502))
async def check_answer(request: Request, body: Text, requests: TheShortRequests) -> Verdict:
    """Check an answer with the independent checker."""
    return Verdict.model_validate(
        await requests.answer("check_answer", body, request.is_disconnected)
    )


@router.post(
    "/export",
    response_class=FileResponse,
    responses={
        200: {"content": {"text/plain": {"schema": TEXT}}, "description": "the file"},
        **problems(400, 404, 415, 422, 502),
    },
)
async def export_question(path: Annotated[Path, Depends(_exported)]) -> FileResponse:
    """Export the question as a file for other solvers."""
    return FileResponse(path, media_type="text/plain; charset=utf-8")


@router.post("/generate", responses=problems(400, 404, 415, 422, 502))
async def generate_question(request: Request, body: Text, requests: TheShortRequests) -> Question:
    """Make an instance of a family."""
    return await requests.answer("generate_question", body, request.is_disconnected)


@router.post(
    "/analyse",
    response_model=AnalysisBody,
    response_model_exclude_unset=True,
    responses=problems(400, 415, 422, 502),
)
async def analyse_game(request: Request, body: Text, requests: TheShortRequests) -> dict[str, Any]:
    """Return the outcome of every move of an open game, after some turns have been played."""
    return await requests.answer("analyse_game", body, request.is_disconnected)


@router.post(
    "/advise",
    response_model=AdviceBody,
    response_model_exclude_unset=True,
    responses=problems(400, 404, 415, 422, 502),
)
async def advise_player(request: Request, body: Text, requests: TheShortRequests) -> dict[str, Any]:
    """Return the share of the deals that agree with what is known in which each move wins."""
    return await requests.answer("advise_player", body, request.is_disconnected)


@router.post(
    "/move",
    response_model=MoveBody,
    response_model_exclude_unset=True,
    responses=problems(400, 404, 415, 422, 502),
)
async def choose_move(request: Request, body: Text, requests: TheShortRequests) -> dict[str, Any]:
    """Let an agent that sees one hand play the next turn of an open game."""
    return await requests.answer("choose_move", body, request.is_disconnected)


@router.post(
    "/hamilton", response_model=HamiltonBody, responses=problems(400, 404, 413, 415, 422, 502)
)
async def solve_graph(request: Request, body: Text, requests: TheShortRequests) -> dict[str, Any]:
    """Find a Hamiltonian cycle or path, the fewest paths, or a longest path of a graph."""
    return await requests.answer("solve_graph", body, request.is_disconnected)


@router.post("/count", response_model=CountBody, responses=problems(400, 413, 415, 422, 502))
async def count_plays(request: Request, body: Text, requests: TheShortRequests) -> dict[str, Any]:
    """Count the plays of a whole hand."""
    return await requests.answer("count_plays", body, request.is_disconnected)


@router.post("/puzzle", response_model=PuzzleBody, responses=problems(400, 415, 422, 502))
async def make_puzzle(request: Request, body: Text, requests: TheShortRequests) -> dict[str, Any]:
    """Make a hand with exactly one play; the same request always gets the same one."""
    return await requests.answer("make_puzzle", body, request.is_disconnected)


@router.post("/hint", response_model=HintBody, responses=problems(400, 413, 415, 422, 502))
async def hint_puzzle(request: Request, body: Text, requests: TheShortRequests) -> dict[str, Any]:
    """Name the next card of a puzzle and say why, or that the last card has to be taken back."""
    return await requests.answer("hint_puzzle", body, request.is_disconnected)
