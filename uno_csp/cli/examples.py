"""``uno-csp examples``: write the files that the documentation works with."""

import shutil
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import click

import uno_csp
from uno_csp.cli.output import print_text
from uno_csp.errors import NotAccepted
from uno_csp.questions.wording import counted

INSTALLED = "share/uno-csp/examples"


@click.command(name="examples")
@click.argument("folder", type=click.Path(path_type=Path), default="examples")
def examples_command(folder: Path) -> None:
    """Write the examples into a new FOLDER: questions, suites, notebooks, theorems, units."""
    if folder.exists():
        raise NotAccepted(f"{folder}: it exists already; name a new folder")
    shutil.copytree(_examples(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    count = sum(path.is_file() for path in folder.rglob("*"))
    print_text(f"{counted(count, 'file')} in {folder}")


def _examples() -> Path:
    """Return the folder of the examples, of a wheel or beside the source."""
    beside = Path(uno_csp.__file__).parents[1] / "examples"
    if (beside / "hand.csv").is_file():
        return beside
    try:
        installed = files("uno-csp") or []
    except PackageNotFoundError:
        installed = []
    for file in installed:
        if file.as_posix().endswith(f"{INSTALLED}/hand.csv"):
            return Path(str(file.locate())).parent
    raise NotAccepted("this installation has no examples")
