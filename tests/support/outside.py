"""Outputs of solvers for exported files, which name their question themselves."""

from typing import Any

from uno_csp import exports
from uno_csp.exports.heads import Head, head_lines
from uno_csp.questions.answers import Answer


def decode(instance: Any, text: Any, *, to: str = "mps", **options: Any) -> Answer:
    """Return the answer that an output gives for the file of a question with some options."""
    names = ("method", "connectivity", "bound")
    own = {name: options.pop(name, None) for name in names}
    lines = (f"c {line}\n" for line in head_lines(Head(instance, **own, to=to)))
    return exports.decode("".join(lines), text, **options)
