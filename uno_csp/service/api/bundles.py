"""Bundles of the pages: one script and one style sheet for each, so that it waits only once.

The modules of the pages import one another by name and without circles. A bundle has them one
after the other, each in a scope of its own.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "page"
STYLES = {
    "index": ("page", "cards", "trial", "answer"),
    "game": ("page", "cards", "game"),
    "puzzle": ("page", "cards", "trial", "puzzle"),
    "graph": ("page", "graph"),
    "docs": ("page", "docs"),
    "missing": ("page",),
}
"""The style sheets of each page; all but ``missing`` have a script of their name, too."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|const|function\*?) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)


def _module(name: str, found: dict[str, str]) -> None:
    """Add a module to those found, after the modules that it imports."""
    text = (FOLDER / f"js/{name}.js").read_text(encoding="utf-8")
    for _, other in _IMPORT.findall(text):
        if other not in found:
            _module(other, found)
    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = $\2;\n", _COMMENT.sub("", text)))
    found[name] = f"const ${name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def script(name: str) -> str:
    """Return a module and all that it imports, as one module that imports nothing."""
    found: dict[str, str] = {}
    _module(name, found)
    return "".join(found.values())


@cache
def bundles() -> dict[str, str]:
    """Return all bundles by the names of their files."""
    styles = {
        f"{page}.css": "".join((FOLDER / f"{name}.css").read_text("utf-8") for name in names)
        for page, names in STYLES.items()
    }
    scripts = [*(page for page in STYLES if page != "missing"), "ahead"]
    return styles | {f"{name}.js": script(name) for name in scripts}


@cache
def version() -> str:
    """Return a name for what the pages load, which changes with any of it."""
    return sha256("".join(bundles().values()).encode()).hexdigest()[:12]
