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
    ReviewBody,
    Verdict,
)

router = APIRouter(prefix=PREFIX)


async def _export(request: Request, body: Text, requests: TheShortRequests) -> AsyncIterator[Path]:
    """Yield the path of an exported file, which is removed when it is sent or sending it fails."""
    with scratch_folder() as folder:
        path = folder / "exported"
        await requests.export(body, path, request.is_disconnected)
        yield path


@router.post("/parse", responses=problems(400, 415, 422, 502))
async def parse_question(body: Text, requests: TheShortRequests) -> Question:
    """Return the question in a file's text, JSON or one card a line."""
    return await requests.parse(body)


@router.post(
    "/export",
    response_class=FileResponse,
    responses={
        200: {"content": {"text/plain": {"schema": TEXT}}, "description": "the file"},
        **problems(400, 404, 415, 422, 502),
    },
)
async def export_question(path: Annotated[Path, Depends(_export)]) -> FileResponse:
    """Export the question as a file for other solvers."""
    return FileResponse(path, media_type="text/plain; charset=utf-8")


_TOOLS: tuple[tuple[str, Any, tuple[int, ...], str], ...] = (
    ("check_answer", Verdict, (), "Check an answer with the independent checker"),
    ("generate_question", Question, (404,), "Make an instance of a family"),
    ("analyse_game", AnalysisBody, (), "Return the outcome of every move of an open game, after "
     "some turns have been played"),
    ("advise_player", AdviceBody, (404,), "Return the share of the deals that agree with what is "
     "known in which each move wins"),
    ("choose_move", MoveBody, (404,), "Let an agent that sees one hand play the next turn of an "
     "open game"),
    ("review_game", ReviewBody, (), "Return what the last turn of an open game gave away, from the "
     "seat of the player who moved"),
    ("solve_graph", HamiltonBody, (404, 413), "Find a Hamiltonian cycle or path, the fewest paths, "
     "or a longest path of a graph"),
    ("count_plays", CountBody, (413,), "Count the plays of a whole hand"),
    ("make_puzzle", PuzzleBody, (), "Make a hand with exactly one play; the same request always "
     "gets the same one"),
    ("hint_puzzle", HintBody, (413,), "Name the next card of a puzzle and say why, or that the "
     "last card has to be taken back"),
)  # fmt: skip
"""Handler of the worker, reply, further errors and summary of each route."""

_PATHS = {"choose_move": "move", "make_puzzle": "puzzle", "solve_graph": "hamilton"}
"""Paths that are not the verb of their handler."""


def _add(handler: str, reply: Any, errors: tuple[int, ...], summary: str) -> None:
    async def answer(request: Request, body: Text, requests: TheShortRequests) -> Any:
        return await requests.answer(handler, body, request.is_disconnected)

    path = _PATHS.get(handler, handler.partition("_")[0])
    add = router.post(
        f"/{path}",
        name=handler,
        response_model=reply,
        response_model_exclude_unset=True,
        responses=problems(*sorted((400, 415, 422, 502, *errors))),
        description=summary,
    )
    add(answer)


for _tool in _TOOLS:
    _add(*_tool)
