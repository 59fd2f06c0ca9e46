"""How the site shows docstrings: roles as plain names, lists of variables as lists.

A griffe extension; see ``mkdocs.yml``.
"""

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:mod|func|class|meth|data):`~?(?:[\w.]*\.)?(\w+)`")
_VARIABLES = re.compile(r"^Variables\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^(\S[^\n]*)\n((?:    [^\n]*\n?)+)", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Rewrites what Markdown does not know."""

    def on_instance(self, *, obj: griffe.Object, **_more: Any) -> None:
        """Rewrite the docstring of whatever has been loaded."""
        if obj.docstring is not None:
            obj.docstring.value = _VARIABLES.sub(_listed, _ROLE.sub(r"`\1`", obj.docstring.value))


def _listed(section: re.Match[str]) -> str:
    """A section of variables as a list."""
    entries = [f"- `{name}`: {' '.join(text.split())}" for name, text in _ENTRY.findall(section[1])]
    return "**Variables**\n\n" + "\n".join(entries) + "\n\n"
