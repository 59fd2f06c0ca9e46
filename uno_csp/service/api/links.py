"""Links that hold a question: compressed JSON in base64url, as the page writes them."""

import zlib
from base64 import b64decode

from uno_csp.errors import InstanceError
from uno_csp.formats import parse
from uno_csp.questions import Instance

MOST_CHARACTERS = 8_000
"""Longest value of ``q`` in a link."""

MOST_BYTES = 200_000
"""Largest question in a link, decompressed."""


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
