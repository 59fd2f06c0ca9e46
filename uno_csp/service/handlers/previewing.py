"""Handlers of links that hold a question: what other sites show of them."""

from starlette.datastructures import QueryParams

from uno_csp.processes.channel import Channel
from uno_csp.service.handlers.links import asked_by
from uno_csp.service.handlers.previews import picture_of, title_of
from uno_csp.service.reading import Task


def title_link(task: Task, _channel: Channel) -> str:
    """Return the title of the question that a link holds."""
    return title_of(asked_by(QueryParams(task["query"])))


def draw_link(task: Task, _channel: Channel) -> bytes:
    """Return a picture of the question that a link holds, a PNG file."""
    return picture_of(asked_by(QueryParams(task["query"])))
