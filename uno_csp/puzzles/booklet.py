"""Booklets of puzzles: a JSON file, and a page to print with the solutions at its end."""

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from uno_csp.errors import NotAccepted
from uno_csp.formats.files import written
from uno_csp.puzzles.making import Puzzle

DATA, PAGE = "puzzles.json", "booklet.html"  # names of the files


def booklet(puzzles: Sequence[Puzzle], folder: str | PathLike[str], title: str) -> None:
    """Write puzzles to a folder, which is made if it is not there.

    Raises NotAccepted if the files cannot be written, or would replace others than those of an
    older booklet.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("uno_csp.puzzles", "")
    pages = Environment(loader=loader, undefined=StrictUndefined, autoescape=True)
    data = [puzzle.to_dict() for puzzle in puzzles]
    page = pages.get_template(f"{PAGE}.j2").render(title=title, puzzles=data)
    target = Path(folder)
    _require_no_others(target)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotAccepted(f"{target}: {(error.strerror or str(error)).lower()}") from None
    for name, text in ((DATA, json.dumps(data, indent=1) + "\n"), (PAGE, page + "\n")):
        with written(target / name) as file:
            file.write(text.encode())


def _require_no_others(folder: Path) -> None:
    """Raise if a file of the same name is not of an older booklet."""
    data = folder / DATA
    there = next((each for each in (data, folder / PAGE) if each.exists()), None)
    if there is None:
        return
    try:
        older = json.loads(data.read_text())
    except (OSError, ValueError):
        older = None
    if not (isinstance(older, list) and all(isinstance(each, dict) for each in older)):
        raise NotAccepted(f"{there} is there, and not of an older booklet; give another folder")
