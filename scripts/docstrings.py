"""Griffe extension that converts docstrings to Markdown; see ``mkdocs.yml``.

Roles become plain names, and *Variables* sections become lists.
"""

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:mod|func|class|meth|data):`~?(?:[\w.]*\.)?(\w+)`")
_VARIABLES = re.compile(r"^Variables\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^(\S[^\n]*)\n((?:    [^\n]*\n?)+)", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Converts reStructuredText roles and *Variables* sections to Markdown."""

    def on_instance(self, *, obj: griffe.Object, **_more: Any) -> None:
        """Rewrite the docstring of a loaded object."""
        if obj.docstring is not None:
            obj.docstring.value = _VARIABLES.sub(_listed, _ROLE.sub(r"`\1`", obj.docstring.value))


def _listed(section: re.Match[str]) -> str:
    """Convert a *Variables* section to a Markdown list."""
    entries = [f"- `{name}`: {' '.join(text.split())}" for name, text in _ENTRY.findall(section[1])]
    return "**Variables**\n\n" + "\n".join(entries) + "\n\n"
