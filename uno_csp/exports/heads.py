"""The description of an exported file in its comment, from which ``decode`` takes all it needs.

The comment at the head of a file has the question and the options of the export as one JSON object,
cut into lines that begin with :data:`MARK`, behind its SHA-256, so that no line can be lost.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from uno_csp.errors import InstanceError
from uno_csp.formats import parse, question_to_dict
from uno_csp.formats.compression import DAMAGED, opened
from uno_csp.questions import Instance
from uno_csp.questions.wording import shown

MARK = "uno-csp-decode"
_LINE_CHARS = 50
DIGITS = 32  # hexadecimal digits of the hash, so that a line stays short
_LINES = re.compile(rf"^(?:c|\*|\\|#|  <!--) {MARK} (\S+)", re.MULTILINE)
_OURS = re.compile(rf"(?:c|\*|\\|#|  <!--) (?:{MARK}|uno-csp [a-z-]+:) ")
OPTIONS = ("method", "connectivity", "bound")  # of an export of a model


class Head(NamedTuple):
    """The question in a file, and the arguments of :func:`uno_csp.export` that made it."""

    instance: Instance
    method: str | None = None
    connectivity: str | None = None
    bound: int | None = None
    to: str | None = None


def head_lines(head: Head) -> Iterator[str]:
    """Yield the lines of a comment; they have no two hyphens in a row, for XML."""
    data = {"question": question_to_dict(head.instance)} | head._asdict()
    del data["instance"]
    text = json.dumps(data, separators=(",", ":")).replace(" ", "\\u0020")
    text = text.replace("--", "-\\u002d")
    yield f"{MARK} {_digest(text)}"
    for start in range(0, len(text), _LINE_CHARS):
        yield f"{MARK} {text[start : start + _LINE_CHARS]}"


def _digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:DIGITS]}"


def exported_text(path: str) -> str | None:
    """Return the lines of a file that say what it is, compressed or not; None if there are none.

    Standard input is no exported file.
    """
    try:
        with opened(path, "rt", encoding="utf-8", errors="replace") as stream:
            lines = [line for line in stream if _OURS.match(line)]
    except DAMAGED:
        return None
    return "".join(lines) or None


def head_of(text: str) -> Head:
    """Return the description in an exported file; raise InstanceError if it is cut or changed."""
    digest, *parts = _LINES.findall(text) or [""]
    written = "".join(parts)
    if digest != _digest(written):
        raise InstanceError(f"the lines {MARK} of its comment are cut or changed")
    data: dict[str, Any] = json.loads(written)
    question = parse(data.pop("question"))
    unknown = data.keys() - {*Head._fields}
    if unknown:
        raise InstanceError(
            f"the lines {MARK} of its comment have the key {shown(min(unknown))}, "
            "as those of another version may"
        )
    return Head(question, **data)
