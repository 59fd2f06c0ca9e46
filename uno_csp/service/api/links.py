"""Links that hold a question, as the pages write them.

A link has the question as compressed JSON in base64url, or the number of a deal of the real game.
"""

import zlib
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from uno_csp.errors import InstanceError, UnoCspError
from uno_csp.families import generate
from uno_csp.formats import parse
from uno_csp.questions import Instance

MOST_CHARACTERS = 8_000
"""Longest value of ``q`` in a link."""

MOST_BYTES = 200_000
"""Largest question in a link, decompressed."""


def asked_by(query: Mapping[str, str]) -> Instance | None:
    """Return the question of a link; None if it has none, or it is damaged.

    Parameters
    ----------
    query
        Parameters of the link: ``q``, a question; or ``deal``, ``players``, ``cards`` and
        ``rules``, as the family ``open-game`` takes them.
    """
    try:
        if "q" in query:
            return question_of(query["q"])
        if "deal" not in query:
            return None
        given: dict[str, Any] = {
            name: query[name] if name == "rules" else int(query[name])
            for name in ("players", "cards", "rules")
            if name in query
        }
        return generate("open-game", seed=int(query["deal"]), **given)
    except (UnoCspError, ValueError):
        return None  # the page itself says so


def question_of(packed: str) -> Instance:
    """Return the question in the ``q`` of a link.

    Parameters
    ----------
    packed
        JSON of the question, as raw DEFLATE (RFC 1951) in base64url without padding.

    Raises
    ------
    InstanceError
        If it is damaged, too large, or no question.
    """
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
    return parse(text)
