"""Certificates for tests."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from uno_csp import certify, parse, solve
from uno_csp.certificates import proved
from uno_csp.certificates.folders import export_verifier
from uno_csp.questions import Instance
from uno_csp.verifier.hands import verify
from uno_csp.verifier.reading import CLAIM, judged

NOT_HANDLED = 3

LONGEST = """{"question": "longest",
    "cards": [[1, 1], [1, 2], [1, 3], [4, 2], [5, 3], [6, 1], [7, 7]]}"""


def certificate(
    instance: Instance, folder: Path, *, strict: bool = False, bounds: bool = True
) -> dict[str, Any]:
    expected = certify(instance, solve(instance), folder, strict=strict, bounds=bounds).certificate
    assert expected is not None
    return dict(expected)


@cache
def _files(question: str, strict: bool, bounds: bool) -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        assert certificate(parse(question), Path(folder), strict=strict, bounds=bounds)["certified"]
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def put_certificate(
    folder: Path, question: str, *, strict: bool = False, bounds: bool = True
) -> Path:
    """Write the certificate of a question, which a process makes once, into a folder."""
    folder.mkdir(exist_ok=True)
    for name, raw in _files(question, strict, bounds).items():
        (folder / name).write_bytes(raw)
    return folder


def written(folder: Path, files: Mapping[str, str], **claim: Any) -> Path:
    """Write a certificate of a NO, or of another claim, with the hashes of its files."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    no = {"version": 1, "status": "UNSATISFIABLE", "objective": None}
    (folder / CLAIM).write_text(json.dumps({**no, **claim, "files": dict.fromkeys(files)}))
    signed(folder)
    return folder


def changed(folder: Path, name: str, how: Callable[[str], str]) -> None:
    """Change a file of a certificate, and make the claim fit, as a forger would."""
    (folder / name).write_text(how((folder / name).read_text()))
    if name != CLAIM:
        signed(folder)


def replaced(pattern: str, text: str) -> Callable[[str], str]:
    """Replace what matches a pattern."""
    return partial(re.sub, pattern, text)


def edited(change: Callable[[Any], object]) -> Callable[[str], str]:
    """Change the JSON of a file in place."""

    def how(text: str) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data)

    return how


def key(name: str, change: Callable[[Any], Any]) -> Callable[[str], str]:
    """Change what a key of a file has."""
    return edited(lambda data: data.update({name: change(data.get(name))}))


def signed(folder: Path, **changed: Any) -> None:
    """Make the claim fit the files, as a forger would."""
    claim = json.loads((folder / CLAIM).read_text())
    claim["files"] = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in claim["files"]
    }
    (folder / CLAIM).write_text(json.dumps({**claim, **changed}))


def differing(folder: Path) -> str:
    """Return how the proved checker and the Python verifiers differ, or an empty string."""
    if proved.program() is None:
        return ""
    code, words = judged(folder, "auto", verify)
    other, line = proved.verdict(folder)
    if other in (0, 1, 2) and (code == 0) == (other == 0):
        return ""
    return "" if other == NOT_HANDLED else f"Python says {code}, {words}; Coq {other}, {line}"


def judged_alone(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the exported verifier in the parent of a folder, on the folder, without packages."""
    if not (folder.parent / "uno-verify").exists():
        export_verifier(folder.parent / "uno-verify")
    command = [sys.executable, "-I", "-S", "uno-verify", folder.name, *arguments]
    return subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)
