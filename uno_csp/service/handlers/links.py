"""Links that hold a question, as the pages write them, and what other sites show of them.

A link has the question as compressed JSON in base64url, or the number of a deal of the real game.
"""

import zlib
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import QueryParams

from uno_csp.errors import InstanceError
from uno_csp.families import generate
from uno_csp.formats.strict_json import loads
from uno_csp.formats.text import text_of
from uno_csp.processes.channel import Channel
from uno_csp.questions import Instance
from uno_csp.service.handlers.previews import picture_of, title_of
from uno_csp.service.reading import Task, question_of

MOST_CHARACTERS = 8_000  # longest value of ``q`` in a link

MOST_BYTES, MOST_CARDS = 20_000, 400  # of a question: bytes, decompressed, and cards


def holds_question(query: Mapping[str, str]) -> bool:
    """Return True if the parameters of a link are those of a question, which may be damaged."""
    return "q" in query or "deal" in query


def title_link(task: Task, _channel: Channel) -> str:
    """Return the title of the question that a link holds."""
    return title_of(asked_by(QueryParams(task["query"])))


def draw_link(task: Task, _channel: Channel) -> bytes:
    """Return a picture of the question that a link holds, a PNG file."""
    return picture_of(asked_by(QueryParams(task["query"])))


def asked_by(query: Mapping[str, str]) -> Instance:
    """Return the question of a link: ``q``, or a deal as the family ``open-game`` takes it."""
    if "q" in query:
        return _unpack(query["q"])
    try:
        given: dict[str, Any] = {
            name: query[name] if name == "rules" else int(query[name])
            for name in ("players", "cards", "rules")
            if name in query
        }
        seed = int(query["deal"])
    except ValueError:
        raise InstanceError("link: the numbers of a deal are whole numbers") from None
    return generate("open-game", seed=seed, **given)


def _unpack(packed: str) -> Instance:
    """Return the question in the ``q`` of a link, as raw DEFLATE (RFC 1951) in base64url."""
    if len(packed) > MOST_CHARACTERS:
        raise InstanceError(f"link: at most {MOST_CHARACTERS} characters are allowed")
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        padding = "=" * (-len(packed) % 4)
        compressed = b64decode(packed + padding, altchars="-_", validate=True)
        text = unpacking.decompress(compressed, MOST_BYTES)
    except (ValueError, zlib.error) as error:
        raise InstanceError("link: it is damaged and holds no question") from error
    if not unpacking.eof:
        raise InstanceError(f"link: it is cut off, or holds more than {MOST_BYTES} bytes")
    found = loads(text_of(text))
    if not isinstance(found, dict):
        raise InstanceError("link: it holds no question")
    return question_of(found, MOST_CARDS)
