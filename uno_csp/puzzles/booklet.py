"""Booklets of puzzles: a JSON file, and a page to print with the solutions at its end."""

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from uno_csp.errors import NotAccepted
from uno_csp.formats.files import written
from uno_csp.puzzles.making import Puzzle

DATA, PAGE = "puzzles.json", "booklet.html"
"""Names of the files."""


def booklet(puzzles: Sequence[Puzzle], folder: str | PathLike[str], title: str) -> None:
    """Write puzzles to a folder, which is made if it is not there.

    Raises
    ------
    NotAccepted
        If the files cannot be written.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("uno_csp.puzzles", "")
    pages = Environment(loader=loader, undefined=StrictUndefined, autoescape=True)
    data = [puzzle.to_dict() for puzzle in puzzles]
    page = pages.get_template(f"{PAGE}.j2").render(title=title, puzzles=data)
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotAccepted(f"{target}: {(error.strerror or str(error)).lower()}") from None
    for name, text in ((DATA, json.dumps(data, indent=1) + "\n"), (PAGE, page + "\n")):
        with written(target / name) as file:
            file.write(text.encode())
