"""Run the code blocks of the README and the documentation on several Pythons.

    scripts/blocks --python .venv/bin/python --python ~/venvs/3.13/bin/python

A Python needs what the project depends on, and takes the code from this checkout. Dialogues must
print what stands on the page, the others the same on each Python, and nothing on standard error;
times, and names of solvers that race, count as equal. Of ``sh``, only errors are looked at.
"""

import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    "README.md",
    *(f"docs/{name}.md" for name in ("index", "tour", "counting", "hamiltonian", "puzzles")),
    *("docs/open-game.md", "docs/programs.md"),
)
LIMIT_S = 600  # of one command
ANSWERED = (0, 10, 20, 30)  # exit codes of commands that did what they should
LANGUAGES = ("console", "sh", "python")  # of the blocks that are run
_BLOCK = re.compile(r"^```(console|sh|python|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_OTHER = re.compile("scripts/|python3 |uno-csp (?:serve|bench|examples)|curl ")
"""Commands of ``sh`` that are not run: they install, serve, or write the examples anew."""
_NOTES = re.compile(r"uno-csp: .*: read as .*\n|uno-csp: compiling .*\n|\d+ answers?, and .*\n")
"""Lines that a command of ``sh`` may print on standard error: on files, compiling and lists."""


class Block(NamedTuple):
    """A code block of a page."""

    page: str
    line: int
    language: str
    text: str


def blocks(page: str, *languages: str) -> list[Block]:
    """Return the blocks of a page in some languages, by default those that are run."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in _BLOCK.finditer(text)
        if found[1] in (languages or LANGUAGES)
    ]


def _can_run(block: Block) -> bool:
    """Return True unless a program of a block is not installed here."""
    lines = [line for line in block.text.splitlines() if not _OTHER.match(line)]
    words = {line.split()[0] for line in lines if block.language == "sh" and line.strip()}
    return all(shutil.which(word) for word in words - {"uno-csp"})


def ran(block: Block, python: str, folder: Path) -> tuple[str, str]:
    """Return what should stand on the page of a block, and what its commands print."""
    if block.language == "python":
        (folder / "block.py").write_text(block.text, encoding="utf-8")
        return _output(f"{shlex.quote(python)} block.py", python, folder)
    lines = block.text.splitlines()
    if block.language == "sh":
        done = [_output(line, python, folder) for line in lines if not _OTHER.match(line)]
        return "", _NOTES.sub("", "".join(whole.removeprefix(out) for out, whole in done))
    commands = [line for line in lines if line.startswith("$ ")]
    said = (f"{line}\n{_output(line[2:], python, folder)[1]}" for line in commands)
    return block.text, "".join(said)


def _output(command: str, python: str, folder: Path) -> tuple[str, str]:
    """Return what a command prints on standard output, and with errors and a bad exit code."""
    program = folder / "bin/uno-csp"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(python)} -m uno_csp "$@"\n')
    program.chmod(0o755)
    programs = (program.parent, Path(sys.executable).parent, os.environ["PATH"])
    own = {"PYTHONPATH": str(ROOT), "PATH": os.pathsep.join(map(str, programs))}
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, **own},
    )
    out = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
    code = "" if done.returncode in ANSWERED else f"exit code {done.returncode}\n"
    return out, f"{out}{done.stderr}{code}"


def timeless(text: str) -> str:
    """Return a text without times, and with one name for solvers that race."""
    same = text.replace("\N{NO-BREAK SPACE}", " ")
    same = same.replace("width, ", "hub-trail + cadical195 + lazy, ")
    same = same.replace("hub-trail + highs + lazy", "hub-trail + cadical195 + lazy")
    same = re.sub(r"hub-trail \+ (cadical195|highs), ", "successor + cadical195, ", same)
    return re.sub(r"\d+\.\d\d s", "...", same)


def differences(pages: Sequence[str], pythons: Sequence[str]) -> Iterator[str]:
    """Yield what a block prints otherwise than its page says, or than with the first Python."""
    first: dict[Block, str] = {}
    for python in pythons:
        with tempfile.TemporaryDirectory() as place:
            (Path(place) / "examples").symlink_to(ROOT / "examples")
            for block in filter(_can_run, chain.from_iterable(map(blocks, pages))):
                known, said = map(timeless, ran(block, python, Path(place)))
                for expected in dict.fromkeys((known, first.setdefault(block, said))):
                    lines = (expected.splitlines(), said.splitlines())
                    shown = "\n".join(difflib.unified_diff(*lines, lineterm="", n=0))
                    if shown:
                        yield f"{block.page}:{block.line} with {python}\n{shown}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", action="append", help="an interpreter (this one)")
    parser.add_argument("pages", nargs="*", default=PAGES, help="pages (those of the guide)")
    chosen = parser.parse_args(arguments)
    pythons = [str(Path(each).absolute()) for each in chosen.python or [sys.executable]]
    found = 0
    for found, difference in enumerate(differences(chosen.pages, pythons), start=1):  # noqa: B007
        print(difference, flush=True)
    count = sum(len(blocks(page)) for page in chosen.pages)
    print(f"{count} blocks, {len(pythons)} Pythons, {found} differences")
    raise SystemExit(found > 0)


if __name__ == "__main__":
    main()
