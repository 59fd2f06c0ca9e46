"""Outputs of solvers for exported files, which name their question themselves."""

from typing import Any

from uno_csp import exports
from uno_csp.exports.heads import Head, head_lines
from uno_csp.questions.answers import Answer


def decode(instance: Any, text: Any, **options: Any) -> Answer:
    """Return the answer that an output gives for the file of a question with some options."""
    own = (options.pop(name, None) for name in ("method", "connectivity", "bound"))
    lines = (f"c {line}\n" for line in head_lines(Head(instance, *own)))
    return exports.decode("".join(lines), text, **options)
