"""Pieces of input as they are shown in messages: in one short line."""

import json

SHOWN_CHARS = 40


def shown(value: object) -> str:
    """A value as it stood in the JSON, cut to a length that fits into one line.

    >>> shown(None), shown("x" * 100)[-5:]
    ('null', 'xx...')
    """
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}..."


def shown_key(key: str) -> str:
    """A key, likewise."""
    plain = key.encode("unicode_escape").decode("ascii")
    return plain if len(plain) <= SHOWN_CHARS else f"{plain[:SHOWN_CHARS]}..."
