"""Folders of certificates: written whole, replaced only if intact, packed into a zip file."""

import hashlib
import json
import shutil
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import Any

from uno_csp.errors import NotAccepted
from uno_csp.formats.files import PACKED, require_name, require_new, written
from uno_csp.questions.arguments import require_kind
from uno_csp.verifier import reading
from uno_csp.verifier.graphs import GRAPH
from uno_csp.verifier.hands import FILES
from uno_csp.verifier.reading import CLAIM
from uno_csp.verifier.real_games import STRATEGY

RUN_VERIFIER = b"from uno_csp.verifier.kinds import main\n\nmain()\n"

VERSION = 1  # version of the certificate format


def require_free(path: str | PathLike[str]) -> None:
    """Raise unless the folder is empty, missing or holds only an older certificate.

    Raises NotAccepted if it holds other files, is not a folder or is named as a packed file, or is
    not writable.
    """
    require_kind("folder", path, str | PathLike)
    if fspath(path) == "":
        raise NotAccepted("folder: an empty text names none; the current folder is .")
    require_name(path)
    folder = Path(path)
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if there != folder.absolute() and PACKED.fullmatch(folder.suffix):
        raise NotAccepted(
            f"{folder}: a certificate is a folder, not a {folder.suffix} file; give another name"
        )
    if not there.is_dir():
        raise NotAccepted(f"{there} is a file; a certificate is written to a folder")
    try:
        TemporaryFile(dir=there).close()
    except OSError:
        raise NotAccepted(f"{there}: the folder is not writable") from None
    held = {each.name for each in (folder.iterdir() if folder.exists() else ())}
    foreign = sorted(held - _older(folder))
    if foreign:
        raise NotAccepted(
            f"{folder} holds {foreign[0]!r}, which is not part of an intact certificate; "
            "give a new or empty folder, or that of an older certificate"
        )


def _older(folder: Path) -> set[str]:
    """Return the file names of an intact older certificate in the folder; else the empty set."""
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        claim = json.loads((folder / CLAIM).read_text(encoding="utf-8"))
        files = claim["files"]
        if claim["version"] == VERSION and {"question.json", GRAPH} & {*files}:
            for name, digest in files.items():
                if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
                    return set()
            return {CLAIM, *files} & {CLAIM, *FILES, GRAPH, STRATEGY}
    return set()


def write(folder: Path, claim: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """Write the files of a certificate, with the claim on all of them."""
    contents = {name: text.encode() for name, text in files.items()}
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    whole = {"version": VERSION, **claim, "files": hashes}
    contents[CLAIM] = f"{json.dumps(whole, indent=1)}\n".encode()
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def holds_certificate(path: str | PathLike[str]) -> bool:
    """Return True if a folder has an intact certificate."""
    return bool(_older(Path(path)))


def place(made: Path, path: str | PathLike[str]) -> None:
    """Move the files of a certificate into a folder, in place of those of an older one.

    The claim is the last: a folder without one is not a certificate. If that fails or is
    interrupted, the older one is there again; after a crash both are there, at worst in folders of
    this one.
    """
    require_free(path)
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    names = sorted((each.name for each in made.iterdir()), key=CLAIM.__eq__)
    older = sorted(_older(folder), key=CLAIM.__ne__)  # they could pass for new ones
    new, old = (Path(mkdtemp(prefix=f".{name}-", dir=folder)) for name in ("new", "old"))
    moves = [(folder / name, old / name) for name in older]
    moves += [(new / name, folder / name) for name in names]
    begun = 0
    try:
        for name in names:
            shutil.move(made / name, new / name)
        for begun, (source, target) in enumerate(moves, start=1):  # noqa: B007 (used below)
            source.rename(target)
    except BaseException:
        for source, target in reversed(moves[:begun]):
            with suppress(OSError):  # it was not moved any more
                target.rename(source)
        shutil.rmtree(new, ignore_errors=True)
        with suppress(OSError):  # it has what could not be moved back
            old.rmdir()
        raise
    shutil.rmtree(old, ignore_errors=True)
    new.rmdir()


def pack(folder: Path, path: Path) -> None:
    """Pack a certificate into a zip file for ``uno-csp verify``, atomically."""
    with (
        written(path, [".zip"]) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for each in sorted(folder.iterdir()):
            packed.write(each, each.name)


def export_verifier(path: Path) -> None:
    """Write the verifier as one new file that Python runs, a zip file of its modules."""
    require_new(path)
    names = sorted(Path(reading.__file__).parent.glob("*.py"))
    texts = {f"uno_csp/verifier/{each.name}": each.read_bytes() for each in names}
    texts |= {"uno_csp/__init__.py": b"", "__main__.py": RUN_VERIFIER}
    with written(path, [".zip"]) as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w") as packed:
            for name, text in texts.items():
                packed.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
